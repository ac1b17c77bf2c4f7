# Counts the lines of the checker proper (rationale: "The checker types terms by
# its own rules") and follows what it includes. Of lib/EGraph it may see terms and
# patterns, which are data; not the graph, its rules, saturation or explanations.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import sys

# The rule of precision reads IR, as the encoder does; prover and checker share
# both, and the axiom records.
PROPER = ["lib/Verify/Checker.cpp", "include/Prism/Verify/Checker.h",
          "lib/Verify/TypingRules.cpp", "lib/Verify/TypingRules.h"]
SHARED = ["lib/Verify/PrecisionRule.cpp", "lib/Axioms/Encoder.cpp"]
DATA = {"Analysis", "IdTable", "Operators", "Pattern", "Term", "Types"}


def find_includes(root, name):
    for include in re.findall(r'^#include "([^"]*)"', (root / name).read_text(), re.M):
        for place in ("include/" + include, str(pathlib.PurePath(name).parent / include)):
            if (root / place).exists():
                yield place


def main():
    root = pathlib.Path(sys.argv[1])
    lines = sum(1 for name in PROPER for line in (root / name).read_text().splitlines()
                if line.strip() and not line.strip().startswith("//"))
    print("the checker proper has %d lines of code" % lines)
    if lines >= 600:
        sys.exit("expected fewer than 600")
    seen, left = set(), PROPER + SHARED
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += find_includes(root, name)
    assert any("EGraph" in name for name in seen) and len(seen) > 10, seen
    wrong = [name for name in seen if "/EGraph/" in name and pathlib.PurePath(name).stem not in DATA]
    wrong += [name for name in seen if re.search("AxiomRules|ProgramGraph|Verify/Verify", name)]
    if wrong:
        sys.exit("the checker includes of the e-graph: " + ", ".join(sorted(wrong)))


main()
