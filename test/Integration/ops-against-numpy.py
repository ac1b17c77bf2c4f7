# RUN: %python %s
# Every compute op on builtin tensors, and in a program, is exported to linalg,
# run on the CPU, and compared with what it is defined to be, in float64.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from run_on_cpu import (TOLERANCE, DTYPES, compare, compile_module, find_functions,
                        random_inputs, to_float64)


def erf(x):
    """By its Maclaurin series in float64; small arguments only."""
    total = term = np.array(x, np.float64)
    for n in range(1, 200):
        term = -term * x * x / n
        total = total + term / (2 * n + 1)
    return total * 2 / np.sqrt(np.pi)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def gelu_tanh(x):
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


UNARY = {
    "neg": lambda x: -x, "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x), "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x, "tanh": np.tanh, "erf": erf, "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x), "relu": lambda x: np.maximum(x, 0),
    "gelu erf": lambda x: x / 2 * (1 + erf(x / np.sqrt(2))), "gelu tanh": gelu_tanh}
POSITIVE = {"log", "sqrt", "rsqrt", "reciprocal", "pow"}
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
          "max": np.maximum, "min": np.minimum, "pow": np.power}
COMPARE = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
           "eq": np.equal, "ne": np.not_equal}

CASES = []  # (function name, MLIR text, numpy function, positive inputs)


def case(name, arguments, result, op, reference, positive=False):
    """`op` is the text of one prism op without its type."""
    name = name.replace(" ", "_")
    parameters = ", ".join("%%%s: tensor<%s>" % (chr(97 + i), t) for i, t in enumerate(arguments))
    types = ", ".join("tensor<%s>" % t for t in arguments)
    CASES.append((name, """
func.func @%s(%s) -> tensor<%s> {
  %%r = prism.%s : (%s) -> tensor<%s>
  return %%r : tensor<%s>
}""" % (name, parameters, result, op, types, result, result), reference, positive))


for t in ("f32", "f16", "bf16", "f64"):
    for op, reference in UNARY.items():
        case("%s_%s" % (op, t), ["4x7x" + t], "4x7x" + t, op + " %a", reference, op in POSITIVE)
    for op, reference in BINARY.items():
        case("%s_%s" % (op, t), ["4x7x" + t] * 2, "4x7x" + t, op + " %a, %b", reference,
             op in POSITIVE)
for op, reference in COMPARE.items():
    case("compare_" + op, ["6x5xf32"] * 2, "6x5xi1", "compare %s %%a, %%b" % op, reference)
for source in ("f32", "f16", "bf16", "f64", "i1"):
    for target in ("f32", "f16", "bf16", "f64"):
        case("cast_%s_%s" % (source, target), ["3x5x" + source], "3x5x" + target, "cast %a",
             lambda x: x)
case("sub_row", ["4x7xf32", "4xf32"], "4x7xf32", "sub %a, %b maps [d0, d1], [d0] -> [d0, d1]",
     lambda a, b: a - b[:, None])
case("div_transposed", ["4x7xf32", "7x4xf32"], "7x4xf32",
     "div %a, %b maps [d1, d0], [d0, d1] -> [d0, d1]", lambda a, b: a.T / b)
case("outer", ["3xf32", "4xf32"], "4x3xf32", "mul %a, %b maps [d1], [d0] -> [d0, d1]",
     lambda a, b: b[:, None] * a)
case("select_row", ["4xi1", "4x7xf32", "4x7xf32"], "4x7xf32",
     "select %a, %b, %c maps [d0], [d0, d1], [d0, d1] -> [d0, d1]",
     lambda c, a, b: np.where(c[:, None] != 0, a, b))
for a, r in (("f32", "f32"), ("f16", "f32"), ("bf16", "f32"), ("f16", "f16"), ("f32", "f64")):
    case("matmul_%s_%s" % (a, r), ["5x9x" + a, "9x6x" + a], "5x6x" + r, "matmul %a, %b", np.matmul)
case("matmul_batched", ["2x3x4xf32", "2x4x5xf32"], "2x3x5xf32", "matmul %a, %b", np.matmul)
case("matmul_transposed", ["2x3x4xf16", "2x5x4xf16"], "2x3x5xf32",
     "matmul %a, %b maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2]",
     lambda a, b: np.einsum("bik,bjk->bij", a, b))
case("matmul_two_dims", ["3x4x5xf32", "4x5x6xf32"], "6x3xf32",
     "matmul %a, %b maps [d1, d2, d3], [d2, d3, d0] -> [d0, d1]",
     lambda a, b: np.einsum("iab,abj->ji", a, b))
case("matmul_dynamic", ["?x?xf32", "?x3xf32"], "?x3xf32", "matmul %a, %b", np.matmul)
case("reduce_sum_f32", ["3x4x5xf32"], "4xf32", "reduce_sum %a dims [0, 2]", lambda a: a.sum((0, 2)))
case("reduce_sum_f16", ["3x40xf16"], "3xf32", "reduce_sum %a dims [1]", lambda a: a.sum(1))
case("reduce_max_f32", ["3x4x5xf32"], "3x5xf32", "reduce_max %a dims [1]", lambda a: a.max(1))
case("reduce_max_bf16", ["?x9xbf16"], "?xbf16", "reduce_max %a dims [1]", lambda a: a.max(1))
case("reduce_all", ["3x4xf32"], "f32", "reduce_sum %a dims [0, 1]", lambda a: a.sum())
case("transpose", ["2x3x4xf32"], "4x2x3xf32", "transpose %a permutation [2, 0, 1]",
     lambda a: a.transpose(2, 0, 1))
case("broadcast", ["3xf32"], "4x3xf32", "broadcast %a dims [1]",
     lambda a: np.broadcast_to(a, (4, 3)))
case("slice", ["3x10xf16"], "3x4xf16", "slice %a dim 1 offset 5", lambda a: a[:, 5:9])
case("concat", ["3x2xf32", "3x4xf32", "3x1xf32"], "3x7xf32", "concat %a, %b, %c dim 1",
     lambda *a: np.concatenate(a, 1))
case("concat_dynamic", ["?x2xf32", "?x2xf32"], "?x2xf32", "concat %a, %b dim 0",
     lambda *a: np.concatenate(a, 0))
case("reshape_split", ["6x4xf32"], "2x3x4xf32", "reshape %a ([d0, d1], [d2]) -> ([d0], [d1], [d2])",
     lambda a: a.reshape(2, 3, 4))
case("reshape_merge", ["2x3x4xf32"], "2x12xf32", "reshape %a ([d0], [d1], [d2]) -> ([d0], [d1, d2])",
     lambda a: a.reshape(2, 12))
case("reshape_both", ["6x4x5xf32"], "2x3x20xf32",
     "reshape %a ([d0, d1], [d2], [d3]) -> ([d0], [d1], [d2, d3])", lambda a: a.reshape(2, 3, 20))
case("reshape_units", ["1x4x1x3xf32"], "4x1x3x1xf32",
     "reshape %a ([], [d0], [], [d1]) -> ([d0], [], [d1], [])", lambda a: a.reshape(4, 1, 3, 1))
case("reshape_to_scalar", ["1x1xf32"], "f32", "reshape %a ([], []) -> ()", lambda a: a.reshape(()))
case("reshape_from_scalar", ["f32"], "1x1xf32", "reshape %a () -> ([], [])",
     lambda a: a.reshape(1, 1))
case("reshape_dynamic", ["?x4xf32"], "?x2x2xf32",
     "reshape %a ([d0], [d1, d2]) -> ([d0], [d1], [d2])", lambda a: a.reshape(-1, 2, 2))
case("softmax", ["3x6xf32"], "3x6xf32", "softmax %a dim 1", lambda a: softmax(a, 1))
case("softmax_first", ["6x?xf32"], "6x?xf32", "softmax %a dim 0", lambda a: softmax(a, 0))
for shape in ("3x6xf32", "?x?xf32"):
    case("rms_norm" + ("_dynamic" if "?" in shape else ""), [shape], shape,
         "rms_norm %a dim 1 epsilon 1.0e-05",
         lambda a: a / np.sqrt((a * a).mean(1, keepdims=True) + 1e-5))
CASES.append(("constants", """
func.func @constants(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = prism.constant 2.5 : f32 -> tensor<f32>
  %d = prism.constant #prism.extent<12> -> tensor<f32>
  %e = prism.add %c, %d : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %r = prism.mul %a, %e maps [d0], [] -> [d0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}""", lambda a: a * 14.5, False))


def main():
    text = "\n".join(mlir for _, mlir, _, _ in CASES)
    pipelines = {"exported": ["--convert-prism-to-linalg"],
                 "partitioned": ["--prism-partition", "--convert-prism-to-linalg"]}
    functions = {f.name: f for f in find_functions(text)}
    assert len(functions) == len(CASES), "a signature was not read"
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for pipeline, flags in pipelines.items():
            library = compile_module(text, folder, pipeline, flags)
            for seed, (name, _, reference, positive) in enumerate(CASES):
                function = functions[name]
                inputs = random_inputs(function, seed, positive=positive)
                wide = [to_float64(a, t.element) for a, t in zip(inputs, function.arguments)]
                element = function.results[0].element
                got = to_float64(function(library, inputs)[0], element)
                narrowest = max([TOLERANCE[element], *(TOLERANCE[t.element] for t in
                                                       function.arguments if t.element == element)])
                why = compare(got, np.asarray(reference(*wide), np.float64), narrowest)
                if why:
                    failures += 1
                    print("%s, %s: %s" % (name, pipeline, why), file=sys.stderr)
    print("%d ops compared, %d differ" % (len(CASES) * len(pipelines), failures))
    return 1 if failures else 0


sys.exit(main())
