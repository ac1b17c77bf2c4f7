# measure=gpu against a driver that is none, and what the tuning cache makes of it.
# RUN: rm -rf %t && mkdir -p %t/fake
# RUN: %host_cc -shared -fPIC %S/../Tools/Inputs/fake-cuda.c -o %t/fake/libcuda.so.1
# RUN: %python %s %t %S/Inputs/swiglu.mlir
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure-gpu.py DIRECTORY FILE.mlir"""
import json
import os
import subprocess
import sys

directory, source = sys.argv[1:]
log, report = os.path.join(directory, "log"), os.path.join(directory, "report.json")


def run(name, fail="", options=""):
    """(report, lines of the driver's log, remarks) of a run on the GPU `name`."""
    open(log, "w").close()
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(directory, "fake"),
                       FAKE_CUDA_LOG=log, FAKE_CUDA_NAME=name, FAKE_CUDA_FAIL=fail,
                       FAKE_CUDA_ANY_KERNEL="1", FAKE_CUDA_PARAMETERS="8888")
    done = subprocess.run(
        ["prism-opt", source, "--prism-superoptimize=measure=gpu keep-best=3 gate=false "
         "tuning-cache=%s/cache.sqlite report=%s %s" % (directory, report, options)],
        capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    with open(report) as file, open(log) as lines:
        (program,) = json.load(file)["programs"]
        return program, lines.read().split("\n"), done.stderr


# The fake clock goes 1, 2, 3, ... ms: of 1..100, 101..200, 201..300 the upper median.
first, calls, _ = run("GPU A")
times = [candidate["measured_us"] for candidate in first["candidates"]]
assert times == [51000, 151000, 251000], times
assert first["instantiation"]["measured_by"] == "gpu"
assert calls.count("graph") >= 300, calls.count("graph")

# A second run neither searches nor measures; the GPU is asked for no more than its name.
second, calls, _ = run("GPU A")
assert second["from_cache"] and second["candidates"] == first["candidates"]
assert second["instantiation"]["seconds"] is None
assert calls == ["release 7", ""], calls

# Another GPU's times are others.
other, calls, _ = run("GPU B")
assert not other["from_cache"] and calls.count("graph") >= 300
assert run("GPU B")[0]["from_cache"] and run("GPU A")[0]["from_cache"]

# What the driver refuses has no time, and the model's order stands.
refused, _, remarks = run("GPU C", fail="cuModuleLoadDataEx")
assert [c["measured_us"] for c in refused["candidates"]] == [None] * 3
assert refused["chosen"]["id"] == first["candidates"][0]["id"]
assert remarks.count("has no measured time") == 3 and "no such thing" in remarks, remarks
