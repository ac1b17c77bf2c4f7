# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prism: find, prove and lower fused GPU kernels for tensor programs.

    import prism
    result = prism.superoptimize(text, target="sm_90a", emit="ptx")
    result.module    # the optimized IR, as MLIR text
    result.report    # what was found, as a dict
    result.kernels   # {gpu.binary name: PTX or cubin bytes}

    prism.superoptimize(text, package="DIR")
    with prism.Package("DIR", device="sim") as package:   # or "cuda"
        outputs = package.run("rmsnorm", x, w)            # NumPy arrays

`text` is MLIR text (str) or bytecode (bytes). Options are those of
--prism-superoptimize, with underscores for dashes. Errors are raised as
prism.Error, whose `diagnostics` say where and why.
"""

import os as _os

from ._error import Error
from .package import Package

__all__ = ["Error", "Package"]
# Where there is no compiler (a machine that only runs packages), the rest is left out.
if not _os.environ.get("PRISM_PACKAGE_ONLY"):
    from ._library import Result, run_pipeline, superoptimize, version

    __all__ += ["Result", "run_pipeline", "superoptimize", "version"]
    __version__ = version()
