# RUN: %python %s
# A function of 2,000 linalg ops, and a body of 2,000 scalar ops.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess
import sys

TYPE = "tensor<8x16xf32>"
OPS = 2000

ops = ["func.func @ops(%%v0: %s) -> %s {" % (TYPE, TYPE), "  %%e = tensor.empty() : %s" % TYPE]
for i in range(OPS):
    ops.append("  %%v%d = linalg.tanh ins(%%v%d : %s) outs(%%e : %s) -> %s"
               % (i + 1, i, TYPE, TYPE, TYPE))
ops += ["  return %%v%d : %s" % (OPS, TYPE), "}"]

body = ["func.func @body(%%x: %s) -> %s {" % (TYPE, TYPE), "  %%e = tensor.empty() : %s" % TYPE,
        "  %%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
        "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} "
        "ins(%%x : %s) outs(%%e : %s) {" % (TYPE, TYPE), "  ^bb0(%v0: f32, %o: f32):"]
for i in range(OPS):
    body.append("    %%v%d = math.tanh %%v%d : f32" % (i + 1, i))
body += ["    linalg.yield %%v%d : f32" % OPS, "  } -> " + TYPE, "  return %%r : %s" % TYPE, "}"]

run = subprocess.run(["prism-opt", "--convert-linalg-to-prism"],
                     input="\n".join(ops + body), capture_output=True, text=True)
if run.returncode or run.stderr:
    sys.exit("prism-opt exits %d: %s" % (run.returncode, run.stderr))
count = run.stdout.count("prism.tanh")
if count != 2 * OPS or "linalg" in run.stdout:
    sys.exit("%d ops are imported, expected %d" % (count, 2 * OPS))
