# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the libraries from the build tree into the package."""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithLibrary(build_py):
    def run(self):
        built = Path(__file__).resolve().parents[1] / "build" / "lib"
        libraries = [built / "libPrism.so", built / "libPrismPackage.so"]
        for library in libraries:
            if not library.exists():
                sys.exit("%s is not there: build the project first (scripts/test.sh does)"
                         % library.name)
        super().run()
        for library in libraries:
            shutil.copy(library, Path(self.build_lib) / "prism")


setup(cmdclass={"build_py": BuildWithLibrary})
