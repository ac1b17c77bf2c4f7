// The reducer removes what the script of interest does not ask for, and keeps
// what is of the prism dialect when the script asks for it.
// RUN: prism-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/keeps-typed.sh' \
// RUN:   | FileCheck %s

// CHECK-NOT: @irrelevant
// CHECK: func.func private @typed(!prism.tensor<[n, d], f16>)
// CHECK-NOT: @irrelevant
func.func private @typed(!prism.tensor<[n, d], f16>)

func.func @irrelevant() {
  return
}
