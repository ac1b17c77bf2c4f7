#!/usr/bin/env python3
# REQUIRES: python-ctypes
# RUN: %python %s %prism_src/test --quick
"""Kernels that the whole pipeline hands out, on the simulated device against float64.

  kernels-on-device.py TESTS [--quick | --long] [--only=REGEX] [--seeds=N] [--keep=FOLDER]
      [--seconds=N] [--target=TARGET] [--shard=I/N] [--jobs=N] [--verbose]

Workloads at small, mostly ragged extents, imported programs, and random programs
(random_programs.py) go through --prism-superoptimize to a package; it runs under
prism-run with all checks, blocks and warps in two orders. Then some of the other
candidates are forced in turn, others for each program, with their own tile extents
and with odd ones, because a choice by cost hides what is wrong with the rest. References are float64; the tolerance is that of the program's storage
type, and for random programs also what rounding where the program rounds costs.

Lines: `verdict case candidate: why`. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..")
sys.path[:0] = [HERE, os.path.join(TESTS, "Conversion", "Inputs"), os.path.join(TESTS, "Inputs")]
import run_on_device
import workloads
from device_case import TOLERANCE, Case, storage, worst_error
from random_programs import random_cases
from run_on_device import parse_tensors, to_float64, write_package

SEARCH = ["--convert-linalg-to-prism", "--prism-partition", "--prism-generate",
          "--prism-instantiate-maps", "--prism-verify"]


# --- Workloads -----------------------------------------------------------------
# Extents with factors in common with tiles, and without; one row. The last ones of each
# divide by the tiles of tensor cores.
WORKLOADS = {
    "rmsnorm": [dict(n=3, d=40, h=24), dict(n=1, d=100, h=33), dict(n=17, d=64, h=40),
                dict(n=16, d=128, h=64)],
    "rmsnorm_full": [dict(n=3, d=100, h=24), dict(n=17, d=40, h=17), dict(n=16, d=64, h=128)],
    "rmsnorm_mlp": [dict(n=3, d=40, h=33), dict(n=17, d=64, h=32), dict(n=16, d=128, h=64)],
    "swiglu": [dict(n=1, d=40, h=33), dict(n=17, d=100, h=40), dict(n=32, d=64, h=64)],
    "lora": [dict(n=3, d=40, r=5, h=33), dict(n=17, d=64, r=16, h=40),
             dict(n=16, d=64, r=16, h=64)],
    "mlp_block": [dict(n=3, d=24, h=40), dict(n=16, d=64, h=128)],
    "norm_residual": [dict(n=3, d=100), dict(n=17, d=40), dict(n=16, d=128)],
    "attention": [dict(b=2, n=3, e=8, s=33), dict(b=1, n=17, e=40, s=64), dict(b=2, n=1, e=16, s=100),
                  dict(b=2, n=16, e=32, s=128)],
    "attention_stable": [dict(b=2, n=3, e=8, s=33), dict(b=1, n=17, e=40, s=64),
                         dict(b=2, n=16, e=64, s=128)],
    "qk_attention": [dict(b=2, n=3, e=8, s=33), dict(b=1, n=17, e=16, s=40),
                     dict(b=2, n=16, e=32, s=64)],
    "multi_query": [dict(b=2, n=3, a=3, e=8, s=33), dict(b=1, n=1, a=4, e=16, s=40),
                    dict(b=1, n=8, a=2, e=32, s=64)],
    "multi_head": [dict(b=2, n=3, a=2, e=8, s=33), dict(b=1, n=16, a=2, e=32, s=64)],
    "decoder_layer": [dict(n=3, d=24, g=2, r=2, e=8, s=17, h=40),
                      dict(n=16, d=64, g=2, r=2, e=32, s=64, h=128)],
}


def workload_cases(quick):
    for number, (name, extents) in enumerate(WORKLOADS.items()):
        # A quick run has each workload twice, and all element types between them.
        picked = [(extents[0], ("f16",)), (extents[-1], (("bf16", "f32")[number % 2],))]
        if not quick:
            picked = [(dims, ("f16", "bf16", "f32")) for dims in extents]
        for dims, dtypes in picked:
            for dtype in dtypes:
                label = "%s-%s-%s" % (name, dtype, ".".join("%s%d" % d for d in dims.items()))
                rng = np.random.default_rng(zlib.crc32(label.encode()))
                shapes = workloads.shapes(name, **dims)
                # Rows of unequal size: equal ones hide a statistic of the wrong row.
                inputs = [rng.standard_normal(s) * rng.uniform(0.4, 1.2, s[:-1] + (1,))
                          for s in shapes]
                # Kernels store exp of logits that no maximum was taken from in the storage
                # type: beyond 11 f16 overflows, which no candidate is guarded against yet.
                if "attention" in name or name in ("multi_query", "multi_head"):
                    inputs[1] *= 0.6 * dims["e"] ** -0.5
                stored = [storage(a, dtype) for a in inputs]
                exact = [to_float64(a, dtype) for a in stored]
                yield Case(label, workloads.emit(name, dtype, **dims), name, stored,
                           [workloads.reference(name, exact)], TOLERANCE[dtype])


# --- Programs with a reference in numpy ------------------------------------------
def softmax(x):
    p = np.exp(x - x.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True)


def layer_norm(x):
    centered = x - x.mean(-1, keepdims=True)
    return centered / np.sqrt(np.mean(centered ** 2, -1, keepdims=True) + 1e-5)


def layer(x, w1, w2):
    h = x / np.sqrt(np.mean(x * x, -1, keepdims=True) + 1e-5) @ w1
    return x + h / (1 + np.exp(-h)) @ w2


PROGRAMS = {
    "001-softmax-with-dead-argmax": ("main", 1.0, lambda x: (softmax(x),)),
    "004-skip-rmsnorm-two-results": ("skip_norm", 1.0, lambda h, r, w: (
        w * (h + r) / np.sqrt(np.mean((h + r) ** 2, -1, keepdims=True) + 1e-6), h + r)),
    "010-sdxl-qkv-f16-f32acc-three-results": ("qkv", 0.3, lambda x, *ws: tuple(
        np.einsum("btk,hdk->bhtd", x, w) for w in ws)),
    "019-lora-peft-scaled": ("lora", 0.3, lambda x, w, b, la, lb: (
        x @ w.T + b + 2 * (x @ la.T) @ lb.T,)),
    "020-swiglu-with-down-proj": ("mlp", 0.2, lambda x, w1, w3, w2: (
        ((x @ w1) / (1 + np.exp(-(x @ w1))) * (x @ w3)) @ w2,)),
    "layer-norm-linear": ("norm_linear", 1.0, lambda x, g, w: (layer_norm(x) * g @ w,)),
    "045-two-equal-layers-through-a-private-function": ("layer", 0.3, lambda *a: (layer(*a),)),
}
# Larger extents of the programs, made small.
SMALLER = [("1001", "101"), ("1536", "96"), ("4096", "72"), ("640", "72"), ("1376", "88"),
           ("512", "72"), ("1.536000e+03", "9.600000e+01")]


def program_cases():
    for name, (entry, scale, reference) in PROGRAMS.items():
        with open(os.path.join(TESTS, "Inputs", "programs", name + ".mlir")) as file:
            text = file.read()
        text = re.sub(r"^\s*//.*$", "", text, flags=re.M).replace("func private", "func")
        text = re.sub(r"1\.536000e\+03", "9.600000e+01", text)
        text = re.sub(r"(?<![\d.])(\d+)(?=x|\]|,)", lambda m: dict(SMALLER).get(m[1], m[1]), text)
        signature = re.search(r"func\.func @%s\((.*?)\)" % entry, text, re.S)[1]
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        types = parse_tensors(signature)
        stored = [storage(rng.standard_normal(shape) * scale, element) for element, shape in types]
        exact = [to_float64(a, t[0]) for a, t in zip(stored, types)]
        yield Case(name, text, entry, stored, list(reference(*exact)), TOLERANCE[types[0][0]])


# --- Running ------------------------------------------------------------------------
class Failure(Exception):
    pass


def run_command(command, text=None):
    """What the command writes to stdout and to stderr."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        raise Failure("TIMEOUT %s" % " ".join(command)[:300])
    if done.returncode:
        raise Failure("%s (%d): %s" % (os.path.basename(command[0]), done.returncode,
                                       done.stderr.strip()[-600:]))
    return done.stdout, done.stderr


def execute(command, text=None):
    return run_command(command, text)[0]


def run_package(case, folder):
    """None or what is wrong with the results of the package in `folder`."""
    with open(os.path.join(folder, "plan.json")) as file:
        functions = [f for f in json.load(file)["functions"] if f["name"] == case.entry]
    if not functions:
        raise Failure("the package has no function " + case.entry)
    command = ["prism-run", folder, "--device=sim", "--check=all", "--entry=" + case.entry]
    for index, array in enumerate(case.inputs):
        path = os.path.join(folder, "a%d.npy" % index)
        np.save(path, array)
        command.append("--input=" + path)
    paths = [os.path.join(folder, "r%d.npy" % i) for i in range(len(case.wanted))]
    command += ["--output=" + path for path in paths]
    for order in ("forward", "reverse"):
        execute(command + ["--order=" + order])
        for index, (kind, want, path) in enumerate(zip(functions[0]["results"], case.wanted, paths)):
            got = to_float64(np.load(path), kind["type"])
            if got.shape != want.shape:
                return "result %d has shape %s, expected %s" % (index, got.shape, want.shape)
            error = worst_error(got, want)
            if not error <= case.tolerance:
                return "%s result %d: error %.3g, bound %.3g" % (order, index, error,
                                                                 case.tolerance)
    return None


NUMBER = r"(-?[\d.]+e[-+]\d+)"


def is_narrow_escape(refusal):
    """Whether the gate refused a kernel for an error that would pass at twice the bound: a
    product's operand that relaxed precision lets be rounded, not a fault of the lowering."""
    found = re.search(r" is %s, expected %s;.* gives .*?, %s more or less" % ((NUMBER,) * 3), refusal)
    if not found:
        return False
    value, wanted, allowed = map(float, found.groups())
    return abs(value - wanted) <= 2 * allowed


def check_chosen(case, target, folder):
    source, package = os.path.join(folder, "in.mlir"), os.path.join(folder, "package")
    with open(source, "w") as file:
        file.write(case.text)
    lowered, remarks = run_command(["prism-opt", source, (
        "--prism-superoptimize=target=%s emit=ptx package=%s gate-reproducers=%s")
        % (target, package, folder)])
    refused = [r for r in re.findall(r"\bbug: .*", remarks) if not is_narrow_escape(r)]
    if refused:
        return "WRONG", "the gate found a " + refused[0][:400]
    body = re.search(r"func\.func @%s\(.*?\n  \}" % case.entry, lowered, re.S)
    if not body or "gpu.launch_func" not in body[0]:
        return "none", "no kernel"
    left = re.search(r"\b(linalg|prism|func\.call|call)\b\.?[\w@]+(?! *=)", re.sub(
        r"prism\.(launch|tensor_map)", "", body[0]))
    if left:
        return "none", "partly on the host: " + left[0]
    why = run_package(case, package)
    return ("WRONG", why) if why else ("ok", "")


CANDIDATE = re.compile(r"\n    prism\.candidate \"(.*?)\".*?\n    \}(?=\n)", re.S)


def split_candidates(text):
    """[(id, text without id and cost)] of each program, in order, different ones only."""
    programs = []
    for program in re.findall(r"\} candidates \{(.*?)\n  \}\n", text, re.S):
        found = {}
        for match in CANDIDATE.finditer("\n" + program.lstrip("\n") + "\n"):
            found.setdefault(match[0][match[0].index("\n", 1):], (match[1], match[0]))
        programs.append(list(found.values()))
    return programs


def nest_tiles(kernel):
    """The kernel's text with each grid tile a multiple of the loop tile inside it."""
    for outer, inner in set(re.findall(r"\[(\w+), (\w+)\]", kernel)):
        tiles = dict(re.findall(r"\b(\w+) (?:grid|loop) tile (\d+)", kernel))
        if outer in tiles and inner in tiles:
            step = int(tiles[inner])
            kernel = re.sub(r"\b%s grid tile \d+" % outer, "%s grid tile %d" % (
                outer, step * max(1, int(tiles[outer]) // step)), kernel)
    return kernel


def choose(text, index, resize):
    """The module with only candidate `index` (modulo their number) of each program, and its tile
    extents replaced where `resize` is given."""
    names = []

    def cut(match):
        found = {}
        for m in CANDIDATE.finditer("\n" + match[1].lstrip("\n") + "\n"):
            found.setdefault(m[0][m[0].index("\n", 1):], (m[1], m[0]))
        name, chosen = list(found.values())[index % len(found)]
        names.append(name)
        if resize:
            chosen = re.sub(r"\btile (\d+)", lambda m: "tile %d" % resize.choice(
                [t for t in (3, 5, 8, 11, 16, 24, int(m[1])) if t <= int(m[1])]), chosen)
            chosen = "prism.kernel".join(map(nest_tiles, chosen.split("prism.kernel")))
        return "} candidates {" + chosen + "\n  }\n"

    text = re.sub(r"\} candidates \{(.*?)\n  \}\n", cut, text, flags=re.S)
    return ",".join(names), text


def check_candidate(case, target, sized, index, resize, folder):
    name, text = choose(sized, index, resize)
    source = os.path.join(folder, "candidate.mlir")
    with open(source, "w") as file:
        file.write(text)
    lowered = execute(["prism-opt", source,
                       "--convert-prism-to-gpu=target=%s tensor-maps=true" % target,
                       "--gpu-module-to-binary=format=isa"])
    function = re.search(r"func\.func @%s\(.*?\n  \}" % case.entry, lowered, re.S)
    if "prism.invoke" in function[0] or "gpu.launch_func" not in function[0]:
        return name, "none", "not lowered"
    if re.search(r"\blinalg\.|\bcall @|\btensor\.(?!empty)", function[0]):
        return name, "none", "partly on the host"
    try:
        write_package(lowered, case.entry, folder)
    except SystemExit as error:
        raise Failure(str(error)[:400])
    why = run_package(case, folder)
    return name, ("WRONG" if why else "ok"), why or ""


class Runner:
    def __init__(self, args):
        self.args, self.counts = args, {}
        self.deadline = time.monotonic() + args.seconds

    def guarded(self, case, label, target, run):
        if time.monotonic() > self.deadline:
            self.counts["not reached"] = self.counts.get("not reached", 0) + 1
            return
        folder, start = tempfile.mkdtemp(dir=self.args.keep), time.monotonic()
        try:
            result = run(folder)
        except Failure as failure:
            result = ("FAILED", str(failure))
        verdict, why = result[-2:]
        name = result[0] if len(result) == 3 else label
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        bad = verdict in ("WRONG", "FAILED")
        if bad or self.args.verbose:
            print("%s %s %s %s: %s%s%s" % (
                verdict, case.name, target, name if not bad else label + " " + name, why,
                " in " + folder if bad and self.args.keep else "",
                " %.1f s" % (time.monotonic() - start) if self.args.verbose else ""), flush=True)
        if not (bad and self.args.keep):
            shutil.rmtree(folder)

    def check(self, case, forced):
        target = "sm_80" if zlib.crc32(case.name.encode()) % 2 else "sm_90a"
        target = self.args.target or target
        for t in ("sm_80", "sm_90a") if self.args.long else (target,):
            self.guarded(case, "chosen", t, lambda folder: check_chosen(case, t, folder))
        if not forced or time.monotonic() > self.deadline:
            return
        try:
            text = case.text
            if "tosa." in text:
                return
            sized = execute(["prism-opt", "-", *SEARCH,
                             "--prism-instantiate-params=target=%s keep-best=256" % target], text)
        except Failure as failure:
            print("FAILED %s search: %s" % (case.name, failure), flush=True)
            self.counts["FAILED"] = self.counts.get("FAILED", 0) + 1
            return
        most = max([len(p) for p in split_candidates(sized)] or [0])
        rng = random.Random(case.name)
        picked = list(range(most))
        if most > forced:
            picked = sorted(rng.sample(picked, forced))
        for index in picked:
            for resize in (None, random.Random(index)):
                label = "candidate %d%s" % (index, " resized" if resize else "")
                self.guarded(case, label, target, lambda folder: check_candidate(
                    case, target, sized, index, resize, folder))


def shard(text):
    """"2/8" as a start and a step."""
    index, count = map(int, text.split("/"))
    if not 1 <= index <= count:
        raise argparse.ArgumentTypeError("a shard is I/N with 1 <= I <= N, not " + text)
    return index - 1, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--target", help="for all programs; else one or the other for each")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--forced", type=int, help="candidates per program that are forced")
    parser.add_argument("--keep", help="folder in which what fails stays")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing later")
    parser.add_argument("--shard", type=shard, default=(0, 1), help="the I-th of N, from 1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    seeds = args.seeds if args.seeds is not None else 6 if args.quick else 100
    forced = args.forced if args.forced is not None else 2 if args.quick else 4
    cases = [*workload_cases(args.quick), *([] if args.quick else program_cases()),
             *random_cases(range(args.first_seed, args.first_seed + seeds))]
    cases = [c for c in cases if re.search(args.only, c.name)][args.shard[0]::args.shard[1]]
    runner = Runner(args)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(lambda case: runner.check(case, forced), cases))
    print("%d programs: %s" % (len(cases), ", ".join(
        "%d %s" % (n, v) for v, n in sorted(runner.counts.items()))))
    bad = runner.counts.get("WRONG", 0) + runner.counts.get("FAILED", 0)
    return 1 if bad or not runner.counts.get("ok") else 0


sys.exit(main())
