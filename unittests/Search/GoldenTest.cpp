//===- GoldenTest.cpp - Structures that the search must find --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structures known to be good, each in the words of describeCandidate, and each
// found from the program as it is written.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Describe.h"
#include "Prism/Search/NormalForm.h"
#include "Prism/Search/PaperCount.h"
#include "Prism/Search/Search.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

class GoldenTest : public ::testing::Test {
protected:
  GoldenTest() { context.loadDialect<PrismDialect>(); }

  /// All mapped candidates of one program, described; with `keepAll` not only
  /// one of each normal form.
  std::vector<std::string> search(const std::string &text, bool keepAll = true,
                                  GenerateOptions options = getOneKernel()) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module);
    if (!module)
      return {};
    ProgramOp program = *module->getOps<ProgramOp>().begin();
    generated = generateCandidates(program, options);
    EXPECT_TRUE(succeeded(verify(*module)));
    InstantiateOptions mapOptions;
    mapOptions.keepAll = keepAll;
    instantiated = instantiateMaps(program, mapOptions);
    EXPECT_TRUE(succeeded(verify(*module)));
    std::vector<std::string> result;
    for (CandidateOp candidate : program.getCandidateOps())
      result.push_back(describeCandidate(candidate));
    return result;
  }

  /// Structures are looked for before the range filter.
  static GenerateOptions getAllKernels() {
    GenerateOptions options;
    options.filterRange = options.shiftSoftmax = false;
    return options;
  }
  static GenerateOptions getOneKernel() {
    GenerateOptions options = getAllKernels();
    options.maxKernels = 1;
    options.cutForms = false;
    return options;
  }

  static void expectFound(const std::vector<std::string> &candidates,
                          const std::string &wanted) {
    if (llvm::is_contained(candidates, wanted))
      return;
    std::string all;
    for (const std::string &candidate : candidates)
      all += "\n  " + candidate;
    ADD_FAILURE() << "not found:\n  " << wanted << "\namong:" << all;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  GenerateResult generated;
  InstantiateResult instantiated;
};

/// x / sqrt(mean(x^2)) in f32, narrowed to f16.
const std::string rmsNorm = R"(
  %0 = prism.cast %x : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %7 = prism.cast %6 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f16>
)";

std::string getMatmul(StringRef result, StringRef lhs, StringRef rhs,
                      StringRef type = "f16") {
  return ("  " + result + " = prism.matmul " + lhs + ", " + rhs +
          " : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> "
          "!prism.tensor<[n, h], f32>\n")
      .str();
}

const std::string yieldF16 = R"(
  %y = prism.cast %r : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f16>
  prism.yield %y : !prism.tensor<[n, h], f16>
})";

const std::string twoInputs =
    "prism.program @p extents [n = ?, d = ?, h = ?] "
    "(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> "
    "(!prism.tensor<[n, h], f16>) {\n";

const std::string threeInputs =
    "prism.program @p extents [n = ?, d = ?, h = ?] "
    "(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>, "
    "%v: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f16>) {\n";

const std::string rmsNormProduct =
    twoInputs + rmsNorm + getMatmul("%r", "%7", "%w") + yieldF16;
const std::string rmsNormMlp =
    threeInputs + rmsNorm + getMatmul("%8", "%7", "%w") +
    getMatmul("%9", "%7", "%v") +
    "  %r = prism.mul %8, %9 : (!prism.tensor<[n, h], f32>, "
    "!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>\n" +
    yieldF16;

TEST_F(GoldenTest, RmsNorm) {
  auto found = search(rmsNormProduct);
  EXPECT_TRUE(generated.complete);
  expectFound(found, "grid x; loop i; div(acc(matmul(a0[,i], a1[i,x])), "
                     "sqrt(div(acc(reduce_sum(square(a0[,i]))), d))) -> [,x]");
  expectFound(found, "grid x; div(matmul(a0[,], a1[,x]), "
                     "sqrt(div(reduce_sum(square(a0[,])), d))) -> [,x]");
  // As written, which no loop can do.
  expectFound(found, "grid x; matmul(div(a0[,], "
                     "sqrt(div(reduce_sum(square(a0[,])), d))), a1[,x]) -> "
                     "[,x]");
}

TEST_F(GoldenTest, RmsNormMlp) {
  auto found = search(rmsNormMlp, /*keepAll=*/false);
  // The cheapest: one division by the mean of squares, no root.
  expectFound(found, "grid x; loop i; div(mul(acc(matmul(a0[,i], a1[i,x])), "
                     "acc(matmul(a0[,i], a2[i,x]))), "
                     "div(acc(reduce_sum(square(a0[,i]))), d)) -> [,x]");
}

const std::string swiGlu =
    threeInputs + getMatmul("%0", "%x", "%w") + getMatmul("%1", "%x", "%v") +
    "  %2 = prism.silu %0 : (!prism.tensor<[n, h], f32>) -> "
    "!prism.tensor<[n, h], f32>\n"
    "  %r = prism.mul %2, %1 : (!prism.tensor<[n, h], f32>, "
    "!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>\n" +
    yieldF16;

TEST_F(GoldenTest, SwiGlu) {
  auto found = search(swiGlu);
  bool hasLoop = llvm::any_of(found, [](const std::string &candidate) {
    return candidate ==
               "grid x; loop i; mul(silu(acc(matmul(a0[,i], a1[i,x]))), "
               "acc(matmul(a0[,i], a2[i,x]))) -> [,x]" ||
           candidate == "grid x; loop i; mul(acc(matmul(a0[,i], a2[i,x])), "
                        "silu(acc(matmul(a0[,i], a1[i,x])))) -> [,x]";
  });
  EXPECT_TRUE(hasLoop);
}

const std::string lora = R"(
prism.program @p extents [n = ?, d = ?, r = ?, h = ?] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>, %a: !prism.tensor<[d, r], f16>, %b: !prism.tensor<[r, h], f16>) -> (!prism.tensor<[n, h], f16>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %x, %a : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, r], f16>) -> !prism.tensor<[n, r], f32>
  %2 = prism.cast %1 : (!prism.tensor<[n, r], f32>) -> !prism.tensor<[n, r], f16>
  %3 = prism.matmul %2, %b : (!prism.tensor<[n, r], f16>, !prism.tensor<[r, h], f16>) -> !prism.tensor<[n, h], f32>
  %4 = prism.add %0, %3 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %5 = prism.cast %4 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f16>
  prism.yield %5 : !prism.tensor<[n, h], f16>
})";

TEST_F(GoldenTest, Lora) {
  auto found = search(lora);
  expectFound(found, "grid x; add(matmul(a0[,], a1[,x]), "
                     "matmul(matmul(a0[,], a2[,]), a3[,x])) -> [,x]");
  // Both loops: over d, and over the rank with loop-invariant X W.
  expectFound(found, "grid x; loop i; add(acc(matmul(a0[,i], a1[i,x])), "
                     "matmul(acc(matmul(a0[,i], a2[i,])), a3[,x])) -> [,x]");
  expectFound(found, "grid x; loop i; add(matmul(a0[,], a1[,x]), "
                     "acc(matmul(matmul(a0[,], a2[,i]), a3[i,x]))) -> [,x]");
}

// Of each normal form the one with the fewest ops, over the fewest dims, is
// kept: two kernels, three sets of grid dims.
TEST_F(GoldenTest, RmsNormNormalized) {
  auto found = search(rmsNormProduct, /*keepAll=*/false);
  EXPECT_EQ(found.size(), 6u);
  EXPECT_EQ(instantiated.uniqueNormalized, 6u);
  EXPECT_GT(instantiated.uniqueGraphs, 6u);
  EXPECT_EQ(found[0], "grid x; div(matmul(a0[,], a1[,x]), "
                      "sqrt(div(reduce_sum(square(a0[,])), d))) -> [,x]");
  EXPECT_EQ(found[3], "grid x; loop i; div(acc(matmul(a0[,i], a1[i,x])), "
                      "sqrt(div(acc(reduce_sum(square(a0[,i]))), d))) -> [,x]");
}

// The worked example of NormalForm.h.
TEST_F(GoldenTest, NormalForm) {
  auto found = search(R"(
prism.program @p extents [n = ?, d = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>, %s: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.div %x, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %1 : !prism.tensor<[n, h], f32>
})");
  unsigned count = 0;
  for (CandidateOp candidate :
       (*module->getOps<ProgramOp>().begin()).getCandidateOps()) {
    std::string text = describeCandidate(candidate);
    if (text != "grid x; matmul(div(a0[,], a2[]), a1[,x]) -> [,x]" &&
        text != "grid x; div(matmul(a0[,], a1[,x]), a2[]) -> [,x]")
      continue;
    ++count;
    EXPECT_NE(getNormalForm(candidate).find(
                  "a2[r0]^-1 * sum{b1}(a0[r0,{b1}] * a1[{b1},r1/x])"),
              std::string::npos)
        << getNormalForm(candidate);
  }
  EXPECT_EQ(count, 2u);
}

const std::string attention = R"(
prism.program @p extents [b = ?, n = ?, e = ?, s = ?] (%q: !prism.tensor<[b, n, e], f16>, %k: !prism.tensor<[b, s, e], f16>, %v: !prism.tensor<[b, s, e], f16>) -> (!prism.tensor<[b, n, e], f16>) {
  %0 = prism.matmul %q, %k maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tensor<[b, n, e], f16>, !prism.tensor<[b, s, e], f16>) -> !prism.tensor<[b, n, s], f32>
  %1 = prism.exp %0 : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n, s], f32>
  %2 = prism.reduce_sum %1 dims [2] : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n], f32>
  %3 = prism.div %1, %2 maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tensor<[b, n, s], f32>, !prism.tensor<[b, n], f32>) -> !prism.tensor<[b, n, s], f32>
  %4 = prism.cast %3 : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n, s], f16>
  %5 = prism.matmul %4, %v : (!prism.tensor<[b, n, s], f16>, !prism.tensor<[b, s, e], f16>) -> !prism.tensor<[b, n, e], f32>
  %6 = prism.cast %5 : (!prism.tensor<[b, n, e], f32>) -> !prism.tensor<[b, n, e], f16>
  prism.yield %6 : !prism.tensor<[b, n, e], f16>
})";

// The first of the two kernels of grouped attention, with its loop but without
// the split along it: batch, rows, columns of V.
TEST_F(GoldenTest, AttentionOneKernel) {
  auto found = search(attention, /*keepAll=*/false);
  expectFound(found,
              "grid x,y,z; loop i; div(acc(matmul(exp(matmul(a0[z,y,], "
              "a1[z,i,])), a2[z,i,x])), acc(reduce_sum(exp(matmul(a0[z,y,], "
              "a1[z,i,]))))) -> [z,y,x]");
  // Seven sets of grid dims; no loop, over KV, over e.
  EXPECT_EQ(instantiated.uniqueNormalized, 21u);
}

// Grouped attention, few rows: partial sums of products and of exponentials per
// part of KV, over which the first kernel loops; the second adds up and
// divides.
TEST_F(GoldenTest, AttentionSplitOverKV) {
  auto found = search(attention, /*keepAll=*/false, getAllKernels());
  expectFound(found,
              "grid x,y,z,s; loop i; "
              "acc(matmul(exp(matmul(a0[z,y,], a1[z,s/i,])), a2[z,s/i,x])) -> "
              "[z,y,x] by s, acc(reduce_sum(exp(matmul(a0[z,y,], "
              "a1[z,s/i,])))) -> [z,y] by s | grid x,y,z; "
              "div(reduce_sum(k0.0[,z,y,x]), reduce_sum(k0.1[,z,y])) -> "
              "[z,y,x]");
}

// Q K^T by itself, as a library computes it, the rest split over KV.
TEST_F(GoldenTest, AttentionAfterAProduct) {
  auto found = search(attention, /*keepAll=*/false, getAllKernels());
  expectFound(found,
              "grid x,y,z,s; loop i; acc(matmul(exp(matmul(a0, "
              "a1)[z,y,s/i]), a2[z,s/i,x])) -> [z,y,x] by s, "
              "acc(reduce_sum(exp(matmul(a0, a1)[z,y,s/i]))) -> [z,y] by s | "
              "grid x,y,z; "
              "div(reduce_sum(k0.0[,z,y,x]), reduce_sum(k0.1[,z,y])) -> "
              "[z,y,x]");
}

/// softmax(Q K^T) V with its maximum, without batches.
const std::string stableAttention = R"(
prism.program @p extents [n = ?, e = ?, s = ?] (%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %v: !prism.tensor<[s, e], f16>) -> (!prism.tensor<[n, e], f16>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sub %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.reduce_sum %3 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.div %3, %4 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %6 = prism.cast %5 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %7 = prism.matmul %6, %v : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, e], f32>
  %8 = prism.cast %7 : (!prism.tensor<[n, e], f32>) -> !prism.tensor<[n, e], f16>
  prism.yield %8 : !prism.tensor<[n, e], f16>
})";

// Online softmax: one loop over the keys, product and sum rescaled by the
// maximum of each step. What does not shift is simpler, but may overflow.
TEST_F(GoldenTest, OnlineSoftmax) {
  auto found = search(stableAttention, /*keepAll=*/false, {});
  const std::string scores = "matmul(a0[x,], a1[i,])";
  const std::string exponential =
      "exp(sub(" + scores + ", reduce_max(" + scores + ")))";
  expectFound(found, "grid x; loop i; div(rescaled(matmul(" + exponential +
                         ", a2[i,]), reduce_max(" + scores +
                         ")), rescaled(reduce_sum(" + exponential +
                         "), reduce_max(" + scores + "))) -> [x,]");
}

// Flash decoding: the same for each part of the keys, with the maximum of the
// part; the second kernel weighs the parts by these.
TEST_F(GoldenTest, FlashDecoding) {
  auto found = search(stableAttention, /*keepAll=*/false, {});
  const std::string scores = "matmul(a0[y,], a1[s/i,])";
  const std::string exponential =
      "exp(sub(" + scores + ", reduce_max(" + scores + ")))";
  const std::string weight = "exp(sub(k0.0[,y], reduce_max(k0.0[,y])))";
  expectFound(found,
              "grid x,y,s; loop i; accmax(reduce_max(" + scores +
                  ")) -> [y] by s, rescaled(matmul(" + exponential +
                  ", a2[s/i,x]), reduce_max(" + scores +
                  ")) -> [y,x] by s, rescaled(reduce_sum(" + exponential +
                  "), reduce_max(" + scores +
                  ")) -> [y] by s | grid x,y; div(reduce_sum(mul(k0.1[,y,x], " +
                  weight + ")), reduce_sum(mul(k0.2[,y], " + weight +
                  "))) -> [y,x]");
}

// A program that does not shift is searched as if it did, too.
TEST_F(GoldenTest, UnshiftedSoftmaxIsShifted) {
  auto found = search(attention, /*keepAll=*/false, {});
  bool isOnline = llvm::any_of(found, [](const std::string &candidate) {
    return StringRef(candidate).contains("loop i; div(rescaled(matmul(exp(sub("
                                         "matmul(a0[y,x,], a1[y,i,]), "
                                         "reduce_max(");
  });
  EXPECT_TRUE(isOnline);
}

// log sum exp: the maximum is needed after the loop, too.
TEST_F(GoldenTest, LogSumExp) {
  auto found = search(R"(
prism.program @p extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.log %3 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.add %0, %4 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %5 : !prism.tensor<[n], f32>
})");
  bool hasLoop = llvm::any_of(found, [](const std::string &candidate) {
    return StringRef(candidate).contains("accmax(reduce_max(a0[x,i]))") &&
           StringRef(candidate).contains(
               "log(rescaled(reduce_sum(exp(sub(a0[x,i], "
               "reduce_max(a0[x,i])))), reduce_max(a0[x,i])))");
  });
  EXPECT_TRUE(hasLoop);
}

// The variant with the product in a kernel of its own.
TEST_F(GoldenTest, SwiGluInTwoKernels) {
  auto found = search(swiGlu, /*keepAll=*/false, getAllKernels());
  bool hasTwo = llvm::any_of(found, [](const std::string &candidate) {
    return StringRef(candidate).contains("silu(acc(matmul(") &&
           StringRef(candidate).contains(" | grid x,y; mul(k0.");
  });
  EXPECT_TRUE(hasTwo);
}

// Split-K: columns of W are split, too, though the sum of squares is then
// computed again for each.
TEST_F(GoldenTest, SplitK) {
  auto found = search(rmsNormProduct, /*keepAll=*/false, getAllKernels());
  expectFound(
      found, "grid x,y,s; loop i; acc(matmul(a0[y,s/i], a1[s/i,x])) -> [y,x] "
             "by s, acc(reduce_sum(square(a0[y,s/i]))) -> [y] by s | grid x,y; "
             "div(reduce_sum(k0.0[,y,x]), sqrt(div(reduce_sum(k0.1[,y]), d))) "
             "-> [y,x]");
}

// The counts of the paper's Table 3, by its bounds as we read them.
TEST_F(GoldenTest, PaperCounts) {
  GenerateOptions options = getOneKernel();
  options.forms.extraOps = 0;
  auto count = [&](const std::string &text) {
    search(text, /*keepAll=*/true, options);
    SmallVector<CandidateOp> candidates =
        (*module->getOps<ProgramOp>().begin()).getCandidateOps();
    return countPaperGraphs(candidates);
  };
  EXPECT_EQ(count(rmsNormProduct), 9u);
  EXPECT_EQ(count(swiGlu), 12u);
  EXPECT_EQ(count(attention), 14u);
}

// Pruning drops nothing: every candidate, before and after normalization.
TEST_F(GoldenTest, PruningDropsNothing) {
  GenerateOptions unpruned = getOneKernel();
  unpruned.forms.pruneExpression = unpruned.loops.pruneShape = false;
  for (const std::string &text :
       {rmsNormProduct, rmsNormMlp, lora, attention}) {
    auto pruned = search(text);
    uint64_t grown = generated.generated;
    EXPECT_EQ(pruned, search(text, /*keepAll=*/true, unpruned));
    EXPECT_GT(generated.generated, grown);
  }
}

// A budget in steps gives what was found until then, and says so.
TEST_F(GoldenTest, Budget) {
  GenerateOptions options = getOneKernel();
  options.budgetSteps = 2000;
  auto found = search(rmsNormMlp, /*keepAll=*/true, options);
  EXPECT_FALSE(generated.complete);
  EXPECT_EQ(generated.generated, 2000u);
  EXPECT_FALSE(found.empty());
  EXPECT_EQ(found, search(rmsNormMlp, /*keepAll=*/true, options));
}

// X X^T: rows and columns of the result split X differently.
TEST_F(GoldenTest, OneInputLoadedTwice) {
  auto found = search(R"(
prism.program @p extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, n], f32>) {
  %0 = prism.matmul %x, %x maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, n], f32>
  prism.yield %0 : !prism.tensor<[n, n], f32>
})");
  expectFound(found, "grid x,y; matmul(a0[y,], a0[x,]) -> [y,x]");
  expectFound(found, "grid x; loop i; acc(matmul(a0[x,i], a0[,i])) -> [x,]");
}

} // namespace
