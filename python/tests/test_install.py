# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package installs with pip from the tree, and works from anywhere."""

import os
import subprocess
import sys
import venv
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]


def test_pip_install(tmp_path):
    venv.create(tmp_path / "venv", with_pip=True, system_site_packages=True)
    python = tmp_path / "venv" / "bin" / "python"
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PRISM_LIBRARY")}
    run = lambda *command: subprocess.run(command, check=True, cwd=tmp_path, env=environment,
                                          capture_output=True, text=True)
    # Debian's setuptools builds it: no network is needed.
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", PYTHON)
    result = run(python, "-c", "import prism; print(prism.version(), prism.__file__)")
    version, path = result.stdout.split()
    assert version == "0.1.0"
    assert Path(path).is_relative_to(tmp_path), path


if __name__ == "__main__":
    sys.exit("run me with pytest")
