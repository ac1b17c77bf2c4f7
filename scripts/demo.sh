#!/bin/sh
# Sets everything up and runs Prism's main job: each program in demo/ is
# superoptimized for two GPUs, down to PTX, the report is summarized, and the
# kernels run on the simulated device beside the program as it was written.
#
#   scripts/demo.sh [PROGRAM.mlir...]      default: demo/*.mlir
#
# No GPU and no CUDA toolkit is needed; with one, its assembler checks the PTX.
# Results stay in build/demo/. Exits 0 only if every program went through.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
start=$PWD
cd "$(dirname "$0")/.."
root=$PWD

scripts/setup.sh prism-opt prism-run
if [ $# -eq 0 ]; then
  set -- demo/*.mlir
  [ -f "$1" ] || {
    echo "demo: no programs in $root/demo" >&2
    exit 1
  }
else
  cd "$start"
fi

out=$root/build/demo
mkdir -p "$out"
failed=0

# Draws the graphs that are chosen; as a picture, where there is Graphviz.
draw() {
  "$root/build/bin/prism-opt" "$1" --prism-superoptimize="target=$2 emit=prism" \
    --prism-print-graphs="file=$out/$name.dot" -o /dev/null 2>>"$out/$name.log" ||
    return 1
  if command -v dot >/dev/null; then
    dot -Tsvg "$out/$name.dot" -o "$out/$name.svg"
  fi
}

# Runs one program for one target; says what failed.
superoptimize() {
  program=$1 target=$2
  name=$(basename "$program" .mlir).$target
  rm -f "$out/$name.json" "$out/$name.mlir"
  echo
  echo "== $program for $target"
  if ! "$root/build/bin/prism-opt" "$program" \
    --prism-superoptimize="target=$target emit=ptx report=$out/$name.json" \
    -o "$out/$name.mlir" 2>"$out/$name.log"; then
    echo "demo: prism-opt failed on $program for $target:"
    cat "$out/$name.log"
    return 1
  fi
  draw "$program" $target || return 1
  /usr/bin/python3 "$root/scripts/summarize_report.py" "$out/$name.json" \
    --ir "$out/$name.mlir" || {
    echo "demo: no good report of $program for $target; prism-opt said:"
    cat "$out/$name.log"
    return 1
  }
  /usr/bin/python3 "$root/scripts/compare_kernels.py" "$program" "$out/$name.mlir" || return 1
  [ ! -f "$out/$name.svg" ] || printf '  %-14s%s\n' picture "$out/$name.svg"
}

for program in "$@"; do
  for target in sm_80 sm_90a; do
    superoptimize "$program" $target || failed=$((failed + 1))
  done
done

echo
echo "The optimized modules (.mlir), reports (.json), remarks (.log) and graphs (.dot, and"
echo ".svg where there is Graphviz) are in $out"
if [ $failed -gt 0 ]; then
  echo "demo: $failed of $(($# * 2)) runs failed" >&2
  exit 1
fi
