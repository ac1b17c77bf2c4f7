# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normal forms of kernels, as docs/search-space.md says, written apart from the search's.

Chains of mul, div, square, sqrt, rsqrt, reciprocal and neg are one sorted monomial; a
factor without the summed index stands before the sum; sums of sums of terms are one
sorted sum; accumulators of sums and casts are left out; loads say how they are split.
Grid dims are named after the data dims of the results that they split.

A monomial is {atom: exponent}; an atom is a nested tuple. Bound indices are ("b", n),
numbered from the innermost sum outwards.
"""
import itertools
from fractions import Fraction

from evaluate import default_maps

MINUS = ("const", "-1")


def show(atom):
    """A total order on atoms, whatever they hold."""
    return repr(atom)


def freeze(monomial):
    return tuple(sorted(((atom, str(e)) for atom, e in monomial.items()), key=show))


def replace(thing, old, new):
    if thing == old:
        return new
    return tuple(replace(t, old, new) for t in thing) if isinstance(thing, tuple) else thing


def contains(thing, wanted):
    return thing == wanted or (isinstance(thing, tuple) and any(
        contains(t, wanted) for t in thing))


def highest_bound(thing):
    if isinstance(thing, tuple):
        if len(thing) == 2 and thing[0] == "b":
            return thing[1]
        return max((highest_bound(t) for t in thing), default=0)
    return 0


class Normalizer:
    """Of a kernel whose operands are named by `sources` (operand -> text); without maps it
    is the normal form of the expression alone."""

    def __init__(self, kernel, sources, with_maps=True):
        self.kernel, self.fresh, self.with_maps = kernel, itertools.count(), with_maps
        self.source = {name: sources.get(operand, operand) for (name, _), operand in zip(
            kernel.body.arguments, kernel.operands)}
        self.producer = {op.result: op for op in kernel.body.ops}
        self.grid_names = self.name_grid_dims()
        self.cancels = False  # a factor or term is taken back somewhere

    def saves(self):
        return [self.producer[name] for name in self.kernel.body.yielded]

    def name_grid_dims(self):
        places = {}
        for dim, kind, _ in self.kernel.attributes["parallel"]:
            if kind == "grid":
                places[dim] = "g" + ",".join(
                    str(next((i for i, splits in enumerate(op.attributes["map"])
                              if dim in splits), "-")) for op in self.saves())
        return places

    def run(self):
        texts = []
        for save in self.saves():
            splits = self.splits(save)
            indices = [("r", i) for i in range(len(splits))]
            texts.append(repr((freeze(self.monomial(save.operands[0], indices)), splits)))
        return "; ".join(texts)

    def splits(self, op):
        if not self.with_maps:
            return tuple(() for _ in op.attributes["map"])
        return tuple(tuple(self.grid_names.get(s, s) for s in splits)
                     for splits in op.attributes["map"])

    # --- Values --------------------------------------------------------------------
    def monomial(self, name, indices):
        op = self.producer[name]
        if op.name == "load":
            return {("arg", self.source[op.operands[0]], tuple(indices),
                     self.splits(op)): Fraction(1)}
        if op.name == "constant":
            value = op.attributes["value"]
            return {} if value == 1.0 else {("const", repr(value)): Fraction(1)}
        if op.name == "accumulate" and op.attributes["kind"] == "sum":
            return self.monomial(op.operands[0], indices)
        handler = getattr(self, "do_" + op.name, None)
        return handler(op, indices) if handler else self.opaque(op, indices)

    def operand(self, op, index, indices):
        return self.monomial(op.operands[index], indices)

    def mapped(self, op, indices):
        """Index lists of the operands of an op with maps, and its bound indices."""
        ranks = [len(self.producer[o].type.extents) for o in op.operands]
        maps = op.attributes.get("maps") or default_maps(op, [_Ranked(r) for r in ranks])
        names = dict(zip(maps[-1], indices))
        bound = []
        for dim in sorted(set().union(*maps) - set(maps[-1])):
            names[dim] = ("?", next(self.fresh))
            bound.append(names[dim])
        return [[names[d] for d in dims] for dims in maps[:-1]], bound

    # --- Products ------------------------------------------------------------------
    def multiply(self, left, right, sign=1):
        result = dict(left)
        for atom, exponent in right.items():
            before = result.get(atom, Fraction(0))
            if before * exponent * sign < 0 and atom != MINUS:
                self.cancels = True
            result[atom] = before + sign * exponent
            if result[atom] == 0:
                del result[atom]
        if MINUS in result:
            result[MINUS] = result[MINUS] % 2
            if not result[MINUS]:
                del result[MINUS]
        return result

    def do_mul(self, op, indices):
        lists, _ = self.mapped(op, indices)
        return self.multiply(*(self.operand(op, i, lists[i]) for i in (0, 1)))

    def do_div(self, op, indices):
        lists, _ = self.mapped(op, indices)
        return self.multiply(*(self.operand(op, i, lists[i]) for i in (0, 1)), sign=-1)

    def do_reciprocal(self, op, indices):
        return self.multiply({}, self.operand(op, 0, indices), -1)

    def do_neg(self, op, indices):
        return self.multiply({MINUS: Fraction(1)}, self.operand(op, 0, indices))

    def do_square(self, op, indices):
        return self.multiply(*[self.operand(op, 0, indices)] * 2)

    def do_sqrt(self, op, indices, sign=1):
        inside = self.operand(op, 0, indices)
        if any(e.denominator == 1 and e % 2 == 0 for e in inside.values()):
            return {("sqrt", freeze(inside)): Fraction(sign)}
        return {atom: e * sign / 2 for atom, e in inside.items()}

    def do_rsqrt(self, op, indices):
        return self.do_sqrt(op, indices, -1)

    def do_cast(self, op, indices):
        return self.operand(op, 0, indices)

    def do_transpose(self, op, indices):
        result = [None] * len(indices)
        for axis, source in enumerate(op.attributes["permutation"]):
            result[source] = indices[axis]
        return self.operand(op, 0, result)

    def do_broadcast(self, op, indices):
        return self.operand(op, 0, [indices[d] for d in op.attributes["dims"]])

    # --- Sums ----------------------------------------------------------------------
    def do_matmul(self, op, indices):
        lists, bound = self.mapped(op, indices)
        return self.sum(bound, self.multiply(*(self.operand(op, i, lists[i]) for i in (0, 1))))

    def reduced(self, op, indices):
        rest, inner, bound = iter(indices), [], []
        for axis in range(len(indices) + len(op.attributes["dims"])):
            if axis in op.attributes["dims"]:
                bound.append(("?", next(self.fresh)))
            inner.append(bound[-1] if axis in op.attributes["dims"] else next(rest))
        return bound, self.operand(op, 0, inner)

    def do_reduce_sum(self, op, indices):
        return self.sum(*self.reduced(op, indices))

    def do_reduce_max(self, op, indices):
        bound, body = self.reduced(op, indices)
        return {self.bind("max", bound, body): Fraction(1)}

    def sum(self, bound, body):
        inside = {a: e for a, e in body.items() if any(contains(a, b) for b in bound)}
        before = {a: e for a, e in body.items() if a not in inside}
        return self.multiply(before, {self.bind("sum", bound, inside): Fraction(1)})

    @staticmethod
    def bind(name, bound, body):
        """Numbers the bound indices, in the order that gives the least text."""
        first, best = highest_bound(freeze(body)) + 1, None
        for order in itertools.permutations(bound):
            renamed = dict(body)
            for number, old in enumerate(order):
                renamed = {replace(a, old, ("b", first + number)): e for a, e in renamed.items()}
            text = freeze(renamed)
            if best is None or show(text) < show(best):
                best = text
        return name, len(bound), best

    def do_add(self, op, indices, sign=1):
        lists, _ = self.mapped(op, indices)
        terms = []
        for i in (0, 1):
            monomial = self.operand(op, i, lists[i])
            if i and sign < 0:
                monomial = self.multiply({MINUS: Fraction(1)}, monomial)
            (atom, exponent), = monomial.items() if len(monomial) == 1 else ((None, None),)
            terms += atom[1] if exponent == 1 and atom[0] == "+" else [freeze(monomial)]
        signed = [entry for term in terms for entry in self.signed_terms(term)]
        self.cancels |= any((not minus, rest) in signed for minus, rest in signed)
        return {("+", tuple(sorted(terms, key=show))): Fraction(1)}

    def signed_terms(self, term, minus=False):
        """(whether it is subtracted, the rest) of each term, through sums in a sum."""
        factors = {a: Fraction(e) for a, e in term}
        minus ^= factors.pop(MINUS, 0) == 1
        (atom, exponent), = factors.items() if len(factors) == 1 else ((None, None),)
        if exponent == 1 and atom[0] == "+":
            return [entry for inner in atom[1] for entry in self.signed_terms(inner, minus)]
        return [(minus, freeze(factors))]

    def do_sub(self, op, indices):
        return self.do_add(op, indices, -1)

    # --- Others --------------------------------------------------------------------
    def opaque(self, op, indices):
        lists = [indices] * len(op.operands)
        if "maps" in op.attributes:
            lists, _ = self.mapped(op, indices)
        operands = [freeze(self.operand(op, i, lists[i])) for i in range(len(op.operands))]
        if op.name in ("max", "min"):
            operands.sort(key=show)
        attributes = tuple((k, repr(v)) for k, v in sorted(op.attributes.items()) if k != "maps")
        return {(op.name, attributes, tuple(operands)): Fraction(1)}


class _Ranked:
    def __init__(self, rank):
        self.ndim = rank


def normalize(candidate, with_maps=True):
    """(text, whether something is taken back) of a candidate of one kernel."""
    (kernel,) = [op for op in candidate.body.ops if op.name == "kernel"]
    sources = {name: "a%d" % i for i, (name, _) in enumerate(candidate.body.arguments)}
    normalizer = Normalizer(kernel, sources, with_maps)
    return normalizer.run(), normalizer.cancels


def describe(candidate):
    """One line: ops, accumulators, maps; what tells unique graphs apart."""
    (kernel,) = [op for op in candidate.body.ops if op.name == "kernel"]
    sources = {name: "a%d" % i for i, (name, _) in enumerate(candidate.body.arguments)}
    normalizer = Normalizer(kernel, sources)

    def value(name):
        op = normalizer.producer[name]
        if op.name in ("cast", "transpose"):
            return value(op.operands[0])
        if op.name == "load":
            return "%s[%s]" % (normalizer.source[op.operands[0]], ",".join(
                "/".join(s) for s in normalizer.splits(op)))
        if op.name == "constant":
            return str(op.attributes["value"])
        operands = [value(o) for o in op.operands]
        if op.name in ("mul", "add", "matmul", "max", "min"):
            operands.sort()
        name = {"accumulate": "acc"}.get(op.name, op.name)
        return "%s(%s)" % (name, ", ".join(operands))
    return "; ".join("%s -> %s" % (value(save.operands[0]), normalizer.splits(save))
                     for save in normalizer.saves())
