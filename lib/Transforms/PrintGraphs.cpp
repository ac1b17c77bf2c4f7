//===- PrintGraphs.cpp - Candidates as Graphviz graphs --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One digraph for each program: a cluster per kernel with its parallel dims,
// the ops of its block graph with the extents of their tiles and the maps of
// loaders and savers, and whole tensors between the kernels.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include "Prism/Transforms/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GraphWriter.h"
#include "llvm/Support/ToolOutputFile.h"

namespace prism {
#define GEN_PASS_DEF_PRISMPRINTGRAPHS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {

class DotWriter {
public:
  explicit DotWriter(llvm::raw_ostream &os) : os(os) {}

  void write(CandidateOp candidate) {
    os << "digraph \"" << candidate.getId() << "\" {\n"
       << "  graph [label=\"" << candidate.getId();
    if (std::optional<APFloat> cost = candidate.getCostUs())
      os << llvm::format(", %.2f us by the model", cost->convertToDouble());
    os << "\", labelloc=t, fontname=Helvetica, rankdir=TB];\n"
       << "  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
          "fontname=Helvetica, fontsize=10];\n";
    for (BlockArgument argument : candidate.getBodyBlock().getArguments())
      names[argument] =
          addTensor("argument " + std::to_string(argument.getArgNumber()),
                    argument.getType());
    for (Operation &op : candidate.getBodyBlock()) {
      if (auto kernel = dyn_cast<KernelOp>(op))
        writeKernel(kernel);
      else if (isa<YieldOp>(op))
        writeResults(op.getOperands());
      else
        writeOp(&op, /*fill=*/"gray90");
    }
    os << "}\n";
  }

private:
  std::string addNode(const Twine &label, StringRef attributes) {
    std::string name = "n" + std::to_string(numNodes++);
    os << "  " << name << " [label=\"" << llvm::DOT::EscapeString(label.str())
       << '"' << attributes << "];\n";
    return name;
  }
  void addEdge(StringRef from, StringRef to) {
    os << "  " << from << " -> " << to << ";\n";
  }
  std::string addTensor(const Twine &label, Type type) {
    return addNode(label + " " + toText(type),
                   ", shape=ellipse, style=filled, fillcolor=lightyellow");
  }

  /// [d0/x, d1] f16
  static std::string toText(Type type) {
    return "[" +
           llvm::join(llvm::map_range(getExtents(type),
                                      [](const DimExpr &extent) {
                                        return extent.str().str();
                                      }),
                      ", ") +
           "] " + printed(getElementType(type));
  }
  /// [[x], [i]]
  static std::string toText(MapAttr map) {
    std::string text;
    llvm::raw_string_ostream(text) << map; // #prism.map<...>
    return StringRef(text).split('<').second.drop_back().str();
  }
  template <typename T>
  static std::string printed(const T &value) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    return text;
  }

  void writeKernel(KernelOp kernel) {
    os << "  subgraph \"cluster_" << kernel.getGraphName() << "\" {\n"
       << "  label=\"kernel " << kernel.getGraphName() << ": ";
    llvm::interleaveComma(
        kernel.getParallelDims(), os, [&](ParallelDimAttr dim) {
          os << stringifyParallelKind(dim.getKind()) << ' ' << dim.getName();
          if (std::optional<int64_t> tile = dim.getTile())
            os << " by " << *tile;
        });
    os << "\"; style=\"rounded,filled\"; fillcolor=aliceblue;\n";
    for (auto [argument, input] : llvm::zip_equal(
             kernel.getBodyBlock().getArguments(), kernel.getInputs()))
      names[argument] = names.lookup(input);
    SmallVector<std::pair<std::string, std::string>> loads = writeBody(kernel);
    os << "  }\n";
    for (const auto &[tensor, tile] : loads)
      addEdge(tensor, tile);
    for (auto [result, value] :
         llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues())) {
      names[result] = addTensor("", result.getType());
      addEdge(names.lookup(value), names[result]);
    }
  }

  /// Returns the edges from tensors to loaders, which leave the cluster.
  SmallVector<std::pair<std::string, std::string>> writeBody(KernelOp kernel) {
    SmallVector<std::pair<std::string, std::string>> loads;
    for (Operation &op : kernel.getBodyBlock().without_terminator()) {
      if (auto load = dyn_cast<LoadOp>(op)) {
        names[load.getResult()] = addNode("load " + toText(load.getMap()) +
                                              "\n" + toText(load.getType()),
                                          ", fillcolor=palegreen");
        loads.push_back(
            {names.lookup(load.getSource()), names[load.getResult()]});
      } else {
        writeOp(&op, isa<AccumulateOp>(op) ? "lightsalmon"
                     : isa<SaveOp>(op)     ? "palegreen"
                     : isa<MatmulOp>(op)   ? "lightblue"
                                           : "white");
      }
    }
    return loads;
  }

  /// An op with one result.
  void writeOp(Operation *op, StringRef fill) {
    std::string label = op->getName().stripDialect().str();
    if (auto accumulate = dyn_cast<AccumulateOp>(op))
      label += (" " + stringifyAccumulatorKind(accumulate.getKind()) +
                " over " + accumulate.getOver())
                   .str();
    if (auto constant = dyn_cast<ConstantOp>(op))
      label += " " + printed(constant.getValue());
    if (auto save = dyn_cast<SaveOp>(op)) {
      label += " " + toText(save.getMap());
      if (!save.getPartials().empty())
        label +=
            " partials " +
            llvm::join(save.getPartials().getAsValueRange<StringAttr>(), ",");
    } else {
      label += "\n" + toText(op->getResult(0).getType());
    }
    std::string node = addNode(label, (", fillcolor=" + fill).str());
    for (Value operand : op->getOperands())
      addEdge(names.lookup(operand), node);
    names[op->getResult(0)] = node;
  }

  void writeResults(ValueRange values) {
    for (auto [index, value] : llvm::enumerate(values))
      addEdge(names.lookup(value),
              addTensor("result " + Twine(index), value.getType()));
  }

  llvm::raw_ostream &os;
  llvm::DenseMap<Value, std::string> names;
  unsigned numNodes = 0;
};

struct PrintGraphsPass : prism::impl::PrismPrintGraphsBase<PrintGraphsPass> {
  using Base::Base;

  void runOnOperation() override {
    std::string error;
    std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(file, &error);
    if (!output) {
      emitError(getOperation().getLoc())
          << "prism-print-graphs: cannot write '" << file << "': " << error;
      return signalPassFailure();
    }
    getOperation().walk([&](ProgramOp program) {
      SmallVector<CandidateOp> candidates = program.getCandidateOps();
      if (!all && candidates.size() > 1)
        candidates.truncate(1);
      for (CandidateOp candidate : candidates)
        DotWriter(output->os()).write(candidate);
    });
    output->keep();
  }
};

} // namespace
