// What stands there already is not added again, symbolic or mapped; what is mapped is not
// mapped again, and a remark says why.
// RUN: prism-opt %s --prism-generate --prism-generate 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: prism-opt %s --prism-generate --prism-instantiate-maps --prism-instantiate-maps 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MAPPED
// RUN: prism-opt %s --prism-generate --prism-instantiate-maps --prism-generate \
// RUN:   --prism-instantiate-maps 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not prism-opt %s --prism-generate=budget-seconds=-1 2>&1 | FileCheck %s --check-prefix=GENERATE
// RUN: not prism-opt %s --prism-instantiate-maps=budget-seconds=nan 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: not prism-opt %s --prism-verify=budget-seconds=-2 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: not prism-opt %s --prism-superoptimize=part-seconds=-1 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not prism-opt %s --prism-superoptimize=min-cut-gain=-5 2>&1 | FileCheck %s --check-prefix=GAIN
// RUN: not prism-opt %s --prism-superoptimize=min-cut-gain=1 2>&1 | FileCheck %s --check-prefix=ALL

// TWICE: remark: no candidates: those that there are stand there already
// TWICE: prism.candidate "t_0" symbolic
// TWICE-NOT: prism.candidate

// MAPPED: remark: maps: no candidate is symbolic
// MAPPED: mappings = 1 : i64
// MAPPED: prism.candidate "t_0" mapped
// MAPPED-NOT: prism.candidate

// AGAIN: prism.candidate "t_0" mapped
// AGAIN-NOT: prism.candidate

// GENERATE: error: prism-generate: budget-seconds is {{.*}}, expected 0 (no limit) or more
// MAPS: error: prism-instantiate-maps: budget-seconds is {{.*}}, expected 0 (no limit) or more
// VERIFY: error: prism-verify: budget-seconds is {{.*}}, expected 0 (no limit) or more
// PART: error: option 'part-seconds' is {{.*}}, expected 0 (no limit) or more
// GAIN: error: option 'min-cut-gain' is {{.*}}, expected at least 0 and less than 1
// ALL: error: option 'min-cut-gain' is {{.*}}, expected at least 0 and less than 1

prism.program @t extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}
