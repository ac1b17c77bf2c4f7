# RUN: %python %s 25 1
# REQUIRES: python-ctypes
# Random functions of permuted, broadcast, kept and dropped dims, reductions,
# contractions, reshapes and slices: imported without a remark, exported again
# and run on the CPU, they compute what they did. `fuzz.py COUNT SEED`.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import random
import subprocess
import sys
import tempfile

EXTENTS = dict(a=2, b=3, c=4, d=5, u=1)  # u: a unit dim
PIPELINE = "--convert-linalg-to-prism --convert-prism-to-linalg"


def sizes(dims):
    return [EXTENTS[d] for d in dims]


def tensor(shape):
    return "tensor<%s>" % "x".join([str(s) for s in shape] + ["f32"])


def type_of(dims):
    return tensor(sizes(dims))


class Function:
    """Grows a function; a value is (SSA name, its dims by name)."""

    def __init__(self, rng, name):
        self.rng, self.name, self.lines, self.count = rng, name, [], 0
        self.args = [("%%arg%d" % i, self.some("abcd", 1, 3)) for i in range(2)]
        self.args.append(("%arg2", self.with_unit(self.some("abcd", 1, 2))))
        self.values = list(self.args)
        steps = [self.elementwise, self.reduction, self.contraction, self.transpose,
                 self.collapse_unit, self.expand_unit, self.broadcast, self.rotate,
                 self.merge_and_split]
        while len(self.values) < 3 + rng.randint(3, 8):
            rng.choice(steps)(*rng.choice(self.values))

    def some(self, names, least, most):
        return tuple(self.rng.sample(list(names), self.rng.randint(least, most)))

    def with_unit(self, dims):
        at = self.rng.randrange(len(dims) + 1)
        return dims[:at] + ("u",) + dims[at:]

    def let(self, text):
        self.count += 1
        self.lines.append("%%v%d = %s" % (self.count, text))
        return "%%v%d" % self.count

    def filled(self, dims, number):
        scalar = self.let("arith.constant %s : f32" % number)
        empty = self.let("tensor.empty() : %s" % type_of(dims))
        return self.let("linalg.fill ins(%s : f32) outs(%s : %s) -> %s"
                        % (scalar, empty, type_of(dims), type_of(dims)))

    def map(self, iteration, dims):
        """A unit dim is indexed by 0, or by a unit iteration dim."""
        def index(dim):
            if dim in iteration and (dim != "u" or self.rng.random() < 0.5):
                return "d%d" % iteration.index(dim)
            return "0"
        results = [index(d) if dims.count("u") == 1 or d != "u" else "0" for d in dims]
        return "affine_map<(%s) -> (%s)>" % (
            ", ".join("d%d" % i for i in range(len(iteration))), ", ".join(results))

    def generic(self, iteration, reduced, inputs, init, dims, body):
        maps = [self.map(iteration, d) for _, d in inputs]
        out = list(iteration) if not reduced else None
        maps.append("affine_map<(%s) -> (%s)>" % ((", ".join("d%d" % i for i in range(len(out))),) * 2)
                    if out == list(dims) else self.map(iteration, dims))
        kinds = ", ".join('"%s"' % ("reduction" if d in reduced else "parallel") for d in iteration)
        result = self.let("linalg.generic {indexing_maps = [%s], iterator_types = [%s]} "
                          "ins(%s : %s) outs(%s : %s) {" % (
                              ", ".join(maps), kinds, ", ".join(v for v, _ in inputs),
                              ", ".join(type_of(d) for _, d in inputs), init, type_of(dims)))
        self.lines.append("^bb0(%s, %%o: f32):" % ", ".join("%%i%d: f32" % i for i in range(len(inputs))))
        self.lines += body + ["linalg.yield %r : f32", "} -> " + type_of(dims)]
        self.values.append((result, tuple(dims)))

    def named(self, *dims):
        return [d for d in dict.fromkeys(sum(dims, ())) if d != "u"]

    def elementwise(self, a, dims):
        b, other = self.rng.choice(self.values)
        out = self.named(dims, other)
        if not 0 < len(out) < 4:
            return
        self.rng.shuffle(out)
        out = self.with_unit(tuple(out)) if self.rng.random() < 0.3 else tuple(out)
        op = self.rng.choice(["addf %i0, %i1", "mulf %i0, %i1", "subf %i1, %i0", "maximumf %i0, %i1"])
        init = self.let("tensor.empty() : %s" % type_of(out))
        self.generic(out, (), [(a, dims), (b, other)], init, out, ["%%r = arith.%s : f32" % op])

    def reduction(self, a, dims):
        iteration = self.named(dims)
        if not iteration:
            return
        self.rng.shuffle(iteration)
        dim = self.rng.choice(iteration)
        out = tuple(d for d in iteration if d != dim)
        out = self.with_unit(out) if self.rng.random() < 0.5 else out
        is_max = self.rng.random() < 0.4
        start = self.rng.choice(["0.25", "0xFF800000" if is_max else "0.0"])
        body = ["%q = arith.mulf %i0, %i0 : f32"]
        body.append("%r = arith.maximumf %q, %o : f32" if is_max else "%r = arith.addf %o, %q : f32")
        self.generic(iteration, (dim,), [(a, dims)], self.filled(out, start), out, body)

    def contraction(self, a, dims):
        b, other = self.rng.choice(self.values)
        iteration = self.named(dims, other)
        if not 0 < len(iteration) < 5:
            return
        self.rng.shuffle(iteration)
        reduced = self.some(iteration, 1, min(2, len(iteration)))
        out = [d for d in iteration if d not in reduced]
        self.rng.shuffle(out)
        self.generic(iteration, reduced, [(a, dims), (b, other)], self.filled(out, "0.0"), out,
                     ["%m = arith.mulf %i1, %i0 : f32", "%r = arith.addf %o, %m : f32"])

    def transpose(self, a, dims):
        if not dims:  # mlir-opt 22 crashes on a transpose of rank 0
            return
        order = self.rng.sample(range(len(dims)), len(dims))
        out = tuple(dims[i] for i in order)
        init = self.let("tensor.empty() : %s" % type_of(out))
        result = self.let("linalg.transpose ins(%s : %s) outs(%s : %s) permutation = %s"
                          % (a, type_of(dims), init, type_of(out), order))
        self.values.append((result, out))

    def collapse_unit(self, a, dims):
        if "u" not in dims or len(dims) < 2:
            return
        at = max(1, dims.index("u"))
        groups = [[i] for i in range(at - 1)] + [[at - 1, at]] + [[i] for i in range(at + 1, len(dims))]
        out = dims[:dims.index("u")] + dims[dims.index("u") + 1:]
        result = self.let("tensor.collapse_shape %s %s : %s into %s"
                          % (a, groups, type_of(dims), type_of(out)))
        self.values.append((result, out))

    def expand_unit(self, a, dims):
        if not 0 < len(dims) < 4:
            return
        at = self.rng.randrange(len(dims))
        pair = self.rng.choice([("u", dims[at]), (dims[at], "u")])
        out = dims[:at] + pair + dims[at + 1:]
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i + 1] for i in range(at + 1, len(dims))]
        result = self.let("tensor.expand_shape %s %s output_shape %s : %s into %s"
                          % (a, groups, sizes(out), type_of(dims), type_of(out)))
        self.values.append((result, out))

    def broadcast(self, a, dims):
        new = [d for d in "abcd" if d not in dims]
        if not new or len(dims) > 2:
            return
        at = self.rng.randrange(len(dims) + 1)
        out = dims[:at] + (self.rng.choice(new),) + dims[at:]
        init = self.let("tensor.empty() : %s" % type_of(out))
        result = self.let("linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [%d]"
                          % (a, type_of(dims), init, type_of(out), at))
        self.values.append((result, out))

    def rotate(self, a, dims):
        if not self.named(dims):
            return
        at = dims.index(self.rng.choice(self.named(dims)))
        shape = sizes(dims)
        cut = self.rng.randint(1, shape[at] - 1)
        parts = []
        for offset, size in ((cut, shape[at] - cut), (0, cut)):
            part = shape[:at] + [size] + shape[at + 1:]
            offsets = [offset if i == at else 0 for i in range(len(dims))]
            parts.append((self.let("tensor.extract_slice %s%s %s %s : %s to %s" % (
                a, offsets, part, [1] * len(dims), tensor(shape), tensor(part))), tensor(part)))
        result = self.let("tensor.concat dim(%d) %s : (%s) -> %s" % (
            at, ", ".join(v for v, _ in parts), ", ".join(t for _, t in parts), tensor(shape)))
        self.values.append((result, dims))

    def merge_and_split(self, a, dims):
        if len(dims) < 2:
            return
        at, shape = self.rng.randrange(len(dims) - 1), sizes(dims)
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i] for i in range(at + 2, len(dims))]
        merged = tensor(shape[:at] + [shape[at] * shape[at + 1]] + shape[at + 2:])
        flat = self.let("tensor.collapse_shape %s %s : %s into %s" % (a, groups, tensor(shape), merged))
        init = self.let("tensor.empty() : %s" % merged)
        flat = self.let("linalg.negf ins(%s : %s) outs(%s : %s) -> %s" % (flat, merged, init, merged, merged))
        result = self.let("tensor.expand_shape %s %s output_shape %s : %s into %s"
                          % (flat, groups, shape, merged, tensor(shape)))
        self.values.append((result, dims))

    def text(self):
        results = self.values[-3:]
        types = ", ".join(type_of(d) for _, d in results)
        return "func.func @%s(%s) -> (%s) {\n  %s\n  return %s : %s\n}\n" % (
            self.name, ", ".join("%s: %s" % (v, type_of(d)) for v, d in self.args), types,
            "\n  ".join(self.lines), ", ".join(v for v, _ in results), types)


rng = random.Random(int(sys.argv[2]))
module = "\n".join(Function(rng, "f%d" % i).text() for i in range(int(sys.argv[1])))
imported = subprocess.run(["prism-opt", "--convert-linalg-to-prism"], input=module,
                          capture_output=True, text=True)
if imported.returncode or imported.stderr or "linalg." in imported.stdout:
    sys.exit("not imported whole: %s\n%s" % (imported.stderr, module))
run_on_cpu = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Integration",
                          "run_on_cpu.py")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "module.mlir")
    with open(path, "w") as file:
        file.write(module)
    run = subprocess.run([sys.executable, run_on_cpu, "--input-mlir=" + path, "--scale=0.5",
                          "--pipeline=" + PIPELINE])
sys.exit(run.returncode)
