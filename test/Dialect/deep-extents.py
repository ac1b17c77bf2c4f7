# Extents of hostile size end in a diagnostic, in no time and on no stack.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s parentheses | not prism-opt 2>&1 | FileCheck %s --check-prefix=NESTED
# RUN: %python %s splits | not prism-opt 2>&1 | FileCheck %s --check-prefix=SPLIT
# RUN: %python %s terms | not prism-opt 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: %python %s factors | not prism-opt 2>&1 | FileCheck %s --check-prefix=LARGE
# NESTED: error: expected an extent nested at most 64 deep
# SPLIT: error: expected an extent split at most 64 times
# LARGE: error: the extent is too large: expected at most 256 terms, factors in a term, and 64 bits in a coefficient

import sys

EXTENTS = {
    "parentheses": "(" * 60000 + "n" + ")" * 60000,
    "splits": "n" + "/x" * 60000,
    "terms": "*".join(["(a + b + c + d + e + f + g + h)"] * 40),
    "factors": "*".join(["n"] * 20000),
}
print(f"func.func private @f(!prism.tensor<[{EXTENTS[sys.argv[1]]}], f32>)")
