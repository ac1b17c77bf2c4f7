# RUN: %python %s %prism_lib_dir
# REQUIRES: python-ctypes
# A search ends at its budgets, when it is interrupted, and when it is cancelled
# through the C API; it returns the best so far and says that it is incomplete.
# Its progress is shown on a terminal, and nowhere else.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

WORKLOADS = Path(__file__).resolve().parents[1] / "Inputs" / "workloads"
# Takes many seconds; with the default bounds, less than one.
LONG = "emit=prism cut-programs=false extra-ops=3 max-block-ops=14 max-accumulators=5"
SHORT = "emit=prism cut-programs=false"
FOLDER = Path(tempfile.mkdtemp())
# Whoever runs this may ignore it, which its children would, too.
signal.signal(signal.SIGINT, signal.SIG_DFL)


def command(options, output="/dev/null"):
    return ["prism-opt", str(WORKLOADS / "multi_head.mlir"),
            "--prism-superoptimize=%s report=%s" % (options, FOLDER / "report.json"), "-o", output]


def report():
    (program,) = json.load(open(FOLDER / "report.json"))["programs"]
    return program


def run(options):
    result = subprocess.run(command(options), check=True, stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)
    assert b"\r" not in result.stderr and b"\033" not in result.stderr, result.stderr
    return report()


def test_budgets():
    whole = run(SHORT)
    search = whole["search"]
    assert whole["complete"] and search["proved"] > 0
    assert 0 < search["peak_mib"] < 500
    # Other processes may take the processor away: the best of three counts.
    over = min(run(LONG + " budget-seconds=0.5")["search"]["seconds"] for _ in range(3)) - 0.5
    assert over < 0.2, over
    assert not report()["complete"]
    half = run(SHORT + " memory-mib=2")
    assert not half["complete"]
    assert half["search"]["peak_mib"] < min(3, search["peak_mib"]), half
    assert half["search"]["proved"] < search["proved"]


def test_steps_are_reproducible():
    def generate(steps):
        return subprocess.run(
            ["prism-opt", str(WORKLOADS / "rmsnorm_mlp.mlir"), "--convert-linalg-to-prism",
             "--prism-partition", "--prism-generate=budget-steps=%d" % steps,
             "--prism-instantiate-maps"], check=True, capture_output=True).stdout
    first = generate(3000)
    assert b"complete = false" in first and b"prism.candidate" in first
    assert first == generate(3000) != generate(2500)


def has_terminals():
    """Whether there are pseudo-terminals: not where /dev/pts is not mounted."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print("left out: no terminal:", error)
        return False
    return True


def on_terminal(args, until=None):
    """The exit code, and what was written to a terminal as stderr. SIGINT is sent
    once `until` was written."""
    terminal, other_end = pty.openpty()
    process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stderr=other_end)
    os.close(other_end)
    written = b""
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:
            break
        if not some:
            break
        written += some
        if until and until in written:
            process.send_signal(signal.SIGINT)
            until = None
    os.close(terminal)
    return process.wait(), written


def test_progress():
    start = time.monotonic()
    code, written = on_terminal(command(LONG + " budget-seconds=1"))
    seconds = time.monotonic() - start
    assert code == 0
    erase = b"\r\033[K"
    lines = written.split(erase)
    shown = [line for line in lines if b" graphs, " in line]
    assert shown, written
    assert all(line.startswith(b"multi_head") and b" pruned, " in line and b" kept, " in line
               and line.endswith(b" s") for line in shown), shown
    assert len(shown) <= 10 * seconds + 1
    # What is reported stands in a line of its own.
    assert b"graphs, " not in lines[-1]
    assert lines[0] == b""


def test_interrupt():
    output = FOLDER / "out.mlir"
    code, _ = on_terminal(command(LONG, str(output)), b" graphs, ")
    assert code == 0 and not report()["complete"]
    assert "func.func" in output.read_text()
    # The second one ends the tool, here while it waits for its input.
    waiting = subprocess.Popen(["prism-opt", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL)
    time.sleep(1)  # until it has come so far
    waiting.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert waiting.poll() is None
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(60) == -signal.SIGINT


class StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


def test_cancel_through_c():
    prism = ctypes.CDLL(os.path.join(sys.argv[1], "libPrism.so"))
    for function in "prismContextCreate", "prismContextSuperoptimize":
        getattr(prism, function).restype = ctypes.c_void_p
    prism.prismContextSuperoptimize.argtypes = [ctypes.c_void_p, StringRef, StringRef]
    for function in "prismContextCancel", "prismContextDestroy", "prismResultDestroy":
        getattr(prism, function).argtypes = [ctypes.c_void_p]
    prism.prismResultReport.argtypes = [ctypes.c_void_p]
    prism.prismResultReport.restype = StringRef
    text = (WORKLOADS / "multi_head.mlir").read_bytes()
    options = LONG.encode()
    context = prism.prismContextCreate()
    canceller = threading.Timer(0.5, prism.prismContextCancel, [context])
    canceller.start()
    result = prism.prismContextSuperoptimize(
        context, StringRef(text, len(text)), StringRef(options, len(options)))
    canceller.join()
    answer = prism.prismResultReport(result)
    (program,) = json.loads(answer.data[:answer.length])["programs"]
    assert not program["complete"]
    prism.prismResultDestroy(result)
    prism.prismContextDestroy(context)


test_budgets()
test_steps_are_reproducible()
if has_terminals():
    test_progress()
    test_interrupt()
test_cancel_through_c()
