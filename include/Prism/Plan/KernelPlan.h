//===- KernelPlan.h - How a sized block graph becomes a kernel --*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile-level plan of a kernel, without any gpu op: which ops run when,
// which tiles live in shared memory and where, how many threads there are and
// how matrix products are spread over them. Search, tuning and code generation
// read this one plan, so what fits here is what is emitted.
//
// A block graph is cut into *steps*. A step is a loader, a matrix product, a
// reduction, an accumulator, a saver, or an elementwise op whose tile is
// materialized in shared memory. All other elementwise ops (and loaders that
// are read once) are *virtual*: computed in registers, element by element,
// inside the one step that uses them.
//
// An elementwise op that is materialized, but reads an elementwise step's or a
// stored product's elements just where it has its own, *follows* that step: it
// is computed and stored by the same threads while those elements are in
// registers. The step's own tile is stored only if others read it, too. Worked
// example, a step of attention: S = matmul, mul by a scale, m = reduce_max,
// exp(mul - m), cast, matmul. Steps: matmul, followed by mul (S is never
// stored); reduce_max; exp, followed by cast; matmul.
//
// Accumulators `rescaled_sum` with one shift m share a running maximum M of the
// m_i seen so far, kept by the step that computes m: it also leaves, in shared
// memory, the factors exp(M_old - M_new) of the old sums and exp(m_i - M_new)
// of the step's terms (schema S6), per element of m.
//
// Worked example: [x grid tile 64, i loop tile 64], two loaders, square,
// reduce_sum, matmul, both accumulated, div, sqrt, div, cast, save. Steps in
// the loop: load, load, reduce_sum (with cast and square inside, adding into
// its accumulator), matmul (adding into its own, in registers); after the loop:
// sqrt (with the first div inside), save (with the second div and the cast).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_KERNELPLAN_H
#define PRISM_PLAN_KERNELPLAN_H

#include "Prism/Dialect/PrismDialect.h"
#include "Prism/Plan/Target.h"
#include "llvm/ADT/MapVector.h"
#include <optional>
#include <string>

namespace prism {

/// How a kernel runs beside what its tiles say; 0: as the planner sees fit.
struct Schedule {
  int64_t threads = 0; ///< of a block, at least
  int64_t stages = 0;  ///< of the load pipeline, as far as they fit
};

/// What `kernel` itself says.
Schedule getSchedule(KernelOp kernel);
void setSchedule(KernelOp kernel, const Schedule &schedule);

/// The values that sizes are planned with.
struct KernelSizes {
  /// Extents of the program's symbols, and `<kernel>.<dim>` for the number of
  /// blocks of an earlier kernel. Must outlive the call.
  llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> symbolValue;
  /// Tile extents t_p, in elements of the data dim that p splits.
  llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> tileExtent;
  /// Whether a symbol is known at run time only; `symbolValue` is then what the
  /// kernel is costed for, not what it may rely on. Null: none is.
  llvm::function_ref<bool(llvm::StringRef)> isDynamic = {};
  /// In place of what the kernel says.
  std::optional<Schedule> schedule = {};
};

/// A parallel dim with its numbers.
struct ParallelDimPlan {
  std::string name;
  ParallelKind kind;
  int64_t tile;   ///< t_p, elements
  DimExpr base;   ///< the extent that it splits (of the grid tile, for a loop)
  int64_t extent; ///< value of `base` in all blocks but the last
  int64_t count;  ///< d_p = ceil(extent / tile); blocks or (most) loop steps
  bool isDynamic; ///< `extent` and `count` are those of the assumed values
  bool isRagged;  ///< whether some chunk is smaller than the others
};

enum class StepPhase { BeforeLoop, InLoop, AfterLoop };
enum class StepKind { Load, Elementwise, Reduce, Matmul, Accumulate, Save };

/// How a matrix product is spread over the threads. Iteration dims are grouped
/// into batch, m (lhs only), n (rhs only) and k (summed); each group is
/// linearized row-major.
struct MatmulPlan {
  llvm::SmallVector<unsigned> batchDims, rowDims, columnDims, sumDims;
  llvm::SmallVector<int64_t> extents; ///< of each iteration dim, largest
  int64_t batch = 1, rows = 1, columns = 1, depth = 1; ///< group products
  /// mma.sync.m16n8k16 if true; else each thread sums its elements by FMA.
  bool useTensorCores = false;
  /// f32 operands, rounded to TF32: two mma.sync.m16n8k8 in place of each.
  bool usesTF32 = false;
  /// Rows are the rhs's: few rows would waste most of a 16-row fragment.
  bool swapOperands = false;
  /// All warps together; those that no part is left for stand idle.
  int64_t warpsOverRows = 1, warpsOverColumns = 1;
  /// Warps that share rows and columns, each with every so-many-th 16 of the
  /// sum; what they have is added up through KernelPlan::warpSums.
  int64_t warpsOverDepth = 1;
  int64_t rowFragments = 1, columnFragments = 1; ///< per warp and pass
  int64_t accumulators = 1; ///< 32-bit registers (or elements) per thread
  /// A product that is not kept in registers may be computed part by part,
  /// each stored before the next: over batches (all or one a pass), rows and
  /// columns. Without tensor cores, `rowPasses` counts the parts of it all.
  int64_t batchPasses = 1, rowPasses = 1, columnPasses = 1;

  /// mma.sync instructions of all warps of a block together.
  int64_t countInstructions() const;
  int64_t getBatchPerPass() const { return batch / batchPasses; }
  /// Rows and columns that all warps cover in one pass; some may be outside.
  int64_t getRowsPerPass() const { return warpsOverRows * rowFragments * 16; }
  int64_t getColumnsPerPass() const {
    return warpsOverColumns * columnFragments * 8;
  }
};

/// How a reduction is spread over the threads: *groups* of neighbouring threads
/// of a warp, the lanes, share a result. Lane l of a group takes every
/// `lanes`-th run (RunPlan.h) of what is reduced from the l-th on, and shuffles
/// over distances lanes / 2 to 1 put together what the lanes have. Group g of
/// all threads / lanes groups has the results g, g + groups, ...
///
/// Worked example: 64 results of 64 elements of f32 with 512 threads: 8 lanes,
/// two runs of 4 each, 3 shuffles.
struct ReducePlan {
  int64_t outputs = 1; ///< elements of the result
  int64_t reduced = 1; ///< elements summed into each
  int64_t lanes = 1;   ///< power of two, at most a warp; 1: no shuffles
};

struct PlanStep {
  mlir::Operation *op;
  StepKind kind;
  StepPhase phase;
  /// The accumulator that a matmul or reduction adds into directly, or null.
  AccumulateOp accumulator;
  MatmulPlan matmul;
  ReducePlan reduce;
  bool carried = false;
  /// Elementwise ops that are computed from the step's elements, and from those
  /// of followers before them, while these are in registers: in this order, at
  /// the same indices. Each has a tile of its own.
  llvm::SmallVector<mlir::Operation *, 2> followers;

  /// The tile that the step computes and stores; null for a save. It has no
  /// buffer if only followers read it.
  mlir::Value getStoredTile() const;
  /// Whether followers have the elements of `tile` in registers.
  bool keeps(mlir::Value tile) const;
  /// The accumulator that the step adds into, or null.
  AccumulateOp getAccumulator() const;
  /// Whether the sums of a product stay in registers through the loop.
  bool isCarried() const { return carried; }
};

/// A tile in shared memory, row-major in its largest extents. A tile that is
/// loaded in the loop has a copy per stage of the pipeline.
///
/// Swizzled tiles are as bulk tensor copies write them: rows of more than
/// `swizzle` bytes are cut into panels, one panel of all rows behind the other,
/// and in each, the 16-byte units of a row lie in an order that depends on
/// where the row is: bits 4 and up of an address (1, 2 or 3 of them) are xor'ed
/// with those from bit 7 on. So 8 rows' units of one column meet different
/// banks. Worked example, 128 bytes: element (9, 72) of 16x128 in f16 is in
/// panel 1, at 16 * 128 + 9 * 128 + 16 = 3216, xor (9 % 8) * 16: at byte 3200.
struct TileBuffer {
  mlir::Value tile;
  llvm::SmallVector<int64_t> extents;
  /// The extents as laid out: the last may be padded against bank conflicts.
  llvm::SmallVector<int64_t> layout;
  mlir::Type elementType; ///< as stored: i1 takes a byte
  int64_t bytes = 0;      ///< of one stage
  int64_t stages = 1;
  int64_t offset = 0;  ///< bytes from the start of shared memory
  int64_t swizzle = 0; ///< bytes of a row of a panel: 0 (none), 32, 64, 128
  /// What one bulk tensor copy brings, in the tile's dims; empty for tiles that
  /// cannot come by them.
  llvm::SmallVector<int64_t> box;

  /// Of its start and of each stage: where the order of the units repeats.
  int64_t getAlignment() const { return std::max<int64_t>(8 * swizzle, 128); }
  int64_t getTotalBytes() const { return bytes * stages; }
};

/// The planes of the buffer of a shift: running maximum, factor of the sums so
/// far, factor of the step's terms (negative: they count as 0).
enum class RescalePlane { Maximum, OldFactor, TermFactor };

struct KernelPlan {
  llvm::SmallVector<ParallelDimPlan> dims;
  std::vector<PlanStep> steps; ///< by phase, then in block order
  llvm::MapVector<mlir::Value, TileBuffer> buffers;
  /// By shift of rescaled accumulators: f32 (f64 if it is), [3 planes, extents
  /// of the shift].
  llvm::MapVector<mlir::Value, TileBuffer> rescales;
  /// By stored tile of products with warps over the depth: f32, [warps over the
  /// depth, extents of the tile], live only while these are added up.
  llvm::MapVector<mlir::Value, TileBuffer> warpSums;
  int64_t threads = 0;
  int64_t blocks = 1; ///< product of the grid dims
  int64_t sharedBytes = 0;
  /// Steps of the loop whose loads are in flight at once, the one that is
  /// computed with included; 1: loads are waited for in the step itself.
  int64_t stages = 1;
  static constexpr int64_t barrierBytes = 8; ///< of an mbarrier
  /// Where the mbarriers of bulk loads are, one for each stage.
  int64_t barrierOffset = 0;
  /// Bytes read from and written to global memory by one block, repeats not
  /// counted: what an ideal cache could not avoid.
  int64_t bytesLoadedPerBlock = 0, bytesStoredPerBlock = 0;
  /// Symbols that the kernel takes as i32 arguments, behind its pointers.
  llvm::SmallVector<std::string> runtimeSymbols;
  /// `<kernel>.<dim>`: own numbers of blocks that depend on those.
  llvm::SmallVector<std::string> runtimeCounts;
  /// Whether rescaled sums of nothing but -inf are no number in the end (see
  /// subtractsMaximum); what other kernels combine is left as it is.
  bool hasUndefinedSums = false;

  /// Whether the value of `extent` is known at run time only.
  bool isDynamic(const DimExpr &extent) const;
  const ParallelDimPlan *lookupDim(llvm::StringRef name) const;
  const ParallelDimPlan *getLoop() const;
  /// The buffer of `tile`, or null if it is virtual or read by nothing but
  /// followers of the step that computes it.
  const TileBuffer *lookupBuffer(mlir::Value tile) const;
  /// The buffer of the factors by which sums with this shift are rescaled, or
  /// null if `tile` is no shift.
  const TileBuffer *lookupRescale(mlir::Value tile) const;
  /// Where the warps of the product that stores `tile` leave their shares, or
  /// null if each element is one warp's.
  const TileBuffer *lookupWarpSums(mlir::Value tile) const;
  /// What `step` reads, through what is virtual in it, and writes while it
  /// runs; accumulators in memory are both.
  void collectAccesses(const PlanStep &step,
                       llvm::SmallVectorImpl<const TileBuffer *> &reads,
                       llvm::SmallVectorImpl<const TileBuffer *> &writes) const;
  /// The part of that that is its followers'.
  void collectFollowerAccesses(
      const PlanStep &step, llvm::SmallVectorImpl<const TileBuffer *> &reads,
      llvm::SmallVectorImpl<const TileBuffer *> &writes) const;
  /// Whether the step's loads run ahead of the loop, each in its own stage.
  bool isStaged(const PlanStep &step) const;
  /// Whether it is a staged load by bulk tensor copies: one thread starts them,
  /// and all wait at the stage's mbarrier. Others are by cp.async.
  bool isBulkLoad(const PlanStep &step) const;
  bool hasBulkLoads() const;
  /// Blocks of this kernel that fit an SM at once by threads, shared memory,
  /// and registers of each thread where they are known.
  int64_t getBlocksPerSM(const Target &target, int64_t registers = 0) const;
};

/// For each dim of the shift of `accumulate`, the dim of its tile.
llvm::SmallVector<unsigned> getShiftDims(AccumulateOp accumulate);

/// Where `op` multiplies partials by their blocks' weights exp(m - max m), with
/// m the blocks' own maxima: the operand that is the weight. Such an op also
/// reads m and max m, since a part with m = -inf counts as 0. Null for others.
mlir::OpOperand *getPartialWeight(mlir::Operation *op);
/// The tiles that elements of `op` are computed from: its operands, and m and
/// max m where it weighs partials.
llvm::SmallVector<mlir::Value> getReadTiles(mlir::Operation *op);

/// Whether the program itself subtracts a maximum before it exponentiates, so
/// that what it computes of a row of -inf alone is no number. Programs that do
/// not have sums of zeros there.
bool subtractsMaximum(ProgramOp program);

/// The value of `extent` in all blocks and steps but the last: symbols and tile
/// extents as in `sizes`, and the numbers of blocks of `kernel` itself.
std::optional<int64_t> evaluateExtent(KernelOp kernel, const KernelPlan &plan,
                                      const KernelSizes &sizes,
                                      const DimExpr &extent);

/// Plans `kernel`, which holds no thread graphs (see inlineThreadGraphs), at
/// the given sizes. Where it cannot become a kernel on `target`: nothing, and
/// `whyNot` says what is missing or too large.
std::optional<KernelPlan> planKernel(KernelOp kernel, const KernelSizes &sizes,
                                     const Target &target, std::string &whyNot);

/// Replaces the thread graphs in `kernel` by their ops, on the block's tiles.
/// Thread graphs are splits of elementwise work over threads, which the plan
/// decides anew.
void inlineThreadGraphs(KernelOp kernel);

/// A kernel, called `name`, in front of `op` that computes it: `op` is a
/// compute op on whole tensors (a predefined kernel of a candidate) and is left
/// as it is. Every parallel dim is split by a grid dim, the first reduced one
/// by the loop; no tile has a size yet. Constants among the operands are built
/// inside.
KernelOp wrapInKernel(ComputeOpInterface op, llvm::StringRef name);
/// Operands of `kernel` that are constants become constants inside.
void sinkConstants(KernelOp kernel);

/// Bytes of one element in memory; i1 takes a whole one.
int64_t getElementBytes(mlir::Type elementType);
/// The element type in memory: i8 for i1.
mlir::Type getStorageType(mlir::Type elementType);
/// Whether `op` is its scalar form at each point, nothing reduced.
bool isElementwise(mlir::Operation *op);

} // namespace prism

#endif // PRISM_PLAN_KERNELPLAN_H
