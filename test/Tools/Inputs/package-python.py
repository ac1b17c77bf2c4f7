"""prism.Package on both devices; the GPU is a fake one.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import sys

import numpy as np

from prism.package import Package

x = np.array([1, 2, 3], np.float32)
(result,) = Package(sys.argv[1]).run("axpy", x, x)
print("sim", result)
package = Package(sys.argv[1], device="cuda")
(result,) = package.run("axpy", x, x)
print("cuda", result, package.time("axpy", x, x, repetitions=5) / 1e3, "ms")
