# REQUIRES: python-ctypes
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %host_cc %t
"""Random C functions, compiled for nvptx64 and for the host by one compiler, on the
simulated device against the host, bit by bit. A compiler without that target (GCC)
has nothing to compare.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import ctypes
import json
import os
import random
import subprocess
import sys

import numpy as np

COMPILER, FOLDER = sys.argv[1:3]
FUNCTIONS, THREADS = 24, 64
INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["float", "double"]

HEADER = """
typedef signed char i8; typedef unsigned char u8; typedef short i16;
typedef unsigned short u16; typedef int i32; typedef unsigned u32;
typedef long long i64; typedef unsigned long long u64;
#ifdef __NVPTX__
#define KERNEL __attribute__((nvptx_kernel))
#define THREAD (int)__nvvm_read_ptx_sreg_tid_x()
#else
#define KERNEL
int thread;
#define THREAD thread
#endif
#define NO_NAN(x) ((x) == (x) ? (x) : 0)
/* Into the range of every integer type. */
static float clampf(float x) { return x > -100 && x < 100 ? x : 3; }
static double clampd(double x) { return x > -100 && x < 100 ? x : 3; }
"""


class Function:
    """One function of random statements on variables of random types."""

    def __init__(self, number, rng):
        self.rng, self.lines = rng, []
        self.variables = [(rng.choice(INTEGERS + FLOATS), "v%d" % i) for i in range(6)]
        for index, (kind, name) in enumerate(self.variables):
            self.lines.append("%s %s = (%s)(in[t] >> %d);" % (kind, name, kind, 5 * index))
        self.lines.append("u32 a[8]; for (int i = 0; i < 8; ++i) a[i] = in[t] * (i + 1);")
        for _ in range(10):
            self.statement(2)
        result = " + ".join("(u64)%s * %d" % (self.integer(name, kind), 2 * i + 3)
                            for i, (kind, name) in enumerate(self.variables))
        self.text = "KERNEL void f%d(const u32 *in, u32 *out) {\n  int t = THREAD;\n  %s\n" \
            "  u64 r = %s;\n  for (int i = 0; i < 8; ++i) r = r * 31 + a[i];\n" \
            "  out[t] = (u32)(r ^ r >> 32);\n}\n" % (number, "\n  ".join(self.lines), result)

    @staticmethod
    def integer(text, kind):
        if kind == "float":
            return "(i32)(clampf(%s) * 1000)" % text
        if kind == "double":
            return "(i64)(clampd(%s) * 1000000)" % text
        return text

    def expression(self, kind, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            if rng.random() < 0.2:
                return "(%s)%d" % (kind, rng.choice([0, 1, 2, 3, 7, 31, 100, 127]))
            if rng.random() < 0.2 and kind in INTEGERS:
                return "(%s)a[%s & 7]" % (kind, self.expression("u32", 0))
            other, name = rng.choice(self.variables)
            text = self.integer(name, other) if kind in INTEGERS else name
            return "(%s)%s" % (kind, text)
        left, right = (self.expression(kind, depth - 1) for _ in range(2))
        if rng.random() < 0.15:
            comparison = rng.choice(["<", "<=", ">", ">=", "==", "!="])
            other = rng.choice(INTEGERS + FLOATS)
            return "(%s %s %s ? %s : %s)" % (self.expression(other, depth - 1), comparison,
                                             self.expression(other, depth - 1), left, right)
        if kind in FLOATS:
            return "(%s %s %s)" % (left, rng.choice("+-*/"), right)
        bits = {"8": 7, "6": 15, "2": 31, "4": 63}[kind[-1]]
        operator = rng.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"])
        if operator in ("<<", ">>"):
            right = "(%s & %d)" % (right, bits)
        if operator in ("/", "%"):  # neither by zero nor by -1
            right = "((%s & 63) | 1)" % right
        return "(%s)(%s %s %s)" % (kind, left, operator, right)

    def assign(self):
        rng = self.rng
        if rng.random() < 0.2:
            return "a[%s & 7] = %s;" % (self.expression("u32", 1), self.expression("u32", 2))
        kind, name = rng.choice(self.variables)
        text = self.expression(kind, 3)
        return "%s = %s;" % (name, "NO_NAN(%s)" % text if kind in FLOATS else text)

    def statement(self, depth):
        rng, choice = self.rng, self.rng.random()
        if depth == 0 or choice < 0.55:
            self.lines.append(self.assign())
        elif choice < 0.7:
            self.lines.append("if (%s < %s) {" % (self.expression("i32", 1), self.expression("i32", 1)))
            self.statement(depth - 1)
            self.lines.append("} else {")
            self.statement(depth - 1)
            self.lines.append("}")
        elif choice < 0.85:
            self.lines.append("for (u32 i%d = 0, n = %s %% 9; i%d < n; ++i%d) {" % (
                depth, self.expression("u32", 1), depth, depth))
            self.statement(depth - 1)
            self.statement(depth - 1)
            self.lines.append("}")
        else:
            self.lines.append("switch (%s & 7) {" % self.expression("u32", 1))
            for case in range(7):
                self.lines.append("case %d: %s %s" % (case, self.assign(), rng.choice(["break;", ""])))
            self.lines.append("}")


def compile_for(output, *flags):
    return subprocess.run(
        [COMPILER, "-O2", "-w", "-fwrapv", "-ffp-contract=off", *flags, "-o", output,
         os.path.join(FOLDER, "random.c")], capture_output=True, text=True)


def run_device(number, data):
    np.save(os.path.join(FOLDER, "in.npy"), data)
    result = os.path.join(FOLDER, "out.npy")
    run = subprocess.run(["prism-run", FOLDER, "--entry=f%d" % number, "--output=" + result,
                          "--input=" + os.path.join(FOLDER, "in.npy")], capture_output=True, text=True)
    return np.load(result) if run.returncode == 0 else sys.exit("f%d: %s" % (number, run.stderr[-2000:]))


rng = random.Random(2026)
source = HEADER + "\n".join(Function(n, rng).text for n in range(FUNCTIONS))
with open(os.path.join(FOLDER, "random.c"), "w") as file:
    file.write(source)
# Without a CUDA toolkit clang would take a PTX version older than sm_80.
ptx = compile_for(os.path.join(FOLDER, "random.ptx"), "--target=nvptx64", "-march=sm_80", "-Xclang",
                  "-target-feature", "-Xclang", "+ptx70", "-S")
if ptx.returncode:
    print("%s does not compile for nvptx64: nothing compared\n%s" % (COMPILER, ptx.stderr[-500:]))
    sys.exit(0)
library = os.path.join(FOLDER, "random.so")
host = compile_for(library, "-shared", "-fPIC")
if host.returncode:
    sys.exit(host.stderr[-2000:])
host = ctypes.CDLL(library)
tensor = {"type": "ui32", "shape": [THREADS]}
with open(os.path.join(FOLDER, "plan.json"), "w") as file:
    json.dump({"version": 1, "target": "sm_80", "functions": [
        {"name": "f%d" % n, "arguments": [tensor], "results": [tensor],
         "launches": [{"module": "random.ptx", "kernel": "f%d" % n, "grid": [1, 1, 1],
                       "block": [THREADS, 1, 1], "shared_bytes": 0,
                       "parameters": [{"argument": 0}, {"result": 0}]}]}
        for n in range(FUNCTIONS)]}, file)
numbers = np.random.default_rng(1)
for n in range(FUNCTIONS):
    data = numbers.integers(0, 1 << 32, THREADS, np.uint32) >> (n % 4 * 8)
    want = np.zeros(THREADS, np.uint32)
    pointer = ctypes.POINTER(ctypes.c_uint32)
    for thread in range(THREADS):
        ctypes.c_int.in_dll(host, "thread").value = thread
        getattr(host, "f%d" % n)(data.ctypes.data_as(pointer), want.ctypes.data_as(pointer))
    got = run_device(n, data)
    if not np.array_equal(got, want):
        thread = int(np.flatnonzero(got != want)[0])
        sys.exit("f%d, thread %d (0x%x): 0x%x, on the host 0x%x" % (
            n, thread, data[thread], got[thread], want[thread]))
print("ok", FUNCTIONS, "functions")
