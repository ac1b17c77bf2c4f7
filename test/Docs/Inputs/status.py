# The table of docs/status.md, made by trying each op in each stage.
#
#   status.py write|check PRISM-OPT LLVM-TBLGEN LLVM-INCLUDE-DIR
#
# Ops come from the dialect's records, so a new op without a row, or without an
# example below, fails the check. An op counts as done in a stage if a function
# with this op alone goes through it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLE = ROOT / "docs" / "status.md"
BEGIN, END = "<!-- table: made by test/Docs/Inputs/status.py -->\n", "<!-- end of table -->\n"

# A function of one op: its operands and its statement, {t} the element type.
X = "%a: tensor<64x128x{t}>"
XX = X + ", %b: tensor<64x128x{t}>"
UNARY = [X, "prism.{op} %a : (tensor<64x128x{t}>) -> tensor<64x128x{t}>"]
BINARY = [XX, "prism.{op} %a, %b : (tensor<64x128x{t}>, tensor<64x128x{t}>) -> tensor<64x128x{t}>"]
REDUCE = [X, "prism.{op} %a dims [1] : (tensor<64x128x{t}>) -> tensor<64x{t}>"]
MIXED = {  # ops whose operands and result differ
    "cast": [X, "prism.cast %a : (tensor<64x128x{t}>) -> tensor<64x128x{u}>"],
    "compare": ["%c: tensor<64x128x{t}>, " + XX,
                "prism.compare lt %a, %b : (tensor<64x128x{t}>, tensor<64x128x{t}>) -> tensor<64x128xi1>\n"
                "  %s = prism.select %r, %a, %c : (tensor<64x128xi1>, tensor<64x128x{t}>, tensor<64x128x{t}>) -> tensor<64x128x{t}>"],
    "select": ["%c: tensor<64x128xi1>, " + XX,
               "prism.select %c, %a, %b : (tensor<64x128xi1>, tensor<64x128x{t}>, tensor<64x128x{t}>) -> tensor<64x128x{t}>"],
    "constant": [X, "prism.constant 1.5 : {t} -> tensor<{t}>\n"
                 "  %s = prism.mul %a, %r maps [d0, d1], [] -> [d0, d1] : (tensor<64x128x{t}>, tensor<{t}>) -> tensor<64x128x{t}>"],
    "matmul": ["%a: tensor<64x128x{t}>, %b: tensor<128x32x{t}>",
               "prism.matmul %a, %b : (tensor<64x128x{t}>, tensor<128x32x{t}>) -> tensor<64x32x{t}>"],
    "gelu": [X, "prism.gelu tanh %a : (tensor<64x128x{t}>) -> tensor<64x128x{t}>"],
    "transpose": [X, "prism.transpose %a permutation [1, 0] : (tensor<64x128x{t}>) -> tensor<128x64x{t}>"],
    "broadcast": ["%a: tensor<64x{t}>", "prism.broadcast %a dims [0] : (tensor<64x{t}>) -> tensor<64x128x{t}>"],
    "slice": [X, "prism.slice %a dim 1 offset 32 : (tensor<64x128x{t}>) -> tensor<64x64x{t}>"],
    "concat": [XX, "prism.concat %a, %b dim 1 : (tensor<64x128x{t}>, tensor<64x128x{t}>) -> tensor<64x256x{t}>"],
    "reshape": [X, "prism.reshape %a ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<64x128x{t}>) -> tensor<64x4x32x{t}>"],
    "softmax": [X, "prism.softmax %a dim 1 : (tensor<64x128x{t}>) -> tensor<64x128x{t}>"],
    "rms_norm": [X, "prism.rms_norm %a dim 1 epsilon 1.0e-05 : (tensor<64x128x{t}>) -> tensor<64x128x{t}>"],
    "reduce_sum": REDUCE, "reduce_max": REDUCE,
    **{op: BINARY for op in "add sub mul div max min pow".split()},
    **{op: UNARY for op in "neg exp log sqrt rsqrt square reciprocal tanh erf sigmoid silu relu".split()},
}
TYPES = ["f16", "bf16", "f32", "f64"]
SEARCH = "prism-generate,prism-instantiate-maps"


def records(tblgen, include):
    """The registered ops: {mnemonic: whether it is a compute op}."""
    text = subprocess.run([tblgen, "--dump-json", "-I", ROOT / "include", "-I", include,
                           ROOT / "include/Prism/Dialect/PrismOps.td"],
                          check=True, capture_output=True, text=True).stdout
    ops = json.loads(text)
    ours = [ops[n] for n in ops["!instanceof"]["Op"] if ops[n]["opDialect"]["def"] == "Prism_Dialect"]
    return {op["opName"]: any(t["def"] == "Prism_ComputeOpInterface" for t in op["traits"]) for op in ours}


def function(op, element):
    arguments, statement = MIXED[op]
    last = "%s" if "%s =" in statement else "%r"
    text = f"  %r = {statement}".format(op=op, t=element, u="f16" if element == "f32" else "f32")
    result = text.rstrip().rsplit("-> ", 1)[1]
    return (f"func.func @{op}({arguments.format(t=element)}) -> {result} {{\n"
            f"{text}\n  return {last} : {result}\n}}\n")


class Tool:
    def __init__(self, path):
        self.path = path

    def run(self, modules, pipeline):
        """Runs the pipeline on each module; {op: what was printed}, without those
        on which it failed."""
        done = subprocess.run(
            [self.path, "--split-input-file", f"--pass-pipeline=builtin.module({pipeline})"],
            input="\n// -----\n".join(modules.values()), capture_output=True, text=True, timeout=600)
        if done.returncode not in (0, 1):
            sys.exit(f"{self.path} died in {pipeline}:\n{done.stderr[-2000:]}")
        printed = {}
        for chunk in done.stdout.split("// -----"):
            name = re.search(r"func\.func @(\w+)", chunk)
            if name:
                printed[name[1]] = chunk
        return printed


def where(modules, holds):
    return {op for op, text in modules.items() if holds(text)}


def table(tool, ops):
    """What each stage makes of each op; stages build on each other."""
    compute = sorted(op for op, is_compute in ops.items() if is_compute)
    missing = [op for op in compute if op not in MIXED]
    if missing:
        sys.exit(f"no example in test/Docs/Inputs/status.py of: {', '.join(missing)}")
    modules = {op: function(op, "f32") for op in compute}
    linalg = tool.run(modules, "convert-prism-to-linalg")
    exported = where(linalg, lambda text: "prism." not in text)
    # An op is imported if its own export comes back without a linalg op left.
    imported = where(tool.run({op: linalg[op] for op in compute if op in exported},
                              "canonicalize,convert-linalg-to-prism"),
                     lambda text: "prism." in text and "linalg." not in text)
    programs = f"prism-partition,prism.program({SEARCH}"
    searched = where(tool.run(modules, programs + ")"), lambda text: "prism.kernel" in text)
    proved = where(tool.run(modules, programs + ",prism-verify)"), lambda text: "verdict Proved" in text)
    lowered = {
        element: where(tool.run({op: function(op, element) for op in compute},
                                programs + ",prism-verify,prism-instantiate-params),convert-prism-to-gpu"),
                       lambda text: "gpu.module" in text and "prism.invoke" not in text)
        for element in TYPES}
    lines = ["| op | verifier | import | export | search | axioms | lowering |", "|---|---|---|---|---|---|---|"]
    for op in compute:
        marks = ["yes" if op in done else "no" for done in (imported, exported, searched, proved)]
        types = ", ".join(element for element in TYPES if op in lowered[element])
        lines.append(f"| `{op}` | yes | {' | '.join(marks)} | {types or 'no'} |")
    return "\n".join(lines) + "\n"


def main(mode, path, tblgen, include):
    ops = records(tblgen, include)
    text = TABLE.read_text()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    for op, is_compute in ops.items():
        if not is_compute and f"`{op}`" not in after:
            sys.exit(f"docs/status.md says nothing of {op}")
    new = table(Tool(path), ops)
    if mode == "write":
        TABLE.write_text(before + BEGIN + new + END + after)
    elif new != old:
        changed = [b for b in new.split("\n") if b not in old.split("\n")]
        sys.exit("docs/status.md is out of date; test/Docs/Inputs/status.py write would give\n" + "\n".join(changed))
    print(f"{len(ops)} ops")


main(*sys.argv[1:])
