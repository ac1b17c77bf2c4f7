# RUN: %python %s
# The result of a search is the same for any number of threads, byte for byte.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess
from pathlib import Path

WORKLOADS = Path(__file__).resolve().parents[1] / "Inputs" / "workloads"


def run(text, *options):
    result = subprocess.run(["prism-opt", "-", *options], input=text, capture_output=True,
                            check=True)
    return result.stdout, result.stderr


searched = sharded = 0
for path in sorted(WORKLOADS.glob("*.mlir")):
    generated, _ = run(path.read_bytes(), "--convert-linalg-to-prism", "--prism-partition",
                       "--prism-generate")
    searched += b"prism.candidate" in generated
    expected = run(generated, "--prism-instantiate-maps=describe threads=1",
                   "--mlir-disable-threading")
    for threads in 1, 2, 8, 0:
        have = run(generated, "--prism-instantiate-maps=describe threads=%d" % threads)
        assert have == expected, (path.name, threads)
    # Proofs: shards of candidates, of which every thread proves some.
    for proofs in "", "keep-proofs":
        proved = [run(expected[0], "--prism-verify=%s threads=%d" % (proofs, threads))
                  for threads in (1, 4)]
        assert proved[0] == proved[1], (path.name, proofs)
        sharded += proved[0][0].count(b"verdict Proved") > 64
assert sharded >= 6, sharded
assert searched >= 10, searched

# The whole pipeline, threads of its own included.
text = (WORKLOADS / "rmsnorm_mlp.mlir").read_bytes()
results = {run(text, "--prism-superoptimize=emit=prism threads=%d" % n)[0] for n in (1, 2, 8)}
assert len(results) == 1
