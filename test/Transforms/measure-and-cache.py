# Candidates by measured time (fake ones), and the tuning cache.
# RUN: %python %s %t %S/Inputs/swiglu.mlir
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure-and-cache.py DIRECTORY FILE.mlir"""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

directory, source = sys.argv[1:]
shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)


def path(name):
    return os.path.join(directory, name)


def run(options, fails=False):
    """(report, output, remarks) of a run of the pipeline."""
    report = path("report.json")
    done = subprocess.run(
        ["prism-opt", source, "--prism-superoptimize=report=%s %s" % (report, options)],
        capture_output=True, text=True)
    if fails:
        assert done.returncode != 0, done.stderr
        return done.stderr
    assert done.returncode == 0, done.stderr
    with open(report) as file:
        (program,) = json.load(file)["programs"]
    return program, done.stdout, done.stderr


def get_order(program):
    return [candidate["id"] for candidate in program["candidates"]]


def write_timings(times):
    with open(path("timings.json"), "w") as file:
        json.dump({"version": 1, "timings": times}, file)


# The model's order; each candidate's kernels go into a package of their own.
by_model, _, _ = run("candidate-packages=" + path("packages"))
assert by_model["instantiation"]["measured_by"] == "model"
assert all(c["measured_us"] is None for c in by_model["candidates"])
order = get_order(by_model)
assert len(order) == 8 and by_model["chosen"]["id"] == order[0]
with open(path("packages/candidates.json")) as file:
    index = json.load(file)["timings"]
assert [entry["candidate"] for entry in index] == order
# Candidates that differ in a formula may have the same code, and so the same times.
kernels = list(dict.fromkeys(entry["kernel"] for entry in index))
assert len(kernels) >= 4
for entry in index:
    assert entry["shapes"] == [[8, 64], [64, 48], [64, 48]], entry
    assert entry["target"] == "sm_80" and entry["toolchain"].startswith("LLVM 22.")
    with open(path("packages/%s/plan.json" % entry["kernel"])) as file:
        (function,) = json.load(file)["functions"]
    assert function["name"] == "main"

# The times of a file turn the order round; what has no time comes last.
for entry in index:
    entry["microseconds"] = 10.0 - kernels.index(entry["kernel"])
timed = [entry for entry in index if entry["kernel"] != kernels[0]]
untimed = [entry["candidate"] for entry in index if entry["kernel"] == kernels[0]]
write_timings(timed)
turned = [entry["candidate"] for entry in sorted(timed, key=lambda entry: entry["microseconds"])]
measured, output, remarks = run("measure=file timings=" + path("timings.json"))
assert get_order(measured) == turned + untimed, get_order(measured)
assert measured["chosen"]["id"] == turned[0] != order[0]
assert measured["chosen"]["measured_us"] == 10.0 - (len(kernels) - 1)
assert measured["chosen"]["cost_us"] == by_model["candidates"][order.index(turned[0])]["cost_us"]
assert measured["candidates"][-1]["measured_us"] is None
assert measured["instantiation"]["measured_by"] == "file"
assert "'%s' has no measured time: '%s' has no time of kernel %s" % (
    order[0], path("timings.json"), index[0]["kernel"]) in remarks, remarks
assert 'candidate = "%s"' % turned[0] in output

# Times of another toolchain or target are of other kernels.
for key, value in (("toolchain", "LLVM 1"), ("target", "sm_90a"), ("shapes", [[8, 64]])):
    write_timings([dict(entry, **{key: value}) for entry in index])
    other, _, remarks = run("measure=file timings=" + path("timings.json"))
    assert get_order(other) == order, key
    assert remarks.count("has no measured time") == 8

# The simulated device executes what it times.
simulated, _, _ = run("measure=sim keep-best=2")
times = [candidate["measured_us"] for candidate in simulated["candidates"]]
assert len(times) == 2 and times == sorted(times) and times[0] > 1.5, times

# Diagnostics.
assert "cannot read '%s'" % path("none.json") in run(
    "measure=file timings=" + path("none.json"), fails=True)
with open(path("bad.json"), "w") as file:
    file.write('{"version": 1}')
assert "expected array" in run("measure=file timings=" + path("bad.json"), fails=True)
if not os.path.exists("/dev/nvidiactl"):
    assert "measure=gpu: " in run("measure=gpu", fails=True)
assert "tuning cache" in run("tuning-cache=/nonexistent/cache", fails=True)
with open(path("file"), "w"):
    pass
assert "cannot make the folder" in run(
    "candidate-packages=" + path("file/packages"), fails=True)

# A second run takes what the first found: the same bytes, nothing searched.
write_timings(index)
options = "measure=file timings=%s tuning-cache=%s" % (
    path("timings.json"), path("cache.sqlite"))
first, first_output, _ = run(options)
second, second_output, remarks = run(options + " threads=1")
assert not first["from_cache"] and second["from_cache"]
assert first_output == second_output
assert second["candidates"] == first["candidates"] and second["chosen"] == first["chosen"]
assert second["search"]["graphs_generated"] == first["search"]["graphs_generated"]
assert second["instantiation"]["seconds"] is None
assert "8 candidates proved" in remarks  # what it has is not trusted

# What results depend on is in the key: options, the times, the program.
assert not run(options + " extra-ops=0")[0]["from_cache"]
assert run(options + " extra-ops=0")[0]["from_cache"]
assert run(options + " emit=ptx")[0]["from_cache"]
assert run(options + " gate-seed=2 gate-reproducers=%s" % directory)[0]["from_cache"]
index[0]["microseconds"] = 0.5
write_timings(index)
again, _, _ = run(options)
assert not again["from_cache"] and again["chosen"]["id"] == order[0]
with open(source) as file:
    text = file.read()
source = path("wider.mlir")
with open(source, "w") as file:
    file.write(text.replace("48", "80"))
assert not run(options)[0]["from_cache"]
assert run(options)[0]["from_cache"]


def change(pattern, replacement):
    """Changes what the cache has of each program."""
    with sqlite3.connect(path("cache.sqlite")) as cache:
        for key, result in cache.execute("SELECT key, result FROM results").fetchall():
            new, count = re.subn(pattern, replacement, result.decode())
            assert count, pattern
            cache.execute("UPDATE results SET result = ? WHERE key = ?", (new.encode(), key))
    cache.close()


# An entry that was tampered with is found out, and searched anew.
change(r"prism\.silu", "prism.exp")
found, output, remarks = run(options)
assert not found["from_cache"] and "is not all proved" in remarks, remarks
assert output == run(options)[1] and run(options)[0]["from_cache"]
change(r"prism\.program", "prism.prog")
found, _, remarks = run(options)
assert not found["from_cache"] and "is damaged" in remarks, remarks

# What was searched in vain is known, too, and why.
for known in (False, True):
    found, _, _ = run(options + " budget-steps=1 cut-programs=false")
    assert found["from_cache"] == known and found["chosen"] is None
    (left,) = found["left_alone"]
    assert "the budget ended before a candidate was found" in left["why"], left

# Several processes at once, one of them killed: each finds or makes the same.
def start(cache, number):
    return subprocess.Popen(
        ["prism-opt", source, "--prism-superoptimize=emit=ptx measure=sim keep-best=2 "
         "tuning-cache=%s report=%s" % (cache, path("report%d.json" % number))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


cache = path("shared.sqlite")
processes = [start(cache, number) for number in range(4)]
processes[3].kill()
outputs = [process.communicate() for process in processes]
assert [process.returncode for process in processes] == [0, 0, 0, -9], outputs
assert len({output for output, _ in outputs[:3]}) == 1
last = start(cache, 4)
output, _ = last.communicate()
assert last.returncode == 0 and output == outputs[0][0]
with open(path("report4.json")) as file:
    assert json.load(file)["programs"][0]["from_cache"]

# A cache that is damaged is never believed: it is refused, or its program searched anew.
with open(cache, "rb") as file:
    whole = file.read()
for number, damaged in enumerate([
        whole[:100] + bytes(1000) + whole[1100:], whole[:4096], whole[:len(whole) // 2],
        whole[:5000] + bytes(4000) + whole[9000:]]):
    with open(cache, "wb") as file:
        file.write(damaged)
    again = start(cache, 5)
    output, remarks = again.communicate()
    if again.returncode:
        assert "remove it, or name another file" in remarks, remarks
    else:
        assert output == outputs[0][0], number
        with open(path("report5.json")) as file:
            assert not json.load(file)["programs"][0]["from_cache"], number

# One that another process is writing to serves as it was before.
with open(cache, "wb") as file:
    file.write(whole)
reader = sqlite3.connect(cache, isolation_level=None)
reader.execute("BEGIN IMMEDIATE")  # another process is about to write
again = start(cache, 6)
assert again.communicate()[0] == outputs[0][0]
with open(path("report6.json")) as file:
    assert json.load(file)["programs"][0]["from_cache"]
reader.close()
