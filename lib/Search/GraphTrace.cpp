//===- GraphTrace.cpp - What the ops of a graph compute -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphTrace.h"

using namespace mlir;
using namespace prism;

namespace {
class GraphTracer {
public:
  GraphTracer(CandidateOp candidate, Oracle &oracle)
      : candidate(candidate), oracle(oracle) {}

  GraphTrace run() {
    for (auto [index, cls] : llvm::enumerate(oracle.classes))
      if (cls.argument)
        values[candidate.getBodyBlock().getArgument(*cls.argument)] = {
            Role::Whole, static_cast<unsigned>(index)};
    for (Operation &op : candidate.getBodyBlock().without_terminator())
      if (auto kernel = dyn_cast<KernelOp>(op))
        traceKernel(kernel);
      else
        traceOp(&op);
    checkResults();
    return std::move(trace);
  }

private:
  enum class Role {
    Unknown, ///< of no class
    Whole,
    Partial, ///< partial results side by side, in a leading dim
    Weight   ///< what partial results are rescaled by
  };
  struct Traced {
    Role role = Role::Unknown;
    unsigned cls = 0;
  };

  void traceKernel(KernelOp kernel) {
    for (auto [argument, input] : llvm::zip_equal(
             kernel.getBodyBlock().getArguments(), kernel.getInputs()))
      values[argument] = values.lookup(input);
    for (Operation &op : kernel.getBodyBlock().without_terminator()) {
      if (isa<LoadOp, AccumulateOp>(op)) {
        values[op.getResult(0)] = values.lookup(op.getOperand(0));
      } else if (auto save = dyn_cast<SaveOp>(op)) {
        Traced traced = values.lookup(save.getTile());
        if (traced.role == Role::Whole && !save.getPartials().empty())
          traced.role = Role::Partial;
        values[save.getResult()] = traced;
      } else {
        traceOp(&op);
      }
    }
    for (auto [result, value] :
         llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues()))
      values[result] = values.lookup(value);
  }

  void traceOp(Operation *op) {
    if (op->getNumResults() != 1)
      return fail(op, "is no op of the search");
    Traced &traced = values[op->getResult(0)];
    if (oracle.isErased(op)) {
      traced = values.lookup(op->getOperand(0));
      return;
    }
    SmallVector<Traced> operands;
    for (Value operand : op->getOperands())
      operands.push_back(values.lookup(operand));
    auto has = [&](Role role) {
      return llvm::any_of(operands, [&](const Traced &operand) {
        return operand.role == role;
      });
    };
    if (has(Role::Unknown)) { // said where it began
      ++trace.numOps;
      return;
    }
    if (has(Role::Partial) || has(Role::Weight)) {
      traced = tracePartial(op, operands);
      if (traced.role == Role::Unknown)
        fail(op, "combines partial results in a way that is not searched");
      return;
    }
    SmallVector<unsigned> classes = llvm::map_to_vector(
        operands, [](const Traced &operand) { return operand.cls; });
    std::optional<Oracle::Entry> entry = find(op, classes);
    if (!entry) {
      ++trace.numOps;
      return fail(op, "computes nothing that the axioms make equal to a part "
                      "of the program");
    }
    traced = {Role::Whole, entry->cls};
    addNode(op, *entry, classes);
  }

  /// Partial results are summed, or their maximum is taken, over the leading
  /// dim; those that were scaled by their own maximum are weighed first.
  static Traced tracePartial(Operation *op, ArrayRef<Traced> operands) {
    Traced first = operands.front();
    Traced second = operands.size() == 2 ? operands[1] : Traced();
    auto reducesLeading = [&](ArrayRef<int64_t> dims) {
      return first.role == Role::Partial && dims.size() == 1 && dims[0] == 0;
    };
    if (auto sum = dyn_cast<ReduceSumOp>(op);
        sum && reducesLeading(sum.getDims()))
      return {Role::Whole, first.cls};
    if (auto max = dyn_cast<ReduceMaxOp>(op);
        max && reducesLeading(max.getDims()))
      return {Role::Whole, first.cls};
    if (isa<SubOp>(op) && first.role == Role::Partial &&
        second.role == Role::Whole && first.cls == second.cls)
      return {Role::Weight, first.cls};
    if (isa<ExpOp>(op) && first.role == Role::Weight)
      return first;
    if (isa<MulOp>(op) && second.role == Role::Partial)
      std::swap(first, second);
    if (isa<MulOp>(op) && first.role == Role::Partial &&
        second.role == Role::Weight)
      return first;
    return {};
  }

  /// The oracle's classes have float types of their own: f32, or f64 where the
  /// program has it.
  std::optional<Oracle::Entry> find(Operation *op,
                                    ArrayRef<unsigned> operands) {
    MLIRContext *context = op->getContext();
    Type type = op->getResult(0).getType();
    SmallVector<DimExpr> extents =
        llvm::map_to_vector(getExtents(type), [](const DimExpr &extent) {
          return extent.withoutSplits();
        });
    SmallVector<Type> elementTypes = {getElementType(type)};
    if (isa<FloatType>(elementTypes.front()))
      elementTypes = {Float32Type::get(context), Float64Type::get(context)};
    for (Type elementType : elementTypes)
      if (auto entry = oracle.find(
              op->getName(), op->getAttrDictionary(), operands,
              SymbolicTensorType::get(context, extents, elementType)))
        return entry;
    return std::nullopt;
  }

  unsigned getNode(unsigned cls) {
    auto [it, isNew] = nodeOf.insert({cls, trace.form.nodes.size()});
    if (isNew) { // an argument
      trace.form.nodes.push_back({cls, nullptr, {}});
      trace.ops.push_back(nullptr);
    }
    return it->second;
  }

  void addNode(Operation *op, Oracle::Entry entry, ArrayRef<unsigned> classes) {
    const OracleNode *node = &oracle.classes[entry.cls].nodes[entry.node];
    if (auto it = nodeOf.find(entry.cls); it != nodeOf.end()) {
      const FormNode &known = trace.form.nodes[it->second];
      if (known.op != node && !trace.second) {
        trace.second = op;
        trace.first = trace.ops[it->second];
      }
      trace.numOps += known.op != node;
      return;
    }
    FormNode formNode{entry.cls, node, {}};
    // In the oracle's order of operands.
    for (unsigned cls : node->operands)
      formNode.operands.push_back(getNode(cls));
    nodeOf[entry.cls] = trace.form.nodes.size();
    trace.form.nodes.push_back(std::move(formNode));
    trace.ops.push_back(op);
    trace.form.numOps += !node->isConstant();
    trace.numOps += !node->isConstant();
  }

  void fail(Operation *op, StringRef why) {
    if (trace.unknown)
      return;
    trace.unknown = op;
    trace.whyUnknown =
        (Twine("'") + op->getName().getStringRef() + "' " + why).str();
  }

  void checkResults() {
    YieldOp yield = candidate.getYield();
    for (auto [index, value] : llvm::enumerate(yield.getValues())) {
      Traced traced = values.lookup(value);
      if (traced.role == Role::Whole && traced.cls == oracle.results[index])
        continue;
      if (trace.unknown)
        return;
      trace.unknown = yield;
      trace.whyUnknown = "result " + std::to_string(index) +
                         " is not known to equal the program's";
    }
  }

  CandidateOp candidate;
  Oracle &oracle;
  GraphTrace trace;
  llvm::DenseMap<Value, Traced> values;
  llvm::DenseMap<unsigned, unsigned> nodeOf; ///< form nodes by class
};
} // namespace

GraphTrace prism::traceGraph(CandidateOp candidate, Oracle &oracle) {
  return GraphTracer(candidate, oracle).run();
}
