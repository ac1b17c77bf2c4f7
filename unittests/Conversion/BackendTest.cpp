//===- BackendTest.cpp - Candidates that the backend refuses --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/GPULowering.h"
#include "Prism/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

/// A gpu.module with one kernel of `body`.
std::string wrapBody(StringRef body) {
  return ("gpu.module @m {\n"
          "  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, "
          "nvvm.kernel} {\n" +
          body + "\n    llvm.return\n  }\n}\n")
      .str();
}

/// Waits for the blocks of a cluster: sm_90 and up; others cannot select it.
constexpr char unselectable[] = "nvvm.cluster.arrive";
/// LLVM does not look into inline assembly; ptxas does.
constexpr char unassemblable[] =
    R"(llvm.inline_asm has_side_effects "no.such.instruction;", "" : () -> ())";

constexpr char program[] = R"mlir(
prism.program @p extents [n = 13] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.neg %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %0 = prism.neg %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %0 : !prism.tensor<[n], f32>
  }
  prism.candidate "b" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %0 = prism.neg %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %0 : !prism.tensor<[n], f32>
  }
}
func.func @f(%x: tensor<13xf32>) -> tensor<13xf32> {
  %r = prism.invoke @p(%x) : (tensor<13xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}
)mlir";

class BackendTest : public testing::Test {
protected:
  BackendTest() {
    DialectRegistry registry;
    registerPrismDialects(registry);
    registerUpstreamDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  gpu::GPUModuleOp parseKernel(StringRef body) {
    module = parseSourceString<ModuleOp>(wrapBody(body), &context);
    return *module->getOps<gpu::GPUModuleOp>().begin();
  }

  /// Lowers `program` for sm_80; the candidate that was launched, or nothing.
  std::string lowerProgram(BackendFn backend, AcceptFn accept = nullptr) {
    module = parseSourceString<ModuleOp>(program, &context);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      remarks += diagnostic.str() + "\n";
      return success();
    });
    (void)lowerProgramToGPU(*module->getOps<ProgramOp>().begin(), target,
                            nullptr, backend, accept);
    std::string candidate;
    module->walk([&](gpu::LaunchFuncOp launch) {
      candidate = launch->getAttrOfType<DictionaryAttr>(launchAttrName)
                      .getAs<StringAttr>("candidate")
                      .str();
    });
    return candidate;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  const Target &target = *lookupTarget("sm_80");
  std::string whyNot, remarks;
};

TEST_F(BackendTest, WhatLLVMCannotSelectIsRefused) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_FALSE(compileKernels(parseKernel(unselectable), target, whyNot));
    EXPECT_NE(whyNot.find("Cannot select"), std::string::npos) << whyNot;
    EXPECT_EQ(whyNot.find('\n'), std::string::npos) << whyNot;
  }
  // Elsewhere it is fine, and the process has gone on.
  EXPECT_TRUE(compileKernels(parseKernel(unselectable), *lookupTarget("sm_90a"),
                             whyNot));
}

TEST_F(BackendTest, WhatPtxasRefusesIsRefused) {
  if (!findPtxas())
    GTEST_SKIP() << "no ptxas";
  EXPECT_FALSE(compileKernels(parseKernel(unassemblable), target, whyNot));
  EXPECT_NE(whyNot.find("ptxas refuses it: PTX, line"), std::string::npos)
      << whyNot;
}

TEST_F(BackendTest, AMissingAssemblerIsReported) {
  EXPECT_FALSE(assembleKernels("/nowhere/ptxas", "", target, whyNot));
  EXPECT_NE(whyNot.find("ptxas refuses it: "), std::string::npos) << whyNot;
}

TEST_F(BackendTest, ResourcesAreThoseOfPtxas) {
  auto compiled = compileKernels(parseKernel(""), target, whyNot);
  ASSERT_TRUE(compiled) << whyNot;
  EXPECT_NE(compiled->ptx.find(".entry k("), std::string::npos);
  if (!findPtxas())
    GTEST_SKIP() << "no ptxas";
  ASSERT_EQ(compiled->resources.count("k"), 1u);
  EXPECT_GT(compiled->resources["k"].registers, 0);
  EXPECT_EQ(compiled->resources["k"].spillBytes, 0);
}

TEST_F(BackendTest, ARefusedCandidateIsDropped) {
  auto breakFirst = [&](gpu::GPUModuleOp kernels, const Target &target,
                        std::string &whyNot) {
    if (kernels.getName() == "a")
      kernels.walk([](LLVM::LLVMFuncOp function) {
        if (function.isExternal())
          return;
        auto b = OpBuilder::atBlockBegin(&function.front());
        NVVM::ClusterArriveOp::create(b, function.getLoc(), UnitAttr());
      });
    return compileKernels(kernels, target, whyNot);
  };
  EXPECT_EQ(lowerProgram(breakFirst), "b");
  EXPECT_NE(remarks.find("candidate 'a' is dropped: the backend refuses it: "),
            std::string::npos)
      << remarks;
  EXPECT_FALSE(module->lookupSymbol("a"));
  EXPECT_TRUE(succeeded(module->verify()));
}

TEST_F(BackendTest, WhereAllAreRefusedTheInvokeStays) {
  auto refuse = [](gpu::GPUModuleOp, const Target &, std::string &whyNot) {
    whyNot = "no";
    return std::optional<CompiledKernels>();
  };
  EXPECT_EQ(lowerProgram(refuse), "");
  EXPECT_NE(remarks.find("candidate 'b' is dropped: no\n"), std::string::npos);
  auto function = *module->getOps<func::FuncOp>().begin();
  EXPECT_FALSE(function.getOps<InvokeOp>().empty());
}

// Without ptxas nobody would know: the choice is the same, with a remark.
TEST_F(BackendTest, ASpillChangesNoChoice) {
  auto spill = [](StringRef which) {
    return [which](gpu::GPUModuleOp kernels, const Target &, std::string &) {
      CompiledKernels compiled;
      KernelResources resources = {255, 0};
      if (which.contains(kernels.getName()))
        resources.spillBytes = 8;
      compiled.resources["k"] = resources;
      return std::optional<CompiledKernels>(compiled);
    };
  };
  EXPECT_EQ(lowerProgram(spill("b")), "a");
  EXPECT_EQ(remarks.find("spills"), std::string::npos) << remarks;
  EXPECT_EQ(lowerProgram(spill("a")), "a");
  EXPECT_FALSE(module->lookupSymbol("b"));
  EXPECT_NE(remarks.find("candidate 'a' spills 8 bytes of registers on sm_80"),
            std::string::npos)
      << remarks;
}

/// Who has the last word sees the PTX, and what it refuses is dropped for the
/// next candidate.
TEST_F(BackendTest, AcceptRefuses) {
  std::string chosen = lowerProgram(
      compileKernels, [](CandidateOp candidate, const LoweredCandidate &lowered,
                         const CompiledKernels &compiled, std::string &whyNot) {
        EXPECT_EQ(lowered.kernels.size(), 1u);
        EXPECT_NE(compiled.ptx.find(lowered.kernels.front().name),
                  std::string::npos);
        whyNot = "it is the first";
        return candidate.getId() != "a";
      });
  EXPECT_EQ(chosen, "b");
  EXPECT_NE(remarks.find("candidate 'a' is dropped: it is the first"),
            std::string::npos);
}

} // namespace
