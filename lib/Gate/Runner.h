//===- Runner.h - Kernels on the simulated device -*- C++ -* --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lowered candidate at one set of extents: runs it whole, or a sample of
// the blocks of each kernel, on one family of inputs. Runner.cpp has what is
// run, RunnerDevice.cpp arrays and launches, RunnerReferences.cpp what results
// are compared with.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_RUNNER_H
#define PRISM_LIB_GATE_RUNNER_H

#include "Inputs.h"
#include "Judge.h"
#include "Prism/Gate/Gate.h"
#include "Prism/Runtime/KernelPackage.h"
#include "Prism/Runtime/SimulatedDevice.h"

namespace prism::gate {

/// What a run may find.
enum class Outcome {
  Right,
  Wrong,
  TooLarge, ///< at these extents; fewer or smaller ones would do
  NotRun    ///< something is unknown here, at whatever extents
};

/// Bytes that are prepared in the time of a step of a warp.
inline constexpr uint64_t bytesPerStep = 64;
/// A sample of blocks on one family of inputs may be expected to take so many
/// steps, whatever the budget is: some ten seconds. What takes more is run at
/// reduced extents only.
inline constexpr uint64_t mostSampleSteps = 16'000'000;

class Runner {
public:
  /// `program` is a clone that the references may change; `symbols` the values
  /// of all its extents.
  Runner(CandidateOp candidate, const LoweredCandidate &lowered,
         ProgramOp program, SymbolValues symbols, const GateOptions &options,
         GateStatistics &statistics);

  /// Loads the PTX and finds out what a block of each kernel costs. TooLarge
  /// where a sample of blocks is expected to take more than mostSampleSteps.
  Outcome prepare(llvm::StringRef ptx);
  /// Runs what `budget` steps allow, at least one family; `isWhole` receives
  /// whether every family ran with all blocks.
  Outcome run(uint64_t budget, bool preferWhole, bool &isWhole);
  /// What was wrong, or missing.
  llvm::StringRef getReason() const { return reason; }

private:
  struct Kernel {
    KernelOp op;
    std::string name;
    uint32_t threads, sharedBytes;
    llvm::SmallVector<std::string> runtimeSymbols;
    /// What its last parameters are maps of, and how.
    std::vector<std::pair<mlir::Value, PlanTensorMap>> tensorMaps;
    std::unique_ptr<KernelReference> reference;
    uint64_t stepsPerBlock = 0;
  };
  /// An array on the device.
  struct Array {
    DevicePtr pointer;
    uint64_t bytes;
  };
  using Arrays = llvm::DenseMap<mlir::Value, Array>;
  /// What blocks of a kernel wrote, by result.
  using BlockNumbers = std::vector<Numbers>;

  Outcome fail(const llvm::Twine &why);
  Outcome skip(const llvm::Twine &why);
  Outcome tooLarge(const llvm::Twine &why);
  Outcome check(llvm::Error error);
  Outcome checkSizes();
  Outcome checkSteps(uint64_t steps);
  Outcome checkKnown();
  uint64_t countBytes(mlir::Value value);
  uint64_t estimateSample();
  uint64_t estimateReference(const Kernel &kernel, unsigned index,
                             mlir::Value value, llvm::ArrayRef<int64_t> blocks);
  void setFamily(FamilyRun family);
  double findLogitScale();
  int64_t countMaskRows();
  Outcome allocate(mlir::Value value, Arrays &arrays);
  Outcome uploadArguments(Arrays &arrays);
  Outcome launch(const Kernel &kernel, const Arrays &arrays,
                 std::vector<uint64_t> blocks, uint64_t stepLimit);
  Outcome launch(const Kernel &kernel, const Arrays &arrays,
                 std::vector<uint64_t> blocks);
  llvm::Expected<KernelArgument> makeTensorMap(mlir::Value value,
                                               const PlanTensorMap &map,
                                               const Arrays &arrays);
  void freeAll(Arrays &arrays);
  Outcome probe(Kernel &kernel);
  uint64_t countWhole();
  Outcome runWhole();
  Outcome runSampled(uint64_t budget);
  std::vector<uint64_t> sampleBlocks(const Kernel &kernel, uint64_t budget);
  Outcome runBlocks(unsigned number, const std::vector<uint64_t> &blocks);
  /// Parts of the values in exact and declared precision.
  Outcome evaluateProgram(const ProgramReference::Wanted &wanted,
                          std::vector<Numbers> &exact,
                          std::vector<Numbers> &declared);
  std::optional<Numbers> getNumbers(mlir::Value value,
                                    const Positions &positions);
  const BlockNumbers *getBlock(unsigned kernel, int64_t block,
                               Evaluation precision);
  Outcome compareResult(Kernel &kernel, unsigned index,
                        const std::vector<uint64_t> &blocks,
                        const Array &array);
  Outcome comparePartial(unsigned kernel, unsigned index,
                         const std::vector<uint64_t> &blocks,
                         const Array &array);
  Outcome uploadPart(mlir::Value value, const Positions &positions,
                     const Array &array);
  Outcome compare(mlir::Value value, const Numbers &exact,
                  const Numbers &declared, const Array &array);
  Outcome checkUntouched(const Kernel &kernel, unsigned result,
                         const std::vector<uint64_t> &blocks,
                         const Array &array);
  void nameWriter(const Arrays &arrays, std::vector<uint64_t> blocks);
  mlir::Value getProgramValue(mlir::Value value);

  CandidateOp candidate;
  SymbolValues symbols;
  ProgramReference program;
  const GateOptions &options;
  GateStatistics &statistics;
  SimulatedDevice device;
  ModuleHandle module{};
  std::vector<Kernel> kernels;
  ArgumentFacts facts;
  FamilyRun family = {Family::Normal, 0};
  std::optional<double> logitScale;
  std::vector<Argument> arguments; ///< in the family at hand
  /// Blocks evaluated in that family, by kernel.
  std::map<std::tuple<unsigned, int64_t, Evaluation>, BlockNumbers> known;
  uint64_t spent = 0; ///< steps, and what references and arrays take, as steps
  std::string reason;
  /// The element that `reason` is about.
  struct Element {
    mlir::Value result;
    uint64_t offset, bytes;
  };
  std::optional<Element> wrongElement;
};

} // namespace prism::gate

#endif // PRISM_LIB_GATE_RUNNER_H
