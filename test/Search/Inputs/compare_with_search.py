#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the search finds of programs with brute force at the same bounds.

  compare_with_search.py FILE.mlir [--ops=K] [--only=NAME] [--gaps-allowed] [--verbose]
      [--search-options=OPTIONS]

FILE holds prism.programs without candidates. Each is searched by prism-opt (one kernel,
sum accumulators, no range filter, all mapped graphs kept) with forms of at most K ops
(default: the fewest there are plus 1), and by brute_force.py and mapped_space.py.
The normal forms must be the same, and the graphs. What brute force finds and the search
does not is a gap: of an expression that the search does not have at all, or of a loop or
grid map of one that it has, or a graph of a normal form that it has in other words. What
only the search finds is an error.
Exit 1 on an error, on a gap unless --gaps-allowed, or if nothing was found.
"""
import argparse
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from brute_force import BruteForce, Undefined
from mapped_space import Space
from normal_form import describe, normalize
from prism_ir import parse

NOT_IN_BRUTE_FORCE = ("max", "rescaled_sum")


def search(text, fewest, ops, more):
    """The program with its mapped candidates."""
    options = ("max-kernels=1 cut-forms=false shift-softmax=false filter-range=false "
               "max-block-ops=%d extra-ops=%d %s"
               % (ops, ops - fewest, more))
    done = subprocess.run(
        ["prism-opt", "--prism-generate=" + options, "--prism-instantiate-maps=keep-all=true filter-range=false"],
        input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit("prism-opt: " + done.stderr)
    (program,) = parse(done.stdout)
    return program


def is_in_brute_force(candidate):
    kernels = [op for op in candidate.body.ops if op.name == "kernel"]
    return len(kernels) == 1 and len(candidate.body.ops) == 1 and not any(
        op.attributes.get("kind") in NOT_IN_BRUTE_FORCE or op.attributes.get("partials")
        for op in kernels[0].body.ops)


class Comparison:
    def __init__(self, text, ops, search_options=""):
        (program,) = parse(text)
        self.name, start = program.name, time.monotonic()
        brute = BruteForce(program)
        self.space = Space(brute, ops)
        self.fewest = brute.fewest
        self.ops = ops or (self.fewest or brute.written) + 1
        self.seconds = time.monotonic() - start
        self.found = search(text, self.fewest or self.ops, self.ops, search_options)
        self.graphs, self.normal_forms = set(), {}
        for candidate in filter(is_in_brute_force, self.found.candidates):
            self.graphs.add(describe(candidate))
            self.normal_forms.setdefault(normalize(candidate)[0], candidate)
        expressions = {normalize(c, with_maps=False)[0] for c in self.normal_forms.values()}
        self.causes = {text: self.get_cause(candidate, expressions)
                       for text, candidate in self.space.normal_forms.items()
                       if text not in self.normal_forms}
        self.only_by_brute_force = sorted(self.space.graphs - self.graphs)
        self.only_by_search = sorted(self.graphs - self.space.graphs)
        self.gaps = sorted(self.space.normal_forms.keys() - self.normal_forms.keys())
        self.errors = sorted(self.normal_forms.keys() - self.space.normal_forms.keys())

    @staticmethod
    def get_cause(candidate, expressions):
        """Why the search may not have a candidate of brute force."""
        if normalize(candidate, with_maps=False)[0] not in expressions:
            return "expression"  # no axiom leads to it, or a bound of the e-graph cuts it
        (kernel,) = candidate.body.ops
        return "loop" if any(k == "loop" for _, k, _ in kernel.attributes["parallel"]) else "grid"

    def report(self, verbose):
        print("%s: at most %d ops (fewest %s); normal forms: %d by brute force, %d by search; "
              "%d gaps, %d errors" % (self.name, self.ops, self.fewest,
                                      len(self.space.normal_forms), len(self.normal_forms),
                                      len(self.gaps), len(self.errors)))
        print("%s: graphs: %d by brute force, %d by search, %d in both; %d algebraic; "
              "%d take back a factor; products that are not right: %d" % (
                  self.name, len(self.space.graphs), len(self.graphs),
                  len(self.space.graphs & self.graphs), self.space.algebraic,
                  self.space.cancelling, len(self.space.not_products)))
        for text in self.gaps:
            print("  gap (%s): %s" % (self.causes[text],
                                      describe(self.space.normal_forms[text])))
        for text in self.errors:
            print("  error: %s" % describe(self.normal_forms[text]))
        for text in self.only_by_brute_force:
            print("  only by brute force: " + text)
        for text in self.only_by_search:
            print("  only by search: " + text)
        if verbose:
            print("  %.1f s, %d runs" % (self.seconds, self.space.runs))


def split_programs(text):
    """The text of each prism.program."""
    return re.findall(r"^[ ]*prism\.program .*?^[ ]*\}(?= candidates|\n|$)", text,
                      re.M | re.S)


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file")
    options.add_argument("--ops", type=int, help="most ops of a graph")
    options.add_argument("--only", default="", help="programs whose name has this in it")
    options.add_argument("--search-options", default="", help="more for --prism-generate")
    options.add_argument("--gaps-allowed", action="store_true")
    options.add_argument("--verbose", action="store_true")
    args = options.parse_args()
    with open(args.file) as file:
        texts = split_programs(file.read())
    failed = ran = 0
    causes, graphs = {}, {"only by brute force": 0, "only by search": 0}
    for text in texts:
        if args.only not in parse(text)[0].name:
            continue
        try:
            comparison = Comparison(text, args.ops, args.search_options)
        except Undefined as undefined:
            print("%s: left out: no finite result" % undefined)
            continue
        comparison.report(args.verbose)
        ran += 1
        for cause in comparison.causes.values():
            causes[cause] = causes.get(cause, 0) + 1
        graphs["only by brute force"] += len(comparison.only_by_brute_force)
        graphs["only by search"] += len(comparison.only_by_search)
        failed += bool(
            comparison.errors or comparison.only_by_search or comparison.space.not_products
            or ((comparison.gaps or comparison.only_by_brute_force) and not args.gaps_allowed))
    print("%d programs, %d not as they must be; gaps by cause: %s; graphs: %s" % (
        ran, failed, ", ".join("%d %s" % (n, c) for c, n in sorted(causes.items())) or "none",
        ", ".join("%d %s" % (n, c) for c, n in sorted(graphs.items()))))
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
