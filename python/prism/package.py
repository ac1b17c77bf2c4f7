# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel packages over the C API: see include/prism-c/Package.h.

This module needs libPrismPackage.so alone, which has no compiler in it.
"""

import ctypes
import functools
import os
from pathlib import Path

from ._error import Error


class _Array(ctypes.Structure):
    _fields_ = [("type", ctypes.c_char_p), ("rank", ctypes.c_size_t),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p)]


class _Options(ctypes.Structure):
    _fields_ = [("gpu", ctypes.c_uint), ("unchecked", ctypes.c_bool),
                ("reversed", ctypes.c_bool), ("step_limit", ctypes.c_uint64)]


def _find_library():
    """PRISM_PACKAGE_LIBRARY, the copy in the installed package, or the build tree's."""
    name = "libPrismPackage.so"
    named = os.environ.get("PRISM_PACKAGE_LIBRARY")
    if named:
        return named
    here = Path(__file__).resolve().parent
    for candidate in (here / name, here.parents[1] / "build" / "lib" / name):
        if candidate.exists():
            return str(candidate)
    raise ImportError(name + " was not found: build the project (scripts/test.sh), "
                      "or name the library in PRISM_PACKAGE_LIBRARY")


@functools.lru_cache(maxsize=None)
def _library():
    library = ctypes.CDLL(_find_library())
    handle, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    error, arrays = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(_Array)
    for name, returns, *arguments in (
            ("Open", handle, text, text, ctypes.POINTER(_Options), error),
            ("Close", None, handle), ("FreeText", None, handle),
            ("Target", text, handle), ("NumFunctions", size, handle),
            ("FunctionName", text, handle, size),
            ("Signature", ctypes.c_bool, handle, text, ctypes.POINTER(size), ctypes.POINTER(size)),
            ("ArgumentType", text, handle, text, size), ("ResultType", text, handle, text, size),
            ("Run", handle, handle, text, arrays, size, error),
            ("ResultsDestroy", None, handle), ("ResultsSize", size, handle),
            ("Result", _Array, handle, size),
            ("Time", ctypes.c_double, handle, text, arrays, size, ctypes.c_uint, error)):
        function = getattr(library, "prismPackage" + name)
        function.restype, function.argtypes = returns, arguments
    return library


def _check(fails, error):
    if fails:
        text = ctypes.string_at(error.value).decode(errors="replace")
        _library().prismPackageFreeText(error)
        raise Error(text.splitlines()[0] if text else "the call failed", text)


def _type_of(dtype):
    names = {"f": "f%d", "i": "i%d", "u": "ui%d", "b": "i1"}
    name = names.get(dtype.kind, "")
    return name % (8 * dtype.itemsize) if "%" in name else name


def _dtype_of(name):
    import numpy
    if name == "i1":
        return numpy.dtype(bool)
    bits = int("".join(c for c in name if c.isdigit()))
    kind = "u" if name[0] in "ub" else name[0]  # bf16 as its bits
    return numpy.dtype("%s%d" % (kind, bits // 8))


class Package:
    """The kernel package in folder `path`, to run on `device` ("sim" or "cuda").

    Arrays are NumPy's, or anything that numpy.asarray takes; bf16 comes and goes as
    uint16. On the simulated device, `checks=False` leaves out all checks but bounds and
    alignment, `reversed=True` runs blocks and warps last to first, and `step_limit` is
    the most warp instructions of one block.
    """

    def __init__(self, path, device="sim", *, gpu=0, checks=True, reversed=False, step_limit=0):
        options = _Options(gpu, not checks, reversed, step_limit)
        error = ctypes.c_void_p()
        self._handle = None
        self._handle = _library().prismPackageOpen(
            os.fsencode(path), device.encode(), ctypes.byref(options), ctypes.byref(error))
        _check(not self._handle, error)

    def close(self):
        """Frees the device's memory; the package is of no use afterwards."""
        if self._handle:
            _library().prismPackageClose(self._handle)
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def _open(self):
        if not self._handle:
            raise Error("the package was closed")
        return self._handle

    @property
    def target(self):
        """The GPU it was compiled for, e.g. 'sm_80'."""
        return _library().prismPackageTarget(self._open()).decode()

    @property
    def functions(self):
        """{name: (argument types, result types)}, in the plan's order."""
        library, handle, found = _library(), self._open(), {}
        for index in range(library.prismPackageNumFunctions(handle)):
            name = library.prismPackageFunctionName(handle, index)
            counts = ctypes.c_size_t(), ctypes.c_size_t()
            library.prismPackageSignature(handle, name, *map(ctypes.byref, counts))
            asks = library.prismPackageArgumentType, library.prismPackageResultType
            found[name.decode()] = tuple(
                [ask(handle, name, i).decode() for i in range(count.value)]
                for ask, count in zip(asks, counts))
        return found

    @staticmethod
    def _pass(arrays):
        """The C arrays, and what must live as long as they do."""
        import numpy
        passed, alive = (_Array * len(arrays))(), []
        for target, array in zip(passed, arrays):
            array = numpy.asarray(array)
            native = array.dtype.newbyteorder("=")
            array = numpy.ascontiguousarray(array, native).reshape(array.shape)
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            alive += [array, shape]
            target.type, target.rank = _type_of(array.dtype).encode(), array.ndim
            target.shape, target.data = shape, array.ctypes.data
        return passed, alive

    def run(self, function, *inputs):
        """The results, a list of NumPy arrays."""
        import numpy
        library, error = _library(), ctypes.c_void_p()
        passed, alive = self._pass(inputs)
        results = library.prismPackageRun(self._open(), function.encode(), passed, len(inputs),
                                          ctypes.byref(error))
        del alive
        _check(not results, error)
        try:
            found = []
            for index in range(library.prismPackageResultsSize(results)):
                array = library.prismPackageResult(results, index)
                shape, dtype = array.shape[:array.rank], _dtype_of(array.type.decode())
                count = int(numpy.prod(shape, dtype=numpy.int64))
                data = ctypes.string_at(array.data, count * dtype.itemsize) if count else b""
                found.append(numpy.frombuffer(data, dtype).reshape(shape).copy())
            return found
        finally:
            library.prismPackageResultsDestroy(results)

    def time(self, function, *inputs, repetitions=100):
        """The median microseconds of the function's kernels, caches warm, on a GPU."""
        error = ctypes.c_void_p()
        passed, alive = self._pass(inputs)
        microseconds = _library().prismPackageTime(
            self._open(), function.encode(), passed, len(inputs), repetitions, ctypes.byref(error))
        del alive
        _check(microseconds < 0, error)
        return microseconds
