# RUN: %python %s %prism_src/test/Inputs
# Every workload, at small extents, static in f16 and with dynamic rows in bf16
# and f32: imported whole, partitioned, exported, run on the CPU, and compared
# with the same module before, and with the workload's float64 reference.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import sys
import tempfile

import numpy as np

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), sys.argv[1]]
import workloads
from run_on_cpu import (check, compare, compile_module, find_functions, find_tool,
                        random_inputs, run, to_float64)

# No two alike and none divides another, so that a wrong dim shows.
SMALL = dict(n=3, d=10, h=7, b=2, e=4, s=11, r=5, a=13, g=2)
VARIANTS = [("f16", ()), ("bf16", ("n",)), ("f32", ("n",))]
# Against float64, where intermediate values are rounded to the storage type.
AGAINST_REFERENCE = {"f16": 1e-2, "bf16": 8e-2, "f32": 2e-5}


def emit(name, dtype, dynamic, dims):
    text = workloads.emit(name, dtype, dynamic, **dims)
    body = text[text.index("{") + 1:text.rindex("}")]
    return body.replace("@%s(" % name, "@%s_%s(" % (name, dtype))


def main():
    cases, text = [], ""
    for name, (_, dims, _) in workloads.WORKLOADS.items():
        dims = {d: SMALL[d] for d in dims}
        for dtype, dynamic in VARIANTS:
            cases.append((name, dtype, dims))
            text += emit(name, dtype, dynamic, dims)
    text = run([find_tool("prism-opt"), "-"], text)
    functions = {f.name: f for f in find_functions(text)}
    assert len(functions) == len(cases), "a signature was not read"

    tested = run([find_tool("prism-opt"), "-", "--convert-linalg-to-prism", "--prism-partition"],
                 text)
    failures = ["left in linalg: " + line.strip()
                for line in tested.splitlines() if re.search(r"\blinalg\.", line)]
    with tempfile.TemporaryDirectory() as folder:
        before = compile_module(text, folder, "before")
        after = compile_module(tested, folder, "after", ["--convert-prism-to-linalg"])
        for seed, (name, dtype, dims) in enumerate(cases):
            function = functions["%s_%s" % (name, dtype)]
            inputs = random_inputs(function, seed, extent=dims["n"])
            failures += check(function, before, after, inputs, None)
            wide = [to_float64(a, dtype) for a in inputs]
            got = to_float64(function(after, inputs)[0], dtype)
            why = compare(got, workloads.reference(name, wide), AGAINST_REFERENCE[dtype])
            if why:
                failures.append("@%s against its reference: %s" % (function.name, why))
    for failure in failures:
        print(failure, file=sys.stderr)
    print("%d workloads compared, %d failures" % (len(cases), len(failures)))
    return 1 if failures else 0


sys.exit(main())
