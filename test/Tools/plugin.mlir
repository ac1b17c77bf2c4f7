// Debian's own mlir-opt loads the plugin and then knows the dialect.
// RUN: mlir-opt-22 %s --load-dialect-plugin=%prism_plugin \
// RUN:   --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s
// RUN: mlir-opt-22 --load-dialect-plugin=%prism_plugin --show-dialects \
// RUN:   | FileCheck %s --check-prefix=DIALECTS
// RUN: mlir-opt-22 --load-pass-plugin=%prism_plugin --load-dialect-plugin=%prism_plugin %s | FileCheck %s

// Without the plugin it does not, so the first lines test something.
// RUN: not mlir-opt-22 %s 2>&1 | FileCheck %s --check-prefix=ABSENT

// DIALECTS: {{[ ,]}}prism
// ABSENT: dialect 'prism' is unknown
// CHECK: func.func private @typed(!prism.tensor<[n, d], f16>)
func.func private @typed(!prism.tensor<[n, d], f16>)
