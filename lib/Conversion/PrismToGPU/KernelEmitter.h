//===- KernelEmitter.h - A planned block graph as a kernel ------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the steps of a KernelPlan as one llvm.func of scf, arith, math, llvm
// and nvvm ops (DESIGN, section 6). Parameters are bare pointers, operands
// first. All indices are i32. Every thread of the block takes part in every
// step; barriers stand where PendingAccesses says. What lies beyond a ragged
// extent is never read or written: loops run over, and reductions see, the
// valid part only (DECISIONS, 4).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_CONVERSION_PRISMTOGPU_KERNELEMITTER_H
#define PRISM_LIB_CONVERSION_PRISMTOGPU_KERNELEMITTER_H

#include "Prism/Plan/PendingAccesses.h"
#include "Prism/Plan/RunPlan.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace prism::detail {

/// An extent in elements: its largest value, and what it is in this block and
/// step where that may be less (null where it is never less).
struct RuntimeExtent {
  int64_t size;
  mlir::Value value;
};

/// Indices of some iteration dims of a matrix product (the others null), and
/// whether they are valid (null: always).
struct MatmulPoint {
  llvm::SmallVector<mlir::Value> iteration;
  mlir::Value valid;
};

/// The steps whose tensor maps are the kernel's last parameters, in order.
llvm::SmallVector<const PlanStep *> getBulkLoads(const KernelPlan &plan);
/// A tensor map as a parameter: its 128 bytes.
mlir::Type getTensorMapType(mlir::MLIRContext *context);

class KernelEmitter {
public:
  using Indices = llvm::SmallVector<mlir::Value>;

  KernelEmitter(KernelOp kernel, const KernelPlan &plan,
                const KernelSizes &sizes, mlir::gpu::GPUModuleOp module);

  /// The kernel, added to the module. Never fails: what cannot be emitted has
  /// been refused by the plan.
  mlir::LLVM::LLVMFuncOp emit(llvm::StringRef name);

private:
  using PointBody = llvm::function_ref<void(mlir::ValueRange)>;

  // Frame: parameters, coordinates, the loop.
  void createFunction(llvm::StringRef name);
  void readCoordinates();
  void readDynamicCoordinates(llvm::ArrayRef<llvm::StringRef> names);
  void computeExtents(bool inLoop);
  llvm::SmallVector<mlir::Value> setUpAccumulators();
  void emitLoop();
  void emitLoopSteps(mlir::ValueRange sums, mlir::ValueRange others);
  mlir::Value wrapStage(mlir::Value from, int64_t distance);
  void emitStep(const PlanStep &step);
  /// Starts the loads of loop step `coordinate`, if there is one, into
  /// `ofStage`.
  void prefetch(mlir::Value coordinate, mlir::Value ofStage, mlir::Value count);
  /// Whether loads run ahead by cp.async.
  bool hasCopyGroups();
  mlir::Value getLoopCount();
  /// The largest value of `extent`.
  int64_t evaluate(const DimExpr &extent) {
    return *evaluateExtent(kernel, plan, sizes, extent);
  }
  RuntimeExtent computeExtent(const DimExpr &extent);
  /// The value of an extent of a whole tensor.
  bool isRaggedProduct(const DimExpr &extent);
  mlir::Value getNumber(const DimExpr &extent);
  mlir::Value getCount(const ParallelDimPlan &dim);
  RuntimeExtent getExtent(const DimExpr &extent);
  llvm::SmallVector<RuntimeExtent> getExtents(mlir::Type type);

  // Small arithmetic on i32, folded where constant.
  mlir::Value number(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b); ///< either may be null: true
  mlir::Value zeroOf(mlir::Type type);
  Indices delinearize(mlir::Value linear, llvm::ArrayRef<int64_t> extents);
  mlir::Value linearize(mlir::ValueRange indices,
                        llvm::ArrayRef<int64_t> extents);
  /// Whether `indices` are valid; null if they always are.
  mlir::Value isInside(mlir::ValueRange indices,
                       llvm::ArrayRef<RuntimeExtent> extents);
  /// Runs `body` under `condition` (null: always).
  void guarded(mlir::Value condition, llvm::function_ref<void()> body);
  /// for (i = begin; i < end; i += step) body(i)
  void forRange(mlir::Value begin, mlir::Value end, int64_t step,
                llvm::function_ref<void(mlir::Value)> body);
  /// Spreads the points of `extents` over the block's threads.
  void forEachPoint(llvm::ArrayRef<RuntimeExtent> extents, PointBody body);
  /// The same for runs of `length`: `body` gets the index of the first element.
  void forEachRun(llvm::ArrayRef<RuntimeExtent> extents, int64_t length,
                  PointBody body);
  /// `indices`, `distance` elements further along the last dim.
  Indices advance(mlir::ValueRange indices, int64_t distance);

  // Memory.
  /// Where an element is, or where the box begins whose first element it is:
  /// the units of a swizzled box are ordered within it.
  mlir::Value getElementPointer(const TileBuffer &buffer,
                                mlir::ValueRange indices, bool isOfBox = false);
  /// The same in bytes from the start of a swizzled tile.
  mlir::Value getSwizzledOffset(const TileBuffer &buffer,
                                mlir::ValueRange indices, bool isOfBox);
  mlir::Value loadElement(const TileBuffer &buffer, mlir::ValueRange indices) {
    return loadElements(buffer, indices, 1).front();
  }
  void storeElement(const TileBuffer &buffer, mlir::ValueRange indices,
                    mlir::Value value) {
    storeElements(buffer, indices, value);
  }
  /// Runs (RunPlan.h): the first element is at `indices`.
  Indices loadElements(const TileBuffer &buffer, mlir::ValueRange indices,
                       int64_t length);
  void storeElements(const TileBuffer &buffer, mlir::ValueRange indices,
                     mlir::ValueRange values);
  mlir::Value loadAt(mlir::Type type, mlir::Value pointer, int64_t length,
                     bool isInvariant);
  void storeAt(mlir::ValueRange values, mlir::Value pointer);
  Indices unpack(mlir::Value loaded, mlir::Type elementType);
  /// Linear position of a tile's element in its tensor.
  mlir::Value getGlobalPosition(mlir::Operation *loadOrSave,
                                mlir::ValueRange indices);
  mlir::Value getGlobalPointer(mlir::Operation *loadOrSave,
                               mlir::ValueRange indices);
  Indices loadGlobal(LoadOp load, mlir::ValueRange indices, int64_t length);
  void barrier();
  void waitForCopies();
  /// A barrier, if what reads and writes these needs one.
  void synchronize(llvm::ArrayRef<const TileBuffer *> reads,
                   llvm::ArrayRef<const TileBuffer *> writes);
  void synchronize(const PlanStep &step);

  // Bulk loads (BulkEmitter.cpp).
  mlir::Value getBarrier(mlir::Value ofStage);
  mlir::Value isFirstThread();
  /// What this thread has written to shared memory is known to bulk copies and
  /// wgmma from here on.
  void fenceAsyncProxy();
  void setUpBulkLoads();
  void startBulkLoads();
  void startBulkLoad(const PlanStep &step, mlir::Value map,
                     mlir::Value barrier);
  void waitForBulkLoads(mlir::Value ofStage, mlir::Value parity);
  Indices getTileStart(LoadOp load);

  // Values.
  /// The element of `tile` at `indices`: from memory, or computed.
  mlir::Value emitElement(mlir::Value tile, mlir::ValueRange indices) {
    return emitElements(tile, indices, 1).front();
  }
  /// The run from there on.
  Indices emitElements(mlir::Value tile, mlir::ValueRange indices,
                       int64_t length);
  Indices computeElements(ComputeOpInterface op, mlir::ValueRange indices,
                          int64_t length);
  Indices computeOperand(ComputeOpInterface op, unsigned operand,
                         mlir::ValueRange indices, int64_t length);
  Indices emitConcat(ConcatOp op, mlir::ValueRange indices, int64_t length,
                     unsigned operand = 0);
  mlir::Value isMaskedPart(ComputeOpInterface op, mlir::ValueRange indices);
  Indices getOperandIndices(ComputeOpInterface op, unsigned operand,
                            mlir::ValueRange indices);
  mlir::Value emitScalar(ComputeOpInterface op, mlir::ValueRange operands,
                         mlir::Type resultType);
  Indices divideRun(mlir::ValueRange run, mlir::Value by, mlir::Type type);
  mlir::Value combine(bool isMax, mlir::Value a, mlir::Value b);
  mlir::Value getNeutral(bool isMax, mlir::Type type);
  mlir::Value convert(mlir::Value value, mlir::Type type);

  // Steps.
  /// Elements that a thread takes at once.
  int64_t getRun(const PlanStep &step) {
    return planRun(kernel, plan, sizes, step);
  }
  void emitLoad(const PlanStep &step);
  int64_t getCopyLength(LoadOp load);
  void emitElementwise(const PlanStep &step);
  void emitSave(const PlanStep &step);
  void emitAccumulate(const PlanStep &step);
  void setUpAccumulator(const PlanStep &step);
  /// Stores a run of the step's tile, if it has a buffer, and what followers
  /// make of it; of a shift also its factors.
  void storeResults(const PlanStep &step, mlir::ValueRange indices,
                    mlir::ValueRange values);
  /// That without the factors. Values are of the tile's element type, as they
  /// would be read again.
  void storeWithFollowers(const PlanStep &step, mlir::ValueRange indices,
                          mlir::ValueRange values);

  // Rescaled accumulators (RescaleEmitter.cpp).
  void setUpRescale(mlir::Value shift);
  void updateRescale(mlir::Value shift, mlir::ValueRange indices,
                     mlir::Value value);
  /// The accumulator's element `sum`, at `indices`, with the step's `term`.
  mlir::Value accumulateTerm(AccumulateOp accumulate, mlir::ValueRange indices,
                             mlir::Value sum, mlir::Value term);
  /// A sum at the end of the loop: no number where the program's is none.
  mlir::Value finishSum(AccumulateOp accumulate, mlir::ValueRange indices,
                        mlir::Value sum);
  /// That, for accumulators in memory.
  void finishSums();
  mlir::Value loadPlane(const TileBuffer &factors, RescalePlane plane,
                        mlir::ValueRange indices);
  void emitReduce(const PlanStep &step);
  mlir::Value reduceInto(const PlanStep &step, mlir::ValueRange output,
                         mlir::Value first, int64_t stride, mlir::Value start,
                         mlir::Value isThere = {});
  mlir::Value getStart(const PlanStep &step);
  // Groups of lanes that share a result (ReducePlan).
  mlir::Value getLane(const PlanStep &step);
  mlir::Value isFirstLane(const PlanStep &step); ///< null: always
  void
  forEachResult(const PlanStep &step,
                llvm::function_ref<void(mlir::ValueRange, mlir::Value)> body);
  mlir::Value reduceOverLanes(const PlanStep &step, mlir::Value value);
  // What a lane has of its group's results, where the loop carries that.
  Indices createPartials(const PlanStep &step);
  Indices addPartials(const PlanStep &step, mlir::ValueRange partials);
  void storePartials(const PlanStep &step, mlir::ValueRange partials);
  void finishReduce(const PlanStep &step, mlir::ValueRange output,
                    mlir::Value value);

  // Matrix products (MatmulEmitter.cpp). Accumulators are passed in registers.
  Indices createAccumulators(const PlanStep &step);
  Indices emitMatmul(const PlanStep &step, mlir::ValueRange accumulators);
  Indices emitFMA(const PlanStep &step, mlir::ValueRange accumulators);
  Indices emitMMA(const PlanStep &step, mlir::ValueRange accumulators);
  Indices emitFragmentProduct(const PlanStep &step, mlir::ValueRange rows,
                              mlir::ValueRange columns, mlir::ValueRange sum);
  /// A product that is not carried: computed and stored, pass by pass.
  void emitStoredMatmul(const PlanStep &step);
  void storeAccumulators(const PlanStep &step, mlir::ValueRange accumulators);
  /// The carried sums with the products of this step.
  Indices emitCarriedMatmul(const PlanStep &step, mlir::ValueRange sums);
  /// The indices in the result's tile at a point of the iteration space.
  MatmulPoint getBatchPoint(const PlanStep &step, int64_t batch);
  Indices getResultIndices(const PlanStep &step, mlir::ValueRange iteration);
  /// Calls `body` with the iteration indices of each accumulator and whether
  /// they are valid (null: always).
  void forEachAccumulator(
      const PlanStep &step,
      llvm::function_ref<void(mlir::ValueRange, mlir::Value)> body);
  /// Adds up what the warps over the depth have left, into the step's tile.
  void sumOverWarps(const PlanStep &step);
  /// Where the fragments of this thread's warp are.
  struct WarpPlace {
    mlir::Value depth, row, column; ///< in units of what a warp has
    mlir::Value isBusy;             ///< null: always
  };
  WarpPlace getWarpPlace(const PlanStep &step);
  // By wgmma (WarpgroupEmitter.cpp).
  Indices emitWarpgroupProduct(const PlanStep &step,
                               mlir::ValueRange accumulators);
  llvm::SmallVector<mlir::Value>
  getDescriptors(const PlanStep &step, const WarpgroupOperand &rows,
                 const WarpgroupOperand &columns);
  /// Sums of a product that is deferred are registers of their own, which LLVM
  /// does not know of and so does not copy.
  void declareSums(const PlanStep &step);
  void startProduct(const PlanStep &step);
  /// Waits for the products of the step before.
  void waitForProducts();
  Indices readSums(const PlanStep &step);
  mlir::Value getDescriptor(const WarpgroupOperand &operand, mlir::Value own);
  mlir::Value getWarpgroupOffset(const WarpgroupOperand &operand,
                                 mlir::Value own);
  llvm::SmallVector<RuntimeExtent> getIterationExtentsOf(mlir::Operation *op);
  Indices
  sumOverDepth(const PlanStep &step, int64_t stride,
               mlir::ValueRange accumulators,
               llvm::function_ref<Indices(mlir::Value, mlir::ValueRange)> body);
  bool isMultipleOf(const PlanStep &step, unsigned dim, int64_t length);
  mlir::Value emitOperand(const PlanStep &step, unsigned operand,
                          mlir::ValueRange iteration);
  Indices loadFragment(const PlanStep &step, unsigned operand,
                       llvm::ArrayRef<MatmulPoint> points, mlir::Value depth);
  std::optional<bool> getMatrixLoad(const PlanStep &step, unsigned operand,
                                    llvm::ArrayRef<unsigned> dims);
  Indices loadMatrices(const PlanStep &step, unsigned operand, bool transposed,
                       const MatmulPoint &point, int64_t count,
                       mlir::Value depth);
  llvm::SmallVector<llvm::SmallVector<MatmulPoint>>
  getFragmentPoints(const PlanStep &step, unsigned operand, bool isRows);
  llvm::SmallVector<Indices>
  loadFragments(const PlanStep &step, unsigned operand, bool isRows,
                llvm::ArrayRef<llvm::SmallVector<MatmulPoint>> points,
                mlir::Value depth);
  mlir::Value loadPair(const PlanStep &step, unsigned operand,
                       const MatmulPoint &point, mlir::Value depth);
  MatmulPoint getPoint(const PlanStep &step, mlir::ValueRange start,
                       llvm::ArrayRef<unsigned> dims, mlir::Value position,
                       int64_t bound);

  KernelOp kernel;
  const KernelPlan &plan;
  const KernelSizes &sizes;
  mlir::gpu::GPUModuleOp module;
  mlir::ImplicitLocOpBuilder b;
  mlir::LLVM::LLVMFuncOp function;
  mlir::Type i32, sharedPtr, globalPtr;
  mlir::Value shared, threadId;
  /// Which part of a product is computed (see MatmulPlan).
  struct {
    mlir::Value batch, row, column;
  } pass;
  /// Which copy of the staged buffers is at hand.
  mlir::Value stage;
  llvm::StringMap<mlir::Value> coordinates; ///< of each parallel dim
  llvm::StringMap<mlir::Value> symbols;     ///< known at run time only
  llvm::StringMap<RuntimeExtent> extents;   ///< by printed form
  PendingAccesses pending;
  bool copiesInFlight = false;
  /// While followers are computed: the runs at hand of the tiles that they have
  /// in registers.
  llvm::DenseMap<mlir::Value, Indices> keptElements;
};

} // namespace prism::detail

#endif // PRISM_LIB_CONVERSION_PRISMTOGPU_KERNELEMITTER_H
