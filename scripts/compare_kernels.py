#!/usr/bin/python3
"""Runs each function of a module as it was written, on the CPU, and as it was
optimized, its kernels on the simulated device, on the same random numbers.

  compare_kernels.py ORIGINAL.mlir OPTIMIZED.mlir [--bin=DIR]

Prints the largest difference for each function. Exits 1 if one cannot be run, or
differs by more than 32 units in the last place of the result's largest number.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

DYNAMIC_EXTENT = 24
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16,
         "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
EPSILON = {"f16": 2.0 ** -10, "bf16": 2.0 ** -7, "f32": 2.0 ** -23, "f64": 2.0 ** -52}
TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)(\w+)>")


def public_functions(text):
    """(name, [(shape, type)] of the arguments, the same of the results); those that take
    anything but tensors are left out."""
    for name, arguments, results in re.findall(
            r"func\.func @([\w$.-]+)\((.*?)\)\s*->\s*(\(.*?\)|\S+)", text, re.S):
        tensors = parse_tensors(arguments)
        if len(tensors) == arguments.count("%") and all(e in TYPES for _, e in tensors):
            yield name, tensors, parse_tensors(results)


def parse_tensors(text):
    return [([DYNAMIC_EXTENT if extent == "?" else int(extent)
              for extent in shape.split("x")[:-1]], element)
            for shape, element in TENSOR.findall(text)]


def to_numbers(array, element):
    if element == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def make_input(random, shape, element):
    values = random.standard_normal(shape)
    if element == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if element not in EPSILON:
        return np.zeros(shape, TYPES[element])
    return values.astype(TYPES[element])


class Runner:
    def __init__(self, folder, tools):
        self.folder, self.tools = folder, tools

    def save(self, name, array):
        path = os.path.join(self.folder, name)
        np.save(path, array)
        return path

    def run(self, module, entry, inputs, num_results, tag):
        """The results, and the seconds that it took."""
        outputs = [os.path.join(self.folder, f"{tag}{i}.npy") for i in range(num_results)]
        command = [os.path.join(self.tools, "prism-run"), module, f"--entry={entry}"]
        command += [f"--input={path}" for path in inputs]
        command += [f"--output={path}" for path in outputs]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"prism-run {module} --entry={entry}: {done.stderr.strip()}")
        return [np.load(path) for path in outputs], time.monotonic() - start


def compare(runner, original, optimized, name, arguments, results):
    """Prints a line; whether the two agree."""
    random = np.random.default_rng(0)
    inputs = [runner.save(f"input{i}.npy", make_input(random, shape, element))
              for i, (shape, element) in enumerate(arguments)]
    expected, _ = runner.run(original, name, inputs, len(results), "expected")
    found, seconds = runner.run(optimized, name, inputs, len(results), "found")
    agrees = True
    for (_, element), a, b in zip(results, expected, found):
        a, b = to_numbers(a, element), to_numbers(b, element)
        shape = "x".join(map(str, a.shape + (element,)))
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        with np.errstate(invalid="ignore"):
            difference = float(np.max(np.where(same, 0.0, np.abs(a - b)), initial=0.0))
        finite = np.abs(a[np.isfinite(a)])
        largest = float(finite.max(initial=0.0))
        good = difference <= 32 * EPSILON.get(element, 0.0) * largest
        agrees &= good
        print(f"  {'run':<14}{name}: {shape}, differs by at most {difference:.2g} from the program as "
              f"written, of values up to {largest:.3g} ({seconds:.2f} s on the simulated device)"
              + ("" if good else ": TOO MUCH"))
    return agrees


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("original")
    parser.add_argument("optimized")
    parser.add_argument("--bin", default=os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "build", "bin"))
    args = parser.parse_args()
    with open(args.original, encoding="utf-8") as file:
        functions = list(public_functions(file.read()))
    if not functions:
        print(f"  {'run':<14}nothing: no function takes tensors only")
    agrees = True
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder, args.bin)
        for name, arguments, results in functions:
            try:
                agrees &= compare(runner, args.original, args.optimized, name, arguments, results)
            except RuntimeError as error:
                print(f"  {'run':<14}{name}: FAILED\n{error}")
                agrees = False
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
