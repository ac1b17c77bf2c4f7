# Breaks the lowering's source in many ways: the gate and a test must see each.
# RUN: %python %s --build=%prism_obj
# REQUIRES: long, python-ctypes
"""Breaks the lowering on purpose, one way after the other, and says what sees it.

  broken-lowering.py [--build=build] [--only=REGEX] [--list]

Each fault is a change of a file of lib/Conversion or lib/Plan. That file alone is
compiled again and linked into a prism-opt of its own; the source tree stays as it
is. With it the gate must refuse one of the candidates below, and one of the named
lit tests, which do not use the gate, must fail.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import dataclasses
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GPU = "lib/Conversion/PrismToGPU/"


@dataclasses.dataclass
class Fault:
    name: str
    file: str
    old: str
    new: str
    gate: list  # candidates, of which one must be refused
    tests: list  # under test/Conversion, of which one must fail


# Candidates for the gate: target, file, and what its words stand for.
RMSNORM = "test/Conversion/Inputs/sized-rmsnorm.mlir"
ATTENTION = "test/Conversion/Inputs/online-attention.mlir"


def norm(rows, depth, columns, y, x, i, kind):
    return {"ROWS": rows, "DEPTH": depth, "COLUMNS": columns, "YTILE": y, "XTILE": x,
            "ITILE": i, "TYPE": kind}


CANDIDATES = {
    "rmsnorm": ("sm_80", "unittests/Gate/Inputs/rmsnorm.mlir", {}),
    "attention": ("sm_80", "unittests/Gate/Inputs/attention.mlir", {}),
    "product": ("sm_80", "unittests/Gate/Inputs/product.mlir", {}),
    "online": ("sm_80", ATTENTION, {"ROWS": 20, "KEYS": 150, "ITILE": 32, "STILE": 64,
                                    "TILE": 16, "WIDTH": 24, "TYPE": "f16"}),
    "online-groups": ("sm_80", ATTENTION, {"ROWS": 20, "KEYS": 150, "ITILE": 32, "STILE": 64,
                                           "TILE": 10, "WIDTH": 24, "TYPE": "f16"}),
    "online-f32": ("sm_80", ATTENTION, {"ROWS": 9, "KEYS": 150, "ITILE": 32, "STILE": 64,
                                        "TILE": 8, "WIDTH": 24, "TYPE": "f32"}),
    "ragged": ("sm_80", RMSNORM, norm(37, 200, 88, 32, 64, 64, "f16")),
    "bulk": ("sm_90a", RMSNORM, norm(16, 512, 128, 16, 16, 64, "f16")),
    "bulk-ragged": ("sm_90a", RMSNORM, norm(37, 200, 88, 32, 64, 64, "f16")),
    "wgmma": ("sm_90a", RMSNORM, norm(128, 256, 128, 64, 64, 64, "f16")),
    "wgmma-steps": ("sm_90a", RMSNORM, norm(128, 512, 128, 64, 64, 64, "f16")),
    "wgmma-narrow": ("sm_90a", RMSNORM, norm(128, 128, 96, 128, 32, 32, "f16")),
    "wgmma-parts": ("sm_90a", RMSNORM, norm(256, 256, 128, 256, 128, 64, "bf16")),
    "wgmma-online": ("sm_90a", ATTENTION, {"ROWS": 64, "KEYS": 256, "ITILE": 64, "STILE": 128,
                                           "TILE": 64, "WIDTH": 32, "TYPE": "bf16"}),
}
RUN, NORM, RESCALE, BULK, WGMMA, WARPS, FOLLOWERS, LANES = (
    "prism-to-gpu-%s" % name for name in
    ("run.mlir", "rmsnorm-run.mlir", "rescale-run.test", "bulk.test", "warpgroup.test",
     "warps-run.mlir", "followers.test", "lanes.test"))

FAULTS = [
    # --- Barriers and copies in flight
    Fault("barrier-between-steps-dropped", GPU + "KernelEmitter.cpp",
          "  if (pending.needBarrier(reads, writes))\n    barrier();",
          "  if (pending.needBarrier(reads, writes))\n    waitForCopies();",
          ["attention"], [RUN]),
    Fault("barrier-of-loop-dropped", GPU + "KernelEmitter.cpp",
          "  barrier(); // the step before", "  // the step before",
          ["rmsnorm"], [NORM]),
    Fault("wait-in-loop-dropped", GPU + "KernelEmitter.cpp",
          "    NVVM::CpAsyncWaitGroupOp::create(b, ahead - 1);", "    ;",
          ["rmsnorm"], [NORM]),
    Fault("wait-in-loop-weakened", GPU + "KernelEmitter.cpp",
          "(b, ahead - 1)", "(b, ahead)",
          ["rmsnorm"], [NORM]),
    Fault("wait-outside-loop-dropped", GPU + "KernelEmitter.cpp",
          "  NVVM::CpAsyncWaitGroupOp::create(b, 0);\n", "",
          ["attention"], [RUN]),
    Fault("stage-too-few", GPU + "KernelEmitter.cpp",
          "Value sum = add(from, number(distance));",
          "Value sum = add(from, number(distance - 1));",
          ["rmsnorm"], [NORM]),
    Fault("stages-share-memory", "lib/Conversion/PrismToGPU/StepEmitter.cpp",
          "{mul(stage, buffer.bytes)}", "{mul(stage, buffer.bytes / 2)}",
          ["rmsnorm"], [NORM]),
    # --- Masks
    Fault("mask-of-depth-dropped", GPU + "MatmulEmitter.cpp",
          "    return valid ? Value(arith::SelectOp::create(b, valid, value,\n",
          "    return false ? Value(arith::SelectOp::create(b, valid, value,\n",
          ["product", "attention"], [NORM, RUN]),
    Fault("mask-of-rows-dropped", GPU + "MatmulEmitter.cpp",
          "    Value sum = accumulators[next++];\n    guarded(valid, [&] {\n"
          "      Indices indices = getResultIndices(step, iteration);\n      if (inMemory)",
          "    Value sum = accumulators[next++];\n    guarded(Value(), [&] {\n"
          "      Indices indices = getResultIndices(step, iteration);\n      if (inMemory)",
          ["product", "attention", "ragged"], [NORM, RUN]),
    Fault("mask-of-reduction-dropped", GPU + "StepEmitter.cpp",
          "  Value end = isBound ? reducedExtents[0].value : number",
          "  Value end = number",
          ["attention", "online"], [RUN]),
    Fault("mask-of-points-dropped", GPU + "KernelEmitter.cpp",
          "    guarded(isInside(indices, extents), [&] { body(indices); });",
          "    body(indices);",
          ["attention", "product"], [RUN]),
    # --- Groups of lanes that share a result
    Fault("shuffle-distance-dropped", GPU + "StepEmitter.cpp",
          "distance > 0; distance /= 2) {", "distance > 1; distance /= 2) {",
          ["ragged"], [LANES]),
    Fault("shuffle-beyond-group", GPU + "StepEmitter.cpp",
          "int64_t distance = step.reduce.lanes / 2;", "int64_t distance = step.reduce.lanes;",
          ["ragged"], [LANES]),
    Fault("shuffle-behind-branch", GPU + "StepEmitter.cpp",
          "    Value value = reduceOverLanes(step, partials[next++]);\n"
          "    guarded(both(isThere, isFirstLane(step)),\n"
          "            [&] { storeResults(step, output, convert(value, stored)); });",
          "    guarded(isThere, [&] {\n"
          "      Value value = reduceOverLanes(step, partials[next++]);\n"
          "      guarded(isFirstLane(step),\n"
          "              [&] { storeResults(step, output, convert(value, stored)); });\n"
          "    });",
          ["ragged"], [LANES]),
    Fault("groups-without-result-store", GPU + "StepEmitter.cpp",
          "    guarded(both(isThere, isFirstLane(step)),\n"
          "            [&] { finishReduce(step, output, value); });",
          "    guarded(isFirstLane(step), [&] { finishReduce(step, output, value); });",
          ["online-groups"], [LANES]),
    Fault("lanes-skip-runs", GPU + "StepEmitter.cpp",
          "number(stride * run), start);", "number(2 * stride * run), start);",
          ["ragged"], [LANES]),
    Fault("lanes-of-other-group", GPU + "StepEmitter.cpp",
          "<arith::DivUIOp>(threadId, number(step.reduce.lanes));",
          "<arith::DivUIOp>(threadId, number(2 * step.reduce.lanes));",
          ["ragged"], [LANES]),
    # --- Rescaled sums
    Fault("lost-rescale", GPU + "RescaleEmitter.cpp",
          "  return math::FmaOp::create(b, sum, old, scaled);",
          "  return arith::AddFOp::create(b, sum, scaled);",
          ["online"], [RESCALE]),
    Fault("lost-factor-of-term", GPU + "RescaleEmitter.cpp",
          "arith::MulFOp::create(b, term, factor));", "term);",
          ["online"], [RESCALE]),
    Fault("masked-step-counts", GPU + "RescaleEmitter.cpp",
          "arith::SelectOp::create(b, isLeast(value), constant(-1.0),",
          "arith::SelectOp::create(b, isLeast(value), constant(1.0),",
          ["online"], [RESCALE]),
    Fault("maximum-forgotten", GPU + "RescaleEmitter.cpp",
          "  Value after = combine(/*isMax=*/true, before, value);",
          "  Value after = value;",
          ["online"], [RESCALE]),
    # --- Addresses
    Fault("address-bit-of-swizzle", GPU + "StepEmitter.cpp",
          "number(buffer.swizzle - 16)", "number(buffer.swizzle - 32)",
          ["bulk"], [BULK]),
    Fault("panel-too-near", GPU + "StepEmitter.cpp",
          "add(mul(ofPanel, rows), row)", "add(mul(ofPanel, rows / 2), row)",
          ["wgmma-parts", "bulk"], [BULK]),
    Fault("row-of-ldmatrix", GPU + "MatmulEmitter.cpp",
          "Value position = add(depth, mul(half, 8));",
          "Value position = add(depth, mul(half, 0));",
          ["rmsnorm"], [NORM]),
    # {8, 0} would be another order for both operands, and no fault.
    Fault("half-of-fragment", GPU + "MatmulEmitter.cpp",
          "  for (int64_t offset : {0, 8})\n    for (const MatmulPoint",
          "  for (int64_t offset : {0, 0})\n    for (const MatmulPoint",
          ["product", "attention"], [RUN, NORM]),
    Fault("operands-swapped", GPU + "StepEmitter.cpp",
          "  Value value = op.buildScalar(",
          "  if (isa<DivOp, SubOp>(op.getOperation()))\n"
          "    std::swap(widened[0], widened[1]);\n  Value value = op.buildScalar(",
          ["rmsnorm"], [NORM]),
    # --- Followers
    Fault("follower-too-early", "lib/Plan/OutlineFollowers.cpp",
          "llvm::max_element(reads)", "llvm::min_element(reads)",
          ["online"], [RESCALE]),
    Fault("follower-accesses-forgotten", "lib/Plan/KernelPlan.cpp",
          "  collectFollowerAccesses(step, reads, writes);\n", "",
          ["online"], [FOLLOWERS, RESCALE]),
    Fault("follower-reads-other-element", GPU + "StepEmitter.cpp",
          "keptElements[tile] = Indices(elements);",
          "keptElements[tile] = Indices(llvm::reverse(elements));",
          ["online"], [FOLLOWERS, RESCALE]),
    # --- Starts and ends
    Fault("sums-start-at-one", GPU + "MatmulEmitter.cpp",
          "step.matmul.accumulators, zeroOf(getSumType(step))",
          "step.matmul.accumulators, arith::ConstantOp::create(\n"
          "      b, FloatAttr::get(getSumType(step), 1.0))",
          ["rmsnorm"], [NORM]),
    Fault("one-step-too-few", GPU + "KernelEmitter.cpp",
          "    return number(loop->count);", "    return number(std::max<int64_t>(loop->count - 1, 1));",
          ["rmsnorm"], [NORM]),
    Fault("last-chunk-short", GPU + "KernelEmitter.cpp",
          "<arith::MinSIOp>(number(dim->tile), rest)",
          "<arith::MinSIOp>(number(dim->tile - 1), rest)",
          ["attention", "product"], [NORM, RUN]),
    # --- sm_90a
    Fault("mbarrier-wait-dropped", GPU + "BulkEmitter.cpp",
          "  if (!plan.hasBulkLoads())\n    return;\n  Value barrier",
          "  if (plan.hasBulkLoads() || !b.getContext())\n    return;\n  Value barrier",
          ["bulk"], [BULK]),
    Fault("mbarrier-phase", GPU + "BulkEmitter.cpp",
          "barrier, parity, /*ticks", "barrier, sub(number(1), parity), /*ticks",
          ["bulk"], [BULK]),
    Fault("mbarrier-phase-constant", GPU + "BulkEmitter.cpp",
          "barrier, parity, /*ticks", "barrier, number(0), /*ticks",
          ["bulk"], [BULK]),
    Fault("mbarrier-of-other-stage", GPU + "BulkEmitter.cpp",
          "    Value barrier = getBarrier(stage);", "    Value barrier = getBarrier(number(0));",
          ["bulk"], [BULK]),
    Fault("mbarrier-fewer-bytes", GPU + "BulkEmitter.cpp",
          "b, Type(), barrier, number(bytes)", "b, Type(), barrier, number(bytes / 2)",
          ["bulk"], [BULK]),
    Fault("mbarrier-more-bytes", GPU + "BulkEmitter.cpp",
          "b, Type(), barrier, number(bytes)", "b, Type(), barrier, number(bytes + 16)",
          ["bulk"], [BULK]),
    Fault("mbarrier-arrivals", GPU + "BulkEmitter.cpp",
          "getBarrier(number(stage)), number(1),", "getBarrier(number(stage)), number(2),",
          ["bulk"], [BULK]),
    Fault("box-of-other-tile", GPU + "BulkEmitter.cpp",
          "position.push_back(add(start[dim], first));", "position.push_back(first);",
          ["bulk"], [BULK]),
    Fault("proxy-fence-dropped", GPU + "WarpgroupEmitter.cpp",
          "    fenceAsyncProxy();", "    ;",
          ["wgmma-parts", "wgmma-online"], [WGMMA, RESCALE]),
    Fault("wgmma-wait-dropped", GPU + "WarpgroupEmitter.cpp",
          'text + "wgmma.wait_group.sync.aligned 0;\\n}"', 'text + "}"',
          ["wgmma-online"], [WGMMA]),
    Fault("wgmma-wait-weakened", GPU + "WarpgroupEmitter.cpp",
          'text + "wgmma.wait_group.sync.aligned 0;', 'text + "wgmma.wait_group.sync.aligned 1;',
          ["wgmma-online"], [WGMMA]),
    Fault("wgmma-deferred-wait-weakened", GPU + "WarpgroupEmitter.cpp",
          "std::to_string(started) +", "std::to_string(started + 1) +",
          ["wgmma-steps"], [WGMMA]),
    Fault("wgmma-last-wait-weakened", GPU + "WarpgroupEmitter.cpp",
          'text = "wgmma.wait_group.sync.aligned 0;"', 'text = "wgmma.wait_group.sync.aligned 1;"',
          ["wgmma-steps"], [WGMMA]),
    Fault("wgmma-commit-dropped", GPU + "WarpgroupEmitter.cpp",
          '  os << "wgmma.commit_group.sync.aligned;\\n";\n', '  os << "";\n',
          ["wgmma"], [WGMMA]),
    Fault("wgmma-fence-dropped", GPU + "WarpgroupEmitter.cpp",
          ';\\nwgmma.fence.sync.aligned;\\n";', ';\\n";',
          ["wgmma"], [WGMMA]),
    Fault("descriptor-swizzle", GPU + "WarpgroupEmitter.cpp",
          "swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3", "swizzle == 128 ? 2 : swizzle == 64 ? 1 : 3",
          ["wgmma", "wgmma-narrow"], [WGMMA]),
    Fault("descriptor-stride", GPU + "WarpgroupEmitter.cpp",
          "(8 * swizzle >> 4) << 32", "(4 * swizzle >> 4) << 32",
          ["wgmma"], [WGMMA]),
    Fault("descriptor-depth", GPU + "WarpgroupEmitter.cpp",
          "getOffset(columns, 0, depth) / 16", "getOffset(columns, 0, 0) / 16",
          ["wgmma"], [WGMMA]),
    Fault("warpgroup-rows", GPU + "MatmulEmitter.cpp",
          "Value row = mul(place[1], matmul.rowFragments * warpgroupRows);\n"
          "    return {number(0), add(row, mul(place[2], mmaRows)),",
          "Value row = mul(place[1], matmul.rowFragments * warpgroupRows);\n"
          "    return {number(0), add(row, mul(place[2], 2 * mmaRows)),",
          ["wgmma"], [WGMMA]),
]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


class Build:
    """What is known of the build tree: how an object is compiled, how prism-opt is linked."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        done = run(["ninja", "-C", self.folder, "-t", "commands", "prism-opt"])
        if done.returncode:
            sys.exit(done.stderr)
        self.commands = [line for line in done.stdout.splitlines() if line]

    def compile(self, file, text, to):
        """Object `to`, of `text` in place of the source `file`."""
        source = os.path.join(ROOT, file)
        command = next(c for c in self.commands if " -c %s" % source in c)
        changed = os.path.join(os.path.dirname(to), os.path.basename(file))
        with open(changed, "w") as out:
            out.write(text)
        words = shlex.split(command)
        words[words.index("-o") + 1] = to
        words[words.index("-c") + 1] = changed
        # The file stands elsewhere: what it includes beside itself does not.
        words += ["-I", os.path.dirname(source)]
        for flag in ("-MF", "-MT"):
            if flag in words:
                words[words.index(flag) + 1] = to + ".d"
        return run(words, cwd=self.folder)

    def link(self, object, to):
        """prism-opt at `to`, with `object` in place of what the archives have."""
        command = self.commands[-1]
        command = re.sub(r" -o bin/prism-opt ", " %s -o %s " % (object, to), command)
        return run(command, shell=True, cwd=self.folder)


def check_gate(tool, names, folder):
    """The name of the candidate that is refused and why, or nothing."""
    for name in names:
        target, file, words = CANDIDATES[name]
        with open(os.path.join(ROOT, file)) as source:
            text = source.read()
        for word in sorted(words, key=len, reverse=True):  # ITILE before TILE
            text = text.replace(word, str(words[word]))
        path = os.path.join(folder, name + ".mlir")
        with open(path, "w") as out:
            out.write(text)
        done = run([tool, path, "--prism-gate=tensor-maps=true target=" + target, "-o", os.devnull])
        why = re.search(r"fails the gate: (.*)", done.stderr)
        if why:
            return name, why[1]
        if done.returncode:
            return None, "%s: %s" % (name, done.stderr[-300:])
    return None, ""


def check_tests(build, folder, names):
    """The tests of test/Conversion that fail with the tools in folder/bin."""
    with open(os.path.join(build.folder, "test", "lit.site.cfg.py")) as file:
        text = file.read()
    suite = os.path.join(folder, "suite")
    os.makedirs(suite, exist_ok=True)
    text = re.sub(r'(config\.prism_obj_root = ).*', r'\1"%s"' % folder, text)
    text = re.sub(r'(config\.prism_tools_dir = ).*',
                  r'\1"%s"' % os.path.join(folder, "bin"), text)
    with open(os.path.join(suite, "lit.site.cfg.py"), "w") as file:
        file.write(text)
    lit = os.path.join(re.search(r'llvm_tools_dir = .*?"(.*?)"', text)[1], "lit")
    paths = [os.path.join(suite, "Conversion", name) for name in names]
    done = run([lit, "-q", "--timeout=600", *paths])
    return re.findall(r"^(?:FAIL|TIMEOUT): .*?:: (\S+)", done.stdout, re.M)


def check(build, fault, folder):
    """What is amiss: nothing if the gate and a test see the fault."""
    with open(os.path.join(ROOT, fault.file)) as file:
        text = file.read()
    if text.count(fault.old) != 1:
        return "%d places of %s match" % (text.count(fault.old), fault.file)
    tools = os.path.join(folder, "bin")
    os.makedirs(tools)
    for name in os.listdir(os.path.join(build.folder, "bin")):
        if name.startswith("prism-") and name != "prism-opt":
            os.symlink(os.path.join(build.folder, "bin", name), os.path.join(tools, name))
    tool, object = os.path.join(tools, "prism-opt"), os.path.join(folder, "changed.o")
    done = build.compile(fault.file, text.replace(fault.old, fault.new), object)
    if done.returncode == 0:
        done = build.link(object, tool)
    if done.returncode:
        return "it does not build: " + (done.stdout + done.stderr)[-2000:]
    refused, why = check_gate(tool, fault.gate, folder)
    failed = check_tests(build, folder, fault.tests)
    print("%s\n  gate: %s\n  tests: %s" % (
        fault.name, "%s, %s" % (refused, why) if refused else "PASSES " + why,
        ", ".join(failed) or "PASS"), flush=True)
    if not refused:
        return "the gate refuses none of " + ", ".join(fault.gate)
    return "" if failed else "no test fails of " + ", ".join(fault.tests)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    faults = [f for f in FAULTS if re.search(args.only, f.name)]
    if args.list:
        print("\n".join(f.name for f in faults))
        return 0
    build, amiss = Build(args.build), {}
    for fault in faults:
        folder = tempfile.mkdtemp()
        try:
            why = check(build, fault, folder)
        finally:
            shutil.rmtree(folder)
        if why:
            amiss[fault.name] = why
    for name, why in amiss.items():
        print("%s: %s" % (name, why))
    print("%d faults, %d seen by the gate and a test" % (len(faults), len(faults) - len(amiss)))
    return 1 if amiss or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
