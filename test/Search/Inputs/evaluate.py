# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs and candidates compute, in float64, by the dialect's description alone.

Casts are the identity: equality is over the reals. A candidate's kernels are run block
by block and step by step on ragged chunks: chunk j of an extent D with tile t is
[j t, min((j + 1) t, D)) (DECISIONS: a split is given by its tile extent). Nothing of
the search or of the verifier is used.
"""
import itertools
import math

import numpy as np

from prism_ir import evaluate_extent


class Misfit(Exception):
    """The candidate makes no sense at these sizes: shapes that do not match, a value
    of one step used after the loop, blocks that write different values to one place."""


def _erf(x):
    return np.vectorize(math.erf, otypes=[float])(x)


def _gelu(kind, x):
    if kind == "erf":
        return x / 2 * (1 + _erf(x / math.sqrt(2)))
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


UNARY = {
    "neg": np.negative, "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x), "square": np.square, "reciprocal": lambda x: 1 / x,
    "tanh": np.tanh, "erf": _erf, "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)), "relu": lambda x: np.maximum(x, 0),
    "cast": lambda x: x,
}
MAPPED = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
    "max": np.maximum, "min": np.minimum, "pow": np.power, "select": np.where,
}
COMPARE = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
           "eq": np.equal, "ne": np.not_equal}


def match_extents(maps, arrays):
    """Iteration dim -> extent; each map lists the iteration dims of an array."""
    extents = {}
    for dims, array in zip(maps, arrays):
        if len(dims) != array.ndim:
            raise Misfit("rank %d where %d dims are named" % (array.ndim, len(dims)))
        for dim, extent in zip(dims, array.shape):
            if extents.setdefault(dim, extent) != extent:
                raise Misfit("extents %d and %d meet" % (extents[dim], extent))
    return extents


def align(array, dims, result_dims):
    """`array`, indexed by `dims`, with the axes of `result_dims`; 1 where it has none."""
    order = sorted(range(array.ndim), key=lambda axis: result_dims.index(dims[axis]))
    shape = [array.shape[dims.index(d)] if d in dims else 1 for d in result_dims]
    return array.transpose(order).reshape(shape)


def default_maps(op, arrays):
    if op.name != "matmul":
        return [list(range(array.ndim)) for array in arrays] + [list(range(arrays[0].ndim))]
    batch = list(range(arrays[0].ndim - 2))
    m, n, k = range(len(batch), len(batch) + 3)
    return [batch + [m, k], batch + [k, n], batch + [m, n]]


def compute(op, arrays, extents):
    """A compute op; `extents()` are those of its result, asked for only where the
    operands do not give them."""
    name, attributes = op.name, op.attributes
    with np.errstate(all="ignore"):
        if name in UNARY:
            return UNARY[name](arrays[0])
        if name == "gelu":
            return _gelu(attributes["kind"], arrays[0])
        if name in MAPPED or name in ("compare", "matmul"):
            maps = attributes.get("maps") or default_maps(op, arrays)
            match_extents(maps[:-1], arrays)
            if name == "matmul":
                return np.einsum(arrays[0], maps[0], arrays[1], maps[1], maps[2])
            function = COMPARE[attributes["kind"]] if name == "compare" else MAPPED[name]
            result = function(*(align(array, dims, maps[-1])
                                for array, dims in zip(arrays, maps)))
            return result
        if name in ("reduce_sum", "reduce_max"):
            axes = tuple(attributes["dims"])
            return (np.sum if name == "reduce_sum" else np.max)(arrays[0], axis=axes)
        if name == "transpose":
            return arrays[0].transpose(attributes["permutation"])
        if name == "broadcast":
            shape = extents()
            for axis, dim in enumerate(attributes["dims"]):
                if arrays[0].shape[axis] != shape[dim]:
                    raise Misfit("broadcast of %s to %s" % (arrays[0].shape, shape))
            source = align(arrays[0], attributes["dims"], list(range(len(shape))))
            return np.broadcast_to(source, shape)
        if name == "slice":
            dim, offset = attributes["dim"], attributes["offset"]
            return np.take(arrays[0], range(offset, offset + extents()[dim]), axis=dim)
        if name == "concat":
            return np.concatenate(arrays, axis=attributes["dim"])
        if name == "reshape":
            return reshape(op, arrays[0], extents())
        if name == "softmax":
            shifted = np.exp(arrays[0] - arrays[0].max(axis=attributes["dim"], keepdims=True))
            return shifted / shifted.sum(axis=attributes["dim"], keepdims=True)
        if name == "rms_norm":
            mean = np.mean(arrays[0] ** 2, axis=attributes["dim"], keepdims=True)
            return arrays[0] / np.sqrt(mean + attributes["epsilon"])
    raise ValueError("prism.%s has no evaluation" % name)


def reshape(op, array, shape):
    if math.prod(shape) != array.size:
        raise Misfit("reshape of %s to %s" % (array.shape, tuple(shape)))
    return array.reshape(shape)


class Sizes:
    """Values of extent symbols, and of `<kernel>.<dim>`, the number of chunks."""

    def __init__(self, symbols):
        self.symbols = dict(symbols)

    def of(self, text, split=None):
        return evaluate_extent(text, self.symbols.__getitem__, split)

    def shape(self, type):
        return tuple(self.of(extent) for extent in type.extents)


def run_block(block, values, sizes, run_kernel=None):
    """The results of a block of whole-tensor ops; `values` has its arguments."""
    for op in block.ops:
        arrays = [values[operand] for operand in op.operands]
        if op.name == "kernel":
            values.update(zip(op.results, run_kernel(op, arrays)))
        else:
            values[op.result] = constant(op, sizes) if op.name == "constant" else compute(
                op, arrays, lambda: sizes.shape(op.type))
    return [values[name] for name in block.yielded]


def constant(op, sizes):
    value = op.attributes["value"]
    if isinstance(value, str):
        return np.float64(sizes.of(value))
    return np.array(value) if isinstance(value, bool) else np.float64(value)


def evaluate_program(program, arguments, symbols):
    """Its results; `symbols` gives every extent symbol a value."""
    values = dict(zip([name for name, _ in program.body.arguments], arguments))
    return run_block(program.body, values, Sizes(symbols))


class Kernel:
    """A run of one graph-defined kernel on whole arrays."""

    def __init__(self, op, arrays, sizes, get_tile):
        self.op, self.sizes = op, sizes
        self.arrays = dict(zip([name for name, _ in op.body.arguments], arrays))
        self.parallel = [(name, kind, tile or get_tile(op.attributes["name"], name, kind))
                         for name, kind, tile in op.attributes["parallel"]]
        self.tiles = {name: tile for name, _, tile in self.parallel}
        self.loop = next((name for name, kind, _ in self.parallel if kind == "loop"), None)
        self.producer = {op.result: op for op in op.body.ops}
        self.block, self.step, self.memo = {}, None, {}

    def run(self):
        grid = [name for name, kind, _ in self.parallel if kind == "grid"]
        counts = [self.count_chunks(name) for name in grid]
        for name, count in zip(grid, counts):
            self.sizes.symbols["%s.%s" % (self.op.attributes["name"], name)] = count
        saves = [self.producer[name] for name in self.op.body.yielded]
        results = [np.full(self.sizes.shape(save.type), np.nan) for save in saves]
        written = [np.zeros(result.shape, bool) for result in results]
        for block in itertools.product(*(range(count) for count in counts)):
            self.block, self.memo = dict(zip(grid, block)), {}
            self.step, self.steps = None, self.count_steps()
            for save, result, mask in zip(saves, results, written):
                self.save(save, result, mask)
        if not all(mask.all() for mask in written):
            raise Misfit("some elements of a result are never written")
        return results

    def sites(self):
        return [op for op in self.op.body.ops if op.name in ("load", "save")]

    def count_chunks(self, dim):
        """Along a grid dim: of the longest extent that it splits."""
        longest = 0
        for op in self.sites():
            type = op.types[0] if op.name == "load" else op.type
            leading = len(type.extents) - len(op.attributes["map"])
            for extent, splits in zip(type.extents[leading:], op.attributes["map"]):
                if splits[:1] == [dim]:
                    longest = max(longest, self.sizes.of(extent))
        if not longest:
            raise Misfit("nothing is split along %s" % dim)
        return -(-longest // self.tiles[dim])

    def chunk(self, start, extent, dim):
        """Start and extent of this block's (step's) chunk of [start, start + extent)."""
        index = self.step if dim == self.loop else self.block[dim]
        first = index * self.tiles[dim]
        return start + min(first, extent), max(0, min(self.tiles[dim], extent - first))

    def count_steps(self):
        steps = 0
        for op in self.sites():
            for extent, splits in zip(op.types[0].extents, op.attributes["map"]):
                if op.name == "load" and self.loop in splits:
                    start, extent = 0, self.sizes.of(extent)
                    for dim in splits[:splits.index(self.loop)]:
                        start, extent = self.chunk(start, extent, dim)
                    steps = max(steps, -(-extent // self.tiles[self.loop]))
        return steps

    def ranges(self, shape, splits_of):
        index = []
        for extent, splits in zip(shape, splits_of):
            start = 0
            for dim in splits:
                if dim == self.loop and self.step is None:
                    raise Misfit("a value of one step is used after the loop")
                start, extent = self.chunk(start, extent, dim)
            index.append(slice(start, start + extent))
        return tuple(index)

    def save(self, op, result, written):
        splits = op.attributes["map"]
        partials = op.attributes.get("partials", [])
        place = tuple(self.block[dim] for dim in partials)
        place += self.ranges(result.shape[len(partials):], splits)
        tile = self.get(op.operands[0])
        if result[place].shape != tile.shape:
            raise Misfit("a tile of shape %s is saved where %s is wanted"
                         % (tile.shape, result[place].shape))
        again = written[place]
        if again.any() and not np.allclose(result[place][again], tile[again], 1e-9, 1e-12):
            raise Misfit("blocks write different values to one place")
        result[place], written[place] = tile, True

    def get(self, name):
        """The value of this block and step."""
        key = name, self.step
        if key not in self.memo:
            self.memo[key] = self.evaluate(self.producer[name])
        return self.memo[key]

    def tile_shape(self, type):
        return tuple(self.sizes.of(extent, lambda value, dim: self.chunk(0, value, dim)[1])
                     for extent in type.extents)

    def evaluate(self, op):
        if op.name == "load":
            array = self.arrays[op.operands[0]]
            return array[self.ranges(array.shape, op.attributes["map"])]
        if op.name == "accumulate":
            return self.accumulate(op)
        if op.name == "constant":
            return constant(op, self.sizes)
        arrays = [self.get(operand) for operand in op.operands]
        if op.name == "thread_graph":
            return self.thread_graph(op, arrays)
        return compute(op, arrays, lambda: self.tile_shape(op.type))

    def thread_graph(self, op, arrays):
        """Elementwise: however the threads share the tile, it is the chain on all of it."""
        values = dict(zip([name for name, _ in op.body.arguments], arrays))
        for inner in op.body.ops:
            operands = [values[operand] for operand in inner.operands]
            if inner.name in ("load", "save"):
                values[inner.result] = operands[0]
            elif inner.name == "constant":
                values[inner.result] = constant(inner, self.sizes)
            else:
                values[inner.result] = compute(inner, operands, None)
        return values[op.body.yielded[0]]

    def accumulate(self, op):
        if op.attributes["over"] != self.loop or self.step is not None:
            raise Misfit("an accumulator inside the loop, or over another dim")
        total = shift = None
        for self.step in range(self.steps):
            tile = self.get(op.operands[0])
            if total is not None and total.shape != tile.shape:
                raise Misfit("an accumulator of tiles of shapes %s and %s"
                             % (total.shape, tile.shape))
            if op.attributes["kind"] == "rescaled_sum":
                total, shift = self.rescale(op, total, shift, tile, self.get(op.operands[1]))
            elif total is None:
                total = tile
            else:
                total = total + tile if op.attributes["kind"] == "sum" else np.maximum(
                    total, tile)
        self.step = None
        return total

    @staticmethod
    def rescale(op, total, shift, tile, step_shift):
        """Online: the sum of t_i exp(m_i - M), M the maximum of the m_i so far; steps
        with m_i = -inf contribute 0."""
        maps = op.attributes.get("maps") or default_maps(op, [tile, step_shift])
        match_extents(maps[:2], [tile, step_shift])
        new = step_shift if shift is None else np.maximum(shift, step_shift)

        def scaled(values, by):
            with np.errstate(invalid="ignore"):
                factor = np.where(np.isneginf(by), 0.0, np.exp(by - new))
            return np.where(align(factor, maps[1], maps[2]) == 0, 0.0,
                            values * align(factor, maps[1], maps[2]))
        result = scaled(tile, step_shift)
        return (result if total is None else result + scaled(total, shift)), new


def evaluate_candidate(candidate, arguments, symbols, get_tile):
    """Its results. `get_tile(kernel, dim, kind)` gives the tile extent of a parallel dim
    that has none. Raises Misfit."""
    sizes = Sizes(symbols)
    values = dict(zip([name for name, _ in candidate.body.arguments], arguments))
    return run_block(candidate.body, values, sizes,
                     lambda op, arrays: Kernel(op, arrays, sizes, get_tile).run())


# --- Numbers on which what differs looks different ----------------------------------
def random_arguments(program, symbols, seed, positive=False):
    """Away from 0, of unequal rows, small: no pole, no saturated silu, and the maximum
    of a Gram matrix is not always on its diagonal."""
    rng = np.random.default_rng(seed)
    arrays = []
    for _, type in program.body.arguments:
        shape = Sizes(symbols).shape(type)
        if type.element == "i1":
            arrays.append(rng.random(shape) < 0.5)
            continue
        values = rng.uniform(0.3, 1.1, shape)
        if not positive:
            values *= rng.choice([-1.0, 1.0], shape)
        for axis, extent in enumerate(shape):
            values *= rng.uniform(0.6, 1.4, extent).reshape(
                [-1 if a == axis else 1 for a in range(len(shape))])
        arrays.append(values)
    return arrays


def defined_arguments(program, symbols, seed):
    """Arguments for which the program is defined; positive ones if need be; None if it
    is defined for neither."""
    for positive in (False, True):
        arguments = random_arguments(program, symbols, seed, positive)
        results = evaluate_program(program, arguments, symbols)
        if all(np.isfinite(r).all() for r in results):
            return arguments, results
    return None


def differ(have, want, tolerance=1e-8):
    """Whether two arrays differ, measured by the wanted one's root mean square."""
    have, want = np.asarray(have), np.asarray(want)  # constants may be numbers
    if have.shape != want.shape:
        return True
    scale = np.maximum(np.abs(want), math.sqrt(np.mean(np.square(want, dtype=float))) or 1.0)
    return not bool(np.all(np.abs(have - want) <= tolerance * scale))
