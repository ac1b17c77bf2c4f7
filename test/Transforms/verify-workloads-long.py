# Every workload and importer's program, with the candidates that are kept by
# default and with a thousand: all are proved, all proofs are followed, and the
# files are small. Prints the table of docs/debugging.md.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: long
# RUN: %python %s prism-opt prism-check %prism_src/test/Inputs %t.mlir

import os
import pathlib
import subprocess
import sys
import time


def main():
    opt, check, inputs, path = sys.argv[1:5]
    failed = False
    files = sorted(pathlib.Path(inputs).glob("workloads/*.mlir")) + \
        sorted(pathlib.Path(inputs).glob("programs/*.mlir"))
    assert len(files) >= 19, files
    for keep in (8, 1000):
        for file in files:
            start = time.time()
            options = "emit=prism keep-proofs keep-best=%d" % keep
            searched = subprocess.run([opt, str(file), "--prism-superoptimize=" + options, "-o", path],
                                      capture_output=True, text=True)
            found = time.time()
            checked = subprocess.run([check, path], capture_output=True, text=True)
            end = time.time()
            lines = checked.stdout.splitlines()
            proved = sum(": Proved (" in line for line in lines)
            bytes = os.path.getsize(path)
            print("| %s | %d | %d | %.1f | %.1f | %d |" %
                  (file.stem, keep, proved, found - start, end - found, bytes // 1000), flush=True)
            if searched.returncode or checked.returncode or not proved or proved != len(lines) or \
                    bytes > 8000 * max(proved, 100):
                failed = True
                print("failed:", [line for line in lines if ": Proved (" not in line][:5],
                      searched.stderr[-1000:])
    sys.exit(failed)


main()
