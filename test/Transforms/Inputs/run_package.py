# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_package.py DIR ENTRY EXPR: runs a kernel package on the simulated device.

Inputs are random f16; the result is compared with EXPR, a numpy expression in
float64 over the arguments a0, a1, ...; for several results it is a list.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

package, entry, expression = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
plan = json.loads((package / "plan.json").read_text())
(function,) = [f for f in plan["functions"] if f["name"] == entry]
random = np.random.default_rng(0)
command = ["prism-run", str(package), "--entry=" + entry, "--device=sim", "--check=all"]
values = {"np": np}
for index, argument in enumerate(function["arguments"]):
    array = random.standard_normal(argument["shape"]).astype(np.float16)
    path = package / ("a%d.npy" % index)
    np.save(path, array)
    command.append("--input=%s" % path)
    values["a%d" % index] = array.astype(np.float64)
want = eval(expression, values)
want = want if isinstance(want, list) else [want]
results = [package / ("r%d.npy" % index) for index in range(len(want))]
subprocess.run(command + ["--output=%s" % path for path in results], check=True)
for path, wanted in zip(results, want):
    error = np.abs(np.load(path).astype(np.float64) - wanted).max() / np.abs(wanted).max()
    if not error < 2e-3:  # f16 results of f32 sums; also catches NaN
        sys.exit("error %g of the largest result" % error)
