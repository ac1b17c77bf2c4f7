# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prism: find, prove and lower fused GPU kernels for tensor programs.

    import prism
    result = prism.superoptimize(text, target="sm_90a", emit="ptx")
    result.module    # the optimized IR, as MLIR text
    result.report    # what was found, as a dict
    result.kernels   # {gpu.binary name: PTX or cubin bytes}

`text` is MLIR text (str) or bytecode (bytes). Options are those of
--prism-superoptimize, with underscores for dashes. Errors are raised as
prism.Error, whose `diagnostics` say where and why.
"""

from ._library import Error, Result, run_pipeline, superoptimize, version

__all__ = ["Error", "Result", "run_pipeline", "superoptimize", "version"]
__version__ = version()
