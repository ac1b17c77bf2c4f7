# REQUIRES: long
# RUN: %python %s 1 > %t1
# RUN: %python %S/run_on_cpu.py --input-mlir=%t1 --scale=0.5 --reference=--convert-prism-to-linalg --pipeline=--prism-partition=max-region-ops=2
# RUN: %python %S/run_on_cpu.py --input-mlir=%t1 --scale=0.5 --reference=--convert-prism-to-linalg --pipeline=--prism-partition=max-region-ops=5
# RUN: %python %S/run_on_cpu.py --input-mlir=%t1 --scale=0.5 --reference=--convert-prism-to-linalg --pipeline=--prism-partition=max-part-ops=1
# RUN: %python %S/run_on_cpu.py --input-mlir=%t1 --scale=0.5 --reference=--convert-prism-to-linalg --pipeline=--prism-partition=max-part-ops=4
# RUN: %python %s 2 > %t2
# RUN: %python %S/run_on_cpu.py --input-mlir=%t2 --scale=0.5 --reference=--convert-prism-to-linalg --pipeline="--prism-superoptimize='emit=prism max-block-ops=5 min-cut-gain=0'"
# RUN: %python %S/run_on_cpu.py --input-mlir=%t2 --scale=0.5 --reference=--convert-prism-to-linalg --pipeline=--prism-partition
# Prints random functions of compute ops, with ops between them that no region
# may hold; partitioned, they compute what they did.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import sys

TYPES = {"rows": "tensor<3x5xf32>", "columns": "tensor<5x3xf32>", "vector": "tensor<5xf32>"}


class Function:
    def __init__(self, name, seed, count):
        self.random = random.Random(seed)
        self.lines, self.name = [], name
        self.values = {"rows": ["%x"], "columns": ["%y"], "vector": ["%z"]}
        for _ in range(count):
            self.add(self.random.choice(["rows", "rows", "columns", "columns", "vector"]))

    def pick(self, kind):
        return self.random.choice(self.values[kind][-6:])

    def emit(self, kind, op, *operands):
        """`op` with {0}, {1} for its operands, which are of the kinds given."""
        types = ", ".join(TYPES[o] for o in operands)
        self.define(kind, "%s : (%s) -> %s" % (op.format(*map(self.pick, operands)), types,
                                               TYPES[kind]))

    def define(self, kind, text):
        name = "%%v%d" % len(self.lines)
        self.lines.append("  %s = %s" % (name, text))
        if kind:
            self.values[kind].append(name)
        return name

    def add(self, kind):
        choice = self.random.random()
        if choice < 0.15:  # stands in the way of every region
            self.define(kind, "linalg.copy ins({0} : {2}) outs({1} : {2}) -> {2}".format(
                self.pick(kind), self.pick(kind), TYPES[kind]))
        elif choice < 0.3:
            self.emit(kind, "prism.tanh {0}", kind)
        elif choice < 0.5:
            op = self.random.choice(["add", "sub", "max"])
            self.emit(kind, "prism." + op + " {0}, {1}", kind, kind)
        elif kind == "vector":
            source, dim = self.random.choice([("rows", 0), ("columns", 1)])
            self.emit(kind, "prism.reduce_max {0} dims [%d]" % dim, source)
        elif choice < 0.6:
            other = "columns" if kind == "rows" else "rows"
            self.emit(kind, "prism.transpose {0} permutation [1, 0]", other)
        elif choice < 0.7 and kind == "rows":
            self.emit(kind, "prism.broadcast {0} dims [1]", "vector")
        elif choice < 0.8 and kind == "rows":
            self.emit(kind, "prism.sub {0}, {1} maps [d1], [d1, d0] -> [d0, d1]", "vector",
                      "columns")
        else:
            constant = self.define(None, "prism.constant %s : f32 -> tensor<f32>"
                                   % self.random.choice(["0.5", "3.0", "5.0", "-1.25"]))
            self.define(kind, "prism.mul {0}, {1} maps [d0, d1], [] -> [d0, d1] : "
                        "({2}, tensor<f32>) -> {2}".format(self.pick(kind), constant, TYPES[kind]))

    def text(self):
        arguments = "%x: {rows}, %y: {columns}, %z: {vector}".format(**TYPES)
        types = ", ".join(TYPES.values())
        results = ", ".join(self.values[kind][-1] for kind in TYPES)
        return "func.func @%s(%s) -> (%s) {\n%s\n  return %s : %s\n}" % (
            self.name, arguments, types, "\n".join(self.lines), results, types)


seed = int(sys.argv[1])
for number in range(40):
    print(Function("f%d" % number, 1000 * seed + number, 30).text())
