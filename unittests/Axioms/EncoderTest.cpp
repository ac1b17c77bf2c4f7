//===- EncoderTest.cpp - Programs and candidates as terms -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/Encoder.h"
#include "TestPrograms.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {

/// sum over d of x[n, d] w[d, h], with kernels that split it.
constexpr llvm::StringLiteral product = R"mlir(
prism.program @p extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "loop" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %c = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %z = prism.save %c [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
  prism.candidate "partials" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %p = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[k0.y, n, h], f32> {
      %ta = prism.load %a [[], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y], f16>
      %tb = prism.load %b [[y], []] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/y, h], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/y], f16>, !prism.tile<[d/y, h], f16>) -> !prism.tile<[n, h], f32>
      %z = prism.save %m [[], []] partials [y] : !prism.tile<[n, h], f32> -> !prism.tensor<[k0.y, n, h], f32>
      prism.yield %z : !prism.tensor<[k0.y, n, h], f32>
    }
    %r = prism.reduce_sum %p dims [0] : (!prism.tensor<[k0.y, n, h], f32>) -> !prism.tensor<[n, h], f32>
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
)mlir";

struct Encoded {
  explicit Encoded(ProgramOp program)
      : language(program.getContext()), analysis(language) {
    auto encoded = encodeProgram(program, analysis, bank, why);
    if (succeeded(encoded))
      text = language.print(bank, encoded->results.front());
  }
  std::string candidate(CandidateOp op) {
    auto encoded = encodeCandidate(op, analysis, bank, why);
    return succeeded(encoded) ? language.print(bank, encoded->results.front())
                              : why;
  }

  TermLanguage language;
  TermAnalysis analysis;
  egraph::TermBank bank;
  std::string why, text;
};

TEST(Encoder, Program) {
  ParsedProgram parsed(product);
  ASSERT_TRUE(parsed.program);
  Encoded encoded(parsed.program);
  EXPECT_EQ(encoded.text, "(prism.matmul[d0, d2][d2, d1] arg[0] arg[1])");
}

TEST(Encoder, LoadersAccumulatorsAndSavers) {
  ParsedProgram parsed(product);
  ASSERT_TRUE(parsed.program);
  Encoded encoded(parsed.program);
  EXPECT_EQ(encoded.candidate(parsed.program.getCandidateOps()[0]),
            "(comb[1 grid0@h] (red[loop0@d] (prism.matmul[d0, d2][d2, d1] "
            "(part[1 loop0@d] (repl[grid0@h] arg[0])) "
            "(part[0 loop0@d] (part[1 grid0@h] arg[1])))))");
}

TEST(Encoder, PartialsAreStacked) {
  ParsedProgram parsed(product);
  ASSERT_TRUE(parsed.program);
  Encoded encoded(parsed.program);
  EXPECT_EQ(encoded.candidate(parsed.program.getCandidateOps()[1]),
            "(prism.reduce_sum[array<i64: 0>] (stack[grid0@d] "
            "(prism.matmul[d0, d2][d2, d1] (part[1 grid0@d] arg[0]) "
            "(part[0 grid0@d] arg[1]))))");
}

TEST(Encoder, RescaledSumIsASumOfRescaledTiles) {
  ParsedProgram parsed(R"mlir(
prism.program @p extents [n = 8, s = 64] (%x: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "loop" mapped {
  ^bb0(%x: !prism.tensor<[n, s], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [i loop] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], [i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n, s/i], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n, s/i], f32>) -> !prism.tile<[n], f32>
      %l = prism.reduce_sum %t dims [1] : (!prism.tile<[n, s/i], f32>) -> !prism.tile<[n], f32>
      %c = prism.accumulate rescaled_sum %l shift %m over i : !prism.tile<[n], f32>, !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %z = prism.save %c [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
})mlir");
  ASSERT_TRUE(parsed.program);
  Encoded encoded(parsed.program);
  std::string max =
      "(prism.reduce_max[array<i64: 1>] (part[1 loop0@s] arg[0]))";
  EXPECT_EQ(encoded.candidate(parsed.program.getCandidateOps()[0]),
            "(red[loop0@s] (rescale[d0][d0] "
            "(prism.reduce_sum[array<i64: 1>] (part[1 loop0@s] arg[0])) " +
                max + " (repl[loop0@s] (redmax[loop0@s] " + max + "))))");
}

/// Each kernel has tiles of its own, but the first kernels of two candidates
/// share their dims.
TEST(Encoder, KernelsHaveDimsOfTheirOwn) {
  ParsedProgram parsed(R"mlir(
prism.program @p extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "copy twice" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %z = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    %s = prism.kernel "k1"(%a = %r) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %z = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %s : !prism.tensor<[n], f32>
  }
})mlir");
  ASSERT_TRUE(parsed.program);
  Encoded encoded(parsed.program);
  CandidateOp candidate = parsed.program.getCandidateOps()[0];
  std::string text = encoded.candidate(candidate);
  EXPECT_EQ(text, "(comb[0 grid1@n] (part[0 grid1@n] "
                  "(comb[0 grid0@n] (part[0 grid0@n] arg[0]))))");
  EXPECT_EQ(encoded.candidate(candidate), text);
}

TEST(Encoder, CastsAreErasedOnlyIfRelaxed) {
  ParsedProgram parsed(R"mlir(
prism.program @p extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f16>) {
  %0 = prism.cast %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f16>
  prism.yield %0 : !prism.tensor<[n], f16>
} candidates {
})mlir");
  ASSERT_TRUE(parsed.program);
  for (Precision precision : {Precision::Relaxed, Precision::Strict}) {
    TermLanguage language(&parsed.context, precision);
    TermAnalysis analysis(language);
    egraph::TermBank bank;
    std::string why;
    auto encoded = encodeProgram(parsed.program, analysis, bank, why);
    ASSERT_TRUE(succeeded(encoded));
    bool erased = precision == Precision::Relaxed;
    EXPECT_EQ(encoded->castsErased, erased ? 1u : 0u);
    EXPECT_EQ(language.print(bank, encoded->results.front()),
              erased ? "arg[0]" : "(prism.cast arg[0])");
  }
}

/// Equal computations are one prototype, however their dims are numbered.
TEST(Encoder, MapsAreRenumbered) {
  ParsedProgram parsed(R"mlir(
prism.program @p extents [n = 8, d = 4] (%x: !prism.tensor<[n, d], f32>, %v: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.div %x, %v maps [d1, d0], [d1] -> [d1, d0] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.div %0, %v maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %1 : !prism.tensor<[n, d], f32>
} candidates {
})mlir");
  ASSERT_TRUE(parsed.program);
  TermLanguage language(&parsed.context);
  EXPECT_EQ(language.internPrototype(parsed.op(0)),
            language.internPrototype(parsed.op(1)));
}

/// Certificates carry terms as attributes.
TEST(Encoder, TermsSurviveTheirTextForm) {
  ParsedProgram parsed(rmsNorm);
  Encoded first(parsed.program), second(parsed.program);
  auto encoded =
      encodeProgram(parsed.program, first.analysis, first.bank, first.why);
  ASSERT_TRUE(succeeded(encoded));
  Attribute text =
      first.language.termToAttribute(first.bank, encoded->results.front());
  egraph::TermId term = second.language.termFromAttribute(text, second.bank);
  ASSERT_NE(term, egraph::None);
  EXPECT_EQ(second.language.print(second.bank, term), first.text);
}

} // namespace
