//===- Sizing.h - Tile extents of kernels by the cost model -----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameter instantiation (paper section 5): every point of a kernel's
// parameter space is planned as code generation will plan it, and costed. The
// kernels of a candidate are sized one after the other, each for every number
// of blocks of an earlier one that its extents depend on: more partials make
// the first kernel of a split pair faster and the second slower, so neither
// can be sized alone.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TUNING_SIZING_H
#define PRISM_TUNING_SIZING_H

#include "Prism/Tuning/AssumedExtents.h"
#include "Prism/Tuning/CostModel.h"
#include "Prism/Tuning/ParameterSpace.h"
#include <map>

namespace prism {

/// A kernel's parameters, their modelled microseconds, the number of blocks (or
/// loop steps) along each of its parallel dims, as declared, the instructions
/// that multiply matrices, and the bytes of its operands and results.
struct SizedKernel {
  KernelParameters parameters;
  double costUs;
  llvm::SmallVector<int64_t> counts;
  double instructions = 0;
  double bytes = 0;
};

/// What all warps of a kernel issue for its matrix products in all steps:
/// mma.sync, a wgmma counting as those that would do the same, or FMAs.
double countProductInstructions(const KernelPlan &plan);

/// Work that is done twice must pay: products that several blocks compute
/// again, and fragments that are mostly empty, are taken only where every form
/// with about the fewest instructions is modelled to be slower than the
/// cheapest by more than `redundancyMargin`. They take power even where the
/// tensor cores would else be idle, and the model, none of whose constants was
/// measured, is not finer.
inline constexpr double redundancyMargin = 0.2, instructionTolerance = 0.05;

/// Of what is left, times that differ by less than this are one to the model;
/// of such, those that move about the fewest bytes are taken (partials of more
/// splits are more), and of these the cheapest.
inline constexpr double timeTolerance = 0.05, byteTolerance = 0.05;

/// Of `sized`, cheapest first and not empty, what is taken.
const SizedKernel &selectSizes(llvm::ArrayRef<SizedKernel> sized);

/// Whether a symbol's value is known at run time only.
using DynamicSymbolFn = llvm::function_ref<bool(llvm::StringRef)>;

/// The sizes of `kernel` that fit `target`, cheapest first, out of at most
/// `limit` points of its space; `points` grows by those tried. For the cheapest
/// of them, and for as many with few instructions, other schedules than the
/// planner's are tried, too, and the cheapest schedule is kept; points whose
/// cost is the same keep the planner's. None where nothing fits, and `whyNot`
/// says why the last point tried does not. Symbols for which `isDynamic` holds
/// (none, if it is null) have the values that the program around `kernel`
/// assumes (AssumedExtents.h), whatever `symbolValue` says. At most `threads`
/// threads share the points (0: all that MLIR has), to the same result.
std::vector<SizedKernel> sizeKernel(KernelOp kernel, SymbolValueFn symbolValue,
                                    const Target &target, uint64_t limit,
                                    uint64_t &points, std::string &whyNot,
                                    DynamicSymbolFn isDynamic = {},
                                    unsigned threads = 0);

/// A candidate's parameters, for each of its kernels in order; cost,
/// instructions and bytes are sums over all its kernels.
struct SizedCandidate {
  CandidateOp mapped;
  llvm::SmallVector<KernelParameters> kernels;
  double costUs;
  double instructions = 0;
  double bytes = 0;
};

/// Modelled microseconds of `program` run op by op, each op a kernel of its own
/// at the sizes that are taken of a few, as candidates are costed. No value
/// where some op has no kernel.
std::optional<double> estimateOpByOpUs(ProgramOp program,
                                       SymbolValueFn symbolValue,
                                       const Target &target,
                                       DynamicSymbolFn isDynamic = {},
                                       unsigned threads = 0);

/// What the sizes of a candidate may cost to find.
struct SizingLimits {
  uint64_t pointsPerKernel = 4096;      ///< for each combination of extents
  uint64_t coarsePointsPerKernel = 128; ///< the same, to compare candidates
  unsigned keepBest = 8;                ///< sized forms kept
  unsigned threads = 0;                 ///< 0: all that MLIR has
};

/// Sizes of kernels by their text and the numbers of blocks they depend on:
/// the candidates of one program, on one target, share many kernels.
struct SizingCache {
  struct Sizes {
    std::vector<SizedKernel> sized;
    std::string whyNot; ///< where `sized` is empty
  };
  std::map<std::string, Sizes> sizes;
  uint64_t points = 0; ///< planned in all
};

/// The sized forms of the mapped `candidate`: the one to take first (see
/// redundancyMargin), then the cheapest others, cheapest first; `symbolValue`
/// gives the program's extents. None where nothing fits, and `whyNot` says why.
std::vector<SizedCandidate>
sizeCandidate(CandidateOp candidate, SymbolValueFn symbolValue,
              const Target &target, const SizingLimits &limits,
              SizingCache &cache, std::string &whyNot,
              DynamicSymbolFn isDynamic = {});

/// The sized forms of all the mapped `candidates` together, in the same order.
/// Where there are many candidates, few points of each are planned first
/// (`coarsePointsPerKernel`), and all points of the cheapest, and of those that
/// fit at none of the few. `points` grows by those planned.
std::vector<SizedCandidate>
sizeCandidates(llvm::ArrayRef<CandidateOp> candidates,
               SymbolValueFn symbolValue, const Target &target,
               const SizingLimits &limits, uint64_t &points,
               std::string &whyNot, DynamicSymbolFn isDynamic = {});

} // namespace prism

#endif // PRISM_TUNING_SIZING_H
