# RUN: %python %s
# Functions of 2,000 ops go through the whole pipeline within their budget: a
# chain, products with residual sums, ever growing sharing, 300 arguments, 100
# results, tensors of rank 24. Each comes out optimized or as it was, with its signature.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import subprocess
import sys

TYPE = "tensor<64x64xf32>"


def function(name, arguments, lines, results):
    types = ", ".join([TYPE] * len(results))
    return "func.func @%s(%s) -> (%s) {\n  %s\n  return %s : %s\n}\n" % (
        name, ", ".join("%%%s: %s" % (a, TYPE) for a in arguments), types,
        "\n  ".join(lines), ", ".join("%" + r for r in results), types)


def chain(count):
    ops = ["exp", "tanh", "sqrt", "absf"]
    return function("chain", ["v0"], ["%%v%d = math.%s %%v%d : %s" % (
        i + 1, ops[i % len(ops)], i, TYPE) for i in range(count)], ["v%d" % count])


def products(count):
    lines = ["%zero = arith.constant 0.0 : f32", "%e = tensor.empty() : " + TYPE,
             "%%f = linalg.fill ins(%%zero : f32) outs(%%e : %s) -> %s" % (TYPE, TYPE)]
    for i in range(count // 2):
        lines += ["%%u%d = linalg.matmul ins(%%v%d, %%w : %s, %s) outs(%%f : %s) -> %s" % (
            i, i, TYPE, TYPE, TYPE, TYPE),
            "%%v%d = arith.addf %%u%d, %%v%d : %s" % (i + 1, i, i, TYPE)]
    return function("products", ["v0", "w"], lines, ["v%d" % (count // 2)])


def sharing(count):
    return function("sharing", ["v0", "v1"], ["%%v%d = arith.addf %%v%d, %%v%d : %s" % (
        i + 2, i, i + 1, TYPE) for i in range(count)], ["v%d" % (count + 1)])


def arguments(count):
    return function("arguments", ["a%d" % i for i in range(count + 1)], [
        "%%s%d = arith.addf %%%s, %%a%d : %s" % (i, "s%d" % (i - 1) if i else "a0", i + 1, TYPE)
        for i in range(count)], ["s%d" % (count - 1)])


def results(count):
    return function("results", ["r0"], ["%%r%d = math.tanh %%r%d : %s" % (i + 1, i, TYPE)
                    for i in range(count)], ["r%d" % (i + 1) for i in range(count)])


def rank(count):
    """So many ways to choose a grid that the budget ends before all are seen."""
    kind = "tensor<%sf32>" % ("2x" * count)
    return ("func.func @rank(%%a: %s, %%b: %s) -> %s {\n  %%0 = arith.addf %%a, %%b : %s\n"
            "  %%1 = math.exp %%0 : %s\n  return %%1 : %s\n}\n") % ((kind,) * 6)


def optimize(text, *options):
    run = subprocess.run(["prism-opt", *options], input=text, capture_output=True, text=True,
                         timeout=60)
    if run.returncode or "error:" in run.stderr:
        sys.exit("prism-opt exits %d: %s" % (run.returncode, run.stderr[:2000]))
    return run.stdout, run.stderr


for text in [chain(2000), products(2000), sharing(2000), arguments(300), results(100),
             rank(24)]:
    before, _ = optimize(text)
    after, remarks = optimize(text, "--prism-superoptimize=budget-seconds=2")
    signature = re.search(r"func\.func .*", before)[0]
    if signature not in after:
        sys.exit("the signature is gone: " + signature)
    if "gpu.launch_func" in after:
        continue
    if after != before:
        sys.exit("not optimized, but changed: " + signature)
    if "remark:" not in remarks:
        sys.exit("not optimized, and no remark says why: " + signature)
