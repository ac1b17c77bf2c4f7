# REQUIRES: python-ctypes
# RUN: %python %s %prism_src/test %t
"""prism-run on modules: as they came, optimized, and made into PTX, against NumPy.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

TESTS, FOLDER = sys.argv[1:3]
os.makedirs(FOLDER, exist_ok=True)
peak_kib = 0  # most memory of the last run
rng = np.random.default_rng(7)


def normal(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def prism_run(module, entry, inputs, num_results, flags=()):
    """(results, text of errors)"""
    command = ["prism-run", module, "--entry=" + entry, *flags]
    for index, array in enumerate(inputs):
        path = os.path.join(FOLDER, "a%d.npy" % index)
        np.save(path, array)
        command.append("--input=" + path)
    paths = [os.path.join(FOLDER, "r%d.npy" % i) for i in range(num_results)]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command + ["--output=" + path for path in paths],
                                   stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read()
    global peak_kib
    peak_kib = usage.ru_maxrss
    if process.returncode not in (0, 1):
        sys.exit("%s: died with %d\n%s" % (entry, process.returncode, text[-3000:]))
    return [np.load(path) for path in paths] if process.returncode == 0 else None, text


def optimize(source, name, emit):
    path = os.path.join(FOLDER, "%s-%s.mlir" % (name, emit))
    subprocess.run(["prism-opt", source, "-o", path,
                    "--prism-superoptimize=target=sm_80 emit=" + emit],
                   check=True, capture_output=True)
    with open(path) as file:
        return path, file.read()


def check(what, got, want, tolerance):
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        sys.exit("%s: shape %s, expected %s" % (what, got.shape, want.shape))
    scale = np.sqrt(np.mean(np.float64(want) ** 2)) if want.size else 1
    error = np.abs(np.float64(got) - want).max(initial=0) / (scale or 1)
    if not error <= tolerance:
        sys.exit("%s: error %.3g, bound %.3g" % (what, error, tolerance))


def compare(source, name, cases, launches):
    """Runs each (entry, inputs, results, tolerance) on the module as it came, and on
    what the pipeline makes of it, which has `launches` launches."""
    runs = [("as it came", source, ())]
    for emit in ("prism", "gpu", "ptx"):
        path, text = optimize(source, name, emit)
        if emit != "prism" and text.count("gpu.launch_func") != launches:
            sys.exit("%s: %d launches, expected %d" % (
                name, text.count("gpu.launch_func"), launches))
        runs.append((emit, path, ()))
    runs.append(("ptx, reversed", path, ("--order=reverse",)))
    for how, path, flags in runs:
        for entry, inputs, want, tolerance in cases:
            got, errors = prism_run(path, entry, inputs, len(want), flags)
            what = "%s @%s, %s" % (name, entry, how)
            if got is None:
                sys.exit("%s: %s" % (what, errors[-3000:]))
            for index, (g, w) in enumerate(zip(got, want)):
                check("%s, result %d" % (what, index), g, w, tolerance)
    print("ok", name)


def to_bf16(array):
    bits = np.asarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


# --- Host code and kernels mixed -------------------------------------------------
MIXED = os.path.join(TESTS, "Tools", "Inputs", "mixed.mlir")


def mixed(big, w, back, count):
    h = 0.5 * (np.float64(big[3:]) @ w)
    for i in range(count):
        u = h @ back
        u[1, i] = h[0, 1]
        h = 0.5 * (u @ w)
    h += np.array([0.5, -1.0, 0.25, 2.0, 0.0, 1.5])[:, None]
    return [h, h.sum(1), 7]


big, w, back = normal(9, 40), normal(40, 24, scale=0.3), normal(24, 40, scale=0.3)
cases = [("mixed", [big, w, back, np.array(n, np.int32)], mixed(big, w, back, n), 1e-5)
         for n in (0, 1, 3)]
cases.append(("scaled", [big[:6], w], [0.5 * (np.float64(big[:6]) @ w)], 1e-5))
for shape in ((1, 3), (5, 7)):
    x = normal(*shape)
    sums = np.float64(x).sum(1)
    cases.append(("rows", [x, np.array(shape[0] - 1)],
                  [sums, 2 * shape[0] - 1, sums[-1]], 1e-5))
compare(MIXED, "mixed", cases, launches=6)

xb = to_bf16(normal(4, 8))
halves = [xb, normal(4, 8).astype(np.float16), np.float16(1.5)]
for source in (MIXED, os.path.join(FOLDER, "mixed-ptx.mlir")):
    got, errors = prism_run(source, "halves", halves, 3)
    e, s, p = got or sys.exit(errors[-3000:])
    check("halves: exp", from_bf16(e), np.exp(from_bf16(xb)), 2e-2)
    check("halves: scaled", s, np.float64(halves[1]) * 1.5, 1e-3)
    if p.dtype != np.bool_ or not np.array_equal(p, halves[1] > 0):
        sys.exit("halves: positive: %s" % p)

# --- Programs as importers emit them -----------------------------------------------
PROGRAMS = os.path.join(TESTS, "Inputs", "programs")


def layer(x, w1, w2):
    h = x / np.sqrt((x ** 2).mean(1, keepdims=True) + 1e-5) @ w1
    return x + h / (1 + np.exp(-h)) @ w2


ws = [normal(64, 128, scale=0.1), normal(128, 64, scale=0.1),
      normal(64, 128, scale=0.1), normal(128, 64, scale=0.1)]
x = normal(12, 64)
one = layer(np.float64(x), *ws[:2])
source = os.path.join(PROGRAMS, "045-two-equal-layers-through-a-private-function.mlir")
_, text = optimize(source, "layers", "gpu")
compare(source, "layers", [("entry", [x, *ws], [layer(one, *ws[2:])], 1e-5),
                           ("single", [x, *ws[:2]], [one], 1e-5)],
        launches=text.count("gpu.launch_func"))

h, res, gain = normal(1, 1, 1536), normal(1, 1, 1536), normal(1536)
total = np.float64(h) + res
normed = total / np.sqrt((total ** 2).mean() + 1e-6) * gain
source = os.path.join(PROGRAMS, "004-skip-rmsnorm-two-results.mlir")
_, text = optimize(source, "skip", "gpu")
compare(source, "skip", [("skip_norm", [h, res, gain], [normed, total], 1e-5)],
        launches=text.count("gpu.launch_func"))

# --- Modules that Prism did not make -------------------------------------------------
HAND = os.path.join(TESTS, "Tools", "Inputs", "hand-written.mlir")
x8, a, n = normal(8), np.float32(1.5), np.array(4, np.int32)
(got,), _ = prism_run(HAND, "twice", [x8, a, n], 1)
check("twice", got, x8[4:] * 2.25, 1e-6)
(got,), _ = prism_run(HAND, "constant", [a, n], 1)
check("constant", got, [1.5, 3, 4.5, 6, -1, -1, -1, -1], 0)
(got,), _ = prism_run(HAND, "carried", [x8[:4], np.array(5, np.int32)], 1)
check("carried", got, 6 * x8[:4], 1e-6)

# Each of 40 iterations has 8 MiB of buffers, none of which outlives it.
many = np.arange(1 << 20, dtype=np.float32)


def loop_memory(times):
    (got,), _ = prism_run(HAND, "loop", [many, a, np.array(1 << 20, np.int32), np.array(times, np.int32)], 1)
    check("loop", got, 1.5 * sum(range(times)), 1e-6)
    return peak_kib


few = loop_memory(2)
if loop_memory(40) > few + 64 * 1024:
    sys.exit("buffers of a loop: %d KiB, %d in a short one" % (peak_kib, few))


# --- Errors -----------------------------------------------------------------------
def fails(what, module, entry, inputs, message, flags=()):
    results, errors = prism_run(module, entry, inputs, 0, flags)
    if results is not None or not re.search(message, errors):
        sys.exit("%s: expected an error '%s', got:\n%s" % (what, message, errors[-3000:]))


fails("unwritten", HAND, "twice", [x8, a, np.array(3, np.int32)],
      r"'buffer of line \d+' has 4 bytes that no kernel has written")
fails("out of bounds", HAND, "constant", [a, np.array(8, np.int32)],
      r"kernel scale, block \(0,0,0\), thread \(4,0,0\), PTX line \d+: out-of-bounds access")
fails("no threads", HAND, "no_threads", [x8[:4], a, n], "block")
fails("cubin", HAND, "no_ptx", [x8[:4]], "PTX")
fails("freed twice", HAND, "freed_twice", [x8[:4]], "a buffer is freed that is not allocated, or freed already")
fails("unequal extents", HAND, "unequal", [x8, x8[:5]], "dimension #0 of (input/output )?operand #1")
fails("index outside", HAND, "outside", [x8[:4], np.array(4)], "out-of-bounds")
fails("argument type", HAND, "strange", [x8[:4]], r"argument 0 of 'strange' is vector<4xf32>")
fails("declaration", HAND, "declared", [x8[:4]], "has no function 'declared' with a body")
fails("external callee", HAND, "calls", [x8[:4]], "function 'declared' is called but has no body")
fails("entry", HAND, "none", [], "it has: twice, constant, loop, carried, freed_twice, no_threads")
fails("count", MIXED, "scaled", [w], "'scaled' takes 2 arguments, 1 inputs")
fails("type", MIXED, "scaled", [big[:6], w.astype(np.float64)],
      r"argument 1 of 'scaled' is tensor<40x24xf32>, the input is 40x24xf64")
fails("shape", MIXED, "scaled", [big, w], r"the input is 9x40xf32")
# A block too few: the host finds what the kernel left out.
text = open(os.path.join(FOLDER, "mixed-gpu.mlir")).read()
body = re.search(r"func.func @scaled.*?\n  \}", text, re.S)[0]
broken = os.path.join(FOLDER, "broken.mlir")
with open(broken, "w") as file:
    file.write(text.replace(body, re.sub(r"blocks in \(%c(\d+)", "blocks in (%c1", body)))
fails("a grid too small", broken, "scaled", [big[:6], w], r"has \d+ bytes that no kernel has written")
garbage = os.path.join(FOLDER, "garbage.mlir")
with open(garbage, "w") as file:
    file.write("func.func @f( {")
fails("garbage", garbage, "f", [], "garbage.mlir:1:.*error")

# --- Host code that goes wrong, or far -----------------------------------------------
HOST = os.path.join(TESTS, "Tools", "Inputs", "host-code.mlir")
(got,), _ = prism_run(HOST, "factorial", [np.array(20)], 1)
check("factorial", got, 2432902008176640000, 0)
for shape in ((4,), (0,)):
    got, _ = prism_run(HOST, "twoResults", [normal(*shape)], 2)
    if [array.shape for array in got] != [shape, shape]:
        sys.exit("twoResults: %s" % got)
if prism_run(HOST, "nothing", [], 0)[0] != []:
    sys.exit("nothing failed")
i32 = lambda value: np.array(value, np.int32)
(got,), _ = prism_run(HOST, "divide", [i32(7), i32(2)], 1)
check("divide", got, 3, 0)
for a, b in ((4, 0), (-2 ** 31, -1)):
    fails("division", HOST, "divide", [i32(a), i32(b)], "host code divides an integer by zero")
fails("recursion", HOST, "deep", [np.array(1 << 40), np.array(0.5)], "it recurses too deep")
fails("a negative extent", HOST, "allocate", [np.array(-5)], "an allocation of -20 bytes")
fails("too large", HOST, "allocate", [np.array(1 << 43)], "an allocation of 35184372088832 bytes .* is not possible")
print("ok errors")
