# RUN: %python %s
# RUN: not %python %S/run_on_cpu.py --whole --pipeline=--canonicalize --input-mlir=%S/../Inputs/programs/045-two-equal-layers-through-a-private-function.mlir 2>&1 | FileCheck %s
# CHECK: ops of linalg are left
#
# The comparison of the other tests finds what it is there to find.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from run_on_cpu import TensorType, compare, find_functions, to_bf16, to_float64

want = np.linspace(-1, 1, 12).reshape(3, 4)


def changed(index, value):
    array = want.copy()
    array[index] = value
    return array


# --- compare ---
assert compare(want, want, 0) is None
assert compare(want.T, want, 1) == "shape (4, 3), expected (3, 4)"
assert "relative error 0.1 exceeds" in compare(changed((2, 3), 1.1), want, 1e-2)
assert compare(changed((2, 3), 1.001), want, 1e-2) is None
# Small elements are measured by the root mean square of all.
assert compare(changed((1, 1), want[1, 1] + 1e-3), want, 1e-2) is None
for odd in (np.nan, np.inf, -np.inf):
    assert compare(changed((0, 0), odd), want, 1) == "NaN or inf in other places"
    assert compare(want, changed((0, 0), odd), 1) == "NaN or inf in other places"
    assert compare(changed((0, 0), odd), changed((0, 0), odd), 0) is None
assert compare(changed((0, 0), np.inf), changed((0, 0), -np.inf), 1)

# --- bf16: to nearest, ties to even ---
values = np.array([1.0, 1 + 2 ** -8, 1 + 3 * 2 ** -8, 1 + 2 ** -8 + 2 ** -12, -3.140625])
assert to_float64(to_bf16(values), "bf16").tolist() == [
    1.0, 1.0, 1 + 2 ** -6, 1 + 2 ** -7, -3.140625]

# --- signatures ---
text = """
  func.func private @hidden(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  func.func @f(%arg0: tensor<?x2xf16>, %arg1: tensor<i1>) -> (tensor<f32>, tensor<2xbf16>) attributes {a} {
  func.func private @declared(tensor<2xf32>)
"""
(function,) = find_functions(text)
assert function.name == "f"
assert [t.shape for t in function.arguments] == [[None, 2], []]
assert [t.element for t in function.results] == ["f32", "bf16"]
assert find_functions(text, ["hidden"])[0].name == "hidden"
# --- strided results ---
source = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
kind = TensorType("3x2xf32")
assert (kind.read(kind.describe(source[:, :, 1].T)) == source[:, :, 1].T).all()
