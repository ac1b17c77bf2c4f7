# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exception of all of the package."""


class Error(RuntimeError):
    """A run failed; `diagnostics` is everything that was reported."""

    def __init__(self, message, diagnostics=""):
        super().__init__(message)
        self.diagnostics = diagnostics
