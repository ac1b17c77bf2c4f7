//===- References.h - What programs and kernels should give -*- C++ -* ----===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program evaluated at parts of its results, and the blocks of a kernel one
// at a time: what a kernel that ran on the simulated device is compared with.
//
// Worked example of a block: with the grid dim x of tile 64 over d = 100, block
// x = 1 loads and saves [64, 100) of d. Where a loop of tile 16 splits that,
// its steps are [64, 80), [80, 96), [96, 100).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_REFERENCES_H
#define PRISM_LIB_GATE_REFERENCES_H

#include "Numbers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace prism::gate {

/// Values of extent symbols, and `<kernel>.<dim>` for numbers of blocks.
using SymbolValues = llvm::StringMap<int64_t>;

/// The extents of a tensor; none where one has no value.
std::optional<llvm::SmallVector<int64_t>>
evaluateExtents(mlir::Type tensor, const SymbolValues &symbols);

/// The numbers of an argument at a lattice.
using ArgumentFn =
    llvm::function_ref<Numbers(unsigned index, const Positions &)>;

class ProgramReference {
public:
  /// Composites of `program` are decomposed in place.
  ProgramReference(ProgramOp program, const SymbolValues &symbols);

  using Wanted = llvm::MapVector<mlir::Value, Positions>;
  /// What of each value is needed for what is wanted of some; none if an op
  /// has no numbers here, which `getUnknown` then names.
  std::optional<Wanted> getNeeded(Wanted wanted);
  /// What this takes, in steps of the simulated device.
  uint64_t countSteps(const Wanted &needed);
  /// The same for `positions` of `value` with all that they need, which is
  /// known here (getNeeded).
  uint64_t countSteps(mlir::Value value, const Positions &positions);
  /// The values in `wanted`, in its order.
  std::optional<std::vector<Numbers>>
  evaluate(const Wanted &wanted, ArgumentFn getArgument, Evaluation precision);
  llvm::StringRef getUnknown() const { return unknown; }
  ProgramOp getProgram() { return program; }

private:
  std::optional<llvm::SmallVector<llvm::ArrayRef<int64_t>>>
  getOperandExtents(mlir::Operation *op);

  ProgramOp program;
  const SymbolValues &symbols;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> extents;
  std::string unknown;
};

/// A box of a tensor: [begin, end) in each dim.
struct Box {
  llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;
  bool isNothing = false; ///< not even the only element of a scalar

  Positions getPositions() const;
  bool isEmpty() const;
};

class KernelReference {
public:
  KernelReference(KernelOp kernel, const SymbolValues &symbols);

  /// The number of blocks; 0 if an extent has no value.
  int64_t getNumBlocks() const { return numBlocks; }
  /// The number of blocks along a grid dim, or steps of the loop at most.
  int64_t getCount(llvm::StringRef dim) const;
  /// What `block` writes of result `index` of the kernel.
  Box getSaved(int64_t block, unsigned index);
  /// What `block` reads of operand `index`; no dims if it is never loaded.
  Positions getLoaded(int64_t block, unsigned index);
  /// The blocks that write what is in `box` of result `index`, ascending.
  std::vector<int64_t> findWriters(unsigned index, const Positions &box);
  /// Evaluates the block: one box of numbers per result of the kernel.
  std::optional<std::vector<Numbers>> evaluate(
      int64_t block,
      llvm::function_ref<Numbers(unsigned operand, const Positions &)> load,
      Evaluation precision);
  /// What evaluating a block takes at most, in steps of the simulated device.
  uint64_t countSteps();
  /// What running one there may be expected to take.
  uint64_t estimateSimulated();

private:
  struct Dim {
    std::string name;
    bool isLoop;
    int64_t tile, count;
    DimExpr base;
  };
  using Coordinates = llvm::StringMap<int64_t>;
  using CountFn = uint64_t (*)(ComputeOpInterface,
                               llvm::ArrayRef<llvm::ArrayRef<int64_t>>,
                               int64_t points);

  uint64_t sumOverOps(CountFn count);
  Coordinates getCoordinates(int64_t block) const;
  const Dim *lookup(llvm::StringRef name) const;
  std::optional<int64_t> evaluateWhole(const DimExpr &extent) const;
  /// The extent of a tile dim in the block and step at `at`.
  int64_t evaluateTile(const DimExpr &extent, const Coordinates &at) const;
  std::pair<int64_t, int64_t> getRange(const DimExpr &whole,
                                       llvm::ArrayRef<Split> splits,
                                       const Coordinates &at) const;
  Box getBox(mlir::Type tensor, MapAttr map, mlir::ArrayAttr partials,
             const Coordinates &at) const;

  class Run;

  KernelOp kernel;
  llvm::StringRef graphName;
  const SymbolValues &symbols;
  llvm::SmallVector<Dim> dims;
  int64_t numBlocks = 0;
};

} // namespace prism::gate

#endif // PRISM_LIB_GATE_REFERENCES_H
