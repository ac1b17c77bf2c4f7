# Hostile certificates and candidates: whatever is made of a module with proofs,
# prism-check and prism-verify answer with a verdict or a diagnostic; they never
# die, and no certificate proves a candidate that is wrong in numbers' stead: a
# changed step that still passes must leave the candidate as it was.
#
# PRISM_FUZZ_SEED and PRISM_FUZZ_COUNT try other inputs, or more of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s prism-opt prism-check %S %t.dir | FileCheck %s
# CHECK: {{[0-9]+}} inputs, {{[1-9][0-9]*}} rejected, 0 crashes

import os
import pathlib
import random
import re
import subprocess
import sys

SOURCES = ["mutated-certificates.mlir", "verify-certificates.mlir",
           "verify-constants.mlir", "verify-rescaled.mlir", "verify-kernels.mlir"]
VERIFY = "--pass-pipeline=builtin.module(prism.program(prism-verify{keep-proofs}))"
# What no one would write, in the place of an attribute or a number.
ODD = ["-1", "9223372036854775807", "-9223372036854775808", "4294967295", "4294967296",
       "18446744073709551616", "1.5", "\"arg\"", "[]", "[[]]", "{}", "unit", "true",
       "[\"arg\"]", "[\"arg\", -1]", "[\"arg\", 4294967295]", "[\"prism.exp\", 0, []]",
       "[\"part\", 0, 0, [\"arg\", 0]]", "[\"red\", 99]", "[\"prism.matmul\"]", "\"\"",
       "#prism.extent<n>", "#prism.map<[[x]]>", "f32", "array<i64: 0>", "dense<1> : tensor<2xi64>",
       "[" * 200 + "]" * 200]


class Mutator:
    def __init__(self, seed, axioms):
        self.random = random.Random(seed)
        self.axioms = axioms

    def pick_match(self, pattern, text):
        found = list(re.finditer(pattern, text))
        return self.random.choice(found) if found else None

    def replace(self, pattern, text, make):
        match = self.pick_match(pattern, text)
        if not match:
            return text
        return text[:match.start()] + make(match) + text[match.end():]

    def certificate(self, text):
        """A step, a place, a direction, a substitution, the header."""
        step = r"<\"[^\"]*\" (?:forward|backward) at \[[^<>]*?\](?: with [^<>]*)?>"
        kind = self.random.randrange(10)
        if kind == 0:
            return self.replace(step + ", ", text, lambda m: "")
        if kind == 1:
            return self.replace(step, text, lambda m: ", ".join([m[0]] * 1000))
        if kind == 2:
            return self.replace(r"(?<=<\")[A-Z][^\"]*(?=\" (?:forward|backward))", text,
                                lambda m: self.random.choice(self.axioms))
        if kind == 3:
            return self.replace(r"forward|backward", text,
                                lambda m: self.random.choice(["forward", "backward", "sideways"]))
        if kind == 4:
            return self.replace(r"(?<=at \[)[-0-9, ]*(?=\])", text,
                                lambda m: self.random.choice(
                                    [m[0] + ", 0", "", "0, " * 300 + "0", m[0][:-1] or "7",
                                     self.random.choice(ODD)]))
        if kind == 5:
            return self.replace(r"(?<=with \[).*?(?=\]>)", text,
                                lambda m: self.random.choice([self.random.choice(ODD), m[0] + ", 0",
                                                              m[0][: len(m[0]) // 2], ""]))
        if kind == 6:
            return self.replace(r"version = \d+|precision = \w+|casts_erased = \d+", text,
                                lambda m: m[0].split("=")[0] + "= " + self.random.choice(
                                    ["0", "2", "relaxed", "strict", "-1", "99999999999999999999"]))
        if kind == 7:
            names = sorted(set(re.findall(r"#proof\d*", text)))
            return self.replace(r"(?<=certificate )#proof\d*", text,
                                lambda m: self.random.choice(names + ["#proof99", "\"none\""]))
        if kind == 8:
            # Certificates that name each other.
            return self.replace(r"^#proof\d* = ", text, lambda m: m[0] + "#proof\n#x = ")
        return self.replace(r"(?<=with \[).*?(?=\]>)", text,
                            lambda m: re.sub(r"-?\d+", lambda n: self.random.choice(ODD), m[0], count=1))

    def anything(self, text):
        kind = self.random.randrange(6)
        if kind == 0:
            return text[: self.random.randrange(len(text))]
        if kind == 1:
            return self.replace(r"\b\d+\b", text, lambda m: self.random.choice(ODD[:6]))
        if kind == 2:
            return self.replace(r"prism\.(?:exp|sqrt|mul|add|sub|div|matmul|reduce_sum|reduce_max)", text,
                                lambda m: "prism." + self.random.choice(
                                    ["exp", "log", "mul", "sub", "max", "reduce_sum", "transpose"]))
        if kind == 3:
            lines = text.split("\n")
            at = self.random.randrange(len(lines))
            lines[at:at + 1] = self.random.choice([[], [lines[at]] * 2])
            return "\n".join(lines)
        if kind == 4:
            return self.replace(r"\[\[[^\]]*\](?:, \[[^\]]*\])*\]", text,
                                lambda m: self.random.choice(["[[x], []]", "[[], [x]]", "[[y]]", "[[x, i]]"]))
        return self.replace(r"[\[\]<>(){},:=%]", text, lambda m: self.random.choice("[]<>(){},:=%"))

    def mutate(self, text):
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            text = self.certificate(text) if self.random.random() < 0.7 else self.anything(text)
        return text


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=300, errors="replace")
    except subprocess.TimeoutExpired:
        return None, "timeout"
    return done.returncode, done.stdout + done.stderr


def main():
    opt, check, sources, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    count = int(os.environ.get("PRISM_FUZZ_COUNT", "40"))
    seed = int(os.environ.get("PRISM_FUZZ_SEED", "1"))
    axioms = [line.split("|")[1].strip() for line in run([check, "--axioms"])[1].splitlines()
              if re.match(r"\| [A-Z]\w+ \|", line)]
    axioms += ["S1.matmul.01", "S2.matmul.01", "S2.reduce_sum.0", "D1", "", "F2.mul", "S4.mul.0"]
    texts = []
    for name in SOURCES:
        proved = folder / name
        run([opt, str(sources / name), VERIFY, "-o", str(proved)])
        texts.append(proved.read_text())
    rejected = crashes = 0
    for number in range(count):
        mutator = Mutator(seed * 1000003 + number, axioms)
        path = folder / ("m%d.mlir" % number)
        path.write_text(mutator.mutate(texts[number % len(texts)]))
        commands = [[check, str(path)]]
        if number % 4 == 0:
            commands.append([opt, str(path), VERIFY, "-o", os.devnull])
        for command in commands:
            code, output = run(command)
            bad = code is None or code < 0 or code > 2 or "PLEASE submit" in output or "Stack dump" in output
            # Whoever rejects says why.
            bad |= code != 0 and not output.strip()
            rejected += code != 0
            crashes += bad
            if bad:
                print("crash (%s): %s\n%s" % (code, " ".join(command), output[-2000:]))
    print("%d inputs, %d rejected, %d crashes" % (count, rejected, crashes))


main()
