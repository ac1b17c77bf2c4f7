#!/usr/bin/python3
"""Prints a report of prism-opt (`report=PATH`) for a person to read.

With --ir, the module that was written beside it, also the PTX in it: its size
and, if a CUDA toolkit is there, whether its assembler accepts it.
Exits 1 on a report that cannot be read and on PTX that is refused.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

REPORT_VERSION = 1


def shown(value, unit=""):
    """A value of the report; null means that it was not determined."""
    if value is None:
        return "not determined"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        value = f"{value:.4g}"
    if isinstance(value, list):
        value = "x".join(map(str, value))
    return f"{value}{unit}"


def row(label, text):
    print(f"  {label:<14}{text}")


def print_search(program):
    search = program["search"]
    bounds = ", ".join(f"{shown(v)} {k.replace('_', ' ')}"
                       for k, v in program["bounds"].items())
    row("bounds", bounds)
    row("search", f"{shown(search['graphs_generated'])} graphs generated, pruned: "
                  f"{shown(search['pruned_by_shape'])} by shape, "
                  f"{shown(search['pruned_by_expression'])} by expression, "
                  f"{shown(search['pruned_by_resources'])} by resources "
                  f"({shown(search['seconds'], ' s')})")
    row("kept", f"{shown(search['graphs'])} graphs, {shown(search['mappings'])} mappings")
    row("proofs", f"{shown(search['proved'])} proved, {shown(search['disproved'])} "
                  f"disproved, {shown(search['unknown'])} unknown")
    row("complete", shown(program["complete"]))


def print_chosen(program):
    chosen = program["chosen"]
    if not chosen:
        row("chosen", "nothing: the program stays as it was")
        return
    verdicts = {c["id"]: c for c in program["candidates"]}
    candidate = verdicts.get(chosen["id"], {})
    row("chosen", f"{chosen['id']} ({shown(candidate.get('verdict'))})")
    if candidate.get("graph"):
        row("graph", candidate["graph"])
    if candidate.get("maps"):
        row("maps", candidate["maps"])
    row("cost", f"{shown(chosen['cost_us'], ' us')} by {program['instantiation']['measured_by']}; "
                f"op by op {shown(chosen['unfused_us'], ' us')}, "
                f"roofline {shown(chosen['roofline_us'], ' us')}")
    for kernel in chosen["kernels"]:
        sizes = " ".join(f"{k}={v}" for k, v in (kernel["parameters"] or {}).items())
        row("kernel", f"{kernel['name']}: grid {shown(kernel['grid'])}, "
                      f"block {shown(kernel['block'])}, "
                      f"shared {shown(kernel['shared_bytes'], ' B')}, "
                      f"tensor cores {shown(kernel['tensor_cores'])}"
                      + (f", sizes {sizes}" if sizes else ""))


def print_program(program):
    print(f"  {program['name']} for {program['target']}")
    print_search(program)
    print_chosen(program)
    gate = program["gate"]
    if gate and gate.get("runs"):
        row("gate", f"{gate['runs']} runs on the simulated device, worst error "
                    f"{shown(gate['worst_error'])} (program's own {shown(gate['program_error'])})")
    for limit in (gate and gate.get("limits")) or []:
        row("gate's limits", limit)
    for left in program["left_alone"]:
        row("left alone", f"{left['op']} at {left['loc']}: {left['why']}")


def find_ptxas():
    for variable in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"):
        path = os.path.join(os.environ.get(variable) or "/nonexistent", "bin", "ptxas")
        if os.path.exists(path):
            return path
    return shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")


def unescape(match):
    """One escape of a string as MLIR prints it: two backslashes, or hex digits."""
    return "\\" if match.group(1) == "\\" else chr(int(match.group(1), 16))


def embedded_ptx(text):
    """The PTX texts in the gpu.binary ops of a printed module."""
    texts = []
    for literal in re.findall(r'(?:assembly|bin|offload) = "((?:[^"\\]|\\.)*)"', text):
        data = re.sub(r"\\(\\|[0-9A-Fa-f]{2})", unescape, literal).rstrip("\0")
        if ".version" in data:
            texts.append(data)
    return texts


def check_ptx(ir_path, target):
    """Prints what PTX the module holds; False if the assembler refuses it."""
    with open(ir_path, encoding="utf-8") as file:
        texts = embedded_ptx(file.read())
    if not texts:
        row("PTX", "none in the module")
        return True
    ptxas, good = find_ptxas(), True
    for ptx in texts:
        kernels = re.findall(r"\.entry\s+(\w+)", ptx)
        line = f"{', '.join(kernels)}: {ptx.count(chr(10))} lines"
        if not ptxas:
            row("PTX", line + "; not assembled, no ptxas here")
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
            file.write(ptx)
            file.flush()
            result = subprocess.run(
                [ptxas, f"-arch={target}", "-o", os.devnull, file.name],
                capture_output=True, text=True)
        row("PTX", f"{line}; ptxas {'accepts' if result.returncode == 0 else 'REFUSES'} it")
        if result.returncode != 0:
            print(result.stderr)
            good = False
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report")
    parser.add_argument("--ir", metavar="FILE.mlir")
    args = parser.parse_args()
    try:
        with open(args.report, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"summarize_report: cannot read {args.report}: {error}")
    if report.get("version") != REPORT_VERSION:
        sys.exit(f"summarize_report: {args.report} has version "
                 f"{report.get('version')}, expected {REPORT_VERSION}")
    try:
        for program in report["programs"]:
            print_program(program)
    except KeyError as error:
        sys.exit(f"summarize_report: {args.report} lacks the key {error}")
    if not report["programs"]:
        print("  no program was found in the module")
        return 0
    if args.ir and not check_ptx(args.ir, report["programs"][0]["target"]):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
