#!/bin/sh
# Sets everything up and runs every test: lit tests, unit tests, Python tests.
# The last line is `N passed, N failed`; the exit status is 0 only if something
# passed and nothing failed. A build that fails counts as a failure.
#
#   scripts/test.sh [--long]     --long adds the tests that take minutes
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd "$(dirname "$0")/.."

unset PRISM_LONG_TESTS
timeout=900
for argument in "$@"; do
  case $argument in
  --long)
    export PRISM_LONG_TESTS=1
    timeout=7200
    ;;
  *)
    echo "usage: scripts/test.sh [--long]" >&2
    exit 2
    ;;
  esac
done

if ! scripts/setup.sh; then
  echo "test: not run, since the setup failed"
  echo "0 passed, 1 failed"
  exit 1
fi

results=build/test-results
rm -rf $results
mkdir -p $results
python=/usr/bin/python3

# lit: the FileCheck tests and, through its GoogleTest format, the unit tests.
echo "== lit and unit tests"
/usr/lib/llvm-22/bin/lit -s -v --timeout=$timeout --output $results/lit.json \
  build/test build/test/Unit || true

set -- --lit $results/lit.json
if [ -d python/tests ]; then
  echo "== Python tests"
  PYTHONPATH=$PWD/python $python -m pytest -q -p no:cacheprovider \
    --junitxml=$results/pytest.xml python/tests || true
  set -- "$@" --junit $results/pytest.xml
fi
exec $python scripts/summarize_tests.py "$@"
