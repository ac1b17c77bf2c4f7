"""Candidates that split a sum or a softmax over blocks or steps, as text, at any extents.

Each function gives a Graph: its IR with one mapped candidate, its inputs, and what it
must return in float64. `dtype` is the storage type; sums, statistics and partials are
f32. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import re

import numpy as np


class Graph:
    """One program with one mapped candidate, written op by op."""

    def __init__(self, name, extents, inputs, results):
        self.name, self.extents, self.inputs, self.results = name, extents, inputs, results
        self.kernels, self.types, self.yielded = [], {}, []

    def tensor(self, dims, dtype):
        return "!prism.tensor<[%s], %s>" % (", ".join(dims), dtype)

    def shape(self, dims):
        return [self.extents[d] for d in dims]

    def text(self, state, body):
        """The module; `body` is the program's own, which only the types matter of here."""
        builtin = lambda dims, dtype: "tensor<%s>" % "x".join(
            [str(e) for e in self.shape(dims)] + [dtype])
        arguments = ", ".join("%%%s: %s" % (n, self.tensor(*t)) for n, t in self.inputs.items())
        types = [self.tensor(*t) for t in self.results]
        hosts = [builtin(*t) for t in self.inputs.values()]
        results = [builtin(*t) for t in self.results]
        pack = lambda l: l[0] if len(l) == 1 else "(%s)" % ", ".join(l)
        return "\n".join([
            "prism.program private @p extents [%s] (%s) -> (%s) {" % (
                ", ".join("%s = %d" % e for e in self.extents.items()), arguments,
                ", ".join(types)), *body,
            "} candidates {", '  prism.candidate "%s" %s {' % (self.name, state),
            "  ^bb0(%s):" % arguments, *self.kernels,
            "    prism.yield %s : %s" % (", ".join(self.yielded), ", ".join(types)),
            "  }", "}",
            "func.func @f(%s) -> %s {" % (", ".join(
                "%%%s: %s" % (n, t) for n, t in zip(self.inputs, hosts)), pack(results)),
            "  %%r%s = prism.invoke @p(%s) : (%s) -> %s" % (
                ":%d" % len(results) if len(results) > 1 else "",
                ", ".join("%" + n for n in self.inputs), ", ".join(hosts), pack(results)),
            "  return %s : %s" % (", ".join(
                "%r" if len(results) == 1 else "%%r#%d" % i for i in range(len(results))),
                ", ".join(results)), "}", ""])


class Kernel:
    """The ops of one kernel; values are names, with their dims and type kept."""

    def __init__(self, graph, name, parallel, sources):
        """`sources`: {value of the candidate: (dims, dtype)}."""
        self.graph, self.name, self.parallel, self.sources = graph, name, parallel, sources
        self.lines, self.types, self.saved, self.count = [], {}, [], 0

    def tile(self, value):
        return "!prism.tile<[%s], %s>" % (", ".join(self.types[value][0]), self.types[value][1])

    def fresh(self, dims, dtype):
        self.count += 1
        value = "%%%s_%d" % (self.name, self.count)
        self.types[value] = (list(dims), dtype)
        return value

    def load(self, source, splits):
        dims, dtype = self.sources[source]
        split = ["/".join([d] + s.split()) for d, s in zip(dims, splits)]
        value = self.fresh(split, dtype)
        self.lines.append("%s = prism.load %%a_%s [%s] : %s -> %s" % (
            value, re.sub(r"\W", "_", source), ", ".join(
                "[%s]" % ", ".join(s.split()) for s in splits),
            self.graph.tensor(dims, dtype), self.tile(value)))
        return value

    def save(self, value, dims, splits, partials=""):
        tensor = ["%s.%s" % (self.name, p) for p in partials.split()] + list(dims)
        dtype = self.types[value][1]
        self.lines.append("%%s_%d = prism.save %s [%s]%s : %s -> %s" % (
            len(self.saved), value, ", ".join("[%s]" % ", ".join(s.split()) for s in splits),
            " partials [%s]" % partials if partials else "", self.tile(value),
            self.graph.tensor(tensor, dtype)))
        self.saved.append((tensor, dtype))

    def op(self, name, operands, dims=None, dtype=None, maps=None, suffix=""):
        """dims of the result; `maps`: letters of each operand and the result, as einsum."""
        dims = self.types[operands[0]][0] if dims is None else dims
        value = self.fresh(dims, dtype or self.types[operands[0]][1])
        if maps:
            order, result = maps.split("->")[1], maps.split("->")[1]
            letters = order + "".join(sorted(set(maps) - set(order) - set(",->")))
            lists = ["[%s]" % ", ".join("d%d" % letters.index(c) for c in part)
                     for part in maps.split("->")[0].split(",")]
            suffix += " maps %s -> [%s]" % (", ".join(lists), ", ".join(
                "d%d" % letters.index(c) for c in result))
        self.lines.append("%s = prism.%s %s%s : (%s) -> %s" % (
            value, name, ", ".join(operands), suffix,
            ", ".join(self.tile(o) for o in operands), self.tile(value)))
        return value

    def reduce(self, kind, value, dim):
        dims = self.types[value][0]
        return self.op("reduce_" + kind, [value], dims[:dim] + dims[dim + 1:],
                       suffix=" dims [%d]" % dim)

    def cast(self, value, dtype):
        if self.types[value][1] == dtype:
            return value
        return self.op("cast", [value], dtype=dtype)

    def accumulate(self, kind, value, shift=None, maps=None):
        result = self.fresh(*self.types[value])
        text = "%s = prism.accumulate %s %s" % (result, kind, value)
        types = [self.tile(value)]
        if shift:
            text += " shift " + shift
            types.append(self.tile(shift))
        text += " over i"
        if maps:
            operands, order = maps.split("->")
            text += " maps %s -> [%s]" % (", ".join("[%s]" % ", ".join(
                "d%d" % order.index(c) for c in part) for part in operands.split(",")),
                ", ".join("d%d" % i for i in range(len(order))))
        self.lines.append("%s : %s -> %s" % (text, ", ".join(types), self.tile(result)))
        return result

    def finish(self):
        """Adds the kernel to the graph; the values of its results, with their types."""
        results = [self.graph.tensor(*s) for s in self.saved]
        name = "%%r_%s" % self.name
        values = [name if len(results) == 1 else "%s#%d" % (name, i) for i in range(len(results))]
        self.graph.kernels += [
            "    %s%s = prism.kernel \"%s\"(%s) parallel [%s] : (%s) -> (%s) {" % (
                name, ":%d" % len(results) if len(results) > 1 else "", self.name,
                ", ".join("%%a_%s = %s" % (re.sub(r"\W", "_", s), s) for s in self.sources),
                self.parallel, ", ".join(self.graph.tensor(*t) for t in self.sources.values()),
                ", ".join(results)),
            *("      " + line for line in self.lines),
            "      prism.yield %s : %s" % (", ".join(
                "%%s_%d" % i for i in range(len(results))), ", ".join(results)), "    }"]
        return dict(zip(values, self.saved))


def finish_sums(graph, partials, dims, splits, dtype, divide=None):
    """The second kernel of a split sum: adds `partials` and perhaps divides by another."""
    k = Kernel(graph, "k1", ", ".join(s + " grid" for s in splits if s), partials)
    sums = []
    for value, (tensor, _) in partials.items():
        own = [splits[list(dims).index(d)] for d in tensor[1:]]
        sums.append(k.reduce("sum", k.load(value, [""] + own), 0))
    out = divide(k, sums) if divide else sums[0]
    k.save(k.cast(out, dtype), dims, splits)
    graph.yielded += k.finish()


def split_matmul(dtype, n, d, h, loop=True):
    """X W, its sum split over blocks, and in each over steps."""
    g = Graph("split_k", dict(n=n, d=d, h=h),
              {"x": (["n", "d"], dtype), "w": (["d", "h"], dtype)}, [(["n", "h"], dtype)])
    k = Kernel(g, "k0", "x grid, y grid" + (", i loop" if loop else ""),
               {"%" + v: t for v, t in g.inputs.items()})
    inner = "y i" if loop else "y"
    a, b = k.load("%x", ["", inner]), k.load("%w", [inner, "x"])
    m = k.op("matmul", [a, b], ["n", "h/x"], "f32")
    k.save(k.accumulate("sum", m) if loop else m, ["n", "h"], ["", "x"], "y")
    finish_sums(g, k.finish(), ["n", "h"], ["x", "y"], dtype)
    body = ["  %0 = prism.matmul %x, %w : ({0}, {1}) -> {2}".format(
        g.tensor(["n", "d"], dtype), g.tensor(["d", "h"], dtype), g.tensor(["n", "h"], dtype)),
        "  prism.yield %0 : " + g.tensor(["n", "h"], dtype)]
    return g, body, lambda x, w: [x @ w]


def split_rmsnorm(dtype, n, d, h):
    """(X / sqrt(mean X^2)) W: two sums, both split over blocks and steps."""
    g = Graph("split_rmsnorm", dict(n=n, d=d, h=h),
              {"x": (["n", "d"], dtype), "w": (["d", "h"], dtype)}, [(["n", "h"], dtype)])
    k = Kernel(g, "k0", "x grid, y grid, i loop", {"%" + v: t for v, t in g.inputs.items()})
    a, b = k.load("%x", ["", "y i"]), k.load("%w", ["y i", "x"])
    s = k.reduce("sum", k.op("square", [k.cast(a, "f32")]), 1)
    m = k.op("matmul", [a, b], ["n", "h/x"], "f32")
    s, m = k.accumulate("sum", s), k.accumulate("sum", m)
    k.save(s, ["n"], [""], "y")
    k.save(m, ["n", "h"], ["", "x"], "y")

    def divide(k1, sums):
        count = k1.fresh([], "f32")
        k1.lines.append("%s = prism.constant #prism.extent<d> -> !prism.tile<[], f32>" % count)
        mean = k1.op("div", [sums[0], count], maps="a,->a")
        return k1.op("div", [sums[1], k1.op("sqrt", [mean])], maps="ab,a->ab")

    finish_sums(g, k.finish(), ["n", "h"], ["x", "y"], dtype, divide)
    body = ["  %0 = prism.matmul %x, %w : ({0}, {1}) -> {2}".format(
        g.tensor(["n", "d"], dtype), g.tensor(["d", "h"], dtype), g.tensor(["n", "h"], dtype)),
        "  prism.yield %0 : " + g.tensor(["n", "h"], dtype)]
    return g, body, lambda x, w: [x / np.sqrt(np.mean(x * x, 1, keepdims=True)) @ w]


def attention(dtype, n, e, s, v, batch=None, split=False, masked=False, steps=True):
    """softmax(Q K^T + mask) V: online over the steps of a loop, and, if `split`, over
    blocks too, with a kernel that combines them (flash-decoding)."""
    extents = dict(n=n, e=e, s=s, v=v)
    if batch:
        extents = dict(b=batch, **extents)
    o, c, x = (["b"], "b", ["z"]) if batch else ([], "", [])
    inputs = {"q": (o + ["n", "e"], dtype), "k": (o + ["s", "e"], dtype),
              "w": (o + ["s", "v"], dtype)}
    if masked:
        inputs["m"] = (["n", "s"], "f32")
    g = Graph("flash" if split else "online", extents, inputs, [(o + ["n", "v"], dtype)])
    grid = ["%s grid" % p for p in x + ["x"] + (["y"] if split else [])]
    k = Kernel(g, "k0", ", ".join(grid + ["i loop"] * steps),
               {"%" + name: t for name, t in inputs.items()})
    inner = " ".join((["y"] if split else []) + ["i"] * steps)
    tile_s = "/".join(["s"] + inner.split())
    q = k.load("%q", x + ["x", ""])
    kk = k.load("%k", x + [inner, ""])
    w = k.load("%w", x + [inner, ""])
    batches = ["b/z"] if batch else []
    logits = k.op("matmul", [q, kk], batches + ["n/x", tile_s], "f32",
                  maps="{0}ne,{0}se->{0}ns".format(c))
    if masked:
        mask = k.load("%m", ["x", inner])
        logits = k.op("add", [logits, mask], maps="%sns,ns->%sns" % (c, c))
    last = len(batches) + 1
    top = k.reduce("max", logits, last)
    p = k.op("exp", [k.op("sub", [logits, top], maps="{0}ns,{0}n->{0}ns".format(c))])
    total = k.reduce("sum", p, last)
    out = k.op("matmul", [k.cast(p, dtype), w], batches + ["n/x", "v"], "f32",
               maps="{0}ns,{0}sv->{0}nv".format(c))
    rows, cells = batches + ["n/x"], "{0}n,{0}n->{0}n".format(c)
    if steps:
        running = k.accumulate("max", top) if split else None
        total = k.accumulate("rescaled_sum", total, top, cells)
        out = k.accumulate("rescaled_sum", out, top, "{0}nv,{0}n->{0}nv".format(c))
    else:
        running = top
    if not split:
        out = k.op("div", [out, total], maps="{0}nv,{0}n->{0}nv".format(c))
        k.save(k.cast(out, dtype), o + ["n", "v"], x + ["x", ""])
        g.yielded += k.finish()
    else:
        k.save(running, o + ["n"], x + ["x"], "y")
        k.save(total, o + ["n"], x + ["x"], "y")
        k.save(out, o + ["n", "v"], x + ["x", ""], "y")
        parts = k.finish()
        k1 = Kernel(g, "k1", ", ".join("%s grid" % d for d in x + ["x", "y"]), parts)
        m_, l_, o_ = parts
        m = k1.load(m_, [""] + x + ["x"])
        l = k1.load(l_, [""] + x + ["x"])
        t = k1.load(o_, [""] + x + ["x", "y"])
        top = k1.reduce("max", m, 0)
        f = k1.op("exp", [k1.op("sub", [m, top], maps="k{0}n,{0}n->k{0}n".format(c))])
        l = k1.reduce("sum", k1.op("mul", [l, f]), 0)
        t = k1.reduce("sum", k1.op("mul", [t, f], maps="k{0}nv,k{0}n->k{0}nv".format(c)), 0)
        y = k1.op("div", [t, l], maps="{0}nv,{0}n->{0}nv".format(c))
        k1.save(k1.cast(y, dtype), o + ["n", "v"], x + ["x", "y"])
        g.yielded += k1.finish()

    def reference(q, kk, w, mask=None):
        x = np.einsum("...ne,...se->...ns", q, kk)
        if mask is not None:
            x = x + mask
        with np.errstate(invalid="ignore"):
            p = np.exp(x - x.max(-1, keepdims=True))
        return [np.einsum("...ns,...sv->...nv", p / p.sum(-1, keepdims=True), w)]

    # Only the types of the program's own body matter: the verdict is given.
    result = g.tensor(o + ["n", "v"], dtype)
    body = ["  %0 = prism.matmul %q, %k maps {0} : ({1}, {2}) -> {3}".format(
        "[d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2]" if batch else
        "[d0, d2], [d1, d2] -> [d0, d1]", g.tensor(*inputs["q"]), g.tensor(*inputs["k"]),
        g.tensor(o + ["n", "s"], dtype)),
        "  %1 = prism.matmul %0, %w maps {0} : ({1}, {2}) -> {3}".format(
        "[d0, d1, d3], [d0, d3, d2] -> [d0, d1, d2]" if batch else
        "[d0, d2], [d2, d1] -> [d0, d1]", g.tensor(o + ["n", "s"], dtype),
        g.tensor(*inputs["w"]), result), "  prism.yield %1 : " + result]
    return g, body, reference


def logsumexp(n, s, split=False, shifted=True, loop=True):
    """log sum exp of x + m along rows, as attention sums its rows. Of a row of -inf the
    program that subtracts its maximum makes no number, the one that does not makes -inf."""
    inputs = {"x": (["n", "s"], "f32"), "m": (["n", "s"], "f32")}
    g = Graph("lse_split" if split else "lse", dict(n=n, s=s), inputs, [(["n"], "f32")])
    k = Kernel(g, "k0", ", ".join(["x grid"] + ["y grid"] * split + ["i loop"] * loop),
               {"%" + name: t for name, t in inputs.items()})
    inner = " ".join(["y"] * split + ["i"] * loop)
    x = k.op("add", [k.load("%x", ["x", inner]), k.load("%m", ["x", inner])])
    top = k.reduce("max", x, 1)
    total = k.reduce("sum", k.op("exp", [k.op("sub", [x, top], maps="ns,n->ns")]), 1)
    running = top
    if loop:
        running = k.accumulate("max", top)
        total = k.accumulate("rescaled_sum", total, top)
    if split:
        k.save(running, ["n"], ["x"], "y")
        k.save(total, ["n"], ["x"], "y")
        parts = k.finish()
        k = Kernel(g, "k1", "x grid", parts)
        m, l = [k.load(part, ["", "x"]) for part in parts]
        running = k.reduce("max", m, 0)
        f = k.op("exp", [k.op("sub", [m, running], maps="kn,n->kn")])
        total = k.reduce("sum", k.op("mul", [l, f]), 0)
    k.save(k.op("add", [k.op("log", [total]), running]), ["n"], ["x"])
    g.yielded += k.finish()

    cells, rows = g.tensor(["n", "s"], "f32"), g.tensor(["n"], "f32")
    body = ["  %0 = prism.add %x, %m : ({0}, {0}) -> {0}".format(cells)]
    if shifted:
        body += ["  %1 = prism.reduce_max %0 dims [1] : ({0}) -> {1}".format(cells, rows),
                 "  %2 = prism.sub %0, %1 maps [d0, d1], [d0] -> [d0, d1] : ({0}, {1}) -> {0}"
                 .format(cells, rows)]
    body += ["  %3 = prism.exp %{0} : ({1}) -> {1}".format(2 if shifted else 0, cells),
             "  %4 = prism.reduce_sum %3 dims [1] : ({0}) -> {1}".format(cells, rows),
             "  %5 = prism.log %4 : ({0}) -> {0}".format(rows)]
    if shifted:
        body.append("  %6 = prism.add %5, %1 : ({0}, {0}) -> {0}".format(rows))
    body.append("  prism.yield %{0} : {1}".format(6 if shifted else 5, rows))

    def reference(x, mask):
        x = x + mask
        top = x.max(1) if shifted else np.zeros(n)
        with np.errstate(invalid="ignore", divide="ignore"):
            return [np.log(np.exp(x - top[:, None]).sum(1)) + top]

    return g, body, reference


def predefined(dtype, n, d, h):
    """Ops on whole tensors before and after a kernel: a product, a scaling by a constant,
    a maximum over rows, a cast; and a kernel that has a constant as an operand."""
    g = Graph("predefined", dict(n=n, d=d, h=h),
              {"x": (["n", "d"], dtype), "w": (["d", "h"], dtype)}, [(["h"], "f32")])
    a, top = g.tensor(["n", "h"], dtype), g.tensor(["h"], dtype)
    g.kernels += [
        "    %a = prism.matmul %x, %w : ({0}, {1}) -> {2}".format(
            g.tensor(["n", "d"], dtype), g.tensor(["d", "h"], dtype), a),
        "    %eps = prism.constant 1.0 : f32 -> !prism.tensor<[], f32>",
        "    %half = prism.constant 0.5 : f32 -> !prism.tensor<[], {0}>".format(dtype)
        .replace("0.5 : f32", "0.5 : " + dtype)]
    k = Kernel(g, "k0", "x grid", {"%a": (["n", "h"], dtype), "%eps": ([], "f32")})
    t, eps = k.load("%a", ["x", ""]), k.load("%eps", [])
    s = k.reduce("sum", k.op("square", [k.cast(t, "f32")]), 1)
    root = k.op("sqrt", [k.op("add", [s, eps], maps="a,->a")])
    y = k.op("div", [k.cast(t, "f32"), root], maps="ab,a->ab")
    k.save(k.cast(y, dtype), ["n", "h"], ["x", ""])
    k.finish()
    g.kernels += [
        "    %b = prism.mul %r_k0, %half maps [d0, d1], [] -> [d0, d1] : ({0}, {1}) -> {0}".format(
            a, "!prism.tensor<[], %s>" % dtype),
        "    %t = prism.reduce_max %b dims [0] : ({0}) -> {1}".format(a, top)]
    g.yielded = ["%t"]
    if dtype != "f32":
        g.kernels.append("    %c = prism.cast %t : ({0}) -> {1}".format(
            top, g.tensor(["h"], "f32")))
        g.yielded = ["%c"]

    def reference(x, w):
        a = x @ w
        return [(0.5 * a / np.sqrt((a * a).sum(1, keepdims=True) + 1)).max(0)]

    body = ["  %0 = prism.matmul %x, %w : ({0}, {1}) -> {2}".format(
        g.tensor(["n", "d"], dtype), g.tensor(["d", "h"], dtype), a),
        "  %1 = prism.reduce_max %0 dims [0] : ({0}) -> {1}".format(a, top)]
    last = "%1"
    if dtype != "f32":
        body.append("  %2 = prism.cast %1 : ({0}) -> {1}".format(top, g.tensor(["h"], "f32")))
        last = "%2"
    return g, body + ["  prism.yield %s : %s" % (last, g.tensor(["h"], "f32"))], reference
