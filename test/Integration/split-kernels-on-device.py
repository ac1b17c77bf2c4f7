#!/usr/bin/env python3
# REQUIRES: python-ctypes
# RUN: %python %s %prism_src/test
"""Split sums, online softmax and flash-decoding on the simulated device, against float64.

  split-kernels-on-device.py TESTS [--only=REGEX] [--long] [--ptxas]

The candidates of split_graphs.py with tile extents by the cost model and with odd
ones, at extents that they divide and that they do not, are lowered to PTX and run
under prism-run with all checks, blocks and warps in two orders.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(sys.argv[1], "Conversion", "Inputs")]
from run_on_device import DTYPES, to_bf16, to_float64, write_package
from split_graphs import attention, logsumexp, predefined, split_matmul, split_rmsnorm

# Relative to the larger of an element and the result's root mean square.
TOLERANCE = {"f16": 4e-3, "bf16": 3e-2, "f32": 5e-6}


class Case:
    def __init__(self, label, graph, tiles=None, scale=1.0, mask=None, target="sm_80"):
        self.label, (self.graph, self.body, self.reference) = label, graph
        self.tiles, self.scale, self.mask, self.target = tiles, scale, mask, target

    def inputs(self):
        rng = np.random.default_rng(zlib.crc32(self.label.encode()))
        stored = []
        for name, (dims, dtype) in self.graph.inputs.items():
            shape = self.graph.shape(dims)
            if name == "m":
                stored.append(self.mask(*shape).astype(np.float32))
                continue
            values = rng.standard_normal(shape) * rng.uniform(0.5, 1.5, shape[:-1] + [1])
            if name in ("x", "q"):
                values = values * self.scale
            if name == "k":
                values = values * shape[-1] ** -0.5
            stored.append(to_bf16(values) if dtype == "bf16" else values.astype(DTYPES[dtype]))
        return stored

    def text(self):
        text = self.graph.text("mapped verdict Proved", self.body)
        if not self.tiles:
            return text, ["--pass-pipeline=builtin.module(prism.program("
                          "prism-instantiate-params{target=%s keep-best=1}))" % self.target]
        for kernel, tiles in self.tiles.items():
            head = re.search(r'prism\.kernel "%s".*' % kernel, text)
            if not head:
                continue
            head = head[0]
            sized = re.sub(r"(\w+) (grid|loop)(?=[,\]])", lambda m: "%s %s tile %d" % (
                m[1], m[2], tiles[m[1]]), head)
            text = text.replace(head, sized)
        return text.replace("mapped verdict", "sized verdict"), []


def execute(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError("%s (%d): %s" % (command[0], done.returncode, done.stderr.strip()[:500]))
    return done.stdout, done.stderr


def lower(case):
    """The lowered module, and the kernels' tiles for the record."""
    text, flags = case.text()
    if flags:
        text, remarks = execute(["prism-opt", "-", *flags], text)
        if "tile" not in text:
            raise RuntimeError(remarks[-600:])
    tiles = "; ".join(re.findall(r"parallel \[(.*?)\]", text))
    lowered, remarks = execute(["prism-opt", "-",
                                "--convert-prism-to-gpu=target=%s tensor-maps=true" % case.target,
                                "--gpu-module-to-binary=format=isa"], text)
    if "prism.invoke" in lowered:
        raise RuntimeError(remarks[-600:])
    return lowered, re.sub(r" (grid|loop) tile", "", tiles)


def worst_error(got, want):
    """Where the reference is not a number, the result must not be one either."""
    undefined = np.isnan(want)
    if not np.array_equal(undefined, np.isnan(got)):
        return np.inf
    same = undefined | np.isinf(want) & (got == want)
    got, want = np.where(same, 0, got), np.where(same, 0, want)
    scale = np.maximum(np.abs(want), np.sqrt(np.mean(want ** 2)))
    error = np.abs(got - want) / np.where(scale == 0, 1, scale)
    return float(np.max(np.where(np.isfinite(error), error, np.inf), initial=0.0))


def assemble(folder, target):
    """Registers and spills of the package's kernels."""
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ptx"):
            done = subprocess.run(["ptxas", "-v", "-arch=" + target, "-o", os.devnull,
                                   os.path.join(folder, name)], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr[-600:])
            found += [int(x) for x in re.findall(r"Used (\d+) registers", done.stderr)]
            spills = [int(x) for x in re.findall(r"(\d+) bytes spill stores", done.stderr)]
            if any(spills):
                raise RuntimeError("spills: %s" % done.stderr)
    return "registers %s" % found


def run(case, ptxas):
    folder = tempfile.mkdtemp()
    try:
        lowered, tiles = lower(case)
        write_package(lowered, "f", folder)
        notes = [tiles] + ([assemble(folder, case.target)] if ptxas else [])
        stored = case.inputs()
        types = [t[1] for t in case.graph.inputs.values()]
        wanted = case.reference(*[to_float64(a, t) for a, t in zip(stored, types)])
        command = ["prism-run", folder, "--device=sim", "--check=all", "--entry=f"]
        for index, array in enumerate(stored):
            path = os.path.join(folder, "a%d.npy" % index)
            np.save(path, array)
            command.append("--input=" + path)
        path = os.path.join(folder, "r.npy")
        worst = 0.0
        for order in ("forward", "reverse"):
            execute(command + ["--output=" + path, "--order=" + order])
            dtype = types[0]
            got = to_float64(np.load(path), case.graph.results[0][1])
            worst = max(worst, worst_error(got, wanted[0]))
        # The rounding of large logits counts in their exponentials.
        verdict = "ok" if worst <= TOLERANCE[dtype] * max(1, case.scale / 4) else "WRONG"
        return verdict, "error %.2g; %s" % (worst, "; ".join(notes))
    except (RuntimeError, SystemExit, subprocess.TimeoutExpired) as error:
        return "FAILED", str(error)
    finally:
        shutil.rmtree(folder)


def sums(long):
    for dtype in ("f16", "bf16", "f32"):
        for n, d, h in ((8, 256, 64), (3, 1000, 33), (1, 77, 100), (17, 64, 40)):
            for make in (split_matmul, split_rmsnorm):
                yield Case("%s-%s-%d.%d.%d" % (make.__name__, dtype, n, d, h),
                           make(dtype, n, d, h))
    odd = {"k0": dict(x=24, y=48, i=16), "k1": dict(x=2, y=24)}
    yield Case("split_matmul-odd", split_matmul("f16", 5, 130, 50), odd)
    yield Case("split_rmsnorm-odd", split_rmsnorm("f16", 5, 130, 50), odd)
    yield Case("split_rmsnorm-odd-f32", split_rmsnorm("f32", 7, 90, 31), odd)
    yield Case("split_matmul-no-loop", split_matmul("f16", 5, 130, 50, loop=False))
    # More sums than registers: computed in passes, or kept in memory.
    large = {"k0": dict(x=150, y=24, z=64, i=16), "k1": dict(x=40, y=24)}
    for dtype in ("f16", "f32"):
        yield Case("large-%s" % dtype, split_matmul(dtype, 130, 40, 150, loop=False), large)
        yield Case("large-batch-%s" % dtype, attention(dtype, 1, 16, 50, 16, 67), large)
        yield Case("large-batch-masked-%s" % dtype, attention(
            dtype, 1, 16, 50, 16, 67, masked=True), large, mask=some_masked)


def some_masked(n, s):
    """Chunks and stretches that are masked, for some rows all but one element."""
    mask = np.zeros((n, s))
    mask[:, : s // 2] = -np.inf
    mask[n // 2] = -np.inf
    mask[n // 2, s - 1] = 0
    return mask


def row_masked(n, s):
    """Row 0 is masked everywhere: 0/0 in the program."""
    mask = some_masked(n, s)
    mask[0] = -np.inf
    return mask


STEPS = {"k0": dict(z=1, x=16, y=64, i=32), "k1": dict(z=1, x=8, y=64)}
ODD = {"k0": dict(z=2, x=5, y=22, i=11), "k1": dict(z=3, x=2, y=24)}


def attentions(long):
    dtypes = ("f16", "bf16", "f32")
    shapes = [(8, 64, 128, 64, None), (1, 16, 1023, 33, None), (3, 40, 17, 24, 2),
              (17, 8, 1, 8, None), (3, 64, 77, 64, None), (16, 16, 100, 16, 3)]
    for index, (n, e, s, v, b) in enumerate(shapes):
        for split in (False, True):
            for dtype in dtypes if long or not index else dtypes[index % 3:][:1]:
                # By the cost model; several steps of tensor cores; odd ones.
                for scale, own in ((1.0, None), (60.0, STEPS), (8.0, ODD)):
                    yield Case("%s-%s-%d.%d.%d.%d.%s-x%d" % (
                        "flash" if split else "online", dtype, n, e, s, v, b, scale),
                        attention(dtype, n, e, s, v, b, split), own, scale,
                        target="sm_90a" if index % 2 else "sm_80")
    # Tiles that wgmma multiplies; the second product's left operand is computed.
    for n, e, s, x, y, i in ((128, 64, 256, 128, 128, 32), (64, 128, 192, 64, 96, 48),
                             (16, 64, 256, 16, 128, 64), (100, 64, 256, 64, 128, 64)):
        for split in (False, True):
            dtype = "bf16" if i == 48 or n == 16 else "f16"
            yield Case("warpgroups-%d.%d.%d%s" % (n, e, s, "-split" * split),
                       attention(dtype, n, e, s, 64, 2, split),
                       {"k0": dict(z=1, x=x, y=y, i=i), "k1": dict(z=1, x=8, y=64)}, 4.0,
                       target="sm_90a")
    tiles = {"k0": dict(z=1, x=3, y=48, i=16), "k1": dict(z=2, x=2, y=24)}
    for dtype in dtypes:
        for split in (False, True):
            for mask in (some_masked, row_masked):
                graph = attention(dtype, 7, 24, 150, 40, 2, split, masked=True)
                yield Case("%s-%s-%s" % ("flash" if split else "online", dtype, mask.__name__),
                           graph, tiles, 30.0, mask)
    # Each block's share in one step.
    yield Case("flash-no-loop", attention("f16", 5, 24, 150, 40, 2, True, True, steps=False),
               tiles, 30.0, some_masked)


def row_sums(long):
    tiles = {"k0": dict(x=3, y=24, i=8), "k1": dict(x=2)}
    for split in (False, True):
        for shifted in (True, False):
            # In one step nothing masks: x - max x is no number.
            for loop in (True, False) if split or shifted else (True,):
                yield Case("lse%s%s%s" % ("-split" * split, "-shifted" * shifted, "-loop" * loop),
                           logsumexp(7, 150, split, shifted, loop), tiles, mask=row_masked)


def cases(long):
    yield from row_sums(long)
    yield from sums(long)
    yield from attentions(long)
    for dtype, n, d, h in (("f16", 3, 100, 77), ("f32", 17, 33, 40), ("bf16", 1, 64, 24)):
        yield Case("predefined-%s" % dtype, predefined(dtype, n, d, h))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests")
    parser.add_argument("--only", default="")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--ptxas", action="store_true", help="assemble too, and allow no spills")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    counts = {}
    for case in cases(args.long):
        if not re.search(args.only, case.label):
            continue
        verdict, why = run(case, args.ptxas)
        counts[verdict] = counts.get(verdict, 0) + 1
        if args.verbose or verdict != "ok":
            print(verdict, case.label, why, flush=True)
    print(counts)
    return 0 if counts.get("ok") and len(counts) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
