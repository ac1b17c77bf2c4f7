"""Inputs of mlir-gpu-lowering.mlir, and what its results should be.

  mlir-gpu-lowering-inputs.py make|check PREFIX

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import sys

import numpy as np

command, prefix = sys.argv[1:]
if command == "make":
    rng = np.random.default_rng(3)
    np.save(prefix + ".x.npy", rng.standard_normal((5, 64)).astype(np.float32))
    np.save(prefix + ".a.npy", rng.standard_normal((16, 16)).astype(np.float16))
    np.save(prefix + ".b.npy", rng.standard_normal((8, 16)).astype(np.float16))
else:
    x, a, b = (np.float64(np.load("%s.%s.npy" % (prefix, name))) for name in "xab")
    for name, want in (("sums", x.sum(1)), ("reverse", x.sum(1)), ("c", a @ b.T)):
        got = np.load("%s.%s.npy" % (prefix, name))
        if got.shape != want.shape or not np.abs(got - want).max() < 1e-5:
            sys.exit("%s: %s, expected %s" % (name, got, want))
