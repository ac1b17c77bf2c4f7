# RUN: %python %s
# All workloads, static, dynamic, in bf16 and f32, and at one row, are imported
# whole: prism ops are left and nothing else, and no remark. The files in
# Inputs/workloads are what the emitter gives.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
inputs = os.path.join(here, "..", "Inputs")
sys.path.insert(0, inputs)
import workloads

VARIANTS = {
    "static": {},
    "dynamic": {"dynamic": ("n",)},
    "bf16": {"dtype": "bf16"},
    "bf16 dynamic": {"dtype": "bf16", "dynamic": ("n",)},
    "f32": {"dtype": "f32"},
    "one row": {"n": 1},
}
LEFT = re.compile(r"^\s*(?:%\S+(?:, %\S+)* = )?\"?([\w.]+)")


SEPARATOR = "// -----\n"


def convert(texts):
    """Imports the modules in one process: (modules, remarks)."""
    run = subprocess.run(["prism-opt", "--convert-linalg-to-prism", "--split-input-file"],
                         input=SEPARATOR.join(texts), capture_output=True, text=True)
    if run.returncode:
        sys.exit("prism-opt: %s" % run.stderr)
    return run.stdout.split(SEPARATOR), run.stderr


def structure(text):
    """The ops with their indexing, without extents."""
    return re.sub(r"[0-9?]+x", "", re.sub(r"constant [-0-9.eE+]+", "constant", text))


failures = []
keys = [(name, variant) for name in workloads.WORKLOADS for variant in VARIANTS]
modules, remarks = convert([workloads.emit(name, **VARIANTS[variant]) for name, variant in keys])
if remarks:
    failures.append(remarks)
imported = dict(zip(keys, modules))
for (name, variant), text in imported.items():
    ops = [m.group(1) for m in map(LEFT.match, text.splitlines()) if m]
    other = [op for op in ops if not op.startswith("prism.")
             and op not in ("module", "func.func", "return")]
    if other or not any(op.startswith("prism.") for op in ops):
        failures.append("%s, %s: %s is left" % (name, variant, other))
    if variant in ("dynamic", "one row") and structure(text) != structure(
            imported[name, "static"]):
        failures.append("%s: another program when %s:\n%s" % (name, variant, text))
for name in workloads.WORKLOADS:
    with open(os.path.join(inputs, "workloads", name + ".mlir")) as file:
        if file.read() != workloads.emit(name):
            failures.append("Inputs/workloads/%s.mlir differs from the emitter's" % name)
if len(modules) != len(keys):
    failures.append("%d modules are imported, expected %d" % (len(modules), len(keys)))
sys.exit("\n".join(failures) if failures else 0)
