# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API over ctypes: see include/prism-c/Prism.h."""

import ctypes
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from ._error import Error


@dataclass
class Result:
    """What one run gave."""

    module: str
    report: dict = None
    kernels: dict = field(default_factory=dict)
    diagnostics: str = ""


class _String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    @classmethod
    def of(cls, value):
        data = value.encode() if isinstance(value, str) else bytes(memoryview(value))
        # The buffer must outlive the call, so it hangs on the structure.
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        string = cls(ctypes.cast(buffer, ctypes.c_void_p), len(data))
        string.buffer = buffer
        return string

    def bytes(self):
        return ctypes.string_at(self.data, self.length) if self.length else b""

    def text(self):
        return self.bytes().decode(errors="replace")


def _find_library():
    """PRISM_LIBRARY, the copy in the installed package, or the build tree's."""
    named = os.environ.get("PRISM_LIBRARY")
    if named:
        return Path(named)
    here = Path(__file__).resolve().parent
    for candidate in (here / "libPrism.so", here.parents[1] / "build" / "lib" / "libPrism.so"):
        if candidate.exists():
            return candidate
    raise ImportError("libPrism.so was not found: build the project (scripts/test.sh), "
                      "or name the library in PRISM_LIBRARY")


def _load():
    library = ctypes.CDLL(str(_find_library()))
    result = ctypes.c_void_p

    def declare(name, returns, *arguments):
        function = getattr(library, name)
        function.restype, function.argtypes = returns, list(arguments)

    declare("prismVersion", ctypes.c_char_p)
    declare("prismRunPipeline", result, _String, _String)
    declare("prismSuperoptimize", result, _String, _String)
    declare("prismResultDestroy", None, result)
    declare("prismResultSucceeded", ctypes.c_bool, result)
    for name in ("Module", "Report", "Diagnostics"):
        declare("prismResult" + name, _String, result)
    declare("prismResultNumKernelModules", ctypes.c_size_t, result)
    for name in ("Name", "Object"):
        declare("prismResultKernelModule" + name, _String, result, ctypes.c_size_t)
    return library


_prism = _load()


def version():
    """The version of the library, e.g. '0.1.0'."""
    return _prism.prismVersion().decode()


def _collect(handle):
    try:
        diagnostics = _prism.prismResultDiagnostics(handle).text()
        if not _prism.prismResultSucceeded(handle):
            errors = [line for line in diagnostics.splitlines() if "error: " in line]
            raise Error((errors or [diagnostics.strip() or "the run failed"])[0], diagnostics)
        report = _prism.prismResultReport(handle).text()
        kernels = {}
        for index in range(_prism.prismResultNumKernelModules(handle)):
            name = _prism.prismResultKernelModuleName(handle, index).text()
            kernels[name] = _prism.prismResultKernelModuleObject(handle, index).bytes()
        return Result(_prism.prismResultModule(handle).text(),
                      json.loads(report) if report else None, kernels, diagnostics)
    finally:
        _prism.prismResultDestroy(handle)


def _option(name, value):
    """name=value in the syntax of pass options."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, (list, tuple)):
        value = ",".join(str(item) for item in value)
    text = str(value)
    if any(c in text for c in " {}'\""):
        raise ValueError("option %s may not contain blanks, braces or quotes: %r" % (name, text))
    return "%s=%s" % (name.replace("_", "-"), text)


def run_pipeline(module, pipeline):
    """Run a textual pass pipeline (without the builtin.module anchor) on `module`."""
    return _collect(_prism.prismRunPipeline(_String.of(module), _String.of(pipeline)))


def superoptimize(module, target="sm_80", **options):
    """Run --prism-superoptimize on `module`; options as in its documentation."""
    text = " ".join(_option(name, value) for name, value in dict(target=target, **options).items())
    return _collect(_prism.prismSuperoptimize(_String.of(module), _String.of(text)))
