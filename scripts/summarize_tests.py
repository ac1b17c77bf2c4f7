#!/usr/bin/python3
"""Adds up the results of lit and pytest; the last line is `N passed, N failed`.

A result file that is missing or unreadable is one failure: its runner died.
Exits 0 only if something passed and nothing failed.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import sys
import xml.etree.ElementTree as ElementTree

# lit's result codes; those not named here (FAIL, XPASS, TIMEOUT, ...) failed.
LIT_PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
LIT_SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def count_lit(path):
    """Returns (passed, failed, skipped) of lit's JSON output."""
    with open(path, encoding="utf-8") as file:
        codes = [test["code"] for test in json.load(file)["tests"]]
    passed = sum(code in LIT_PASSED for code in codes)
    skipped = sum(code in LIT_SKIPPED for code in codes)
    return passed, len(codes) - passed - skipped, skipped


def count_junit(path):
    """Returns (passed, failed, skipped) of a JUnit XML file."""
    root = ElementTree.parse(path).getroot()
    suites = [root] if root.tag == "testsuite" else root.findall("testsuite")

    def total(key):
        return sum(int(suite.get(key, 0)) for suite in suites)

    failed, skipped = total("failures") + total("errors"), total("skipped")
    return max(total("tests") - failed - skipped, 0), failed, skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lit", action="append", default=[], metavar="JSON")
    parser.add_argument("--junit", action="append", default=[], metavar="XML")
    args = parser.parse_args()

    totals = [0, 0, 0]
    runs = [("lit", count_lit, path) for path in args.lit]
    runs += [("pytest", count_junit, path) for path in args.junit]
    for name, count, path in runs:
        try:
            counts = count(path)
        except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
            print(f"{name}: no results in {path}: {error}")
            counts = (0, 1, 0)
        print("{}: {} passed, {} failed, {} skipped".format(name, *counts))
        totals = [total + more for total, more in zip(totals, counts)]

    passed, failed, _ = totals
    if passed + failed == 0:
        print("no test ran")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
