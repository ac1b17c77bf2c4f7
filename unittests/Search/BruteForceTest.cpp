//===- BruteForceTest.cpp - The solver against numbers --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every assignment of a symbolic kernel's variables is run block by block and
// step by step on random numbers, at two sizes with ragged chunks, and compared
// with the program. The assignments that compute it are those that the solver
// finds: neither equalities nor propagation are used here.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Prism/Search/MapSolver.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {

using Sizes = llvm::StringMap<int>;

/// The scalar function of the ops that the programs below use.
Scalar getScalar(Operation *op, const Sizes &sizes) {
  StringRef name = op->getName().stripDialect();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    double value = 0;
    if (auto extent = dyn_cast<DimExprAttr>(constant.getValue()))
      value = *extent.getValue().evaluate(
          [&](StringRef symbol) -> std::optional<int64_t> {
            return sizes.lookup(symbol);
          },
          [](StringRef) { return std::nullopt; });
    else
      value = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
    return [=](ArrayRef<double>) { return value; };
  }
  if (name == "mul" || name == "matmul")
    return [](ArrayRef<double> x) { return x[0] * x[1]; };
  if (name == "div")
    return [](ArrayRef<double> x) { return x[0] / x[1]; };
  if (name == "sub")
    return [](ArrayRef<double> x) { return x[0] - x[1]; };
  if (name == "add")
    return [](ArrayRef<double> x) { return x[0] + x[1]; };
  if (name == "square")
    return [](ArrayRef<double> x) { return x[0] * x[0]; };
  if (name == "sqrt")
    return [](ArrayRef<double> x) { return std::sqrt(x[0]); };
  if (name == "exp")
    return [](ArrayRef<double> x) { return std::exp(x[0]); };
  EXPECT_TRUE(name == "reduce_sum" || name == "reduce_max" || name == "cast")
      << name.str();
  return [](ArrayRef<double> x) { return x[0]; };
}

/// The program's results.
std::vector<Data> runProgram(ProgramOp program, ArrayRef<Data> arguments,
                             const Sizes &sizes) {
  llvm::DenseMap<Value, Data> values;
  for (auto [argument, data] :
       llvm::zip_equal(program.getBodyBlock().getArguments(), arguments))
    values[argument] = data;
  for (Operation &op : program.getBodyBlock().without_terminator()) {
    std::vector<Data> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    values[op.getResult(0)] =
        *evaluate(cast<ComputeOpInterface>(op).getIterationStructure(),
                  getScalar(&op, sizes), operands);
  }
  std::vector<Data> results;
  for (Value value : program.getYield().getValues())
    results.push_back(values.lookup(value));
  return results;
}

/// Runs a kernel with at most one grid dim and one loop dim under splits of
/// its loaders and savers. Tiles are of 2 elements along the grid, and of 1
/// along the loop.
class KernelRun {
public:
  KernelRun(KernelOp kernel, ArrayRef<Data> arguments, const Sizes &sizes,
            ArrayRef<std::optional<unsigned>> grid,
            ArrayRef<std::optional<unsigned>> loop)
      : kernel(kernel), arguments(arguments), sizes(sizes), grid(grid),
        loop(loop) {
    for (Operation &op : kernel.getBodyBlock())
      if (isa<LoadOp, SaveOp>(op))
        site[&op] = site.size();
  }

  /// Whether all results are `expected`.
  bool computes(ArrayRef<Data> expected) {
    for (auto [index, value] : llvm::enumerate(kernel.getYield().getValues())) {
      auto save = value.getDefiningOp<SaveOp>();
      std::optional<unsigned> dim =
          grid.empty() ? std::nullopt : grid[site.lookup(save)];
      const Data &whole = expected[index];
      int extent = dim ? whole.shape[*dim] : 1;
      for (block = 0; block * gridTile < extent; ++block) {
        step = -1;
        std::optional<Data> tile = get(save.getTile());
        if (!tile)
          return false;
        Data wanted = whole;
        if (dim)
          wanted = slice(whole, *dim, block * gridTile,
                         std::min((block + 1) * gridTile, extent));
        if (tile->shape != wanted.shape)
          return false;
        for (auto [have, want] : llvm::zip_equal(tile->values, wanted.values))
          if (!(std::abs(have - want) <= 1e-9 * (1 + std::abs(want))))
            return false;
      }
    }
    return true;
  }

private:
  static constexpr int gridTile = 2;

  /// Steps of the loop in this block.
  int getNumSteps() {
    int steps = 0;
    for (auto [op, index] : site) {
      auto load = dyn_cast<LoadOp>(op);
      if (!load || loop.empty() || !loop[index])
        continue;
      const Data &data = arguments[getArgument(load)];
      int extent = data.shape[*loop[index]];
      if (!grid.empty() && grid[index] == loop[index])
        extent = std::min((block + 1) * gridTile, extent) - block * gridTile;
      steps = std::max(steps, extent);
    }
    return steps;
  }

  unsigned getArgument(LoadOp load) {
    Value input =
        kernel
            .getInputs()[cast<BlockArgument>(load.getSource()).getArgNumber()];
    return cast<BlockArgument>(input).getArgNumber();
  }

  /// The tile of this block and step; none where it makes no sense.
  std::optional<Data> get(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<LoadOp>(op))
      return getLoad(load);
    if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
      int steps = getNumSteps(), outer = step;
      std::optional<Data> total;
      for (step = 0; step < steps; ++step)
        if (!addStep(accumulate, steps, total)) {
          step = outer;
          return std::nullopt;
        }
      step = outer;
      return total;
    }
    std::vector<Data> operands;
    for (Value operand : op->getOperands()) {
      std::optional<Data> data = get(operand);
      if (!data)
        return std::nullopt;
      operands.push_back(*data);
    }
    return evaluate(cast<ComputeOpInterface>(op).getIterationStructure(),
                    getScalar(op, sizes), operands);
  }

  /// Adds this step to `total`; false where that makes no sense.
  bool addStep(AccumulateOp op, int steps, std::optional<Data> &total) {
    std::optional<Data> part = get(op.getTile());
    if (part && op.getShift())
      part = rescale(op, *part, steps);
    if (!part || (total && total->shape != part->shape))
      return false;
    if (!total) {
      total = part;
      return true;
    }
    bool isMax = op.getKind() == AccumulatorKind::Max;
    for (auto [sum, value] : llvm::zip_equal(total->values, part->values))
      sum = isMax ? std::max(sum, value) : sum + value;
    return true;
  }

  /// The tile of this step times exp(m - M), M being the maximum of all shifts.
  std::optional<Data> rescale(AccumulateOp op, Data tile, int steps) {
    std::optional<Data> shift = get(op.getShift());
    if (!shift)
      return std::nullopt;
    Data largest = *shift;
    int here = step;
    for (step = 0; step < steps; ++step) {
      std::optional<Data> other = get(op.getShift());
      if (!other || other->shape != shift->shape)
        return std::nullopt;
      for (auto [most, value] : llvm::zip_equal(largest.values, other->values))
        most = std::max(most, value);
    }
    step = here;
    // All shifts below are of rows: they lie along the leading dims.
    size_t inner = tile.values.size() / shift->values.size();
    if (inner * shift->values.size() != tile.values.size())
      return std::nullopt;
    for (size_t i = 0; i < tile.values.size(); ++i)
      tile.values[i] *=
          std::exp(shift->values[i / inner] - largest.values[i / inner]);
    return tile;
  }

  std::optional<Data> getLoad(LoadOp load) {
    Data data = arguments[getArgument(load)];
    unsigned index = site.lookup(load);
    if (!grid.empty() && grid[index]) {
      int extent = data.shape[*grid[index]];
      if (block * gridTile >= extent)
        return std::nullopt;
      data = slice(data, *grid[index], block * gridTile,
                   std::min((block + 1) * gridTile, extent));
    }
    if (!loop.empty() && loop[index]) {
      if (step < 0 || step >= data.shape[*loop[index]])
        return std::nullopt; // after the loop
      data = slice(data, *loop[index], step, step + 1);
    }
    return data;
  }

  KernelOp kernel;
  ArrayRef<Data> arguments;
  const Sizes &sizes;
  ArrayRef<std::optional<unsigned>> grid, loop;
  llvm::DenseMap<Operation *, unsigned> site;
  int block = 0, step = -1;
};

class BruteForceTest : public ::testing::Test {
protected:
  BruteForceTest() { context.loadDialect<PrismDialect>(); }

  /// Per loader and saver the dim split, or none.
  using Splits = SmallVector<std::optional<unsigned>>;

  /// Every choice of split dims that equation (1) allows; savers only with
  /// `withSavers`. All dims split have one extent, and one is split at least.
  static std::vector<Splits> getAllSplits(KernelOp kernel, bool withSavers) {
    std::vector<std::pair<Splits, DimExpr>> partial = {{{}, {}}};
    for (Operation &op : kernel.getBodyBlock()) {
      if (!isa<LoadOp, SaveOp>(op))
        continue;
      bool isSave = isa<SaveOp>(op);
      Type type =
          isSave ? op.getResult(0).getType() : op.getOperand(0).getType();
      std::vector<std::pair<Splits, DimExpr>> next;
      for (const auto &[splits, extent] : partial) {
        if (!isSave || !withSavers) {
          next.push_back({splits, extent});
          next.back().first.push_back(std::nullopt);
        }
        if (isSave && !withSavers)
          continue;
        for (auto [dim, candidate] : llvm::enumerate(getExtents(type))) {
          if (!extent.isUnknown() && extent != candidate)
            continue;
          next.push_back({splits, candidate});
          next.back().first.push_back(static_cast<unsigned>(dim));
        }
      }
      partial = std::move(next);
    }
    std::vector<Splits> result;
    for (const auto &[splits, extent] : partial)
      if (!extent.isUnknown())
        result.push_back(splits);
    return result;
  }

  static std::string print(const Splits &splits) {
    std::string text;
    for (std::optional<unsigned> split : splits)
      text += split ? std::to_string(*split) : "-";
    return text;
  }

  /// Compares the solver with brute force on all candidates of a program;
  /// returns the number of right assignments.
  unsigned compare(const std::string &text, ArrayRef<Sizes> allSizes) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module);
    ProgramOp program = *module->getOps<ProgramOp>().begin();
    GenerateOptions options;
    options.maxKernels = 1;
    options.cutForms = false;
    options.kernels.maxGridDims = 1;
    options.filterRange = false;
    generateCandidates(program, options);
    unsigned count = 0;
    for (CandidateOp candidate : program.getCandidateOps()) {
      KernelOp kernel = *candidate.getBodyBlock().getOps<KernelOp>().begin();
      std::set<std::string> found = getSolved(kernel);
      std::set<std::string> expected = getRight(program, kernel, allSizes);
      EXPECT_EQ(found, expected) << candidate.getId().str();
      count += expected.size();
    }
    return count;
  }

  static std::set<std::string> getSolved(KernelOp kernel) {
    std::set<std::string> found;
    for (const MapAssignment &assignment : solveMaps(kernel, {}).assignments) {
      std::string text;
      for (const DimAssignment &dim : assignment)
        text += print(dim.splits) + " ";
      found.insert(text);
    }
    return found;
  }

  static std::set<std::string> getRight(ProgramOp program, KernelOp kernel,
                                        ArrayRef<Sizes> allSizes) {
    std::vector<Splits> grids = {{}}, loops = {{}};
    for (ParallelDimAttr dim : kernel.getParallelDims()) {
      bool isLoop = dim.getKind() == ParallelKind::Loop;
      (isLoop ? loops : grids) = getAllSplits(kernel, !isLoop);
    }
    std::set<std::string> right;
    for (const Splits &grid : grids)
      for (const Splits &loop : loops)
        if (isRight(program, kernel, allSizes, grid, loop))
          right.insert((grid.empty() ? "" : print(grid) + " ") +
                       (loop.empty() ? "" : print(loop) + " "));
    return right;
  }

  static bool isRight(ProgramOp program, KernelOp kernel,
                      ArrayRef<Sizes> allSizes, const Splits &grid,
                      const Splits &loop) {
    std::mt19937 engine(11);
    for (const Sizes &sizes : allSizes) {
      std::vector<Data> arguments;
      for (Type type : program.getFunctionType().getInputs()) {
        std::vector<int> shape;
        for (const DimExpr &extent : getExtents(type))
          shape.push_back(sizes.lookup(extent.asSymbol()));
        arguments.push_back(randomData(engine, shape));
      }
      if (!KernelRun(kernel, arguments, sizes, grid, loop)
               .computes(runProgram(program, arguments, sizes)))
        return false;
    }
    return true;
  }

  MLIRContext context;
};

TEST_F(BruteForceTest, RmsNorm) {
  EXPECT_GT(
      compare(R"(
prism.program @p extents [n = ?, d = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %1 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.div %x, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %r = prism.matmul %6, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %r : !prism.tensor<[n, h], f32>
})",
              {{{"n", 3}, {"d", 5}, {"h", 4}}, {{"n", 4}, {"d", 3}, {"h", 5}}}),
      10u);
}

// All extents are one symbol: what may be split together is least clear.
TEST_F(BruteForceTest, SquareMatrices) {
  EXPECT_GT(compare(R"(
prism.program @p extents [n = ?] (%x: !prism.tensor<[n, n], f32>, %w: !prism.tensor<[n, n], f32>) -> (!prism.tensor<[n, n], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, n], f32>, !prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f32>
  %1 = prism.matmul %x, %x maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, n], f32>, !prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f32>
  %2 = prism.add %0, %1 : (!prism.tensor<[n, n], f32>, !prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f32>
  prism.yield %2 : !prism.tensor<[n, n], f32>
})",
                    {{{"n", 5}}, {{"n", 3}}}),
            4u);
}

TEST_F(BruteForceTest, ExpSum) {
  EXPECT_GT(
      compare(R"(
prism.program @p extents [n = ?, e = ?, s = ?] (%q: !prism.tensor<[n, e], f32>, %k: !prism.tensor<[s, e], f32>, %v: !prism.tensor<[s, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.div %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.matmul %3, %v : (!prism.tensor<[n, s], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %4 : !prism.tensor<[n, e], f32>
})",
              {{{"n", 3}, {"e", 2}, {"s", 5}}, {{"n", 5}, {"e", 3}, {"s", 4}}}),
      8u);
}

// Running maxima, and sums rescaled by them.
TEST_F(BruteForceTest, StableSoftmax) {
  EXPECT_GT(
      compare(R"(
prism.program @p extents [n = ?, e = ?, s = ?] (%q: !prism.tensor<[n, e], f32>, %k: !prism.tensor<[s, e], f32>, %v: !prism.tensor<[s, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, s], f32>
  %5 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.sub %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.exp %6 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.div %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.matmul %3, %v : (!prism.tensor<[n, s], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %4 : !prism.tensor<[n, e], f32>
})",
              {{{"n", 3}, {"e", 2}, {"s", 5}}, {{"n", 5}, {"e", 3}, {"s", 4}}}),
      8u);
}

// Two results: a grid dim splits both.
TEST_F(BruteForceTest, TwoResults) {
  EXPECT_GT(compare(R"(
prism.program @p extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.mul %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %1 : !prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>
})",
                    {{{"n", 3}, {"d", 5}}, {{"n", 4}, {"d", 3}}}),
            0u);
}

} // namespace
