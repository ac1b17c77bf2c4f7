//===- SearchPrograms.h - The search stages over a module -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the stages from generation to parameter instantiation on every program
// of a module, and cuts those into parts of which the whole gives no kernel, or
// a dearer one (DECISIONS 19). A program is searched whole first. Parts are
// sized before they are verified; only what is chosen is verified. Equal parts
// are searched once in a module.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_SEARCHPROGRAMS_H
#define PRISM_LIB_TRANSFORMS_SEARCHPROGRAMS_H

#include "Prism/Partition/CutProgram.h"
#include "Prism/Partition/Parts.h"
#include "Prism/Transforms/Passes.h"
#include "ProgramWatch.h"
#include "Report.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

namespace prism {

/// Runs a callable and adds its wall-clock seconds to `seconds`.
template <typename Fn>
auto timed(std::optional<double> &seconds, Fn &&run) {
  auto start = std::chrono::steady_clock::now();
  auto result = run();
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  seconds = seconds.value_or(0.0) + spent.count();
  return result;
}

struct SearchStages {
  PrismGenerateOptions generate;
  PrismInstantiateMapsOptions maps;
  PrismVerifyOptions verify;
  PrismInstantiateParamsOptions params;
  double budgetSeconds = 0; ///< per program; 0: no limit
  uint64_t memoryMiB = 0;   ///< per program; 0: no limit
  PartBounds parts;         ///< maxOps 0: no program is cut
  /// Graphs grown in the search of one part; 0: no limit.
  uint64_t partSteps = 0;
  double partSeconds = 0; ///< for one part; 0: no limit
};

class ProgramSearch {
public:
  using Records = llvm::DenseMap<mlir::StringAttr, ProgramRecord>;
  /// Runs the passes that the callback adds on the op.
  using RunFn = std::function<mlir::LogicalResult(
      mlir::Operation *, llvm::function_ref<void(mlir::OpPassManager &)>)>;

  /// What printResults wrote of a program like this one; none if it is not
  /// known.
  using LookupFn = std::function<std::optional<std::string>(ProgramOp)>;
  /// By a program that was cut: its parts.
  using Cuts = llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<PlacedPart>>;

  /// `makeRecord` gives the record of a program by its name.
  ProgramSearch(mlir::ModuleOp module, const SearchStages &stages, RunFn run,
                std::function<ProgramRecord(llvm::StringRef)> makeRecord,
                LookupFn lookupResults, Records &records)
      : module(module), symbols(module), stages(stages), run(std::move(run)),
        makeRecord(std::move(makeRecord)),
        lookupResults(std::move(lookupResults)), records(records) {}

  /// Searches all programs, cuts some of them; those with known results are
  /// only proved again. Fails where a pass does.
  llvm::LogicalResult searchAll();

  /// The programs that were cut. They stand in the module still, not invoked.
  const Cuts &getCuts() const { return cuts; }
  /// Programs and parts that were searched.
  unsigned getNumSearched() const { return numSearched; }

private:
  /// A part, whether chosen or not.
  struct Entry {
    ProgramOp program; ///< with mapped candidates, later sized ones; or null
    std::optional<double> us; ///< none: it cannot be searched or lowered
    std::string reason;       ///< why not
    bool isFinished = false;  ///< verified and sized
    std::optional<double> searchSeconds, instantiationSeconds;
  };
  /// The program being cut.
  struct Cut {
    /// Of the seconds, what is kept for proofs.
    static constexpr double verifyShare = 0.4;

    Cut(ProgramOp program, double secondsLeft, uint64_t stepsLeft)
        : program(program), graph(program),
          secondsLeft((1 - verifyShare) * secondsLeft),
          secondsToVerify(verifyShare * secondsLeft), stepsLeft(stepsLeft),
          watch(program.getContext(), program.getSymName()) {}

    ProgramOp program;
    PartGraph graph;
    std::vector<Entry *> searched; ///< anew
    llvm::DenseMap<NodeSet, Entry *> entryOf;
    double secondsLeft;     ///< to look at parts; infinite: no limit
    double secondsToVerify; ///< kept for those that are chosen
    uint64_t stepsLeft;     ///< of budget-steps, if there is one
    ProgramWatch watch;
  };

  llvm::LogicalResult runStage(ProgramOp program,
                               std::optional<double> &seconds,
                               std::unique_ptr<mlir::Pass> pass);
  void noteReason(ProgramRecord &record, ProgramOp program) const;
  uint64_t getMemoryLeft(const ProgramWatch &watch) const;
  void limitToPart(PrismGenerateOptions &generate) const;
  llvm::LogicalResult searchWhole(ProgramOp program);
  llvm::FailureOr<bool> restore(ProgramOp program);
  llvm::LogicalResult cutProgram(ProgramOp program);
  llvm::FailureOr<std::vector<const Part *>> chooseParts(Cut &state,
                                                         PartChooser &chooser);
  Entry &lookup(Cut &state, const Part &part);
  void probe(Cut &state, Entry &entry);
  llvm::LogicalResult finish(Cut &state, Entry &entry);
  void recordCut(Cut &state, bool hitLimit);
  void recordPart(mlir::StringAttr name, Entry &entry);
  mlir::StringAttr leavePartAlone(Cut &state, const Part &part,
                                  llvm::StringRef reason);
  void replace(Cut &state, llvm::ArrayRef<const Part *> parts);
  void recordLeftAlone(ProgramOp program, const PartGraph &graph,
                       const NodeSet &part, llvm::StringRef why);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  SearchStages stages;
  RunFn run;
  std::function<ProgramRecord(llvm::StringRef)> makeRecord;
  LookupFn lookupResults;
  Records &records;
  llvm::StringMap<std::unique_ptr<Entry>> entries; ///< by structure
  Cuts cuts;
  unsigned numSearched = 0;
  std::string lastRemark; ///< of the stage that ran last
};

/// Whether `program` has a candidate to lower.
bool isChosen(ProgramOp program);
/// The cost of its first candidate in microseconds, if that is sized.
std::optional<double> getCostUs(ProgramOp program);
/// Drops the candidates of `program` where the cheapest costs more than the
/// program op by op: the sizing has said so.
bool dropDearer(ProgramOp program);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_SEARCHPROGRAMS_H
