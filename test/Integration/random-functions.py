# RUN: %python %s
"""Random C functions, compiled by clang for nvptx64 and for the host: what the
simulated device computes is what the host computes, bit by bit.

  random-functions.py [--seed=N] [--count=N]

A failure prints the seed, the optimization level and the function.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np

THREADS = 96
TYPES = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "float", "double"]
INTEGERS = TYPES[:8]
PRELUDE = """
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned u32; typedef long long i64; typedef unsigned long long u64;
#ifdef __NVPTX__
#define KERNEL __attribute__((nvptx_kernel))
#define THREAD (int)__nvvm_read_ptx_sreg_tid_x()
#else
#define KERNEL
int thread;
#define THREAD thread
#endif
/* NaNs differ in their bits. */
static u32 bitsF(float x) { union { float f; u32 u; } v = {x}; return x != x ? 7 : v.u; }
static u64 bitsD(double x) { union { double f; u64 u; } v = {x}; return x != x ? 7 : v.u; }
static i32 whole(double x) { return x > -1e9 && x < 1e9 ? (i32)x : 5; }
"""


class Function:
    """Straight-line code, branches, loops, switches and an array, on the variables v0,
    v1, ... of any type. Nothing in it is undefined (with -fwrapv)."""

    def __init__(self, rng, name):
        self.rng, self.lines = rng, []
        self.types = [rng.choice(TYPES) for _ in range(rng.randrange(3, 7))]
        self.loops = 0
        body = []
        self.block(body, 2, rng.randrange(4, 9))
        declared = "".join("  %s v%d = (%s)(x * %du + %d);\n" % (t, i, t, rng.randrange(1, 99), i)
                           for i, t in enumerate(self.types))
        mixed = " ^ ".join("(u64)%s * %du" % (self.as_bits(i), 2 * i + 3) for i in range(len(self.types)))
        self.text = ("KERNEL void %s(const u32 *in, u32 *out) {\n  u32 x = in[THREAD];\n"
                     "  i32 a[8] = {1, 2, 3, 5, 8, 13, 21, (i32)x};\n%s%s"
                     "  u64 r = %s;\n  for (int i = 0; i < 8; ++i)\n    r = r * 31 + (u32)a[i];\n"
                     "  out[THREAD] = (u32)(r ^ r >> 32);\n}\n" % (name, declared, "".join(body), mixed))

    def as_bits(self, i):
        kind = self.types[i]
        return {"float": "bitsF(v%d)", "double": "bitsD(v%d)"}.get(kind, "v%d") % i

    def leaf(self, kinds):
        options = [i for i, t in enumerate(self.types) if t in kinds]
        if options and self.rng.random() < 0.8:
            return "v%d" % self.rng.choice(options)
        return str(self.rng.choice([0, 1, 2, 7, 31, 100, 255, 1000])) if kinds is INTEGERS else \
            self.rng.choice(["0.5f", "3.0", "1.25f", "1e-3"])

    def integer(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.leaf(INTEGERS)
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        kind = rng.choice(["i32", "u32", "i64", "u64"])
        return rng.choice([
            lambda: "(%s %s %s)" % (a, rng.choice("+-*&|^"), b),
            lambda: "((%s)%s %s (%s & %d))" % (kind, a, rng.choice(["<<", ">>"]), b,
                                               63 if kind[1:] == "64" else 31),
            lambda: "((%s)%s %s ((%s & 1023) + 1))" % (kind, a, rng.choice("/%"), b),
            lambda: "(%s %s %s ? %s : %s)" % (a, rng.choice(["<", ">", "<=", "==", "!="]), b,
                                              self.integer(depth - 1), self.integer(depth - 1)),
            lambda: "((%s)(%s))" % (rng.choice(INTEGERS), a),
            lambda: "a[%s & 7]" % a,
            lambda: "whole(%s)" % self.real(depth - 1),
            lambda: "(~%s)" % a,
            lambda: "__builtin_popcount((u32)%s)" % a,
        ])()

    def real(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.leaf(("float", "double"))
        a, b = self.real(depth - 1), self.real(depth - 1)
        return rng.choice([
            lambda: "(%s %s %s)" % (a, rng.choice("+-*/"), b),
            lambda: "((%s)%s)" % (rng.choice(["float", "double"]), self.integer(depth - 1)),
            lambda: "(%s < %s ? %s : %s)" % (a, b, a, self.real(depth - 1)),
            lambda: "((float)%s)" % a,
            lambda: "(-%s)" % a,
        ])()

    def value(self, i, depth):
        real = self.types[i] in ("float", "double")
        return "(%s)(%s)" % (self.types[i], (self.real if real else self.integer)(depth))

    def block(self, out, indent, count):
        rng, pad = self.rng, " " * indent
        for _ in range(count):
            choice = rng.random()
            i = rng.randrange(len(self.types))
            if choice < 0.6 or indent > 6:
                out.append("%sv%d = %s;\n" % (pad, i, self.value(i, 3)))
            elif choice < 0.7:
                out.append("%sa[%s & 7] = (i32)%s;\n" % (pad, self.integer(2), self.integer(2)))
            elif choice < 0.82:
                out.append("%sif (%s > %s) {\n" % (pad, self.integer(2), self.integer(2)))
                self.block(out, indent + 2, 2)
                out.append("%s} else {\n" % pad)
                self.block(out, indent + 2, 1)
                out.append("%s}\n" % pad)
            elif choice < 0.93:
                self.loops += 1
                name = "n%d" % self.loops
                out.append("%sfor (int %s = 0; %s < (int)(%s & 7); ++%s) {\n"
                           % (pad, name, name, "x >> %d" % rng.randrange(8), name))
                self.block(out, indent + 2, 2)
                if rng.random() < 0.3:
                    out.append("%s  if (%s == 3) break;\n" % (pad, self.integer(1)))
                out.append("%s}\n" % pad)
            else:
                out.append("%sswitch ((u32)%s & 7) {\n" % (pad, self.integer(2)))
                for case in range(6):
                    out.append("%scase %d: v%d = %s; %s\n"
                               % (pad, case, i, self.value(i, 1), rng.choice(["break;", ""])))
                out.append("%s  break;\n%s}\n" % (pad, pad))


def run_device(folder, ptx, names, data):
    launches = [{"module": os.path.basename(ptx), "kernel": name, "grid": [1, 1, 1],
                 "block": [THREADS, 1, 1], "shared_bytes": 0,
                 "parameters": [{"argument": 0}, {"result": i}]} for i, name in enumerate(names)]
    array = {"type": "i32", "shape": [THREADS]}
    with open(os.path.join(folder, "plan.json"), "w") as file:
        json.dump({"version": 1, "target": "sm_80", "functions": [
            {"name": "all", "arguments": [array], "results": [array] * len(names),
             "workspaces": [], "launches": launches}]}, file)
    np.save(os.path.join(folder, "in.npy"), data.view(np.int32))
    outputs = [os.path.join(folder, name + ".npy") for name in names]
    subprocess.run(["prism-run", folder, "--entry=all", "--input=" + os.path.join(folder, "in.npy")]
                   + ["--output=" + path for path in outputs], check=True)
    return [np.load(path).view(np.uint32) for path in outputs]


def run_host(library, names, data):
    host = ctypes.CDLL(library)
    results = []
    pointer = data.ctypes.data_as(ctypes.c_void_p)
    for name in names:
        out = np.zeros(THREADS, np.uint32)
        for thread in range(THREADS):
            ctypes.c_int.in_dll(host, "thread").value = thread
            getattr(host, name)(pointer, out.ctypes.data_as(ctypes.c_void_p))
        results.append(out)
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    arguments = parser.parse_args()
    clang = shutil.which("clang-22") or shutil.which("clang")
    if not clang:
        print("left out: there is no clang")
        return
    for level in ("-O1", "-O2", "-O3"):
        seed = "%d%s" % (arguments.seed, level)
        rng = random.Random(seed)
        names = ["f%d" % i for i in range(arguments.count)]
        functions = [Function(rng, name) for name in names]
        data = np.array([rng.getrandbits(rng.choice([3, 8, 16, 32])) for _ in range(THREADS)], np.uint32)
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "random.c")
            ptx, library = os.path.join(folder, "random.ptx"), os.path.join(folder, "random.so")
            with open(source, "w") as file:
                file.write(PRELUDE + "".join(function.text for function in functions))
            flags = [level, "-ffp-contract=off", "-fwrapv", "-w", source, "-o"]
            # Without a CUDA toolkit clang would take a PTX version older than sm_80.
            subprocess.run([clang, "--target=nvptx64", "-march=sm_80", "-Xclang", "-target-feature",
                            "-Xclang", "+ptx70", "-S", *flags, ptx], check=True)
            subprocess.run([clang, "-shared", "-fPIC", *flags, library], check=True)
            expected = run_host(library, names, data)
            actual = run_device(folder, ptx, names, data)
        for function, want, got in zip(functions, expected, actual):
            if (want != got).any():
                t = int(np.flatnonzero(want != got)[0])
                sys.exit("seed %s: input 0x%x gives 0x%x, the host says 0x%x\n%s"
                         % (seed, data[t], got[t], want[t], function.text))
        if len({want.tobytes() for want in expected}) < arguments.count * 3 // 4:
            sys.exit("the functions do not differ enough to be a test")
    print("ok: 3 x %d functions" % arguments.count)


main()
