#!/usr/bin/env python3
"""Runs a module before and after Prism's passes on the CPU and compares.

  run_on_cpu.py --input-mlir=IN.mlir [--entry=NAME]... [--pipeline=FLAGS] [--seed=N]

Each function (default: every function on tensors that has a body and is not
private) is called with the same seeded random tensors, once as it stands in the
file (or after --reference=FLAGS) and once after prism-opt with the flags of the
pipeline and of the way back (--export); every element of every result must agree.
Both go through upstream's lowering to LLVM, are compiled to a shared object and
called through ctypes with memref descriptors. f64, f32, f16, bf16 (as uint16
bits) and i1 are known.

As a module: compile_module, Function, random_inputs, compare.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import ctypes
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import numpy as np

# To LLVM's dialect, from linalg on tensors.
LOWERING = [
    "--llvm-request-c-wrappers",
    "--one-shot-bufferize=bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map",
    "--buffer-deallocation-pipeline", "--convert-bufferization-to-memref",
    "--convert-linalg-to-loops", "--arith-expand=include-bf16=true", "--convert-scf-to-cf",
    "--expand-strided-metadata", "--lower-affine", "--convert-math-to-llvm",
    "--convert-math-to-libm", "--convert-vector-to-llvm",
    "--finalize-memref-to-llvm", "--convert-arith-to-llvm", "--convert-func-to-llvm",
    "--convert-cf-to-llvm", "--reconcile-unrealized-casts"]

DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16,
          "bf16": np.uint16, "i1": np.bool_}
# Per element type: what two orders of the same roundings may differ by.
TOLERANCE = {"f64": 1e-12, "f32": 1e-5, "f16": 2e-3, "bf16": 1.6e-2, "i1": 0.0}


def to_bf16(array):
    """The bits of a float array rounded to bf16, to nearest even."""
    bits = np.asarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def to_float64(array, element):
    if element == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


# --- Compiling -----------------------------------------------------------------
def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s failed (%d)" % (done.stderr[-6000:], shlex.join(command),
                                         done.returncode))
    return done.stdout


def find_tool(name):
    path = shutil.which(name) or shutil.which(name + "-22")
    return path or sys.exit("run_on_cpu.py: no '%s' on PATH" % name)


def compile_module(text, folder, name, flags=(), optimize="-O0"):
    """Lowers MLIR text, after prism-opt FLAGS, to the shared object that is returned."""
    opt = find_tool("prism-opt")
    if flags:
        text = run([opt, "-", *flags], text)
    text = run([opt, "-", *LOWERING], text)
    llvm = run([find_tool("mlir-translate"), "--mlir-to-llvmir"], text)
    source, target = (os.path.join(folder, name + end) for end in (".ll", ".so"))
    with open(source, "w") as file:
        file.write(llvm)
    clang = find_tool("clang")
    libs = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(clang)), "..", "lib"))
    run([clang, optimize, "-march=native", "-ffp-contract=off", "-Wno-override-module", "-shared", "-fPIC", source,
         "-o", target, "-L" + libs, "-Wl,-rpath," + libs, "-lmlir_c_runner_utils",
         "-lmlir_float16_utils", "-lm"])
    return ctypes.CDLL(target)


# --- Calling -------------------------------------------------------------------
class TensorType:
    """tensor<2x?xf32>: `shape` has None where it is dynamic."""

    def __init__(self, text):
        *dims, self.element = text.split("x")
        self.shape = [None if d == "?" else int(d) for d in dims]
        if self.element not in DTYPES:
            raise ValueError("element type " + self.element)

    def descriptor(self):
        rank = len(self.shape)
        fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                  ("offset", ctypes.c_int64)]
        if rank:
            fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
        return type("MemRef", (ctypes.Structure,), {"_fields_": fields})

    def describe(self, array):
        memref = self.descriptor()()
        memref.allocated = memref.aligned = array.ctypes.data
        if array.ndim:
            memref.sizes[:] = array.shape
            memref.strides[:] = [s // array.itemsize for s in array.strides]
        return memref

    def read(self, memref):
        dtype = np.dtype(DTYPES[self.element])
        shape = list(memref.sizes) if self.shape else []
        strides = [s * dtype.itemsize for s in memref.strides] if self.shape else []
        if 0 in shape:
            return np.empty(shape, dtype)
        start = memref.aligned + memref.offset * dtype.itemsize
        length = sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize
        buffer = (ctypes.c_char * length).from_address(start)
        return np.ndarray(shape, dtype, buffer, strides=strides).copy()


class Function:
    """A function on tensors, by its signature as MLIR prints it."""

    def __init__(self, name, arguments, results):
        self.name = name
        self.arguments = [TensorType(t) for t in re.findall(r"tensor<([^>]*)>", arguments)]
        self.results = [TensorType(t) for t in re.findall(r"tensor<([^>]*)>", results or "")]

    def __call__(self, library, inputs):
        memrefs = [t.describe(a) for t, a in zip(self.arguments, inputs)]
        fields = [("r%d" % i, t.descriptor()) for i, t in enumerate(self.results)]
        results = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        entry = getattr(library, "_mlir_ciface_" + self.name)
        entry(ctypes.byref(results), *(ctypes.byref(m) for m in memrefs))
        return [t.read(getattr(results, "r%d" % i)) for i, t in enumerate(self.results)]


def find_functions(text, names=()):
    """The functions of a module in MLIR's own printing, in order."""
    found = {}
    for visibility, name, arguments, results in re.findall(
            r"func\.func (\w+ )?@([\w.$]+)\((.*?)\)(?: -> (.*?))?(?: attributes .*)? \{\n", text):
        if names and name not in names or not names and visibility.strip() == "private":
            continue
        found[name] = Function(name, arguments, results)
    for name in names:
        if name not in found:
            sys.exit("run_on_cpu.py: no function @%s with a body" % name)
    return list(found.values())


def random_inputs(function, seed, extent=5, positive=False, scale=1.0):
    """Standard normal values (or positive ones); `extent` for each dynamic dim."""
    rng = np.random.default_rng(seed)
    inputs = []
    for kind in function.arguments:
        values = np.asarray(
            rng.standard_normal([extent if d is None else d for d in kind.shape])) * scale
        if positive:
            values = np.abs(values) + 0.1
        if kind.element == "bf16":
            inputs.append(to_bf16(values))
        else:
            values = values > 0 if kind.element == "i1" else values
            inputs.append(np.array(values, DTYPES[kind.element], order="C"))
    return inputs


def compare(got, want, tolerance):
    """None, or why float64 arrays differ. NaN and inf must stand in the same places; the error of
    an element is relative to it, or to the root mean square where it is smaller than that."""
    if got.shape != want.shape:
        return "shape %s, expected %s" % (got.shape, want.shape)
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite], equal_nan=True):
        return "NaN or inf in other places"
    if not np.isfinite(got[finite]).all():
        return "NaN or inf in other places"
    if not finite.any():
        return None
    scale = np.maximum(np.abs(want[finite]), np.sqrt(np.mean(want[finite] ** 2)))
    error = np.abs(got[finite] - want[finite]) / np.where(scale == 0, 1, scale)
    if error.max() <= tolerance:
        return None
    where = np.argmax(error)
    return "%r, expected %r: relative error %.3g exceeds %.3g" % (
        float(got[finite][where]), float(want[finite][where]), error[where], tolerance)


def check(function, before, after, inputs, tolerance):
    """The failures, one line each."""
    want = function(before, [a.copy() for a in inputs])
    got = function(after, [a.copy() for a in inputs])
    failures = []
    for index, (kind, g, w) in enumerate(zip(function.results, got, want)):
        limit = TOLERANCE[kind.element] if tolerance is None else tolerance
        why = compare(to_float64(g, kind.element), to_float64(w, kind.element), limit)
        if why:
            failures.append("@%s result %d: %s" % (function.name, index, why))
    return failures


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--input-mlir", required=True, help="a file, - for stdin")
    parser.add_argument("--entry", action="append", default=[], help="function; may be repeated")
    parser.add_argument("--prepare", default="", help="flags of prism-opt for both sides")
    parser.add_argument("--reference", default="", help="flags of prism-opt for the one side")
    parser.add_argument("--pipeline", help="flags of prism-opt to be tested",
                        default="--convert-linalg-to-prism --prism-partition")
    parser.add_argument("--export", default="--convert-prism-to-linalg",
                        help="flags of prism-opt that follow the pipeline's")
    parser.add_argument("--whole", action="store_true",
                        help="fail if the pipeline leaves any linalg op")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--extent", type=int, default=5, help="of each dynamic dim")
    parser.add_argument("--positive", action="store_true", help="positive inputs")
    parser.add_argument("--scale", type=float, default=1.0, help="of the inputs")
    parser.add_argument("--tolerance", type=float, help="relative; default by element type")
    args = parser.parse_args(argv)

    text = sys.stdin.read() if args.input_mlir == "-" else open(args.input_mlir).read()
    text = run([find_tool("prism-opt"), "-", *shlex.split(args.prepare)], text)
    functions = find_functions(text, args.entry)
    if not functions:
        sys.exit("run_on_cpu.py: no function on tensors in " + args.input_mlir)
    failures = []
    tested = run([find_tool("prism-opt"), "-", *shlex.split(args.pipeline)], text)
    if args.whole and re.search(r"\blinalg\.", tested):
        failures.append("ops of linalg are left")
    with tempfile.TemporaryDirectory() as folder:
        before = compile_module(text, folder, "before", shlex.split(args.reference), "-O2")
        after = compile_module(tested, folder, "after", shlex.split(args.export), "-O2")
        for function in functions:
            inputs = random_inputs(function, args.seed, args.extent, args.positive, args.scale)
            failed = check(function, before, after, inputs, args.tolerance)
            print("%s @%s" % ("DIFFERS" if failed else "EQUAL", function.name))
            failures += failed
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
