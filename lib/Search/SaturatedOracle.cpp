//===- SaturatedOracle.cpp - The oracle of a saturated e-graph ------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies what the search needs out of the program's e-graph: the classes from
// which the results are computed, in the order in which they are reached.
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/ProgramGraph.h"
#include "Prism/Search/Oracle.h"

using namespace mlir;
using namespace prism;

namespace {
class SaturatedOracleBuilder {
public:
  SaturatedOracleBuilder(ProgramOp program, const ProgramGraph &graph)
      : program(program), graph(graph) {
    oracle.precision = graph.language().getPrecision();
  }

  Oracle build() {
    for (unsigned i = 0; i < graph.numArguments(); ++i)
      addArgument(i);
    for (ClassId root : graph.roots())
      oracle.results.push_back(visit(root));
    oracle.isSaturated = !graph.hitLimit();
    oracle.numNodes = graph.numNodes();
    return std::move(oracle);
  }

private:
  MLIRContext *getContext() { return program.getContext(); }

  void addArgument(unsigned index) {
    ClassId eclass = graph.argument(index);
    auto [it, isNew] = classOf.insert({eclass, 0});
    if (!isNew)
      return; // equal arguments
    Type type = program.getFunctionType().getInput(index);
    it->second = oracle.addClass(
        cloneWith(type, getExtents(type),
                  getArithmeticElementType(getElementType(type))));
    oracle.classes[it->second].argument = index;
  }

  unsigned visit(ClassId root) {
    SmallVector<ClassId> worklist = {root};
    unsigned result = getClass(root, worklist);
    while (!worklist.empty()) {
      ClassId eclass = worklist.pop_back_val();
      unsigned cls = classOf.lookup(eclass);
      if (!isVisited.insert(eclass).second || oracle.classes[cls].argument)
        continue;
      for (const ComputeNode &node : graph.nodes(eclass)) {
        SmallVector<unsigned> operands =
            llvm::map_to_vector(node.operands, [&](ClassId operand) {
              return getClass(operand, worklist);
            });
        Operation *op = graph.language().prototype(node.prototype).op;
        oracle.addNode(cls, op->getName(), op->getAttrDictionary(), operands);
      }
    }
    return result;
  }

  unsigned getClass(ClassId eclass, SmallVectorImpl<ClassId> &worklist) {
    auto [it, isNew] = classOf.insert({eclass, 0});
    if (isNew) {
      worklist.push_back(eclass);
      it->second = oracle.addClass(getType(eclass));
    }
    return it->second;
  }

  Type getType(ClassId eclass) {
    return SymbolicTensorType::get(getContext(), graph.extents(eclass),
                                   getElementTypeOf(eclass));
  }

  /// i1 for conditions; what a cast gives; f64 if the program computes in f64
  /// anywhere.
  Type getElementTypeOf(ClassId eclass) {
    for (const ComputeNode &node : graph.nodes(eclass)) {
      Operation *op = graph.language().prototype(node.prototype).op;
      Type type = getElementType(op->getResult(0).getType());
      if (type.isInteger(1) || isa<CastOp>(op))
        return type;
    }
    auto isDouble = [](Type type) { return getElementType(type).isF64(); };
    bool hasDouble =
        llvm::any_of(program.getFunctionType().getInputs(), isDouble);
    for (Operation &op : program.getBodyBlock().without_terminator())
      hasDouble |= isDouble(op.getResult(0).getType());
    return hasDouble ? Type(Float64Type::get(getContext()))
                     : Type(Float32Type::get(getContext()));
  }

  ProgramOp program;
  const ProgramGraph &graph;
  Oracle oracle;
  llvm::DenseMap<ClassId, unsigned> classOf;
  llvm::DenseSet<ClassId> isVisited;
};
} // namespace

std::optional<Oracle>
prism::buildSaturatedOracle(ProgramOp program, unsigned extraOps,
                            Precision precision, double seconds,
                            std::function<bool()> isInterrupted) {
  ProgramGraphOptions options;
  options.precision = precision;
  options.limits.seconds = seconds;
  options.limits.isInterrupted = std::move(isInterrupted);
  options.extraOps = extraOps;
  FailureOr<std::unique_ptr<ProgramGraph>> graph =
      ProgramGraph::build(program, options);
  if (failed(graph))
    return std::nullopt;
  return SaturatedOracleBuilder(program, **graph).build();
}
