//===- FormThreadGraphs.cpp - Elementwise chains in registers -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups the elementwise ops of a block graph that have the same extents, run
// in the same stage (before, in or after the loop) and follow from each other,
// as far as nothing outside a group stands between two of its members. Each
// group of two or more becomes a prism.thread_graph, whose thread dim splits
// the outermost dim (DECISIONS, 17).
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelPlan.h"
#include "Prism/Transforms/Passes.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace prism {
#define GEN_PASS_DEF_PRISMFORMTHREADGRAPHS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {

using Group = llvm::SetVector<Operation *>;

/// Whether a value is hoisted, differs from step to step, or is known after the
/// loop.
enum class Stage { BeforeLoop, InLoop, AfterLoop };

class ThreadGraphFormer {
public:
  explicit ThreadGraphFormer(KernelOp kernel)
      : kernel(kernel), body(kernel.getBodyBlock()) {}

  void run() {
    findStages();
    for (Operation &op : body.without_terminator())
      if (isElementwise(&op) && !isa<ConstantOp>(op) &&
          getRank(op.getResult(0).getType()) > 0)
        addToGroup(&op);
    for (std::unique_ptr<Group> &group : groups)
      if (group && group->size() > 1)
        form(*group);
  }

private:
  void findStages();
  void addToGroup(Operation *op);
  bool canJoin(Operation *op, const Group &group);
  bool isConvex(const Group &group);
  void form(const Group &group);
  std::string getThreadDim();

  KernelOp kernel;
  Block &body;
  DenseMap<Operation *, Stage> stages;
  SmallVector<std::unique_ptr<Group>> groups;
  DenseMap<Operation *, unsigned> groupOf;
  unsigned numFormed = 0;
};

} // namespace

void ThreadGraphFormer::findStages() {
  for (Operation &op : body) {
    Stage stage = Stage::BeforeLoop;
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp())
        stage = std::max(stage, isa<AccumulateOp>(definition)
                                    ? Stage::AfterLoop
                                    : stages.lookup(definition));
    if (auto load = dyn_cast<LoadOp>(op))
      for (const auto &splits : load.getMap().getValue())
        for (const Split &split : splits)
          if (kernel.lookupParallelDim(split.dim).getKind() ==
              ParallelKind::Loop)
            stage = Stage::InLoop;
    stages[&op] = stage;
  }
}

/// Same extents and stage, and the outermost dim stays the outermost one in
/// whatever the op reads of the group.
bool ThreadGraphFormer::canJoin(Operation *op, const Group &group) {
  Operation *member = group.front();
  if (stages[op] != stages[member] ||
      getExtents(op->getResult(0).getType()) !=
          getExtents(member->getResult(0).getType()))
    return false;
  IterationStructure structure =
      cast<ComputeOpInterface>(op).getIterationStructure();
  unsigned outermost = structure.resultMap.front().front();
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), structure.operandMaps))
    if (Operation *definition = operand.getDefiningOp())
      if (group.contains(definition) &&
          (map.empty() || map.front().front() != outermost))
        return false;
  return true;
}

/// Whether no member depends on another through an op outside the group.
bool ThreadGraphFormer::isConvex(const Group &group) {
  llvm::DenseSet<Operation *> tainted; // outside, and depends on a member
  for (Operation &op : body) {
    bool dependsOnTainted = false, dependsOnMember = false;
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp()) {
        dependsOnTainted |= tainted.contains(definition);
        dependsOnMember |= group.contains(definition);
      }
    if (group.contains(&op)) {
      if (dependsOnTainted)
        return false;
    } else if (dependsOnTainted || dependsOnMember) {
      tainted.insert(&op);
    }
  }
  return true;
}

void ThreadGraphFormer::addToGroup(Operation *op) {
  auto current = std::make_unique<Group>();
  current->insert(op);
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    auto it = groupOf.find(definition);
    if (!definition || it == groupOf.end() || current->contains(definition))
      continue;
    std::unique_ptr<Group> &other = groups[it->second];
    Group merged = *other;
    merged.insert(current->begin(), current->end());
    if (!canJoin(op, *other) || !isConvex(merged))
      continue;
    *current = std::move(merged);
    other.reset();
  }
  for (Operation *member : *current)
    groupOf[member] = groups.size();
  groups.push_back(std::move(current));
}

std::string ThreadGraphFormer::getThreadDim() {
  std::string name = "t";
  for (unsigned suffix = 0; kernel.lookupParallelDim(name); ++suffix)
    name = "t" + std::to_string(suffix);
  return name;
}

/// The map that splits the data dim indexed by `outermost` over the threads.
static MapAttr getThreadMap(const IndexMap &map, unsigned outermost,
                            StringRef threadDim, MLIRContext *context) {
  Mapping mapping;
  for (const auto &factors : map) {
    auto &splits = mapping.emplace_back();
    if (factors.front() == outermost)
      splits.push_back({threadDim.str(), std::nullopt});
  }
  return MapAttr::get(context, mapping);
}

static Value createLoad(OpBuilder &builder, Location loc, Value source,
                        MapAttr map) {
  auto type = cast<TileType>(source.getType());
  auto tile = TileType::get(builder.getContext(),
                            getTileExtents(type.getExtents(), map.getValue()),
                            type.getElementType());
  return LoadOp::create(builder, loc, tile, source, map);
}

void ThreadGraphFormer::form(const Group &group) {
  SmallVector<Operation *> members;
  SmallVector<Value> outputs;
  llvm::SetVector<Value> inputs;
  for (Operation &op : body) {
    if (!group.contains(&op))
      continue;
    members.push_back(&op);
    for (Value operand : op.getOperands())
      if (!isa_and_nonnull<ConstantOp>(operand.getDefiningOp()) &&
          !group.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    if (llvm::any_of(op.getUsers(),
                     [&](Operation *user) { return !group.contains(user); }))
      outputs.push_back(op.getResult(0));
  }
  if (outputs.empty())
    return; // dead code

  MLIRContext *context = kernel.getContext();
  OpBuilder builder(members.back());
  Location loc = members.front()->getLoc();
  std::string threadDim = getThreadDim();
  bool isSized =
      llvm::all_of(kernel.getParallelDims(), [](ParallelDimAttr dim) {
        return dim.getTile().has_value();
      });
  auto parallel =
      ParallelDimAttr::get(context, threadDim, ParallelKind::Thread,
                           isSized ? std::optional<int64_t>(1) : std::nullopt);
  auto types =
      llvm::map_to_vector(outputs, [](Value value) { return value.getType(); });
  auto graph = ThreadGraphOp::create(
      builder, loc, types, "t" + std::to_string(numFormed++),
      builder.getArrayAttr(parallel), builder.getArrayAttr({}),
      inputs.getArrayRef());
  Block &block = graph.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(input.getType(), loc);

  builder.setInsertionPointToStart(&block);
  IRMapping values;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> loads;
  for (Operation *op : members) {
    IterationStructure structure =
        cast<ComputeOpInterface>(op).getIterationStructure();
    unsigned outermost = structure.resultMap.front().front();
    SmallVector<Value> operands;
    for (auto [operand, map] :
         llvm::zip(op->getOperands(), structure.operandMaps)) {
      Operation *definition = operand.getDefiningOp();
      if (group.contains(definition)) {
        operands.push_back(values.lookup(operand));
        continue;
      }
      if (isa_and_nonnull<ConstantOp>(definition)) {
        operands.push_back(builder.clone(*definition)->getResult(0));
        continue;
      }
      MapAttr split = getThreadMap(map, outermost, threadDim, context);
      Value &loaded = loads[{operand, split}];
      if (!loaded) {
        auto index = llvm::find(inputs, operand) - inputs.begin();
        loaded =
            createLoad(builder, op->getLoc(), block.getArgument(index), split);
      }
      operands.push_back(loaded);
    }
    Operation *copy = rebuildComputeOp(builder, op, operands);
    values.map(op->getResult(0), copy->getResult(0));
  }
  SmallVector<Value> saved;
  for (Value output : outputs) {
    Mapping mapping(getRank(output.getType()));
    mapping.front().push_back({threadDim, std::nullopt});
    saved.push_back(SaveOp::create(
        builder, loc, output.getType(), values.lookup(output),
        MapAttr::get(context, mapping), builder.getStrArrayAttr({})));
  }
  YieldOp::create(builder, loc, saved);
  for (auto [output, result] : llvm::zip(outputs, graph.getResults()))
    output.replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(members))
    op->erase();
  // What used a member in the middle may stand before the graph.
  sortTopologically(&body);
}

namespace {
struct FormThreadGraphsPass
    : prism::impl::PrismFormThreadGraphsBase<FormThreadGraphsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (CandidateOp candidate : getOperation().getCandidateOps())
      if (candidate.getState() != CandidateState::Symbolic)
        candidate.getBody().walk(
            [](KernelOp kernel) { ThreadGraphFormer(kernel).run(); });
  }
};
} // namespace
