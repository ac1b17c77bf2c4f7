"""Random programs with float64 results, by seed: for kernels-on-device.py.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import math
import random

import numpy as np
import workloads
from device_case import TOLERANCE, Case, rounded, storage, worst_error
from run_on_device import to_float64

UNARY = {
    "neg": (["%r = arith.negf %i0 : f32"], lambda x: -x),
    "square": (["%r = arith.mulf %i0, %i0 : f32"], lambda x: x * x),
    "exp": (["%h = math.tanh %i0 : f32", "%r = math.exp %h : f32"], lambda x: np.exp(np.tanh(x))),
    "abs": (["%r = math.absf %i0 : f32"], np.abs),
    "tanh": (["%r = math.tanh %i0 : f32"], np.tanh),
    "silu": (["%n = arith.negf %i0 : f32", "%e = math.exp %n : f32",
              "%d = arith.addf %e, %one : f32", "%r = arith.divf %i0, %d : f32"],
             lambda x: x / (1 + np.exp(-x))),
    "root": (["%q = arith.mulf %i0, %i0 : f32", "%p = arith.addf %q, %one : f32",
              "%r = math.sqrt %p : f32"], lambda x: np.sqrt(x * x + 1)),
    "scale": (["%r = arith.mulf %i0, %half : f32"], lambda x: x * 0.5),
}
BINARY = {
    "add": (["%r = arith.addf %i0, %i1 : f32"], lambda x, y: x + y),
    "sub": (["%r = arith.subf %i0, %i1 : f32"], lambda x, y: x - y),
    "mul": (["%r = arith.mulf %i0, %i1 : f32"], lambda x, y: x * y),
    "max": (["%r = arith.maximumf %i0, %i1 : f32"], np.maximum),
    "over": (["%q = arith.mulf %i1, %i1 : f32", "%p = arith.addf %q, %one : f32",
              "%r = arith.divf %i0, %p : f32"], lambda x, y: x / (y * y + 1)),
}


class RandomProgram:
    """Values are (emitted value, exact float64 array, array rounded as the program rounds)."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.dtype = self.rng.choice(["f16", "f32", "bf16"])
        extents = [3, 5, 8, 12, 17, 24, 33, 40]
        self.dims = {d: self.rng.choice(extents) for d in "mkpq"}
        numbers = np.random.default_rng(seed)
        shapes = [self.rng.choice(["m k", "k p", "p k", "m p", "k", "m", "q m k", "m k"])
                  for _ in range(self.rng.randint(1, 3))]
        shapes[0] = self.rng.choice(["m k", "q m k"])
        self.start(shapes, numbers, ())
        for _ in range(self.rng.randint(2, 6)):
            self.step()

    def start(self, shapes, numbers, dynamic):
        self.emitter = workloads.Emitter("f", self.dims, shapes, self.dtype, dynamic)
        self.emitter.constants += ["    %one = arith.constant 1.0 : f32",
                                   "    %half = arith.constant 0.5 : f32"]
        self.inputs, self.values, self.used = [], [], set()
        for argument in self.emitter.args:
            shape = [self.dims[d] for d in argument[1]]
            array = storage(numbers.standard_normal(shape) * 0.8, self.dtype)
            self.inputs.append(array)
            exact = to_float64(array, self.dtype)
            self.values.append((argument, exact, exact))

    def aligned(self, value, shape, array):
        """`array` of `value` with the dims of `shape`, of extent 1 where it has none."""
        order = sorted(range(array.ndim), key=lambda i: shape.index(value[1][i]))
        kept = [d for d in shape if d in value[1]]
        extents = [self.dims[d] if d in kept else 1 for d in shape]
        return array.transpose(order).reshape(extents)

    def widened(self, v):
        self.used.add(v[0])
        return self.emitter.ext(v[0]), v[1], v[2]

    def push(self, value, exact, near):
        near = near.astype(np.float32).astype(np.float64)
        if self.rng.random() < 0.3 and value[2] == "f32":
            value, near = self.emitter.trunc(value), rounded(near, self.dtype)
        self.values.append((value, exact, near))

    def step(self):
        e, rng = self.emitter, self.rng
        kind = rng.choice(["unary", "binary", "binary", "reduce", "matmul", "transpose"])
        v = rng.choice(self.values[-3:])
        if kind == "unary":
            self.unary(UNARY, v)
        elif kind == "transpose" and len(v[0][1]) > 1:
            shape = list(v[0][1])
            rng.shuffle(shape)
            a = self.widened(v)
            order = [a[0][1].index(d) for d in shape]
            self.push(e.map(["%r = arith.addf %i0, %i0 : f32"], a[0], shape=tuple(shape)),
                      2 * a[1].transpose(order), 2 * a[2].transpose(order))
        elif kind == "binary":
            self.binary(BINARY, v, rng.choice(self.values))
        elif kind == "reduce" and len(v[0][1]) > 1:
            a, how = self.widened(v), rng.choice(["sum", "sum", "max"])
            dim = rng.choice(a[0][1])
            axis, function = a[0][1].index(dim), np.sum if how == "sum" else np.max
            self.push(e.reduce(how, a[0], dim, keep=False),
                      function(a[1], axis=axis), function(a[2], axis=axis))
        elif kind == "matmul":
            self.matmul(v)

    def unary(self, bodies, v):
        body, function = bodies[self.rng.choice(list(bodies))]
        a = self.widened(v)
        self.push(self.emitter.map(body, a[0]), function(a[1]), function(a[2]))

    def binary(self, bodies, v, w):
        a, b = self.widened(v), self.widened(w)
        shape = a[0][1] + tuple(d for d in b[0][1] if d not in a[0][1])
        if len(shape) > 3:
            return
        body, function = bodies[self.rng.choice(list(bodies))]
        arrays = [[self.aligned(x[0], shape, x[i]) for x in (a, b)] for i in (1, 2)]
        self.push(self.emitter.map(body, a[0], b[0], shape=shape), *(function(*p) for p in arrays))

    def matmul(self, v):
        others = [w for w in self.values if set(w[0][1]) & set(v[0][1]) and len(w[0][1]) > 1]
        if len(v[0][1]) < 2 or not others:
            return
        w = self.rng.choice(others)
        over = self.rng.choice([d for d in v[0][1] if d in w[0][1]])
        shape = [d for d in v[0][1] + w[0][1] if d != over]
        shape = list(dict.fromkeys(shape))
        if not shape or len(shape) > 3 or v[0][2] != w[0][2]:
            return
        self.used |= {v[0], w[0]}
        spec = "%s,%s->%s" % ("".join(v[0][1]), "".join(w[0][1]), "".join(shape))
        self.push(self.emitter.contract(v[0], w[0], tuple(shape), over),
                  np.einsum(spec, v[1], w[1]), np.einsum(spec, v[2], w[2]))

    def case(self, name):
        value, exact, near = self.values[-1]
        if value in self.emitter.args or not value[1]:
            return None
        near = rounded(near, self.dtype)
        # Near 65504 every f16 rounding counts; what overflows there is not tested.
        if not np.isfinite(near).all() or np.abs(near).max() > 3e3:
            return None
        own = worst_error(near, exact)
        result = value if value[2] == self.dtype else self.emitter.trunc(value)
        text = self.emitter.text(result)
        return Case(name, text, "f", self.inputs, [exact], TOLERANCE[self.dtype] + 6 * own)


# --- Graphs with several results, operands from anywhere, and whole idioms ------------
# All are continuous: what rounds differently must not branch elsewhere.
MORE_UNARY = {
    "relu": (["%z = arith.subf %one, %one : f32", "%r = arith.maximumf %i0, %z : f32"],
             lambda x: np.maximum(x, 0)),
    "sigmoid": (["%n = arith.negf %i0 : f32", "%e = math.exp %n : f32",
                 "%d = arith.addf %e, %one : f32", "%r = arith.divf %one, %d : f32"],
                lambda x: 1 / (1 + np.exp(-x))),
    "log": (["%q = arith.mulf %i0, %i0 : f32", "%p = arith.addf %q, %one : f32",
             "%r = math.log %p : f32"], lambda x: np.log(x * x + 1)),
    "rsqrt": (["%q = arith.mulf %i0, %i0 : f32", "%p = arith.addf %q, %one : f32",
               "%r = math.rsqrt %p : f32"], lambda x: 1 / np.sqrt(x * x + 1)),
    "erf": (["%r = math.erf %i0 : f32"], np.vectorize(math.erf, otypes=[float])),
    "leaky": (["%h = arith.mulf %i0, %half : f32", "%c = arith.cmpf ogt, %i0, %h : f32",
               "%r = arith.select %c, %i0, %h : f32"], lambda x: np.where(x > 0, x, x / 2)),
}
MORE_BINARY = {
    "min": (["%r = arith.minimumf %i0, %i1 : f32"], np.minimum),
    "power": (["%a = math.absf %i0 : f32", "%p = arith.addf %a, %half : f32",
               "%e = math.tanh %i1 : f32", "%r = math.powf %p, %e : f32"],
              lambda x, y: (np.abs(x) + 0.5) ** np.tanh(y)),
}


class RandomGraph(RandomProgram):
    """Values of up to four dims, from one element to what tensor cores take; a step's
    operands come from anywhere, and what nothing reads is returned."""

    EXTENTS = [1, 2, 3, 5, 8, 16, 17, 24, 33, 40, 64]
    MOST_ELEMENTS = 1 << 13

    def __init__(self, seed):
        self.rng = random.Random("graph %d" % seed)
        numbers = np.random.default_rng([seed, 1])
        self.dtype = self.rng.choice(["f16", "f32", "bf16"])
        self.dims = {d: self.rng.choice(self.EXTENTS) for d in "mkpq"}
        shapes = [self.rng.choice(["m k", "k p", "p k", "m p", "k", "p", "m", "q m k", "q k p"])
                  for _ in range(self.rng.randint(1, 4))]
        self.start(["m k", *shapes], numbers, ())
        for _ in range(self.rng.randint(3, 8)):
            self.step()

    def pick(self):
        unused = [v for v in self.values if v[0] not in self.used]
        return self.rng.choice(unused if unused and self.rng.random() < 0.6 else self.values)

    def push(self, value, exact, near):
        # Beyond this f16 overflows or rounds too much; the op stays in the program, unread.
        if exact.size <= self.MOST_ELEMENTS and np.abs(near).max() < 3e3:
            super().push(value, exact, near)

    def shifted(self, v, dim):
        """Softmax, layer norm or rms norm along `dim`."""
        e, (a, exact, near) = self.emitter, self.widened(v)
        axis = a[1].index(dim)
        idiom = self.rng.choice(["softmax", "layer_norm", "rms_norm"])
        count = e.const("%e" % self.dims[dim])

        def combine(op, x, y):
            return e.map(["%%r = arith.%s %%i0, %%i1 : f32" % op], x, y, shape=a[1])

        def mean(x):
            return e.map(["%%r = arith.divf %%i0, %s : f32" % count],
                         e.reduce("sum", x, dim, keep=False))

        if idiom == "softmax":
            p = e.map(["%r = math.exp %i0 : f32"],
                      combine("subf", a, e.reduce("max", a, dim, keep=False)))
            result = combine("divf", p, e.reduce("sum", p, dim, keep=False))
        else:
            if idiom == "layer_norm":
                a = combine("subf", a, mean(a))
            square = e.map(["%r = arith.mulf %i0, %i0 : f32"], a)
            root = e.map(["%e = arith.addf %i0, %one : f32", "%r = math.rsqrt %e : f32"],
                         mean(square))
            result = combine("mulf", a, root)

        def compute(x):
            if idiom == "softmax":
                x = np.exp(x - x.max(axis, keepdims=True))
                return x / x.sum(axis, keepdims=True)
            if idiom == "layer_norm":
                x = x - x.mean(axis, keepdims=True)
            return x / np.sqrt((x * x).mean(axis, keepdims=True) + 1)

        self.push(result, compute(exact), compute(near))

    def step(self):
        kind = self.rng.choice(["unary", "unary", "binary", "idiom", "idiom", "older", "older",
                                "matmul", "matmul"])
        v = self.pick()
        if kind == "unary":
            self.unary({**UNARY, **MORE_UNARY}, v)
        elif kind == "binary":
            self.binary({**BINARY, **MORE_BINARY}, v, self.pick())
        elif kind == "idiom" and v[0][1]:
            self.shifted(v, self.rng.choice(v[0][1]))
        elif kind == "matmul":
            self.matmul(v)
        elif kind == "older":
            super().step()

    def case(self, name):
        sinks = [v for v in self.values if v[0] not in self.used and v[0] not in self.emitter.args]
        sinks = [v for v in sinks if v[0][1]][-3:]
        if not sinks:
            return None
        e, tolerance, returned, wanted = self.emitter, 0.0, [], []
        for value, exact, near in sinks:
            wide = value[2] == "f32" and self.rng.random() < 0.3
            returned.append(value if wide else e.trunc(value) if value[2] == "f32" else value)
            near = near if wide else rounded(near, self.dtype)
            tolerance = max(tolerance, TOLERANCE[self.dtype] + 6 * worst_error(near, exact))
            wanted.append(exact)
        types = ", ".join(e.type(v[1], v[2]) for v in returned)
        text = e.text(returned[0])
        head, rest = text.split(" -> ", 1)
        head += " -> (%s) {" % types + rest[rest.index(" {\n") + 2:]
        head = head[:head.rindex("    return ")] + "    return %s : %s\n  }\n}\n" % (
            ", ".join(v[0] for v in returned), types)
        return Case(name, head, "f", self.inputs, wanted, tolerance)


def random_cases(seeds):
    for seed in seeds:
        for prefix, make in (("random", RandomProgram), ("graph", RandomGraph)):
            case = make(seed).case("%s-%d" % (prefix, seed))
            if case:
                yield case
