# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes libPrism.so from the build tree into the package."""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithLibrary(build_py):
    def run(self):
        library = Path(__file__).resolve().parents[1] / "build" / "lib" / "libPrism.so"
        if not library.exists():
            sys.exit("%s is not there: build the project first (scripts/test.sh does)" % library.name)
        super().run()
        shutil.copy(library, Path(self.build_lib) / "prism")


setup(cmdclass={"build_py": BuildWithLibrary})
