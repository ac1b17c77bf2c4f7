# The lit configuration of Prism's FileCheck tests.
#
# Features a test may REQUIRE: ptxas (a CUDA toolkit's assembler was found),
# python-ctypes (Python with ctypes and numpy), long (scripts/test.sh --long).
# Substitutions: the tools by name, and %prism_src, %prism_obj, %prism_lib_dir,
# %prism_plugin, %mlir_lib_dir, %mlir_dir, %python, %cmake, %host_cc, %host_cxx.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Prism"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = [
    "CMakeLists.txt", "Inputs", "Unit", "consumer", "lit.cfg.py", "lit.site.cfg.py",
]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.prism_obj_root, "test")

llvm_config.use_default_substitutions()
llvm_config.with_system_environment(["HOME", "TMP", "TEMP"])

# --- CUDA toolkit: where gpu-module-to-binary and ptxas tests find it. --------
def find_ptxas():
    """Returns (path of ptxas or None, toolkit directory or None)."""
    for var in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"):
        path = os.path.join(os.environ.get(var, ""), "bin", "ptxas")
        if os.environ.get(var) and os.path.exists(path):
            return path, os.environ[var]
    path = shutil.which("ptxas")
    if path:
        return path, os.path.dirname(os.path.dirname(os.path.realpath(path)))
    path = "/usr/local/cuda/bin/ptxas"
    return (path, "/usr/local/cuda") if os.path.exists(path) else (None, None)


ptxas, toolkit = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    llvm_config.with_environment("PATH", os.path.dirname(ptxas), append_path=True)
    llvm_config.with_environment("CUDA_PATH", toolkit)

if subprocess.run([config.python_executable, "-c", "import ctypes, numpy"],
                  capture_output=True).returncode == 0:
    config.available_features.add("python-ctypes")
if lit_config.params.get("long") or os.environ.get("PRISM_LONG_TESTS"):
    config.available_features.add("long")

# --- Tools ------------------------------------------------------------------
for name, value in [
    ("%prism_src", config.prism_src_root),
    ("%prism_obj", config.prism_obj_root),
    ("%prism_plugin", os.path.join(config.prism_lib_dir, "PrismPlugin.so")),
    ("%prism_lib_dir", config.prism_lib_dir),
    ("%mlir_lib_dir", config.mlir_lib_dir),
    ("%mlir_dir", config.mlir_dir),
    ("%python", config.python_executable),
    ("%cmake", config.cmake_executable),
    ("%host_cc", config.host_cc),
    ("%host_cxx", config.host_cxx),
]:
    config.substitutions.append((name, value))

ours = ["prism-check", "prism-lsp-server", "prism-opt", "prism-reduce", "prism-run"]
llvm_config.add_tool_substitutions(
    [ToolSubst(t, unresolved="ignore") for t in ours], [config.prism_tools_dir])
# Debian's tools, plain and with the version that its packages add.
upstream = [ToolSubst(t, unresolved="ignore")
            for t in ("mlir-opt", "mlir-translate", "mlir-runner", "mlir-reduce")]
upstream += [
    ToolSubst(t + "-22", command=os.path.join(config.llvm_tools_dir, t),
              unresolved="ignore")
    for t in ("mlir-opt", "mlir-translate", "mlir-runner")
]
llvm_config.add_tool_substitutions(upstream, [config.llvm_tools_dir])
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.prism_tools_dir, append_path=True)
