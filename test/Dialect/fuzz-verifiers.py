# Hostile IR: whatever the parser and the verifiers are given, prism-opt answers
# with a diagnostic or accepts it; it never dies. Ops in generic form with wrong
# operands, attributes and regions, and mutations of the dialect's other tests.
# Everything accepted must print and parse again.
#
# PRISM_FUZZ_SEED and PRISM_FUZZ_COUNT try other inputs, or more of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s prism-opt %S %t.dir | FileCheck %s
# CHECK: {{[0-9]+}} inputs, {{[1-9][0-9]*}} accepted, 0 crashes

import os
import pathlib
import random
import re
import subprocess
import sys

SEPARATOR = "\n// -----\n"

TYPES = [
    "tensor<4x?xf32>", "tensor<4x4xf32>", "tensor<f32>", "tensor<*xf32>",
    "tensor<4xi1>", "tensor<0xf16>", "tensor<4x4xcomplex<f32>>", "i32", "index",
    "memref<4xf32>", "tensor<4xf8E4M3FN>", "!prism.tensor<[n, d], f32>",
    "!prism.tensor<[n], f32>", "!prism.tensor<[], f32>", "!prism.tensor<[n, d], f16>",
    "!prism.tensor<[n, n], f32>", "!prism.tensor<[n*d], f32>", "!prism.tensor<[k0.x, n], f32>",
    "!prism.tile<[n/x, d], f32>", "!prism.tile<[n/x?m0, d/i], f32>", "!prism.tile<[n], f32>",
    "!prism.tile<[n, d], f32>", "!prism.tile<[], i1>", "vector<4xf32>", "none",
]
ATTRS = [
    "0 : i64", "1 : i64", "-1 : i64", "-9223372036854775808 : i64",
    "9223372036854775807 : i64", "1.0 : f32", "1.0e-05 : f64", "-1.0 : f64",
    "0x7FF8000000000000 : f64", "true", "unit", "\"s\"", "@f", "f32", "[]", "{}",
    "[1, \"a\"]", "dense<1.0> : tensor<4xf32>", "dense<> : tensor<0xf32>",
    "array<i64>", "array<i64: 0>", "array<i64: 1>", "array<i64: 0, 1>",
    "array<i64: 1, 0>", "array<i64: -1>", "array<i64: 9223372036854775807>",
    "array<i64: 0, 0>", "array<i32: 0>",
    "[affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]",
    "[affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]",
    "[affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1)[s0] -> (d0)>, affine_map<(d0, d1)[s0] -> (d0)>]",
    "[affine_map<(d0) -> (d0, 7)>, affine_map<(d0) -> (d0 + 1)>, affine_map<() -> ()>]",
    "[affine_map<(d0) -> (0)>]", "[affine_map<() -> ()>]",
    "[affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]",
    "[array<i64: 0>, array<i64: 1>]", "[array<i64: 0, 1>]", "[array<i64>, array<i64: 0>]",
    "[array<i64: 9223372036854775807>]", "[array<i64: 0>, 3]",
    "#prism.extent<d>", "#prism.extent<n/x>", "#prism.extent<0>", "#prism.extent<q>",
    "#prism.map<[]>", "#prism.map<[[x], [i]]>", "#prism.map<[[x]]>", "#prism.map<[[], []]>",
    "#prism.map<[[q], [x]]>", "#prism.map<[[x?m0], [i?m1]]>", "#prism.map<[[i, x], []]>",
    "[#prism.parallel<x grid>]", "[#prism.parallel<x grid tile 4>, #prism.parallel<i loop tile 3>]",
    "[#prism.parallel<x thread>]", "[#prism.parallel<i loop>, #prism.parallel<i loop>]",
    "[#prism.equality<m0 = m1>, #prism.equality<m0 = 1>]", "[#prism.equality<m0 = 0>, #prism.equality<m0 = 1>]",
    "[#prism.symbol<n = ?>, #prism.symbol<d = 4>]", "[#prism.symbol<n = 4>, #prism.symbol<n = 4>]",
    "#prism<verdict Proved>", "#prism<candidate_state sized>", "#prism<candidate_state mapped>",
    "#prism<accumulator_kind sum>", "#prism<accumulator_kind rescaled_sum>",
    "#prism<compare_predicate lt>", "#prism<gelu_kind erf>", "[\"x\"]", "[\"i\"]", "[\"\"]", "\"x\"", "\"i\"",
    "(!prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>)", "() -> ()",
    "#prism.certificate<version = 1, steps = []>",
]
# Attribute names of each op; every op also draws from all the others' names.
OPS = {
    **{name: [] for name in (
        "neg exp log sqrt rsqrt square reciprocal tanh erf sigmoid silu relu cast"
        " yield").split()},
    **{name: ["indexing_maps"] for name in "add sub mul div max min pow select matmul".split()},
    "gelu": ["kind"], "compare": ["predicate", "indexing_maps"], "constant": ["value"],
    "reduce_sum": ["dims"], "reduce_max": ["dims"], "transpose": ["permutation"],
    "broadcast": ["dims"], "slice": ["dim", "offset"], "concat": ["dim"],
    "reshape": ["operand_dims", "result_dims"], "softmax": ["dim"],
    "rms_norm": ["dim", "epsilon"],
    "load": ["map"], "save": ["map", "partials"], "accumulate": ["kind", "over", "indexing_maps"],
    "invoke": ["program"],
    "program": ["sym_name", "extents", "function_type", "sym_visibility"],
    "candidate": ["id", "state", "verdict", "cost_us", "certificate"],
    "kernel": ["graph_name", "parallel", "equality_constraints"],
    "thread_graph": ["graph_name", "parallel", "equality_constraints"],
}
NAMES = sorted({name for names in OPS.values() for name in names})
LIKELY = {
    "graph_name": ["\"k0\""], "id": ["\"c\""], "sym_name": ["\"p\""], "program": ["@p"],
    "state": ["#prism<candidate_state symbolic>", "#prism<candidate_state sized>"],
    "kind": ["#prism<accumulator_kind sum>", "#prism<gelu_kind erf>"],
    "over": ["\"i\""], "offset": ["0 : i64"], "dim": ["0 : i64", "1 : i64"],
    "parallel": ["[#prism.parallel<x grid>, #prism.parallel<i loop>]", "[#prism.parallel<x thread>]"],
    "equality_constraints": ["[]"], "function_type": ["() -> ()"], "extents": ["[#prism.symbol<n = ?>, #prism.symbol<d = 4>]"],
    "map": ["#prism.map<[[x], []]>"], "epsilon": ["1.0e-05 : f64"],
}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.next = 0

    def value(self):
        self.next += 1
        return f"%v{self.next}"

    def attributes(self, names):
        chosen = [n for n in names if self.random.random() < 0.85]
        if self.random.random() < 0.2:
            chosen.append(self.random.choice(NAMES))
        return ", ".join(
            f"{n} = {self.random.choice(LIKELY[n] if n in LIKELY and self.random.random() < 0.6 else ATTRS)}"
            for n in dict.fromkeys(chosen))

    def region(self, depth, inputs):
        blocks = self.random.choices([0, 1, 2], [1, 8, 1])[0]
        text = []
        for _ in range(blocks):
            kept = list(inputs) if self.random.random() < 0.7 else []
            arguments = [(self.value(), t) for t in kept]
            body = f"^bb{self.next}({', '.join(f'{v}: {t}' for v, t in arguments)}):\n"
            body += self.ops(depth - 1, arguments, self.random.randrange(0, 4))
            if self.random.random() < 0.7:
                kept = self.random.sample(arguments, min(len(arguments), 1))
                body += (f"\"prism.yield\"({', '.join(v for v, _ in kept)}) : "
                         f"({', '.join(t for _, t in kept)}) -> ()\n")
            text.append(body)
        return "{\n" + "".join(text) + "}"

    def op(self, depth, values):
        name = self.random.choice(list(OPS))
        if depth <= 0 and name in ("program", "candidate", "kernel", "thread_graph"):
            name = "exp"
        count = self.random.choices([0, 1, 2, 3], [1, 4, 5, 2])[0]
        operands = [self.random.choice(values) for _ in range(count)] if values else []
        if operands and self.random.random() < 0.5:
            operands = [operands[0]] * count
        results = [self.random.choice(TYPES) for _ in range(self.random.choices([0, 1, 2], [2, 8, 1])[0])]
        if operands and results and self.random.random() < 0.6:
            results = [operands[0][1]]
        regions = {"program": 2, "candidate": 1, "kernel": 1, "thread_graph": 1}.get(name, 0)
        if self.random.random() < 0.05:
            regions = max(0, regions + self.random.choice([-1, 1]))
        bound = [self.value() for _ in results]
        attributes = self.attributes(OPS[name])
        brackets = ("<{", "}>") if self.random.random() < 0.5 else (" {", "}")
        nested = ", ".join(self.region(depth, [t for _, t in operands]) for _ in range(regions))
        text = (f"{', '.join(bound)}{' = ' if bound else ''}\"prism.{name}\"({', '.join(v for v, _ in operands)})"
                f"{brackets[0] + attributes + brackets[1] if attributes and brackets[0] == '<{' else ''}"
                f"{' (' + nested + ')' if regions else ''}"
                f"{brackets[0] + attributes + brackets[1] if attributes and brackets[0] != '<{' else ''}"
                f" : ({', '.join(t for _, t in operands)}) -> ({', '.join(results)})\n")
        values.extend(zip(bound, results))
        return text

    def ops(self, depth, values, count):
        return "".join(self.op(depth, values) for _ in range(count))

    def module(self):
        self.next = 0
        types = self.random.sample(TYPES, 5)
        if self.random.random() < 0.5:
            types[1:] = [types[0]] * 4
        values = [(self.value(), t) for t in types]
        arguments = ", ".join(f"{v}: {t}" for v, t in values)
        return (f"func.func @f({arguments}) {{\n" + self.ops(3, values, self.random.randrange(1, 3)) + "return\n}\n")


class Mutator:
    """Damages a working test: tokens dropped, doubled, swapped or replaced."""

    TOKEN = re.compile(r"[%@#!^\w.$?]+|\s+|.")

    def __init__(self, seed, valid, invalid):
        self.random = random.Random(seed)
        self.valid, self.invalid = valid, invalid
        chunks = valid + invalid
        self.pool = sorted({t for c in chunks for t in self.TOKEN.findall(c) if not t.isspace()})
        self.pool += ["-1", "18446744073709551616", "m4294967295", "m4294967294", "0", "?", "\"\""]

    def module(self):
        tokens = self.TOKEN.findall(self.random.choice(self.valid if self.random.random() < 0.7 else self.invalid))
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            at = self.random.randrange(len(tokens))
            how = self.random.randrange(4)
            if how == 0:
                del tokens[at]
            elif how == 1:
                tokens.insert(at, tokens[at])
            elif how == 2:
                tokens[at] = self.random.choice(self.pool)
            else:
                other = self.random.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            if not tokens:
                break
        return "".join(tokens)


def run(tool, flags, inputs):
    """Returns (crashed, stdout) of one run over all inputs."""
    done = subprocess.run([tool, "--split-input-file", *flags], input=SEPARATOR.join(inputs),
                          capture_output=True, text=True, errors="replace", timeout=600)
    return done.returncode not in (0, 1), done


def crashes(tool, flags, inputs):
    """The inputs that kill the tool, found by halving."""
    crashed, done = run(tool, flags, inputs)
    if not crashed:
        return [], done.stdout
    if len(inputs) == 1:
        return inputs, ""
    half = len(inputs) // 2
    left, left_out = crashes(tool, flags, inputs[:half])
    right, right_out = crashes(tool, flags, inputs[half:])
    return left + right, left_out + SEPARATOR + right_out


def chunks_of(folder):
    """The inputs of the dialect's tests: those that are valid, and the others."""
    valid, invalid = [], []
    for path in sorted(pathlib.Path(folder).glob("*.mlir")):
        text = re.sub(r"^ *//(?! -----).*\n", "", path.read_text(), flags=re.M)
        chunks = [c for c in text.split("// -----") if c.strip()]
        (invalid if path.stem.endswith("-errors") else valid).extend(chunks)
    return valid, invalid


def printed(tool, chunks):
    """`chunks` as the tool prints them, in the custom and the generic form."""
    pieces = []
    for flags in ([], ["--mlir-print-op-generic"]):
        crashed, done = run(tool, flags, chunks)
        assert not crashed and not done.returncode, done.stderr
        for chunk in done.stdout.split("// -----"):
            if chunk.strip():
                pieces.append(chunk)
    return pieces


def main(tool, folder, keep):
    seed = int(os.environ.get("PRISM_FUZZ_SEED", "1"))
    count = int(os.environ.get("PRISM_FUZZ_COUNT", "1000"))
    valid, invalid = chunks_of(folder)
    valid = printed(tool, valid)
    generator, mutator = Generator(seed), Mutator(seed, valid, invalid)
    inputs = [generator.module() for _ in range(count // 2)]
    inputs += [mutator.module() for _ in range(count - count // 2)]
    bad, accepted = crashes(tool, [], inputs)
    # func.func itself takes an empty name, and prints what does not parse.
    accepted = [m for m in accepted.split("// -----")
                if m.strip() and "INVALID EMPTY SYMBOL" not in m]
    # What was printed parses again, in the generic form too.
    for flags in ([], ["--mlir-print-op-generic"], ["--canonicalize", "--cse"]):
        crashed, done = run(tool, flags, accepted)
        if crashed or done.returncode:
            bad.append(f"// {flags} fails on printed IR\n" + done.stderr[:2000])
    os.makedirs(keep, exist_ok=True)
    for number, text in enumerate(bad):
        pathlib.Path(keep, f"crash-{number}.mlir").write_text(text)
        print(f"crash: {keep}/crash-{number}.mlir")
    print(f"{len(inputs)} inputs, {len(accepted)} accepted, {len(bad)} crashes")


main(*sys.argv[1:])
