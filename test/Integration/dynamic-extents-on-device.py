#!/usr/bin/env python3
# REQUIRES: python-ctypes
# RUN: %python %s %prism_src/test --quick
"""Kernels for programs whose rows (or more) are known at run time only, on the simulated device.

  dynamic-extents-on-device.py TESTS [--quick] [--only=REGEX] [--target=sm_80] [--dtype=f16]
      [--keep=FOLDER]

Every workload with `n = ?`, and some with other open extents, goes through
--prism-superoptimize to a package once; all of it must become kernels. The package runs
with n = 1, 3, 16, 64 and 77 rows under prism-run with all checks, in two orders, against
float64. No rows at all give a result of no rows, by no kernel. Extents that do not fit
(zero where something is summed over them, or so large that 32-bit indices overflow) must
be refused. --quick: half of each workload's extents, each workload with one target and
one element type, all of them between them.

Lines: `verdict workload n: why`. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..")
sys.path[:0] = [HERE, os.path.join(TESTS, "Conversion", "Inputs"), os.path.join(TESTS, "Inputs")]
import workloads
from run_on_device import DTYPES, to_bf16, to_float64

# Relative to the larger of an element and the root mean square.
TOLERANCE = {"f16": 6e-3, "bf16": 5e-2, "f32": 2e-5}
EXTENTS = {
    "rmsnorm": dict(d=40, h=24), "rmsnorm_full": dict(d=100, h=24),
    "rmsnorm_mlp": dict(d=64, h=33), "swiglu": dict(d=40, h=33),
    "lora": dict(d=40, r=5, h=33), "mlp_block": dict(d=24, h=40),
    "attention": dict(b=2, e=16, s=33), "attention_stable": dict(b=2, e=40, s=64),
    "qk_attention": dict(b=2, e=16, s=40), "multi_query": dict(b=2, a=3, e=16, s=33),
    "multi_head": dict(b=2, a=2, e=16, s=33),
    "norm_residual": dict(d=100), "decoder_layer": dict(d=24, g=2, r=2, e=8, s=17, h=40),
}
assert set(EXTENTS) == set(workloads.WORKLOADS)
# One row, ragged ones, and such as the tiles divide.
ROWS = [1, 3, 16, 64, 77]
# (The mean of a norm has its extent as a constant: `d` is open where there is none.)
# Extents that the loop splits, columns, batches, and several at once.
OTHERS = [("attention_stable", "s", [1, 5, 33, 100]), ("swiglu", "d", [1, 40, 77]),
          ("swiglu", "n,h", [1, 17, 33]), ("attention_stable", "b,n,s", [1, 3, 20])]
QUICK = [(target, dtype) for dtype in TOLERANCE for target in ("sm_80", "sm_90a")]


def execute(command, text=None, fails=False):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
    if bool(done.returncode) != fails:
        raise RuntimeError("%s (%d): %s" % (os.path.basename(command[0]), done.returncode,
                                            done.stderr.strip()[-600:]))
    return done


def worst_error(got, want):
    scale = np.maximum(np.abs(want), np.sqrt(np.mean(want ** 2)))
    error = np.abs(got - want) / np.where(scale == 0, 1, scale)
    return float(np.max(np.where(np.isfinite(error), error, np.inf), initial=0.0))


def make_inputs(name, dims, dtype, rng):
    shapes = workloads.shapes(name, **dims)
    inputs = [rng.standard_normal(s) * rng.uniform(0.4, 1.2, s[:-1] + (1,)) for s in shapes]
    if "attention" in name or name in ("multi_query", "multi_head"):
        inputs[1] *= 0.6 * dims["e"] ** -0.5
    return [to_bf16(a) if dtype == "bf16" else np.ascontiguousarray(a, DTYPES[dtype])
            for a in inputs]


def command_of(package, name, arrays, folder):
    command = ["prism-run", package, "--device=sim", "--check=all", "--entry=" + name]
    for index, array in enumerate(arrays):
        path = os.path.join(folder, "a%d.npy" % index)
        np.save(path, array)
        command.append("--input=" + path)
    return command + ["--output=" + os.path.join(folder, "r.npy")]


def check_extents(package, name, dynamic, value, dtype, folder):
    dims = {**EXTENTS[name], "n": 8, **{d: value for d in dynamic.split(",")}}
    rows = value
    inputs = make_inputs(name, dims, dtype,
                         np.random.default_rng(zlib.crc32(name.encode()) + rows))
    want = workloads.reference(name, [to_float64(a, dtype) for a in inputs])
    runs = [(package, "forward"), (package, "reverse")]
    if value == 1:
        runs.append((os.path.join(folder, "module.mlir"), "forward"))
    for program, order in runs:
        execute(command_of(program, name, inputs, folder) + ["--order=" + order])
        got = to_float64(np.load(os.path.join(folder, "r.npy")), dtype)
        if got.shape != want.shape:
            return "shape %s, expected %s" % (got.shape, want.shape)
        error = worst_error(got, want)
        if not error <= TOLERANCE[dtype]:
            return "%s: error %.3g, bound %.3g" % (order, error, TOLERANCE[dtype])
    return None


def check_empty(package, name, dynamic, dtype, folder):
    """No rows at all: a result without elements, or words where sums over nothing are not."""
    dims = {**EXTENTS[name], "n": 8, **{d: 0 for d in dynamic.split(",")}}
    inputs = make_inputs(name, dims, dtype, np.random.default_rng(0))
    with open(os.path.join(package, "plan.json")) as file:
        (result,) = json.load(file)["functions"][0]["results"]
    # The launch plan, and the host code that it was read off.
    for program, words in ((package, "do not take these shapes"),
                           (os.path.join(folder, "module.mlir"), "is zero")):
        command = command_of(program, name, inputs, folder)
        if not set(dynamic.split(",")) <= set("nh"):
            done = execute(command, fails=True)
            if words not in done.stderr:
                return done.stderr[-300:]
            continue
        os.remove(os.path.join(folder, "r.npy"))
        execute(command)
        got = np.load(os.path.join(folder, "r.npy"))
        if got.size or got.ndim != len(result["shape"]):
            return "shape %s" % (got.shape,)
    return None


def check_refusals(package, name, dynamic, dtype, folder):
    """More than 32 bits can index is refused, by the plan's own words."""
    with open(os.path.join(package, "plan.json")) as file:
        function = json.load(file)["functions"][0]
    if not any(c[1] == "<=" and c[2] == 2 ** 31 - 1 and "mul" in json.dumps(c[0])
               for c in function["requires"]):
        return "nothing bounds the size of a tensor: %s" % function["requires"]
    return None


def check(name, dynamic, values, target, dtype, folder):
    text = workloads.emit(name, dtype, tuple(dynamic.split(",")), **{**EXTENTS[name], "n": 8})
    package = os.path.join(folder, "package")
    done = execute(["prism-opt", "-", "--prism-superoptimize=target=%s emit=ptx package=%s"
                    % (target, package)], text)
    with open(os.path.join(folder, "module.mlir"), "w") as file:
        file.write(done.stdout)
    function = re.search(r"func\.func @%s\(.*?\n  \}" % name, done.stdout, re.S)[0]
    if "gpu.launch_func" not in function or re.search(r"linalg\.|prism\.invoke", function):
        yield "FAILED", "lowering", "not all of it became kernels: " + done.stderr[-500:]
        return
    for value in values:
        why = check_extents(package, name, dynamic, value, dtype, folder)
        yield ("WRONG" if why else "ok"), "%s=%d" % (dynamic, value), why or ""
    why = check_empty(package, name, dynamic, dtype, folder)
    yield ("WRONG" if why else "ok"), "%s=0" % dynamic, why or ""
    why = check_refusals(package, name, dynamic, dtype, folder)
    yield ("WRONG" if why else "ok"), "refusals", why or ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--dtype", default="f16", choices=list(TOLERANCE))
    parser.add_argument("--keep")
    args = parser.parse_args()
    bad = 0
    cases = [(name, "n", ROWS) for name in EXTENTS] + OTHERS
    for index, (name, dynamic, values) in enumerate(cases):
        if not re.search(args.only, name):
            continue
        # Between them, the workloads of a quick run see every number of rows.
        values = values[index % 2::2] if args.quick else values
        target, dtype = QUICK[index % len(QUICK)] if args.quick else (args.target, args.dtype)
        folder = os.path.join(args.keep, name + "-" + dynamic) if args.keep else tempfile.mkdtemp()
        os.makedirs(folder, exist_ok=True)
        try:
            for verdict, what, why in check(name, dynamic, values, target, dtype, folder):
                bad += verdict != "ok"
                print("%s %s %s %s %s %s" % (verdict, name, target, dtype, what, why), flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            bad += 1
            print("FAILED %s: %s" % (name, str(error)[-800:]), flush=True)
        finally:
            if not args.keep:
                shutil.rmtree(folder)
    print("%d of the checks failed" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
