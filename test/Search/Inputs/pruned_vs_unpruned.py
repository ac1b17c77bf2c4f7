#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pruning drops nothing: each switch off, and each kind of map concrete, finds the same.

  pruned_vs_unpruned.py FILE.mlir... [--generate=OPTIONS] [--cut=OPTION]

FILEs hold prism.programs without candidates. They are searched as they are, then without
expression pruning, without shape pruning, without both, and with imap, fmap, omap
enumerated variable by variable, one at a time and all together. The mapped candidates of
each run, of one or several kernels, must be the same, and so must the normal forms of
those of one kernel (normal_form.py).
Without pruning more graphs must be grown: a switch that switches nothing is an error.
--cut is passed to all runs but the first, to see that a difference is noticed.
Exit 1 on a difference.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from normal_form import normalize
from prism_ir import parse

RUNS = [("pruned", "", ""), ("prune-expression=false", "prune-expression=false", ""),
        ("prune-shape=false", "prune-shape=false", ""),
        ("neither", "prune-expression=false prune-shape=false", ""),
        ("concrete imap", "", "imap"), ("concrete fmap", "", "fmap"),
        ("concrete omap", "", "omap"), ("concrete all", "", "imap+fmap+omap")]


class Found:
    """Of one program: its candidates as text, and the normal forms of those of one kernel."""

    def __init__(self, program):
        single = [c for c in program.candidates if [op.name for op in c.body.ops] == ["kernel"]]
        self.graphs = {c.text for c in program.candidates}
        self.normal_forms = {normalize(c)[0] for c in single}
        self.grown = int(program.statistics["graphs_generated"])
        self.complete = program.statistics["complete"] == "true"


def search(path, generate, concrete):
    done = subprocess.run(
        ["prism-opt", path, "--prism-generate=filter-range=false " + generate,
         "--prism-instantiate-maps=keep-all=true filter-range=false concrete-maps=" + concrete],
        capture_output=True, text=True)
    if done.returncode:
        sys.exit("prism-opt: " + done.stderr)
    return {program.name: Found(program) for program in parse(done.stdout)}


def compare(expected, found, name, run):
    """Prints what differs; whether something does."""
    wrong = False
    for what in ("normal_forms", "graphs"):
        missing = getattr(expected, what) - getattr(found, what)
        more = getattr(found, what) - getattr(expected, what)
        wrong |= bool(missing or more)
        for text in sorted(missing)[:5]:
            print("  %s, %s, %s: missing %s" % (name, run, what, text[:2000]))
        for text in sorted(more)[:5]:
            print("  %s, %s, %s: more %s" % (name, run, what, text[:2000]))
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+")
    options.add_argument("--generate", default="", help="more for --prism-generate, all runs")
    options.add_argument("--cut", default="", help="more for --prism-generate, not the first run")
    args = options.parse_args()
    wrong = programs = 0
    for path in args.files:
        expected = None
        for run, generate, concrete in RUNS:
            found = search(path, " ".join([args.generate, generate,
                                           args.cut if expected else ""]), concrete)
            if expected is None:
                expected = found
                programs += len(found)
            differences = sum(compare(expected[name], found[name], name, run) or
                              not found[name].complete for name in expected)
            grown = sum(f.grown for f in found.values())
            base = sum(f.grown for f in expected.values())
            print("%s: %s: %d graphs, %d normal forms, %d grown (%.3g times), %d differ" % (
                os.path.basename(path), run, sum(len(f.graphs) for f in found.values()),
                sum(len(f.normal_forms) for f in found.values()), grown, grown / base,
                differences))
            wrong += differences
            if "false" in generate and grown <= base:
                print("  %s prunes nothing" % run)
                wrong += 1
    print("%d programs, %d differences" % (programs, wrong))
    return 1 if wrong or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
