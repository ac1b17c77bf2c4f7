# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All graphs of at most so many ops that compute a program, by trying.

No axiom, no e-graph: ops are applied to what is there, values are told apart by
numbers at two assignments of extents, and a graph is kept if its value is the
program's. What is cut cannot be completed:
  * a graph whose unused values, and arguments and constants that the program depends on
    and the graph does not yet, are more than the ops left can bring together;
  * a last op that leaves a value unused, or whose result has other dims;
  * where the program is linear in an argument (tried with numbers), a value that
    depends on it in another way: under the rules below nothing makes a linear function
    of it again (no divisor depends on that argument, no root is linear); and without
    additions two unused values that depend on it, which no op may then bring together.

The rules of the space (docs/search-space.md), in the oracle's own words:
  * a value is computed once: no two ops of a graph have equal values, and none has
    the value of an argument or a constant;
  * nothing is divided by, and no root taken of, what may be 0 (negative) where the
    program is defined;
  * a factor that was multiplied in is not divided out again, a term not subtracted;
  * one operand of an elementwise op has all dims of the result; of those with twice the
    same operand only the product is written;
  * one operand of a matmul has a dim of its own: X . X by rows is a square and a sum.
Values that differ in the order of their dims are one: maps permute for free.
"""
import copy
import itertools
import math

import numpy as np

from evaluate import Sizes, compute, constant, defined_arguments, evaluate_program
from prism_ir import Op

EXTENTS = (3, 4, 5, 2, 6), (4, 2, 3, 5, 2)
RELATIVES = {
    "div": ["mul", "div"], "sqrt": ["sqrt", "square", "mul", "div"],
    "rsqrt": ["rsqrt", "sqrt", "square", "mul", "div", "reciprocal"],
    "square": ["square"], "mul": ["mul"], "exp": ["exp", "mul", "div"],
    "silu": ["silu", "sigmoid", "mul"], "sub": ["sub", "add"], "matmul": ["matmul", "mul"],
}
UNARY = ["square", "sqrt", "rsqrt", "reciprocal", "exp", "neg", "silu", "sigmoid", "tanh", "relu"]
ELEMENTWISE = ["mul", "div", "add", "sub"]


def vocabulary(program):
    found = set()
    for op in program.body.ops:
        if op.name not in ("constant", "cast"):
            found.update(RELATIVES.get(op.name, []), [op.name])
    if found & {"mul", "square"}:
        found |= {"mul", "square"}  # a square is a product
    return found


class Value:
    """Symbols of the axes, sorted; arrays at both assignments; what is known of it."""

    def __init__(self, number, axes, arrays):
        self.number, self.axes, self.arrays = number, axes, arrays
        self.nonzero = self.nonnegative = False
        self.is_used = False  # its ops were listed by what was known then
        self.leaf = None  # ("argument", index) or ("constant", value)
        self.dependence = {}  # linear argument -> whether the value is linear in it


    def norms(self):
        """Sums of magnitudes, which the order of the axes does not change."""
        return [float(np.abs(a).sum()) for a in self.arrays]


class Values:
    """Values told apart by numbers."""

    def __init__(self):
        self.values, self.table, self.weights = [], {}, {}

    def weight(self, shape, which):
        key = shape, which
        if key not in self.weights:
            rng = np.random.default_rng([which] + list(shape))
            self.weights[key] = rng.uniform(0.5, 1.5, shape) * rng.choice([-1, 1], shape)
        return self.weights[key]

    def prints(self, arrays):
        return tuple(float(np.sum(a * self.weight(a.shape, i))) for i, a in enumerate(arrays))

    def find(self, axes, arrays):
        """The number of a value with these axes in any order, and the permutation with
        which it is kept; None if it is not finite."""
        if not all(np.isfinite(a).all() for a in arrays):
            return None
        best = None
        for order in itertools.permutations(range(len(axes))):
            if any(axes[a] > axes[b] for a, b in zip(order, order[1:])):
                continue
            turned = [a.transpose(order) for a in arrays]
            key = self.prints(turned)
            if best is None or key < best[0]:
                best = key, order, turned
        prints, order, turned = best
        axes = tuple(axes[i] for i in order)
        number = self.look_up(axes, prints)
        if number is None:
            number = len(self.values)
            self.values.append(Value(number, axes, turned))
            self.table.setdefault(self.bucket(axes, prints[0]), []).append((prints, number))
        return number, order

    @staticmethod
    def bucket(axes, x, by=0):
        mantissa, exponent = math.frexp(x)
        return axes, exponent, round(mantissa * 2 ** 26) + by

    def look_up(self, axes, prints):
        for by in (0, -1, 1):
            for have, number in self.table.get(self.bucket(axes, prints[0], by), ()):
                if all(abs(a - b) <= 1e-8 * (abs(a) + abs(b) + 1e-6)
                       for a, b in zip(have, prints)):
                    return number
        return None


class Application:
    """An op on values; `maps` index the axes of the operands and of the value as kept."""
    __slots__ = ("name", "operands", "maps", "dims", "axes", "value", "is_known", "misses")

    def __init__(self, name, operands, maps, dims, axes):
        self.name, self.operands, self.maps = name, operands, maps
        self.dims, self.axes = dims, axes
        self.value, self.is_known, self.misses = None, False, ()


def matchings(left, right):
    """Partial injections from axes of `left` to axes of `right` of the same extent."""
    found = [()]
    for i, symbol in enumerate(left):
        found = [m + extra for m in found for extra in [()] + [
            ((i, j),) for j, other in enumerate(right)
            if other == symbol and all(j != used for _, used in m)]]
    return found


class Undefined(Exception):
    """The program has no finite result on any of our numbers."""


class BruteForce:
    def __init__(self, program, max_rank=None):
        self.program, self.ops = program, vocabulary(program)
        self.values, self.memo, self.learned_late = Values(), {}, False
        self.written = sum(op.name not in ("constant", "cast") for op in program.body.ops)
        self.max_rank = max_rank or max(
            len(type.extents) for block in (program.body,)
            for type in [t for _, t in block.arguments] + [op.type for op in block.ops])
        self.cases = []
        for seed, extents in enumerate(EXTENTS):
            symbols = {s: extents[i % len(extents)] for i, s in enumerate(program.extents)}
            found = defined_arguments(program, symbols, seed)
            if found is None:
                raise Undefined(program.name)
            self.cases.append((symbols, found[0]))
        self.linear = self.find_linear_arguments()
        self.run_program()
        self.needed = self.find_needed_leaves()
        self.brings_together = bool(self.ops & {"add", "sub"})

    # --- The program ---------------------------------------------------------------
    def run_program(self):
        """Leaves, the results' values, and what the program relies on."""
        numbers, arrays = {}, {}
        self.leaves, applied = [], []
        for index, (name, type) in enumerate(self.program.body.arguments):
            arrays[name] = [arguments[index] for _, arguments in self.cases]
            numbers[name], _ = self.values.find(type.extents, arrays[name])
            self.add_leaf(numbers[name], ("argument", index))
            if index in self.linear:
                self.values.values[numbers[name]].dependence[index] = True
        for op in self.program.body.ops:
            if op.name == "constant":
                arrays[op.result] = [np.asarray(constant(op, Sizes(s))) for s, _ in self.cases]
            else:
                arrays[op.result] = [
                    compute(op, [arrays[o][i] for o in op.operands],
                            lambda i=i: Sizes(self.cases[i][0]).shape(op.type))
                    for i in range(2)]
            numbers[op.result], _ = self.values.find(op.type.extents, arrays[op.result])
            if op.name == "constant":
                self.add_leaf(numbers[op.result], ("constant", op.attributes["value"]))
                value = self.values.values[numbers[op.result]]
                value.nonnegative = bool(value.arrays[0] >= 0)
                value.nonzero = bool(value.arrays[0] != 0)
            applied.append((op, [numbers[o] for o in op.operands], numbers[op.result]))
        self.targets = [numbers[name] for name in self.program.body.yielded]
        self.target_axes = [dict((n, t) for n, t in self.types())[name].extents
                            for name in self.program.body.yielded]
        self.target_arrays = [arrays[name] for name in self.program.body.yielded]
        for op, operands, result in applied:
            self.note(op.name, operands, result)
            if op.name in ("div", "reciprocal", "rsqrt", "log"):
                self.values.values[operands[-1]].nonzero = True
            if op.name in ("sqrt", "rsqrt", "log"):
                self.values.values[operands[0]].nonnegative = True
        for op, operands, result in reversed(applied):  # nonzero goes to the factors
            if self.values.values[result].nonzero and op.name in (
                    "mul", "div", "square", "sqrt", "cast", "neg", "rsqrt", "reciprocal"):
                for operand in operands:
                    self.values.values[operand].nonzero = True

    def types(self):
        return self.program.body.arguments + [(op.result, op.type)
                                              for op in self.program.body.ops]

    def add_leaf(self, number, leaf):
        if number not in self.leaves:
            self.leaves.append(number)
            self.values.values[number].leaf = leaf

    def note(self, name, operands, result):
        """What follows for the sign of a result."""
        value, inputs = self.values.values[result], [self.values.values[o] for o in operands]
        before = value.nonnegative, value.nonzero
        signs = all(v.nonnegative for v in inputs)
        zeros = all(v.nonzero for v in inputs)
        same = len(operands) == 2 and operands[0] == operands[1]
        if name in ("exp", "sigmoid"):
            value.nonnegative = value.nonzero = True
        if name in ("square", "sqrt", "rsqrt") or (name == "mul" and same):
            value.nonnegative = True
        if name in ("mul", "div", "matmul", "reduce_sum", "add", "reciprocal", "cast",
                    "reduce_max") and signs:
            value.nonnegative = True
        if name in ("mul", "div", "square", "sqrt", "rsqrt", "reciprocal", "cast", "neg") and zeros:
            value.nonzero = True
        if name in ("add", "reduce_sum", "matmul", "reduce_max") and zeros and signs:
            value.nonzero = True
        self.learned_late |= value.is_used and before != (value.nonnegative, value.nonzero)

    # --- Ops on values ---------------------------------------------------------------
    def applications(self, a, b=None):
        """Of one value, or of two that are given in order (a <= b)."""
        if (a, b) not in self.memo:
            found = self.unary(a) if b is None else self.binary(a, b)
            self.memo[a, b] = [x for x in found if x is not None]
        return self.memo[a, b]

    def apply(self, name, operands, maps=None, dims=None):
        """The op, to be evaluated when its value is asked for."""
        values = [self.values.values[o] for o in operands]
        if not self.may_be_used(name, values):
            return None
        if maps:
            symbols = {d: s for m, v in zip(maps, values) for d, s in zip(m, v.axes)}
            axes = tuple(symbols[d] for d in maps[-1])
        else:
            axes = tuple(s for i, s in enumerate(values[0].axes) if i not in (dims or ()))
        return Application(name, operands, maps, dims, axes)

    def get_arrays(self, application):
        attributes = {"maps": application.maps, "dims": application.dims}
        op = Op(application.name, ["%"], [], {k: v for k, v in attributes.items() if v}, [])
        return [compute(op, [self.values.values[o].arrays[i] for o in application.operands],
                        None) for i in range(2)]

    def value_of(self, application):
        """The number of its value; None if it has none that is finite."""
        if application.is_known:
            return application.value
        application.is_known = True
        found = self.values.find(application.axes, self.get_arrays(application))
        if found is None:
            return None
        number, order = found
        if application.maps:
            result = application.maps[-1]
            application.maps = application.maps[:-1] + [[result[i] for i in order]]
        elif list(order) != sorted(order):
            return None  # a unary op keeps the order of dims
        application.value = number
        self.note(application.name, application.operands, number)
        self.values.values[number].dependence = self.dependence(
            application.name, [self.values.values[o] for o in application.operands])
        return number

    # --- Linearity ---------------------------------------------------------------------
    def find_linear_arguments(self):
        """Arguments in which all results are linear."""
        found = []
        symbols, arguments = self.cases[0]
        wanted = self.evaluate(arguments, symbols)
        for index in range(len(arguments)):
            other = np.random.default_rng(99).uniform(0.5, 1.5, arguments[index].shape)
            ways = [list(arguments) for _ in range(2)]
            ways[0][index], ways[1][index] = other, arguments[index] * 2 - 3 * other
            results = [self.evaluate(way, symbols) for way in ways]
            if all(np.allclose(c, 2 * a - 3 * b) for a, b, c in zip(wanted, *results)):
                found.append(index)
        return found

    def evaluate(self, arguments, symbols):
        return evaluate_program(self.program, arguments, symbols)

    def find_needed_leaves(self):
        """Leaves on which a result depends: another value of them gives another result."""
        needed = set()
        for number in self.leaves:
            kind, which = self.values.values[number].leaf
            program, arguments = copy.deepcopy(self.program), list(self.cases[0][1])
            if kind == "argument":
                arguments[which] = arguments[which] * np.random.default_rng(7).uniform(
                    0.7, 1.3, arguments[which].shape)
            for op in program.body.ops:
                if op.name == "constant" and kind == "constant" and op.attributes["value"] == which:
                    op.attributes["value"] = 0.37
            results = evaluate_program(program, arguments, self.cases[0][0])
            if not all(np.allclose(a, b) for a, b in zip(
                    results, self.evaluate(self.cases[0][1], self.cases[0][0]))):
                needed.add(number)
        return frozenset(needed)

    @staticmethod
    def dependence(name, values):
        """Linear argument -> True where the result is linear in it, False where it depends
        on it in another way."""
        result = {}
        for argument in set().union(*(v.dependence for v in values)):
            dependent = [v for v in values if argument in v.dependence]
            is_linear = all(v.dependence[argument] for v in dependent)
            if name in ("mul", "matmul"):
                is_linear &= len(values) == 2 and len(dependent) == 1
            elif name == "div":
                is_linear &= argument not in values[1].dependence
            elif name in ("add", "sub"):
                is_linear &= len(dependent) == 2
            else:
                is_linear &= name in ("neg", "reduce_sum")
            result[argument] = is_linear
        return result

    def may_be_used(self, name, values):
        if name in ("mul", "matmul") and len(values) == 2 and values[0] is values[1]:
            return not values[0].dependence
        return all(self.dependence(name, values).values())

    def unary(self, a):
        value = self.values.values[a]
        value.is_used = True
        for name in UNARY:
            if name not in self.ops or self.is_undefined(name, value):
                continue
            yield self.apply(name, [a])
        rank = len(value.axes)
        for name in ("reduce_sum", "reduce_max"):
            if name in self.ops:
                for count in range(1, rank + 1):
                    for dims in itertools.combinations(range(rank), count):
                        yield self.apply(name, [a], dims=list(dims))

    @staticmethod
    def is_undefined(name, value):
        if name in ("sqrt", "rsqrt") and not value.nonnegative:
            return True
        return name in ("rsqrt", "reciprocal") and not value.nonzero

    def binary(self, a, b):
        left, right = self.values.values[a], self.values.values[b]
        for matching in matchings(left.axes, right.axes):
            rank = len(left.axes) + len(right.axes) - len(matching)
            to_left = {j: i for i, j in matching}
            free = iter(range(len(left.axes), rank))
            maps = [list(range(len(left.axes))),
                    [to_left[j] if j in to_left else next(free) for j in range(len(right.axes))]]
            if len(matching) == min(len(left.axes), len(right.axes)) and (
                    a != b or all(i == j for i, j in matching)):
                yield from self.elementwise(a, b, maps, rank)
            if "matmul" in self.ops and len(matching) < max(len(left.axes), len(right.axes)):
                for count in range(1, len(matching) + 1):
                    if rank - count > self.max_rank:
                        continue
                    for summed in itertools.combinations([i for i, _ in matching], count):
                        result = [d for d in range(rank) if d not in summed]
                        yield self.apply("matmul", [a, b], maps + [result])

    def elementwise(self, a, b, maps, rank):
        for name in ELEMENTWISE:
            if name not in self.ops or (a == b and name != "mul"):
                continue
            swaps = (False, True) if name in ("div", "sub") else (False,)
            for swap in swaps:
                operands = [b, a] if swap else [a, b]
                if name == "div" and not self.values.values[operands[1]].nonzero:
                    continue
                yield self.apply(name, operands,
                                 (maps[::-1] if swap else maps) + [list(range(rank))])

    # --- Graphs ------------------------------------------------------------------------
    def graphs(self, most):
        """Lists of applications, fewest ops first, each set once; at most `most` ops, or,
        if that is None, one more than the fewest, which are `self.fewest` afterwards."""
        while True:
            self.learned_late, self.fewest, ops, found = False, None, 1, []
            while ops <= (most or (self.fewest or self.written) + 1):
                found += self.of_size(ops)
                if found and self.fewest is None:
                    self.fewest = ops
                ops += 1
            if not self.learned_late:
                return found
            self.memo.clear()  # more is known to be defined than when we began

    def of_size(self, ops):
        self.grown, self.wanted = 0, set(self.targets)
        self.found, self.chosen = [], []
        have = list(self.leaves)
        extensions = []
        for i, a in enumerate(have):
            extensions += self.applications(a)
            for b in have[:i + 1]:
                extensions += self.applications(min(a, b), max(a, b))
        self.grow(have, set(have), extensions, self.needed, ops)
        return self.found

    def grow(self, have, present, extensions, open_values, left):
        """Adds one of `extensions`; what stands before it is not chosen any more.
        `open_values` are yet to be used: values, and leaves that the program needs."""
        missing = len(self.wanted - present)
        for index, application in enumerate(extensions):
            still_open = open_values.difference(application.operands)
            if len(still_open) > left - 1 + missing:
                continue
            value = self.value_of(application)
            if value is None or value in present:
                continue
            is_wanted = value in self.wanted
            now_missing = missing - is_wanted
            now_open = still_open if is_wanted else still_open | {value}
            if now_missing > left - 1 or len(now_open) > left - 1 + now_missing:
                continue
            if not self.brings_together and any(
                    sum(a in self.values.values[v].dependence for v in now_open) > 1
                    for a in self.values.values[value].dependence):
                continue
            self.grown += 1
            self.chosen.append(application)
            have.append(value)
            present.add(value)
            if left == 1:
                self.found.append(list(self.chosen))
            elif left == 2:
                self.finish(have, present, extensions[index + 1:], now_open)
            else:
                more = extensions[index + 1:] + self.new_applications(have, value)
                self.grow(have, present, more, now_open, left - 1)
            present.discard(value)
            have.pop()
            self.chosen.pop()

    def new_applications(self, have, value):
        more = list(self.applications(value))
        for other in have:
            more += self.applications(min(other, value), max(other, value))
        return more

    def finish(self, have, present, extensions, open_values):
        """The last op: it uses up all open values and computes what is missing."""
        missing = self.wanted - present
        if len(missing) != 1 or len(open_values) > 2:
            return
        (wanted,) = missing
        newest = have[-1]
        if newest not in open_values:
            candidates = extensions + self.new_applications(have, newest)
        elif len(open_values) == 2:
            candidates = self.applications(min(open_values), max(open_values))
        else:
            candidates = self.new_applications(have, newest)
        axes = sorted(self.values.values[wanted].axes)
        for application in candidates:
            if (len(application.axes) == len(axes) and sorted(application.axes) == axes
                    and open_values.issubset(application.operands)
                    and self.computes(application, wanted)):
                self.found.append(self.chosen + [application])

    def computes(self, application, wanted):
        """Whether its value is the wanted one; a value that is not is not kept."""
        if application.is_known:
            return application.value == wanted
        if wanted in application.misses:
            return False
        if any(not abs(np.abs(x).sum() - y) <= 1e-8 * y for x, y in zip(
                self.get_arrays(application), self.values.values[wanted].norms())):
            application.misses += (wanted,)
            return False
        return self.value_of(application) == wanted
