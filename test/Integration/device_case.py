"""What a check on the simulated device compares: a program with inputs and float64 results.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import numpy as np

from run_on_device import DTYPES, to_bf16, to_float64

# Relative to the larger of an element and the result's root mean square.
TOLERANCE = {"f16": 6e-3, "bf16": 5e-2, "f32": 2e-5}


class Case:
    """A program: MLIR text, its function, inputs, and what it must return (float64)."""

    def __init__(self, name, text, entry, inputs, wanted, tolerance):
        self.name, self.text, self.entry = name, text, entry
        self.inputs, self.wanted, self.tolerance = inputs, wanted, tolerance


def storage(values, dtype):
    return to_bf16(values) if dtype == "bf16" else np.ascontiguousarray(values, DTYPES[dtype])


def rounded(values, dtype):
    return to_float64(storage(values, dtype), dtype)


def worst_error(got, want):
    scale = np.maximum(np.abs(want), np.sqrt(np.mean(want ** 2)))
    error = np.abs(got - want) / np.where(scale == 0, 1, scale)
    return float(np.max(np.where(np.isfinite(error), error, np.inf), initial=0.0))
