"""Writes and prints small .npy files, without NumPy.

  npy.py write FILE TYPE SHAPE VALUE...   TYPE: f2 f4 i4 ..., SHAPE: 2x3
  npy.py print FILE                       one line: type, shape, values
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ast
import struct
import sys

FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i4": "i", "i8": "q", "u2": "H"}


def write(path, kind, shape, values):
    extents = tuple(int(extent) for extent in shape.split("x"))
    header = repr({"descr": "<" + kind, "fortran_order": False, "shape": extents})
    header = header.ljust(117) + "\n"
    convert = float if kind[0] == "f" else int
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        for value in values:
            file.write(struct.pack("<" + FORMATS[kind], convert(value)))


def show(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10 : 10 + length].decode())
    kind = header["descr"][1:]
    values = struct.iter_unpack("<" + FORMATS[kind], data[10 + length :])
    print(kind, header["shape"], *(value for (value,) in values))


if sys.argv[1] == "write":
    write(*sys.argv[2:5], sys.argv[5:])
else:
    show(sys.argv[2])
