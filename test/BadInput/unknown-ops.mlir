// Ops, types and attributes of dialects that are not loaded stay as they are;
// what stands beside them may be optimized. (The functions here are not: each
// has nothing that could be.)
// RUN: prism-opt %s --allow-unregistered-dialect -o %t.before
// RUN: prism-opt %s --allow-unregistered-dialect --prism-superoptimize -o %t.after 2>&1 | FileCheck %s
// RUN: diff %t.before %t.after
// RUN: not prism-opt %s --prism-superoptimize 2>&1 | FileCheck %s --check-prefix=UNREGISTERED

// UNREGISTERED: unknown-ops.mlir:[[#@LINE+7]]:18: error: operation being parsed with an unregistered dialect

// CHECK-NOT: error
// CHECK: unknown-ops.mlir:[[#@LINE+4]]:8: remark: left alone: 'weird.op' has no prism form
// CHECK-NOT: error

func.func @op(%a: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = "weird.op"(%a) {how = #weird.way<1>} : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
func.func @type(%a: !weird.type) -> !weird.type {
  return %a : !weird.type
}
func.func @terminator(%a: tensor<16x64xf32>) {
  "weird.end"(%a) : (tensor<16x64xf32>) -> ()
}
"weird.top"() ({
  "weird.inside"() : () -> ()
}) {sym_name = "top"} : () -> ()
"weird.function"() ({
^bb0(%x: tensor<16x64xf32>):
  %0 = math.exp %x : tensor<16x64xf32>
  "weird.end"(%0) : (tensor<16x64xf32>) -> ()
}) {sym_name = "function"} : () -> ()
