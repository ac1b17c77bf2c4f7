// Debian's own mlir-opt loads the plugin and then knows the dialect, and the
// passes by their names in a pipeline (from either kind of plugin).
// RUN: mlir-opt-22 %s --load-dialect-plugin=%prism_plugin \
// RUN:   --pass-pipeline='builtin.module(prism-partition)' | FileCheck %s
// RUN: mlir-opt-22 %s --load-pass-plugin=%prism_plugin --load-dialect-plugin=%prism_plugin \
// RUN:   --pass-pipeline='builtin.module(prism-partition)' | FileCheck %s
// RUN: mlir-opt-22 --load-dialect-plugin=%prism_plugin --show-dialects \
// RUN:   | FileCheck %s --check-prefix=DIALECTS

// Without the plugin it knows neither, so the lines above test something.
// RUN: not mlir-opt-22 %s 2>&1 | FileCheck %s --check-prefix=NO-DIALECT
// RUN: not mlir-opt-22 %s --allow-unregistered-dialect --pass-pipeline='builtin.module(prism-partition)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-PASS

// DIALECTS: {{[ ,]}}prism{{[,[:space:]]}}
// NO-DIALECT: error: {{.*}}prism{{.*}} type created with unregistered dialect
// NO-PASS: 'prism-partition' does not refer to a registered pass
// CHECK: func.func private @typed(!prism.tensor<[n, d], f16>)
func.func private @typed(!prism.tensor<[n, d], f16>)
