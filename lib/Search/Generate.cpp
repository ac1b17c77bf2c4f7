//===- Generate.cpp - Symbolic candidates of a program --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Oracle, algebraic forms, loop forms, kernel graphs, candidates: in this
// order, each step a file of its own.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/NormalForm.h"
#include "Prism/Search/RangeSafety.h"
#include "Prism/Search/Recomputation.h"
#include "Prism/Search/Search.h"
#include "Prism/Search/ShiftSoftmax.h"
#include "Prism/Search/TermOrders.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace prism;

/// Ids PROGRAM_0, PROGRAM_1, ... that no candidate has.
namespace {
class IdGenerator {
public:
  explicit IdGenerator(ProgramOp program) : name(program.getSymName()) {
    for (CandidateOp candidate : program.getCandidateOps())
      used.insert(candidate.getId());
  }
  std::string next() {
    std::string id;
    do
      id = (name + "_" + Twine(counter++)).str();
    while (used.contains(id));
    return id;
  }
  /// The last id is free again.
  void takeBack() { --counter; }

private:
  StringRef name;
  llvm::StringSet<> used;
  unsigned counter = 0;
};
} // namespace

/// The ops that count, of the program as it is written.
static unsigned countOps(ProgramOp program) {
  return llvm::count_if(
      program.getBodyBlock().without_terminator(),
      [](Operation &op) { return !isa<CastOp>(op) && op.getNumOperands(); });
}

/// Why the program is not searched at all; empty if it is.
static std::string getReasonNotToSearch(ProgramOp program,
                                        const GenerateOptions &options) {
  if (options.maxKernels == 0)
    return "max-kernels is 0";
  // Axioms merge a few ops, but never so many.
  unsigned ops = countOps(program);
  if (static_cast<uint64_t>(ops) > 2 * uint64_t(options.forms.maxOps))
    return llvm::formatv(
        "{0} ops are more than twice the max-block-ops of {1}; "
        "partition the program, or raise max-block-ops",
        ops, options.forms.maxOps);
  return "";
}

static bool needsNoKernel(const Oracle &oracle) {
  return llvm::none_of(oracle.results, [&](unsigned cls) {
    return needsKernel(oracle.classes[cls]);
  });
}

namespace {
class Generator {
public:
  /// Adds candidates to `program` that compute `source`, which is equal to it.
  Generator(ProgramOp program, ProgramOp source, Oracle &oracle,
            const GenerateOptions &options, Budget &budget,
            GenerateResult &result)
      : program(program), source(source), oracle(oracle), options(options),
        budget(budget), result(result), ids(program), range(source, oracle) {
    for (CandidateOp candidate : program.getCandidateOps())
      if (candidate.getState() == CandidateState::Symbolic)
        before.push_back(candidate);
  }

  void run() {
    // The program itself is a form that will do: nothing beyond it is looked
    // at. What `source` has more ops than the program does not count.
    unsigned ops = countOps(source), extra = ops - countOps(program);
    // Nor do casts; all forms have about the same.
    unsigned casts = countCastNodes(source, options.precision);
    FormOptions forms = options.forms;
    forms.maxOps = casts + std::min<uint64_t>(uint64_t(forms.maxOps) + extra,
                                              uint64_t(ops) + forms.extraOps);
    if (options.filterRange)
      rangeUnsafe = range.removeUnsafeNodes();
    limitTermOrders(oracle, source, forms.maxTerms);
    auto enumerate = [&] {
      enumerateForms(oracle, forms, budget, formStatistics,
                     [&](Form form) { return addForm(std::move(form)); });
    };
    enumerate();
    if (numAdded == 0 && numTakingBack != 0) {
      // No axiom that the oracle has takes them away.
      mayTakeBack = true;
      enumerate();
    }
    addCuts();
    result.prunedByExpression += formStatistics.pruned + numTakingBack;
    result.prunedByShape += loopStatistics.prunedByShape;
    result.rangeUnsafe += rangeUnsafe;
    dropWhatWasThere();
    unsigned most = forms.maxOps;
    if (fewestOps)
      most = std::min<uint64_t>(most, uint64_t(*fewestOps) + forms.extraOps);
    result.opBounds.push_back({fewestOps, most});
    if (numAdded == 0)
      result.reason = getReason(forms.maxOps - casts);
  }

private:
  bool addForm(Form form) {
    if (options.filterRange && !range.isSafe(form)) {
      ++rangeUnsafe;
      return false;
    }
    splitLoads(oracle, form);
    FailureOr<CandidateOp> first = addOneKernel(form, {});
    if (failed(first))
      return false;
    if (!fewestOps)
      fewestOps = form.numOps;
    if (*first && form.numOps == *fewestOps && options.cutForms)
      noteForCuts(*first, std::move(form));
    return true;
  }

  /// Most forms are the same in other words: the simplest of each kind is cut,
  /// of those with the fewest ops.
  void noteForCuts(CandidateOp candidate, Form form) {
    std::string text = getUnmappedNormalForm(candidate);
    SmallVector<unsigned> cost = getFormCost(candidate);
    for (ToCut &other : toCut)
      if (other.normalForm == text) {
        if (cost < other.cost)
          other = {std::move(text), std::move(cost), std::move(form)};
        return;
      }
    toCut.push_back({std::move(text), std::move(cost), std::move(form)});
  }

  std::vector<LoopForm> getLoopForms(const Form &form) {
    return enumerateLoopForms(oracle, form, options.loops, budget,
                              loopStatistics);
  }

  /// The form as one kernel, or as one that is split in two, after `before`.
  /// Returns the one without a loop; failure if the form takes something back
  /// that it multiplied in or added: another has the same normal form.
  FailureOr<CandidateOp> addOneKernel(const Form &form,
                                      ArrayRef<KernelForm> before) {
    LoopForm noLoop(form.nodes.size());
    CandidateOp first = add(before, getSingleKernel(form, noLoop));
    if (first && !mayTakeBack && takesBack(first)) {
      first.erase();
      ids.takeBack();
      --numAdded;
      ++numTakingBack;
      return failure();
    }
    addLoops(form, getLoopForms(form), before);
    return first;
  }

  void addLoops(const Form &form, ArrayRef<LoopForm> loops,
                ArrayRef<KernelForm> before) {
    for (const LoopForm &loop : loops) {
      if (!loop.hasLoop())
        continue;
      add(before, getSingleKernel(form, loop));
      if (options.maxKernels < 2)
        continue;
      for (bool withLoop : {false, true})
        add(before, getSplitKernels(form, loop, withLoop));
    }
  }

  /// Loops that the form has only if it computes something twice.
  void addRecomputing(const Form &form) {
    std::vector<LoopForm> loops = getLoopForms(form);
    for (RecomputingForm &twice : recomputeInLoops(oracle, form)) {
      auto isMeant = [](ArrayRef<unsigned> sums, const LoopForm &loop) {
        return llvm::all_of(sums,
                            [&](unsigned node) { return loop.find(node); });
      };
      if (llvm::any_of(loops, [&](const LoopForm &loop) {
            return isMeant(twice.accumulated, loop);
          }))
        continue;
      for (const LoopForm &loop : getLoopForms(twice.form))
        if (isMeant(twice.accumulatedTwice, loop))
          addLoops(twice.form, loop, {});
    }
  }

  void addCuts() {
    for (const ToCut &one : toCut)
      if (!budget.isExhausted())
        addCuts(one.form);
  }

  void addCuts(const Form &form) {
    addRecomputing(form);
    for (const Cut &cut : enumeratePredefined(oracle, form))
      (void)addOneKernel(cut.second.form, cut.first);
    addCuts(form, {}, options.maxKernels);
  }

  /// Computes a part of `form` by kernels of its own, after `before`, and the
  /// rest by at least one, by at most `left` in all.
  void addCuts(const Form &form, const Stages &before, unsigned left) {
    if (left < 2)
      return;
    for (Cut &cut : enumerateCuts(oracle, form)) {
      std::vector<LoopForm> second = getLoopForms(cut.second.form);
      auto addAfter = [&](KernelGraph first, unsigned left) {
        if (budget.isExhausted())
          return;
        Stages stages = before;
        stages.push_back(std::move(first));
        if (isInOrder(stages))
          addRest(cut.second.form, second, stages, left);
      };
      for (const LoopForm &loop : getLoopForms(cut.first.form)) {
        addAfter(getSingleKernel(cut.first.form, loop), left - 1);
        if (left >= 3 && loop.hasLoop())
          for (bool withLoop : {false, true})
            addAfter(getSplitKernels(cut.first.form, loop, withLoop), left - 2);
      }
    }
  }

  /// The results, by at most `left` kernels.
  void addRest(const Form &form, ArrayRef<LoopForm> loops, const Stages &before,
               unsigned left) {
    KernelGraph kernels;
    for (const KernelGraph &stage : before)
      kernels.append(stage);
    auto addLast = [&](KernelGraph last) {
      Stages stages = before;
      stages.push_back(last);
      if (isInOrder(stages))
        add(kernels, std::move(last));
    };
    for (const LoopForm &loop : loops) {
      addLast(getSingleKernel(form, loop));
      if (left >= 2 && loop.hasLoop())
        for (bool withLoop : {false, true})
          addLast(getSplitKernels(form, loop, withLoop));
    }
    addCuts(form, before, left);
  }

  void showProgress(uint64_t pruned, uint64_t kept) {
    SearchMonitor *monitor = budget.getMonitor();
    if (!monitor)
      return;
    uint64_t now = formStatistics.pruned + loopStatistics.prunedByShape;
    monitor->addProgress({0, pruned + now - prunedShown, kept});
    prunedShown = now;
  }

  CandidateOp add(ArrayRef<KernelForm> before, KernelGraph kernels) {
    if (!budget.step())
      return {};
    kernels.insert(kernels.begin(), before.begin(), before.end());
    CandidateOp candidate =
        buildCandidate(program, ids.next(), oracle, kernels, options.kernels);
    ++(candidate ? numAdded : result.prunedByShape);
    showProgress(!candidate, !!candidate);
    return candidate;
  }

  /// What was found and stood there before is not added again.
  void dropWhatWasThere() {
    if (!before.empty()) {
      for (CandidateOp candidate : program.getCandidateOps())
        if (!llvm::is_contained(before, candidate) &&
            llvm::any_of(before, [&](CandidateOp other) {
              return OperationEquivalence::isRegionEquivalentTo(
                  &candidate.getBody(), &other.getBody(),
                  OperationEquivalence::IgnoreLocations);
            })) {
          candidate.erase();
          ++numThere;
        }
      numAdded -= numThere;
    }
    result.graphs += numAdded;
  }

  /// Why there is no candidate.
  std::string getReason(unsigned maxOps) const {
    if (budget.isExhausted())
      return "the budget ended before a candidate was found";
    if (numThere != 0)
      return "those that there are stand there already";
    if (rangeUnsafe != 0)
      return llvm::formatv("all forms of at most {0} ops may overflow where "
                           "the program does not; raise extra-ops or "
                           "max-block-ops",
                           maxOps);
    return llvm::formatv("no graph of at most {0} ops computes it; raise "
                         "max-block-ops",
                         options.forms.maxOps);
  }

  /// A form with the fewest ops.
  struct ToCut {
    std::string normalForm;
    SmallVector<unsigned> cost;
    Form form;
  };

  ProgramOp program, source;
  Oracle &oracle;
  const GenerateOptions &options;
  Budget &budget;
  GenerateResult &result;
  IdGenerator ids;
  RangeSafety range;
  FormStatistics formStatistics;
  LoopFormStatistics loopStatistics;
  SmallVector<CandidateOp> before; ///< symbolic ones that were there
  uint64_t numAdded = 0;           ///< candidates
  uint64_t numThere = 0;           ///< found that were there
  uint64_t rangeUnsafe = 0;        ///< forms and exponentials
  uint64_t numTakingBack = 0;      ///< forms
  bool mayTakeBack = false;
  uint64_t prunedShown = 0; ///< of both, what the progress counts already
  std::optional<unsigned> fewestOps;
  std::vector<ToCut> toCut;
};
} // namespace

/// Adds the candidates of `source`, which is equal to `program`.
static void searchForms(ProgramOp program, ProgramOp source,
                        const GenerateOptions &options, Budget &budget,
                        GenerateResult &result) {
  // At most half of the time for the oracle, so that something is found.
  std::optional<Oracle> saturated = buildSaturatedOracle(
      source, options.forms.extraOps, options.precision,
      budget.getSecondsLeft() / 2, [&] { return budget.poll(); });
  // What has no term is searched as it is written.
  Oracle oracle = saturated ? std::move(*saturated)
                            : buildProgramOracle(source, options.precision);
  result.enodes += oracle.numNodes;
  result.complete &= oracle.isSaturated;
  if (needsNoKernel(oracle)) {
    result.reason = "every result is an argument or a constant";
    return;
  }
  Generator(program, source, oracle, options, budget, result).run();
}

GenerateResult prism::generateCandidates(ProgramOp program,
                                         const GenerateOptions &options) {
  GenerateResult result;
  result.reason = getReasonNotToSearch(program, options);
  if (!result.reason.empty()) {
    result.complete = false; // nothing was looked at
    return result;
  }

  Budget budget(options.budgetSteps, options.budgetSeconds, options.memoryMiB,
                getSearchMonitor(program.getContext()));
  searchForms(program, program, options, budget, result);
  if (options.shiftSoftmax && !budget.isExhausted())
    if (OwningOpRef<ProgramOp> shifted = shiftSoftmax(program))
      searchForms(program, *shifted, options, budget, result);
  result.complete &= !budget.isExhausted();
  result.generated = budget.getSteps();
  if (result.graphs != 0)
    result.reason.clear();
  return result;
}
