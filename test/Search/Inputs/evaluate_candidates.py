#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every candidate of every program in a module and compares it with the program.

  evaluate_candidates.py FILE.mlir [--quiet]

FILE holds prism.programs as prism-opt prints them; `-` is standard input. Each mapped or
sized candidate is run in float64 at two assignments of extents, with ragged chunks of two
sizes. Candidates with the verdict Disproved or Unknown are run as well, and never fail.

Lines: `PROGRAM CANDIDATE VERDICT: equal`, or what is wrong; then a summary. Exit 1 if a
candidate that is proved, or has no verdict, differs, or if none could be run.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evaluate import Misfit, defined_arguments, differ, evaluate_candidate
from prism_ir import parse


class Setting:
    """Extents for a program's symbols, and the tile extents of parallel dims."""

    def __init__(self, name, extents, grid_tiles, loop_tile):
        self.name, self.extents = name, extents
        self.grid_tiles, self.loop_tile = grid_tiles, loop_tile

    def symbols(self, program):
        return {symbol: self.extents[index % len(self.extents)]
                for index, symbol in enumerate(program.extents)}

    def get_tile(self, kernel, dim, kind):
        return self.loop_tile if kind == "loop" else self.grid_tiles[
            sum(map(ord, dim)) % len(self.grid_tiles)]


# The loop's tile divides each grid tile; no extent but one is a multiple of a tile.
SETTINGS = [Setting("A", (5, 7, 6, 9, 11), (4,), 2), Setting("B", (4, 5, 7, 3, 8), (3, 2), 1)]


def check(candidate, cases):
    """None, or how it differs from the program."""
    for setting, symbols, arguments, wanted in cases:
        try:
            results = evaluate_candidate(candidate, arguments, symbols, setting.get_tile)
        except Misfit as misfit:
            return "%s: %s" % (setting.name, misfit)
        for index, (have, want) in enumerate(zip(results, wanted)):
            if differ(have, want):
                return "%s: result %d differs from the program's" % (setting.name, index)
    return None


def get_cases(program):
    cases = []
    for seed, setting in enumerate(SETTINGS):
        symbols = setting.symbols(program)
        found = defined_arguments(program, symbols, seed)
        if found:
            cases.append((setting, symbols) + found)
    return cases


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file")
    options.add_argument("--quiet", action="store_true", help="only what is wrong")
    args = options.parse_args()
    with (sys.stdin if args.file == "-" else open(args.file)) as file:
        programs = parse(file.read())
    counts = {"equal": 0, "wrong": 0, "refuted": 0, "not run": 0}
    for program in programs:
        cases = get_cases(program)
        for candidate in program.candidates:
            verdict = candidate.verdict or "unverified"
            if candidate.state == "symbolic" or len(cases) < len(SETTINGS):
                what, why = "not run", ("it is symbolic" if candidate.state == "symbolic" else
                                        "the program is not defined on these numbers")
            else:
                why = check(candidate, cases)
                what = "equal" if why is None else (
                    "refuted" if verdict in ("Disproved", "Unknown") else "wrong")
            counts[what] += 1
            if not args.quiet or what not in ("equal", "refuted"):
                print("%s %s %s: %s" % (program.name, candidate.name, verdict,
                                        what if what == "equal" else "%s: %s" % (what, why)))
    print("%d candidates of %d programs: %s" % (
        sum(counts.values()), len(programs),
        ", ".join("%d %s" % (count, what) for what, count in counts.items())))
    return 1 if counts["wrong"] or not counts["equal"] + counts["refuted"] else 0


if __name__ == "__main__":
    sys.exit(main())
