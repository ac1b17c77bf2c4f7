#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark workloads: linalg-on-tensors MLIR text and a float64 reference.

  workloads.py list                          names, formulas, default shapes
  workloads.py emit NAME [k=v ...]           MLIR on stdout (default shapes, or overridden ones)
  workloads.py emit NAME --dynamic[=DIMS]    same, with dimensions left as `?` (default n; `--dynamic=s`, `--dynamic=n,s`)
  workloads.py emit NAME dtype=bf16          storage type f16 (default), bf16 or f32

As a module: `reference(name, inputs)` maps float64 numpy arrays to the float64 result,
`shapes(name, **overrides)` gives the input shapes in argument order.

The IR has the style of what PyTorch importers emit: f16 (or bf16) storage, f32 inside
normalisations and accumulations, linalg.generic for everything but matrix products.
"""
import sys

# name -> (formula, default dims, [argument shapes in terms of dims])
WORKLOADS = {
    # the five of the paper's evaluation; `softmax` is the plain exp/sum form used there
    "rmsnorm": ("matmul(rms_norm(X), W)", dict(n=8, d=4096, h=4096),
                ["n d", "d h"]),
    "rmsnorm_mlp": ("matmul(rms_norm(X), Wup) * matmul(rms_norm(X), Wgate)", dict(n=8, d=1024, h=1024),
                    ["n d", "d h", "d h"]),
    "swiglu": ("silu(matmul(X, Wgate)) * matmul(X, Wup)", dict(n=8, d=4096, h=4096),
               ["n d", "d h", "d h"]),
    "attention": ("softmax(Q K^T) V, grouped queries, decode", dict(b=2, n=8, e=128, s=8192),
                  ["b n e", "b s e", "b s e"]),
    "qk_attention": ("softmax(rms_norm(Q) K^T) V, grouped queries, decode", dict(b=2, n=8, e=128, s=8192),
                     ["b n e", "b s e", "b s e"]),
    # what real models run: max-subtracted softmax, scale, eps, weight, residual
    "attention_stable": ("softmax(scale * Q K^T - rowmax) V", dict(b=2, n=8, e=128, s=8192),
                         ["b n e", "b s e", "b s e"]),
    "rmsnorm_full": ("matmul(g * X * rsqrt(mean(X^2) + eps), W)", dict(n=8, d=4096, h=4096),
                     ["n d", "d", "d h"]),
    "lora": ("matmul(X, W) + matmul(matmul(X, A), B)", dict(n=16, d=4096, r=16, h=4096),
             ["n d", "d h", "d r", "r h"]),
    "mlp_block": ("matmul(silu(matmul(X, Wgate)) * matmul(X, Wup), Wdown)", dict(n=8, d=4096, h=11008),
                  ["n d", "d h", "d h", "h d"]),
    "multi_head": ("softmax(scale * Q K^T - rowmax) V, heads as a dimension, tokens first", dict(b=1, n=16, a=8, e=64, s=1024),
                   ["b n a e", "b s a e", "b s a e"]),
    "multi_query": ("the same, all heads on one K and V", dict(b=1, n=8, a=16, e=64, s=1024),
                    ["b n a e", "b s e", "b s e"]),
    "norm_residual": ("rms_norm(X + alpha * (rms_norm(H) + X))", dict(n=8, d=4096),
                      ["n d", "n d", "n d"]),
    "decoder_layer": ("x + attention(rms_norm(x) Wq, K, V) Wo, then + MLP of its rms_norm; grouped heads over a KV cache",
                      dict(n=4, d=2048, g=4, r=4, e=128, s=1024, h=5504),
                      ["n d", "d", "d g r e", "s g e", "s g e", "g r e d", "d", "d h", "d h", "h d"]),
}
# The paper's evaluation: (n, d) with h = d for the first three; attention folds heads into rows, n = heads * q, s = heads * kv.
PAPER = {w: [dict(n=n, d=d, h=d) for n, d in ((8, 1024), (8, 2048), (8, 4096), (16, 1024), (16, 4096))]
         for w in ("rmsnorm", "rmsnorm_mlp", "swiglu")}
PAPER.update({w: [dict(b=b, n=h * q, e=128, s=h * kv) for b, h, q, kv in ((2, 8, 1, 1024), (2, 8, 128, 1024), (2, 32, 1, 1024), (4, 8, 1, 1024))]
              for w in ("attention", "qk_attention")})


class Emitter:
    """Builds one func.func; values are (ssa name, shape, element type)."""

    def __init__(self, name, dims, args, dtype, dynamic):
        self.dims, self.dtype, self.dynamic = dims, dtype, dynamic  # dynamic: the dimension names left open
        self.lines, self.count, self.name, self.dim_values = [], 0, name, {}
        self.args = [("%%arg%d" % i, tuple(a.split()), dtype) for i, a in enumerate(args)]
        self.constants = []

    def size(self, d):
        if d == "1":
            return "1"
        return "?" if d in self.dynamic else str(self.dims[d])

    def type(self, shape, elem):
        return "tensor<%s>" % "x".join([self.size(d) for d in shape] + [elem])

    def fresh(self):
        self.count += 1
        return "%%%d" % self.count

    def line(self, text):
        self.lines.append("    " + text)

    def const(self, value):
        name = "%%cst%d" % len(self.constants)
        self.constants.append("    %s = arith.constant %s : f32" % (name, value))
        return name

    def extent(self, d):
        """SSA value of an open dimension, taken from the first argument that has it."""
        if d not in self.dim_values:
            ssa, shape, elem = next(a for a in self.args if d in a[1])
            idx, val = self.fresh(), self.fresh()
            self.line("%s = arith.constant %d : index" % (idx, shape.index(d)))
            self.line("%s = tensor.dim %s, %s : %s" % (val, ssa, idx, self.type(shape, elem)))
            self.dim_values[d] = val
        return self.dim_values[d]

    def empty(self, shape, elem):
        extents = [self.extent(d) for d in shape if d in self.dynamic]
        name = self.fresh()
        self.line("%s = tensor.empty(%s) : %s" % (name, ", ".join(extents), self.type(shape, elem)))
        return name

    def fill(self, shape, elem, value="0.000000e+00"):
        cst, init, out = self.const(value), self.empty(shape, elem), self.fresh()
        self.line("%s = linalg.fill ins(%s : f32) outs(%s : %s) -> %s" % (
            out, cst, init, self.type(shape, elem), self.type(shape, elem)))
        return out

    def maps(self, iters, shapes):
        dims = ", ".join("d%d" % i for i in range(len(iters)))
        def one(shape):
            return ", ".join("d%d" % iters.index(d) if d in iters else "d%d" % j if d == "1" and iters[j] == "_" else "0"
                             for j, d in enumerate(shape))
        return ", ".join("affine_map<(%s) -> (%s)>" % (dims, one(s)) for s in shapes)

    def generic(self, iters, kinds, ins, out_init, out_shape, out_elem, body):
        out = self.fresh()
        args = ", ".join("%%i%d: %s" % (k, v[2]) for k, v in enumerate(ins))
        self.line("%s = linalg.generic {indexing_maps = [%s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {" % (
            out, self.maps(iters, [v[1] for v in ins] + [out_shape]),
            ", ".join('"%s"' % k for k in kinds),
            ", ".join(v[0] for v in ins), ", ".join(self.type(v[1], v[2]) for v in ins),
            out_init, self.type(out_shape, out_elem)))
        self.line("^bb0(%s, %%o: %s):" % (args, out_elem))
        for b in body:
            self.line("  " + b)
        self.line("} -> %s" % self.type(out_shape, out_elem))
        return (out, out_shape, out_elem)

    # --- the vocabulary the workloads are written in -------------------------------------
    def map(self, body, *ins, shape=None, elem="f32"):
        """Elementwise over `shape` (default: the first input's); body lines end in %r."""
        shape = shape or ins[0][1]
        iters = [d if d != "1" else "_" for d in shape]  # "_": a unit dimension of the result
        return self.generic(iters, ["parallel"] * len(iters), ins, self.empty(shape, elem), shape, elem,
                            body + ["linalg.yield %%r : %s" % elem])

    def reduce(self, kind, v, dim, keep=True):
        shape = tuple(("1" if d == dim else d) for d in v[1]) if keep else tuple(d for d in v[1] if d != dim)
        init = self.fill(shape, "f32", "0xFF800000" if kind == "max" else "0.000000e+00")
        op = "arith.maximumf %i0, %o" if kind == "max" else "arith.addf %i0, %o"
        kinds = ["reduction" if d == dim else "parallel" for d in v[1]]
        return self.generic(list(v[1]), kinds, [v], init, shape, "f32",
                            ["%%r = %s : f32" % op, "linalg.yield %r : f32"])

    def ext(self, v):
        return v if v[2] == "f32" else self.map(["%%r = arith.extf %%i0 : %s to f32" % v[2]], v)

    def trunc(self, v):
        return v if self.dtype == "f32" else self.map(["%%r = arith.truncf %%i0 : f32 to %s" % self.dtype], v, elem=self.dtype)

    def matmul(self, a, b):
        shape = a[1][:-1] + b[1][-1:]
        init, out = self.fill(shape, "f32"), self.fresh()
        op = "linalg.batch_matmul" if len(shape) == 3 else "linalg.matmul"
        self.line("%s = %s ins(%s, %s : %s, %s) outs(%s : %s) -> %s" % (
            out, op, a[0], b[0], self.type(a[1], a[2]), self.type(b[1], b[2]),
            init, self.type(shape, "f32"), self.type(shape, "f32")))
        return (out, shape, "f32")

    def contract(self, a, b, shape, over):
        """out[shape] = sum over `over` of a * b, casts inside the body"""
        init, iters = self.fill(shape, "f32"), list(shape) + over.split()
        kinds = ["parallel"] * len(shape) + ["reduction"] * len(over.split())
        body, factors = [], []
        for k, v in enumerate((a, b)):
            if v[2] == "f32":
                factors.append("%%i%d" % k)
            else:
                body.append("%%x%d = arith.extf %%i%d : %s to f32" % (k, k, v[2]))
                factors.append("%%x%d" % k)
        return self.generic(iters, kinds, [a, b], init, tuple(shape), "f32",
                            body + ["%%p = arith.mulf %s, %s : f32" % tuple(factors), "%r = arith.addf %p, %o : f32",
                                    "linalg.yield %r : f32"])

    def rms_norm(self, x, weight=None, eps=None):
        """x / sqrt(mean(x^2)), or with eps and weight x * rsqrt(mean(x^2) + eps) * weight"""
        dim = x[1][-1]
        xf = self.ext(x)
        ss = self.reduce("sum", self.map(["%r = arith.mulf %i0, %i0 : f32"], xf), dim)
        cnt = self.const("%e" % float(self.dims[dim]))
        mean = self.map(["%%r = arith.divf %%i0, %s : f32" % cnt], ss)
        if eps is None:
            root = self.map(["%r = math.sqrt %i0 : f32"], mean)
            return self.trunc(self.map(["%r = arith.divf %i0, %i1 : f32"], xf, root, shape=x[1]))
        e = self.const("%e" % eps)
        root = self.map(["%%q = arith.addf %%i0, %s : f32" % e, "%r = math.rsqrt %q : f32"], mean)
        y = self.map(["%r = arith.mulf %i0, %i1 : f32"], xf, root, shape=x[1])
        w = self.ext(weight)
        return self.trunc(self.map(["%r = arith.mulf %i0, %i1 : f32"], y, w, shape=x[1]))

    def silu(self, v):
        one = self.const("1.000000e+00")
        return self.map(["%n = arith.negf %i0 : f32", "%e = math.exp %n : f32",
                         "%%d = arith.addf %%e, %s : f32" % one, "%r = arith.divf %i0, %d : f32"], v)

    def softmax(self, s, stable, scale=None):
        if scale is not None:
            c = self.const("%e" % scale)
            s = self.map(["%%r = arith.mulf %%i0, %s : f32" % c], s)
        if stable:
            m = self.reduce("max", s, "s")
            s = self.map(["%r = arith.subf %i0, %i1 : f32"], s, m, shape=s[1])
        e = self.map(["%r = math.exp %i0 : f32"], s)
        z = self.reduce("sum", e, "s")
        return self.trunc(self.map(["%r = arith.divf %i0, %i1 : f32"], e, z, shape=s[1]))

    def text(self, result):
        args = ", ".join("%s: %s" % (a[0], self.type(a[1], a[2])) for a in self.args)
        t = self.type(result[1], result[2])
        return "\n".join(["module {", "  func.func @%s(%s) -> %s {" % (self.name, args, t)] + self.constants
                         + self.lines + ["    return %s : %s" % (result[0], t), "  }", "}", ""])


def emit(name, dtype="f16", dynamic=(), **over):
    _, dims, args = WORKLOADS[name]
    dims = {**dims, **over}
    e = Emitter(name, dims, args, dtype, dynamic)
    a = e.args
    mul = ["%r = arith.mulf %i0, %i1 : f32"]
    if name == "rmsnorm":
        out = e.matmul(e.rms_norm(a[0]), a[1])
    elif name == "rmsnorm_full":
        out = e.matmul(e.rms_norm(a[0], a[1], 1e-6), a[2])
    elif name == "rmsnorm_mlp":
        y = e.rms_norm(a[0])
        out = e.map(mul, e.matmul(y, a[1]), e.matmul(y, a[2]))
    elif name == "swiglu":
        out = e.map(mul, e.silu(e.matmul(a[0], a[1])), e.matmul(a[0], a[2]))
    elif name == "mlp_block":
        g = e.trunc(e.map(mul, e.silu(e.matmul(a[0], a[1])), e.matmul(a[0], a[2])))
        out = e.matmul(g, a[3])
    elif name == "lora":
        t = e.trunc(e.matmul(a[0], a[2]))
        out = e.map(["%r = arith.addf %i0, %i1 : f32"], e.matmul(a[0], a[1]), e.matmul(t, a[3]))
    elif name in ("multi_head", "multi_query"):
        p = e.softmax(e.contract(a[0], a[1], ("b", "a", "n", "s"), "e"), True, dims["e"] ** -0.5)
        out = e.contract(p, a[2], ("b", "n", "a", "e"), "s")
    elif name == "norm_residual":
        x, h, alpha = a
        add = ["%r = arith.addf %i0, %i1 : f32"]
        y = e.map(add, e.ext(e.rms_norm(h)), e.ext(x))
        out = e.ext(e.rms_norm(e.trunc(e.map(add, e.map(mul, e.ext(alpha), y), e.ext(x)))))
    elif name == "decoder_layer":
        x, g1, wq, k, v, wo, g2, wgate, wup, wdown = a
        add = ["%r = arith.addf %i0, %i1 : f32"]
        q = e.trunc(e.contract(e.rms_norm(x, g1, 1e-5), wq, ("n", "g", "r", "e"), "d"))
        p = e.softmax(e.contract(q, k, ("g", "r", "n", "s"), "e"), True, dims["e"] ** -0.5)
        o = e.trunc(e.contract(p, v, ("n", "g", "r", "e"), "s"))
        y = e.map(add, e.contract(o, wo, ("n", "d"), "g r e"), e.ext(x))
        z = e.rms_norm(e.trunc(y), g2, 1e-5)
        m = e.trunc(e.map(mul, e.silu(e.matmul(z, wgate)), e.matmul(z, wup)))
        out = e.map(add, e.matmul(m, wdown), y)
    else:
        q = e.rms_norm(a[0]) if name == "qk_attention" else a[0]
        stable = name == "attention_stable"
        p = e.softmax(e.contract(q, a[1], ("b", "n", "s"), "e"), stable, dims["e"] ** -0.5 if stable else None)
        out = e.matmul(p, a[2])
    return e.text(e.trunc(out))


def shapes(name, **over):
    _, dims, args = WORKLOADS[name]
    dims = {**dims, **over}
    return [tuple(dims[d] for d in a.split()) for a in args]


def reference(name, inputs):
    import numpy as np
    rms = lambda x, eps=0.0: x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)
    silu = lambda x: x / (1.0 + np.exp(-x))
    a = [np.asarray(x, dtype=np.float64) for x in inputs]
    if name == "rmsnorm":
        return rms(a[0]) @ a[1]
    if name == "rmsnorm_full":
        return (rms(a[0], 1e-6) * a[1]) @ a[2]
    if name == "rmsnorm_mlp":
        return (rms(a[0]) @ a[1]) * (rms(a[0]) @ a[2])
    if name == "swiglu":
        return silu(a[0] @ a[1]) * (a[0] @ a[2])
    if name == "mlp_block":
        return (silu(a[0] @ a[1]) * (a[0] @ a[2])) @ a[3]
    if name == "lora":
        return a[0] @ a[1] + (a[0] @ a[2]) @ a[3]
    if name in ("multi_head", "multi_query"):
        q, k, v = a
        keys = "bsae" if name == "multi_head" else "bse"
        s = np.einsum("bnae,%s->bans" % keys, q, k, optimize=True) * q.shape[-1] ** -0.5
        p = np.exp(s - s.max(-1, keepdims=True))
        return np.einsum("bans,%s->bnae" % keys, p / p.sum(-1, keepdims=True), v, optimize=True)
    if name == "norm_residual":
        return rms(a[0] + a[2] * (rms(a[1]) + a[0]))
    if name == "decoder_layer":
        x, g1, wq, k, v, wo, g2, wgate, wup, wdown = a
        q = np.einsum("nd,dgre->ngre", rms(x, 1e-5) * g1, wq, optimize=True)
        s = np.einsum("ngre,sge->grns", q, k, optimize=True) * q.shape[-1] ** -0.5
        p = np.exp(s - s.max(-1, keepdims=True))
        o = np.einsum("grns,sge->ngre", p / p.sum(-1, keepdims=True), v, optimize=True)
        y = x + np.einsum("ngre,gred->nd", o, wo, optimize=True)
        z = rms(y, 1e-5) * g2
        return y + (silu(z @ wgate) * (z @ wup)) @ wdown
    q = rms(a[0]) if name == "qk_attention" else a[0]
    s = q @ np.swapaxes(a[1], -1, -2)
    if name == "attention_stable":
        s = s * a[0].shape[-1] ** -0.5
    s = s - s.max(axis=-1, keepdims=True)
    p = np.exp(s)
    return (p / p.sum(axis=-1, keepdims=True)) @ a[2]


def main(argv):
    if argv[:1] == ["list"]:
        for k, (f, dims, args) in WORKLOADS.items():
            print("%-17s %-62s %s" % (k, f, " ".join("%s=%d" % kv for kv in dims.items())))
        return 0
    if argv[:1] == ["emit"] and len(argv) > 1 and argv[1] in WORKLOADS:
        over, dtype, dynamic = {}, "f16", ()
        for x in argv[2:]:
            if x.startswith("--dynamic"):
                dynamic = tuple(x[10:].split(",")) if x[9:10] == "=" else ("n",)
            elif x.startswith("dtype="):
                dtype = x[6:]
            else:
                k, v = x.split("=")
                if k not in WORKLOADS[argv[1]][1]:
                    sys.exit("%s has no dimension '%s'; it has %s" % (argv[1], k, " ".join(WORKLOADS[argv[1]][1])))
                over[k] = int(v)
        sys.stdout.write(emit(argv[1], dtype, dynamic, **over))
        return 0
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
