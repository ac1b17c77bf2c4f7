# Runs the GoogleTest executables of build/unittests, one lit test a TEST.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import lit.formats

config.name = "Prism-Unit"
config.suffixes = []
config.test_exec_root = os.path.join(config.prism_obj_root, "unittests")
config.test_source_root = config.test_exec_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
for var in ("PRISM_LONG_TESTS", "HOME", "TMP"):
    if var in os.environ:
        config.environment[var] = os.environ[var]
