#!/usr/bin/env python3
"""Runs lowered candidates on the simulated device and compares with numpy.

  run_on_device.py IN.mlir --entry=NAME --expect=EXPR [--target=sm_80]
      [--no-tensor-maps] [--tolerance=T] [--scale=S] [--before=FLAGS] [--seed=N]
      [--change=aN=EXPR]... [--replace=OLD=NEW]

The module's functions hold prism.invokes of programs with sized candidates.
They are lowered to PTX, with tensor maps where the target has them; NAME runs with
seeded random inputs of magnitude S, which --change replaces one after the other
by expressions of a0, a1, ..., under prism-run with all checks, blocks and warps in two orders; the results are
compared with EXPR (a tuple for several), a numpy expression in float64 over the
arguments a0, a1, ... and the functions in `np` and below. T bounds the error
relative to the largest magnitude of a result; what is not finite must be where
it is expected. OLD in the PTX is replaced by NEW: kernels with a
fault, which the checks are to find.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16,
          "i1": np.bool_}
TOLERANCE = {"f64": 1e-12, "f32": 2e-6, "f16": 1.5e-3, "bf16": 1e-2, "i1": 0.0}


def to_bf16(array):
    bits = np.asarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def to_float64(array, element):
    if element == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s%s\nfailed (%d): %s" % (done.stdout[-4000:], done.stderr[-4000:],
                                            done.returncode, " ".join(command)))
    return done.stdout


def parse_tensors(text):
    """`tensor<8x4xf16>, ...` as [(element type, shape)]."""
    found = []
    for dims, element in re.findall(r"tensor<((?:\d+x)*)(\w+)>", text):
        found.append((element, [int(d) for d in dims.split("x") if d]))
    return found


def unescape(text):
    return re.sub(r'\\([0-9A-Fa-f]{2}|.)', lambda m: chr(int(m[1], 16)) if len(m[1]) == 2
                  else m[1], text).rstrip("\0")


def make_resolver(body):
    """Says which argument, result or workspace of the function a buffer is: the
    program's arguments need not be the function's, nor in its order. Also the
    results that are an earlier one: pairs of indices."""
    source = dict(re.findall(r"(%\S+) = bufferization\.to_(?:buffer|tensor) (%\S+)", body))
    sizes = dict(re.findall(r"(%\w+)(?:, %\w+)? = (?:gpu|memref)\.alloc[^:]*: memref<(.*?)>", body))

    def root(name):
        while name in source:
            name = source[name]
        return name

    returned = re.search(r"return (.*?) :", body)[1].split(", ")
    roots = [root(name) for name in returned]
    results = {name: roots.index(name) for name in roots}
    copies = [(index, roots.index(name)) for index, name in enumerate(roots)
              if roots.index(name) != index]
    spaces = {}

    maps = {}
    for name, base, dims, attributes in re.findall(
            r"(%\S+) = builtin\.unrealized_conversion_cast (%\S+) : memref<(.*?)> to .*?"
            r"\{prism\.tensor_map = \{(.*?)\}\}", body):
        (element, shape), = parse_tensors("tensor<%s>" % dims)
        box = re.search(r"box = array<i64: (.*?)>", attributes)[1]
        swizzle = re.search(r"swizzle = (\d+)", attributes)[1]
        maps[name] = base, {"type": element, "shape": shape, "swizzle": int(swizzle),
                            "box": [int(x) for x in box.split(",")]}

    def resolve(name, workspaces):
        if name in maps:
            base, attributes = maps[name]
            return {"tensor_map": {"base": resolve(base, workspaces), **attributes}}
        name = root(name)
        if name.startswith("%arg"):
            return {"argument": int(name[4:])}
        if name in results:
            return {"result": results[name]}
        if name not in spaces:
            (element, dims), = parse_tensors("tensor<%s>" % sizes[name])
            spaces[name] = len(workspaces)
            workspaces.append({"bytes": math.prod(dims) * np.dtype(DTYPES[element]).itemsize})
        return {"workspace": spaces[name]}

    return resolve, copies


def write_package(lowered, entry, folder):
    """The launches of function `entry`, as their prism.launch attributes say."""
    function = re.search(r"func\.func @%s\((.*?)\) -> (.*?) \{\n(.*?)\n  \}" % entry,
                         lowered, re.S)
    if not function:
        sys.exit("no function '%s' in:\n%s" % (entry, lowered[:2000]))
    arguments, results = parse_tensors(function[1]), parse_tensors(function[2])
    for name, assembly in re.findall(
            r'gpu\.binary @(\w+).*?assembly = "((?:[^"\\]|\\.)*)"', lowered):
        ptx = unescape(assembly)
        if ".extern .func" in ptx:
            sys.exit("the PTX of '%s' calls a function that it does not hold" % name)
        with open(os.path.join(folder, name + ".ptx"), "w") as file:
            file.write(ptx)
    launches, workspaces, (resolve, copies) = [], [], make_resolver(function[3])
    for module, kernel, operands, attributes in re.findall(
            r"gpu\.launch_func +@(\w+)::@(\w+) .*?args\((.*?)\) \{prism\.launch = \{(.*)\}\}",
            function[3]):
        numbers = lambda key: [int(x) for x in re.search(
            key + r" = array<i64: (.*?)>", attributes)[1].split(",")]
        launches.append({
            "module": module + ".ptx", "kernel": kernel, "grid": numbers("grid"),
            "block": numbers("block"),
            "parameters": [resolve(v, workspaces) for v in re.findall(r"(%\S+) :", operands)],
            "shared_bytes": int(re.search(r"shared_bytes = (\d+)", attributes)[1])})
    for copy, original in copies:  # what writes the one, the first that has it, writes the other
        writer = next(l for l in launches if {"result": original} in l["parameters"])
        launches.append({**writer, "parameters": [
            {"result": copy} if p == {"result": original} else p for p in writer["parameters"]]})
    if not launches:
        sys.exit("'%s' launches no kernel:\n%s" % (entry, lowered[:2000]))
    tensors = lambda list: [{"type": element, "shape": shape} for element, shape in list]
    plan = {"version": 1, "target": "sm_80", "functions": [{
        "name": entry, "arguments": tensors(arguments), "results": tensors(results),
        "workspaces": workspaces, "launches": launches}]}
    with open(os.path.join(folder, "plan.json"), "w") as file:
        json.dump(plan, file)
    return arguments, results


def random_input(rng, element, shape, scale):
    values = rng.standard_normal(shape) * scale
    if element == "i1":
        return values > 0
    return store(values, element)


def store(values, element):
    return to_bf16(values) if element == "bf16" else values.astype(DTYPES[element])


def compare(got, want):
    """The largest error over the largest magnitude; infinite where NaN and inf differ."""
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite], equal_nan=True):
        return np.inf
    error = np.max(np.abs(got - want)[finite], initial=0.0)
    return error / max(np.max(np.abs(want[finite]), initial=0.0), 1e-30)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("--entry", required=True)
    parser.add_argument("--expect", required=True)
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--no-tensor-maps", action="store_true")
    parser.add_argument("--tolerance", type=float)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--before", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replace", default="")
    parser.add_argument("--change", action="append", default=[])
    args = parser.parse_args()
    folder = tempfile.mkdtemp()
    try:
        source = args.input
        if args.before:
            source = os.path.join(folder, "before.mlir")
            run(["prism-opt", args.input, *args.before.split(), "-o", source])
        lowered = run(["prism-opt", source, "--convert-prism-to-gpu=target=%s tensor-maps=%s"
                       % (args.target, "false" if args.no_tensor_maps else "true"),
                       "--gpu-module-to-binary=format=isa"])
        if args.replace:
            old, new = args.replace.split("=")
            if old not in lowered:
                sys.exit("the PTX has no '%s'" % old)
            lowered = lowered.replace(old, new)
        check(args, lowered, folder)
    finally:
        shutil.rmtree(folder)


def check(args, lowered, folder):
    arguments, results = write_package(lowered, args.entry, folder)
    rng = np.random.default_rng(args.seed)
    command = ["prism-run", folder, "--entry=" + args.entry]
    values = {"np": np}
    arrays = [random_input(rng, element, shape, args.scale) for element, shape in arguments]
    for index, (element, _) in enumerate(arguments):
        values["a%d" % index] = to_float64(arrays[index], element)
    for change in args.change:
        name, expression = change.split("=", 1)
        index = int(name[1:])
        element, shape = arguments[index]
        arrays[index] = store(np.broadcast_to(eval(expression, values), shape), element)
        values[name] = to_float64(arrays[index], element)
    for index, ((element, _), array) in enumerate(zip(arguments, arrays)):
        path = os.path.join(folder, "a%d.npy" % index)
        np.save(path, array)
        command.append("--input=" + path)
        values["a%d" % index] = to_float64(array, element)
    values["erf"] = np.vectorize(math.erf)
    with np.errstate(invalid="ignore"):
        expected = eval(args.expect, values)
    expected = expected if isinstance(expected, tuple) else (expected,)
    paths = [os.path.join(folder, "r%d.npy" % index) for index in range(len(results))]
    command += ["--output=" + path for path in paths]
    for order in ("forward", "reverse"):
        run(command + ["--order=" + order])
        for index, ((element, shape), want, path) in enumerate(zip(results, expected, paths)):
            got = to_float64(np.load(path), element)
            error = compare(got, want)
            bound = args.tolerance or TOLERANCE[element]
            verdict = "ok" if error <= bound else "WRONG"
            print("%s %s result %d %s: error %.2e, bound %.1e: %s"
                  % (args.entry, order, index, got.shape, error, bound, verdict))
            if list(got.shape) != shape or not error <= bound:
                sys.exit(1)


if __name__ == "__main__":
    main()
