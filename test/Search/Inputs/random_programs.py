#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small random prism.programs on standard output.

  random_programs.py FIRST-SEED COUNT OPS

Two or three arguments over the extents n, d, h; each op uses the value before it; the
program is defined wherever its divisors, which are arguments, exponentials or roots of
sums of squares, are not 0. No square has its root taken: law F11r serves proofs only, so
that the search keeps what brute force sees through.
"""
import random
import sys


class RandomProgram:
    def __init__(self, seed, ops):
        self.rng, self.lines, self.count = random.Random(seed), [], 0
        self.name, self.ops_left = "r%d" % seed, ops
        shapes = self.rng.choice([["nd", "dh"], ["nd", "dh", "dh"], ["nd", "d", "dh"],
                                  ["nd", "n", "dh"], ["nd", "nd"], ["nd", "dh", "hd"]])
        self.arguments = [("%%a%d" % i, shape) for i, shape in enumerate(shapes)]
        self.unused = list(self.arguments)
        self.positive, self.squares = set(), set()
        value = self.arguments[0]
        while self.ops_left > 0:
            value = self.step(value)
        self.value = value

    @staticmethod
    def type(shape):
        return "!prism.tensor<[%s], f32>" % ", ".join(shape)

    def emit(self, name, operands, shape, middle=""):
        result = "%%%d" % self.count
        self.count += 1
        self.ops_left -= 1
        self.lines.append("  %s = prism.%s %s%s : (%s) -> %s" % (
            result, name, ", ".join(o[0] for o in operands), middle,
            ", ".join(self.type(o[1]) for o in operands), self.type(shape)))
        for operand in operands:
            if operand in self.unused:
                self.unused.remove(operand)
        return result, shape

    def mapped(self, name, a, b):
        """An elementwise op where b has dims of a."""
        number = {dim: "d%d" % i for i, dim in enumerate(a[1])}
        maps = ["[%s]" % ", ".join(number[d] for d in shape) for shape in (a[1], b[1], a[1])]
        return self.emit(name, [a, b], a[1], " maps %s, %s -> %s" % tuple(maps))

    def step(self, value):
        others = self.unused or self.arguments
        fitting = [o for o in others if set(o[1]) <= set(value[1]) and o != value]
        contractible = [o for o in others if len(o[1]) == 2 and len(value[1]) == 2
                        and o[1][0] == value[1][1] and o[1][1] != value[1][0]]
        choices = ["unary", "reduce"] * (len(value[1]) > 0) + ["binary"] * 2 * bool(fitting)
        choices += ["matmul"] * 4 * bool(contractible)
        kind = self.rng.choice(choices or ["unary"])
        if kind == "matmul":
            other = self.rng.choice(contractible)
            return self.emit("matmul", [value, other], value[1][0] + other[1][1])
        if kind == "binary":
            return self.mapped(self.rng.choice(["mul", "mul", "div", "add", "sub"]), value,
                               self.rng.choice(fitting))
        if kind == "reduce" and len(value[1]) == 2:
            axis = self.rng.randrange(2)
            result = self.emit("reduce_sum", [value], value[1][1 - axis], " dims [%d]" % axis)
            if value[0] in self.positive:
                self.positive.add(result[0])
            return result
        name = self.rng.choice(["square", "exp"] + ["sqrt"] * 3 * (value[0] in self.positive))
        if name == "sqrt" and value[0] in self.squares:
            name = "exp"
        result = self.emit(name, [value], value[1])
        if name == "square":
            self.squares.add(result[0])
        self.positive.add(result[0])
        return result

    def text(self):
        arguments = ", ".join("%s: %s" % (name, self.type(shape))
                              for name, shape in self.arguments)
        shape = self.type(self.value[1])
        return "prism.program @%s extents [n = ?, d = ?, h = ?] (%s) -> (%s) {\n%s\n%s\n}\n" % (
            self.name, arguments, shape, "\n".join(self.lines),
            "  prism.yield %s : %s" % (self.value[0], shape))


if __name__ == "__main__":
    first, count, ops = map(int, sys.argv[1:])
    for seed in range(first, first + count):
        print(RandomProgram(seed, ops).text())
