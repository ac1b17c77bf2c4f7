# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, accumulators and maps of a graph, by trying each on ragged chunks.

A graph of brute_force.py becomes a kernel. Every split of its loaders and savers along
one grid dim, every split of its loaders along the loop with every set of at most so
many accumulated values, is run in numbers; what equals the program is kept. Mapped
candidates are the products under equations (1) and (2), each run once more as a whole.

The rules of the space (docs/search-space.md) used here: a parallel dim splits dims of
one extent; a grid dim splits every result; a kernel that can have a grid has one;
what is accumulated differs from step to step, and is no part of a value along the loop
(a sum of parts that is summed again later is one of less); an argument has one loader unless that
ties two dims of an op together.
"""
import itertools

import numpy as np

from brute_force import Undefined
from evaluate import Misfit, defined_arguments, differ, evaluate_candidate
from evaluate_candidates import SETTINGS
from normal_form import describe, normalize
from prism_ir import Block, Candidate, Op, Type

GRID_NAMES = "xyz"


class Ties:
    """Dims that an op's indices tie together: a split of one splits the other."""

    def __init__(self):
        self.parent = {}

    def find(self, key):
        self.parent.setdefault(key, key)
        while self.parent[key] != key:
            key = self.parent[key]
        return key

    def unite(self, a, b):
        self.parent[self.find(a)] = self.find(b)


class Graph:
    """A graph as a kernel whose maps and accumulators are given later."""

    def __init__(self, brute, applications):
        self.brute, self.program = brute, brute.program
        self.leaf = {n: brute.values.values[n].leaf for n in brute.leaves}
        self.applications = self.in_order(applications)
        self.loaders = self.make_loaders(per_use=False)
        if self.has_tied_dims():
            self.loaders = self.make_loaders(per_use=True)
        self.sites = [(name, axes) for name, _, axes in self.loaders]

    def in_order(self, applications):
        """Topologically."""
        done, order, rest = set(self.leaf), [], list(applications)
        while rest:
            ready = [a for a in rest if all(o in done for o in a.operands)]
            order += ready
            done.update(a.value for a in ready)
            rest = [a for a in rest if a.value not in done]
        return order

    def make_loaders(self, per_use):
        """(name, argument, axes); `self.operand_names` per op."""
        loaders, self.operand_names = {}, []
        for index, application in enumerate(self.applications):
            names = []
            for place, operand in enumerate(application.operands):
                kind, which = self.leaf.get(operand, ("op", None))
                if kind == "argument":
                    name = "%%l%d" % which + ("_%d_%d" % (index, place) if per_use else "")
                    loaders[name] = (name, which, self.brute.values.values[operand].axes)
                else:
                    name = ("%%c%d" if kind == "constant" else "%%v%d") % operand
                names.append(name)
            self.operand_names.append(names)
        return list(loaders.values())

    def tie_dims(self):
        """The ties of all ops, and the dims that each op and value has."""
        ties, groups = Ties(), []
        for index, (application, names) in enumerate(zip(self.applications, self.operand_names)):
            ranks = [len(self.brute.values.values[o].axes) for o in application.operands]
            maps = application.maps or self.unary_maps(application, ranks[0])
            for name, dims in zip(names + ["%%v%d" % application.value], maps):
                for axis, dim in enumerate(dims):
                    ties.unite((name, axis), (index, dim))
            groups.append([(index, d) for d in sorted(set().union(*maps))])
            groups += [[(name, axis) for axis in range(len(dims))]
                       for name, dims in zip(names, maps)]
        return ties, groups

    def has_tied_dims(self):
        """Whether two dims of one op, or of one value, are split together."""
        ties, groups = self.tie_dims()
        return any(len({ties.find(k) for k in group}) < len(group) for group in groups)

    def parts(self, splits):
        """Values with a dim that is one of the loaders' split dims."""
        ties, _ = self.tie_dims()
        split = {ties.find((name, axis)) for name, dims in splits.items()
                 for axis, s in enumerate(dims) if s}
        return {a.value for a in self.applications if any(
            ties.find(("%%v%d" % a.value, axis)) in split for axis in range(len(a.axes)))}

    @staticmethod
    def unary_maps(application, rank):
        return [list(range(rank)), [d for d in range(rank) if d not in (application.dims or ())]]

    def kernel(self, splits, parallel, accumulated=()):
        """The candidate; `splits` gives per site (loader or ("save", i)) its map."""
        values = self.brute.values.values
        body = Block([("%%a%d" % which, type) for which, (_, type) in enumerate(
            self.program.body.arguments)])
        for name, which, axes in self.loaders:
            type = body.arguments[which][1]
            order = self.argument_order(which)
            mapping = [[] for _ in axes]
            for axis, split in enumerate(splits.get(name, [[]] * len(axes))):
                mapping[order[axis]] = split
            body.ops.append(Op("load", [name + "_"], ["%%a%d" % which], {"map": mapping},
                               [type, type]))
            body.ops.append(Op("transpose", [name], [name + "_"], {"permutation": order},
                               [type, Type("tile", axes, "f32")]))
        for number, (kind, which) in self.leaf.items():
            if kind == "constant":
                body.ops.append(Op("constant", ["%%c%d" % number], [], {"value": which},
                                   [Type("tile", (), "f32")]))
        for application, names in zip(self.applications, self.operand_names):
            attributes = {"maps": application.maps} if application.maps else {}
            if application.dims:
                attributes["dims"] = application.dims
            type = Type("tile", values[application.value].axes, "f32")
            result = "%%v%d" % application.value
            if application.value in accumulated:
                body.ops.append(Op(application.name, [result + "_"], names, attributes, [type]))
                body.ops.append(Op("accumulate", [result], [result + "_"],
                                   {"kind": "sum", "over": "i"}, [type]))
            else:
                body.ops.append(Op(application.name, [result], names, attributes, [type]))
        self.add_saves(body, splits)
        arguments = [(name, type) for name, type in self.program.body.arguments]
        outer = Block(arguments)
        results = ["%%r%d" % i for i in range(len(self.brute.targets))]
        outer.ops = [Op("kernel", results, [name for name, _ in arguments],
                        {"name": "k0", "parallel": parallel}, [], body)]
        outer.yielded = results
        return Candidate("brute", "mapped", None, outer)

    def argument_order(self, which):
        """Axis of the argument for each axis of its value, which are sorted."""
        axes = self.program.body.arguments[which][1].extents
        return sorted(range(len(axes)), key=lambda i: (axes[i], i))

    def add_saves(self, body, splits):
        for index, (target, axes) in enumerate(zip(self.brute.targets, self.brute.target_axes)):
            order = self.result_order(index)
            type = Type("tensor", axes, "f32")
            name = "%%s%d" % index
            body.ops.append(Op("transpose", [name + "_"], ["%%v%d" % target],
                               {"permutation": order}, [type]))
            body.ops.append(Op("save", [name], [name + "_"],
                               {"map": splits.get(("save", index), [[]] * len(axes))}, [type]))
            body.yielded.append(name)

    def result_order(self, index):
        """Axis of the value for each dim of the result."""
        value = self.brute.values.values[self.brute.targets[index]]
        for order in itertools.permutations(range(len(value.axes))):
            if tuple(value.axes[i] for i in order) == tuple(self.brute.target_axes[index]) and all(
                    np.allclose(a.transpose(order), b) for a, b in zip(
                        value.arrays, self.brute.target_arrays[index])):
                return list(order)
        raise ValueError("the value is not the result")


class MappedSpace:
    """Right maps of the graphs of one program."""

    def __init__(self, brute, max_accumulators=3, max_grid_dims=3):
        self.brute, self.program = brute, brute.program
        self.max_accumulators, self.max_grid_dims = max_accumulators, max_grid_dims
        self.runs = 0
        self.cases = []
        for seed, setting in enumerate(SETTINGS):
            symbols = setting.symbols(self.program)
            found = defined_arguments(self.program, symbols, 50 + seed)
            if found is None:
                raise Undefined(self.program.name)
            self.cases.append((setting, symbols) + found)

    def is_right(self, candidate, cases=None):
        self.runs += 1
        for setting, symbols, arguments, wanted in cases or self.cases:
            try:
                results = evaluate_candidate(candidate, arguments, symbols, setting.get_tile)
            except Misfit:
                return False
            if any(differ(have, want) for have, want in zip(results, wanted)):
                return False
        return True

    def single_splits(self, sites, dim, must_split=()):
        """Per extent, every choice of one dim or none at each site, but not none at all
        (equation (1)); `must_split` may not be left whole."""
        for extent in sorted({e for _, axes in sites for e in axes}):
            choices = []
            for name, axes in sites:
                options = [[[dim] if j == i else [] for j in range(len(axes))]
                           for i, e in enumerate(axes) if e == extent]
                whole = [[[] for _ in axes]]
                choices.append(options if name in must_split else options + whole)
            for choice in itertools.product(*choices):
                splits = {name: split for (name, _), split in zip(sites, choice)}
                if any(dim in s for split in splits.values() for s in split):
                    yield splits

    def grid_maps(self, graph):
        saves = [(("save", i), axes) for i, axes in enumerate(self.brute.target_axes)]
        names = [name for name, _ in saves]
        return [splits for splits in self.single_splits(graph.sites + saves, "x", names)
                if self.is_right(graph.kernel(splits, [("x", "grid", None)]))]

    def loop_forms(self, graph):
        """(accumulated values, splits of the loaders)."""
        found, values = [], [a.value for a in graph.applications]
        for splits in self.single_splits(graph.sites, "i"):
            varying = self.varying(graph, splits) - graph.parts(splits)
            for count in range(1, self.max_accumulators + 1):
                for accumulated in itertools.combinations(values, count):
                    if set(accumulated) <= varying and self.is_right(graph.kernel(
                            splits, [("i", "loop", None)], accumulated)):
                        found.append((accumulated, splits))
        return found

    @staticmethod
    def varying(graph, splits):
        """Values that are computed from a loader that the loop splits."""
        names = {name for name, split in splits.items() if any(split)}
        found = set()
        for application, operands in zip(graph.applications, graph.operand_names):
            if names.intersection(operands):
                names.add("%%v%d" % application.value)
                found.add(application.value)
        return found

    @staticmethod
    def are_disjoint(a, b):
        """Equation (2)."""
        return not any(s and t for name in a for s, t in zip(a[name], b[name]))

    def products(self, graph):
        """Mapped candidates: sets of grid dims, with each loop or none."""
        grid, loops = self.grid_maps(graph), [((), {})] + self.loop_forms(graph)
        sets = [chosen for count in range(0 if not grid else 1, self.max_grid_dims + 1)
                for chosen in itertools.combinations(grid, count)
                if all(self.are_disjoint(a, b) for a, b in itertools.combinations(chosen, 2))]
        for chosen in sets:
            for accumulated, loop in loops:
                splits = {}
                parallel = [(GRID_NAMES[i], "grid", None) for i in range(len(chosen))]
                parallel += [("i", "loop", None)] if accumulated else []
                for index, one in enumerate(chosen):
                    for name, split in one.items():
                        have = splits.setdefault(name, [[] for _ in split])
                        splits[name] = [h + [GRID_NAMES[index]] * len(s)
                                        for h, s in zip(have, split)]
                for name, split in loop.items():
                    have = splits.setdefault(name, [[] for _ in split])
                    splits[name] = [h + s for h, s in zip(have, split)]
                yield graph.kernel(splits, parallel, accumulated)


class Space:
    """What brute force finds of a program: graphs and normal forms of mapped candidates."""

    def __init__(self, brute, most):
        self.graphs, self.normal_forms, self.not_products = set(), {}, []
        self.algebraic, self.cancelling = 0, 0
        space = MappedSpace(brute)
        for applications in brute.graphs(most):
            graph = Graph(brute, applications)
            _, cancels = normalize(graph.kernel({}, []))
            if cancels:
                self.cancelling += 1
                continue
            self.algebraic += 1
            for candidate in space.products(graph):
                if not space.is_right(candidate, space.cases[:1]):
                    self.not_products.append(describe(candidate))
                text, _ = normalize(candidate)
                self.graphs.add(describe(candidate))
                self.normal_forms.setdefault(text, candidate)
        self.runs = space.runs
