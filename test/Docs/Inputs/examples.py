# Checks the examples of a guide in docs/. What a code block is, the HTML
# comment in the line before it says; without one, it is not checked, except
# that every `mlir` block must parse and verify under prism-opt.
#
#   <!-- file: NAME -->      written to NAME in the scratch folder
#   <!-- run -->             run there by sh, with the build's tools on the PATH;
#                            PRISM_SOURCE is the tree, PRISM_PLUGIN the plugin
#   <!-- output -->          its lines appear, in order, in what the last run
#                            printed; a line `...` stands for any
#   <!-- source: PATH -->    its lines stand, in order, in this file of the tree;
#                            likewise with `...`
#   <!-- fragment -->        an `mlir` block that is no module by itself
#
#   examples.py GUIDE.md SCRATCH-FOLDER
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCK = re.compile(
    r"(?:^<!-- (?P<role>file|run|output|source|fragment)(?:: (?P<what>\S+))? -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


def fail(guide, block, why):
    line = guide.read_text()[:block.start()].count("\n") + 1
    sys.exit(f"{guide}:{line}: {why}")


def squeeze(line):
    return " ".join(line.split())


def missing(expected, text):
    """The first line of `expected` that `text` lacks, after those before it."""
    have = [squeeze(line) for line in text.split("\n")]
    at = 0
    for line in expected.rstrip("\n").split("\n"):
        line = squeeze(line)
        if line in ("", "..."):
            continue
        while at < len(have) and line not in have[at]:
            at += 1
        if at == len(have):
            return line
        at += 1
    return None


def run(command, scratch):
    environment = dict(os.environ, PRISM_SOURCE=str(ROOT))
    return subprocess.run(["sh", "-ec", command], cwd=scratch, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=600)


def check(guide, scratch):
    root = guide.parent.parent
    checked, printed = 0, ""
    for block in BLOCK.finditer(guide.read_text()):
        role, what, text = block["role"], block["what"], block["text"]
        if role == "file":
            path = scratch / what
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        elif role == "run":
            done = run(text, scratch)
            printed = done.stdout
            if done.returncode:
                fail(guide, block, f"exit status {done.returncode} of:\n{text}\n{printed}")
        elif role == "output":
            lost = missing(text, printed)
            if lost is not None:
                fail(guide, block, f"'{lost}' is not in what was printed:\n{printed}")
        elif role == "source":
            lost = missing(text, (root / what).read_text())
            if lost is not None:
                fail(guide, block, f"'{lost}' is not in {what}")
        elif block["language"] == "mlir" and role != "fragment":
            (scratch / "block.mlir").write_text(text)
            done = run("prism-opt block.mlir --allow-unregistered-dialect", scratch)
            if done.returncode:
                fail(guide, block, f"does not parse:\n{done.stdout}")
        else:
            continue
        checked += 1
    # Links to other files of the tree.
    prose = re.sub(r"^```.*?^```$", "", guide.read_text(), flags=re.M | re.S)
    for link in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", prose):
        if not (guide.parent / link).exists():
            sys.exit(f"{guide}: links to {link}, which does not exist")
        checked += 1
    print(f"{guide.name}: {checked} checked")


guide = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
check(guide, folder)
