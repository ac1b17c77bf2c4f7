//===- KernelBuilder.cpp - Candidates from loop forms ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaders first, then what runs in the loop, the accumulators, what runs after
// the loop, savers. Constants and casts stand before their first user.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/KernelBuilder.h"

using namespace mlir;
using namespace prism;

std::string prism::getGridDimName(unsigned index) {
  return index < 3 ? std::string(1, "xyz"[index]) : "g" + std::to_string(index);
}

namespace {

class KernelBuilder {
public:
  KernelBuilder(ProgramOp program, const Oracle &oracle, const Form &form,
                const LoopForm &loop, const KernelOptions &options)
      : program(program), oracle(oracle), form(form), loop(loop),
        options(options), dimClasses(oracle, form),
        builder(program.getContext()), loc(program.getLoc()) {}

  CandidateOp build(StringRef id) {
    CandidateOp candidate = createCandidate(id);
    SmallVector<Value> loads = createKernel(candidate);
    buildBody(loads);
    if (isContradictory) {
      candidate.erase();
      return {};
    }
    kernel.setEqualityConstraintsAttr(getEqualities());
    return candidate;
  }

private:
  MLIRContext *getContext() { return program.getContext(); }

  //===--- Shells ---------------------------------------------------------===//

  CandidateOp createCandidate(StringRef id) {
    builder.setInsertionPointToEnd(&program.getOrCreateCandidateBlock());
    auto candidate = CandidateOp::create(
        builder, loc, builder.getStringAttr(id),
        CandidateStateAttr::get(getContext(), CandidateState::Symbolic),
        VerdictAttr(), FloatAttr(), CertificateAttr());
    Block &block = candidate.getBody().emplaceBlock();
    for (Type type : program.getFunctionType().getInputs())
      block.addArgument(type, loc);
    builder.setInsertionPointToEnd(&block);
    return candidate;
  }

  /// The class's argument of the candidate.
  Value getArgument(CandidateOp candidate, unsigned cls) {
    return candidate.getBodyBlock().getArgument(*oracle.classes[cls].argument);
  }

  /// As many as split every result: a grid dim that does not is useless.
  unsigned getNumGridDims() {
    unsigned count = options.maxGridDims;
    for (unsigned result : form.results)
      count =
          std::min(count, getRank(oracle.classes[form.nodes[result].cls].type));
    return count;
  }

  /// Creates the kernel and the candidate's yield; returns the kernel's
  /// arguments, one for each loader.
  SmallVector<Value> createKernel(CandidateOp candidate) {
    SmallVector<Attribute> parallel;
    for (unsigned i = 0, e = getNumGridDims(); i < e; ++i) {
      gridDims.push_back(getGridDimName(i));
      parallel.push_back(ParallelDimAttr::get(
          getContext(), gridDims.back(), ParallelKind::Grid, std::nullopt));
    }
    if (loop.any())
      parallel.push_back(ParallelDimAttr::get(
          getContext(), getLoopDimName(), ParallelKind::Loop, std::nullopt));

    // One kernel argument per program argument, however often it is loaded.
    SmallVector<Value> inputs;
    SmallVector<unsigned> inputOf;
    for (const FormNode &node : form.nodes) {
      if (!node.isLoad())
        continue;
      Value input = getArgument(candidate, node.cls);
      auto *it = llvm::find(inputs, input);
      inputOf.push_back(it - inputs.begin());
      if (it == inputs.end())
        inputs.push_back(input);
    }
    SmallVector<Type> types;
    for (unsigned result : form.results)
      types.push_back(getResultType(form.nodes[result].cls));
    kernel = KernelOp::create(builder, loc, types, builder.getStringAttr("k0"),
                              builder.getArrayAttr(parallel),
                              builder.getArrayAttr({}), inputs);
    createYield(candidate);

    Block &body = kernel.getBody().emplaceBlock();
    for (Value input : inputs)
      body.addArgument(input.getType(), loc);
    builder.setInsertionPointToEnd(&body);
    return llvm::map_to_vector(inputOf, [&](unsigned index) {
      return Value(body.getArgument(index));
    });
  }

  /// The type of the first program result of class `cls`.
  Type getResultType(unsigned cls) {
    auto *it = llvm::find(oracle.results, cls);
    return program.getFunctionType().getResult(it - oracle.results.begin());
  }

  /// Yields kernel results, arguments and constants, each in the type that the
  /// program yields.
  void createYield(CandidateOp candidate) {
    SmallVector<Value> values;
    for (auto [index, cls] : llvm::enumerate(oracle.results)) {
      Type type = program.getFunctionType().getResult(index);
      values.push_back(
          castTo(getYielded(candidate, cls), prism::getElementType(type)));
    }
    YieldOp::create(builder, loc, values);
  }

  Value getYielded(CandidateOp candidate, unsigned cls) {
    for (auto [index, result] : llvm::enumerate(form.results))
      if (form.nodes[result].cls == cls)
        return kernel.getResult(index);
    if (oracle.classes[cls].argument)
      return getArgument(candidate, cls);
    for (const OracleNode &node : oracle.classes[cls].nodes)
      if (node.isConstant())
        return builder.clone(*node.prototype)->getResult(0);
    llvm_unreachable("a result is an argument, a constant or the kernel's");
  }

  Value castTo(Value value, Type elementType) {
    Type type = value.getType();
    if (prism::getElementType(type) == elementType)
      return value;
    return CastOp::create(
        builder, loc, cloneWith(type, getExtents(type), elementType), value);
  }

  //===--- Body -----------------------------------------------------------===//

  /// Per data dim of form node `node`: its splits along the grid dims, then
  /// along the loop, each with a variable of its own; none where matching rules
  /// out every split.
  Mapping createMapping(unsigned node, unsigned rank, bool withLoop) {
    Mapping mapping;
    for (unsigned dim = 0; dim < rank; ++dim) {
      auto &splits = mapping.emplace_back();
      if (dimClasses.isWhole(dimClasses.get(node, dim)))
        continue;
      for (const std::string &name : gridDims)
        splits.push_back({name, nextVariable++});
      if (withLoop && loop.any())
        splits.push_back({getLoopDimName().str(), nextVariable++});
    }
    return mapping;
  }

  Value createLoad(unsigned node, Value source) {
    SmallVector<DimExpr> extents = getExtents(source.getType());
    Mapping mapping = createMapping(node, extents.size(), /*withLoop=*/true);
    auto type = TileType::get(getContext(), getTileExtents(extents, mapping),
                              prism::getElementType(source.getType()));
    return LoadOp::create(builder, loc, type, source,
                          MapAttr::get(getContext(), mapping));
  }

  void buildBody(ArrayRef<Value> sources) {
    values.resize(form.nodes.size());
    for (unsigned i = 0; i < sources.size(); ++i)
      values[i] = createLoad(i, sources[i]);
    isAfter.resize(form.nodes.size());
    for (auto [index, node] : llvm::enumerate(form.nodes)) {
      if (llvm::any_of(node.operands, [&](unsigned operand) {
            return isAfter.test(operand) || loop.test(operand);
          }))
        isAfter.set(index);
    }
    for (unsigned i = 0; i < form.nodes.size(); ++i)
      if (!form.nodes[i].isLoad() && !form.nodes[i].op->isConstant() &&
          !isAfter.test(i))
        values[i] = createOp(form.nodes[i]);
    for (unsigned i : loop.set_bits())
      values[i] = AccumulateOp::create(
          builder, loc, values[i].getType(),
          AccumulatorKindAttr::get(getContext(), AccumulatorKind::Sum),
          values[i], Value(), builder.getStringAttr(getLoopDimName()),
          ArrayAttr());
    for (unsigned i = 0; i < form.nodes.size(); ++i)
      if (isAfter.test(i))
        values[i] = createOp(form.nodes[i]);
    SmallVector<Value> saved;
    for (auto [index, result] : llvm::enumerate(form.results))
      saved.push_back(createSave(result, kernel.getType(index)));
    YieldOp::create(builder, loc, saved);
  }

  Value createSave(unsigned node, Type type) {
    Value tile = castOnce(values[node], prism::getElementType(type));
    SmallVector<DimExpr> extents = getExtents(type);
    Mapping mapping = createMapping(node, extents.size(), /*withLoop=*/false);
    match(getExtents(tile.getType()), getTileExtents(extents, mapping));
    return SaveOp::create(builder, loc, type, tile,
                          MapAttr::get(getContext(), mapping),
                          builder.getArrayAttr({}));
  }

  //===--- Compute ops and their element types ----------------------------===//

  /// A cast of the same value that stands already may be used again: the body
  /// is one block, written in order.
  Value castOnce(Value value, Type elementType) {
    if (prism::getElementType(value.getType()) == elementType)
      return value;
    auto [it, isNew] = casts.insert({{value, elementType}, Value()});
    if (isNew)
      it->second = castTo(value, elementType);
    return it->second;
  }

  /// Moves values and computes nothing: any element type will do.
  static bool isDataMovement(Operation *op) {
    return isa<BroadcastOp, ConcatOp, ReshapeOp, SliceOp, TransposeOp>(op);
  }

  /// The widest element type of the operands of the program's own matmuls;
  /// `fallback` if there is none, or where two have no order (f16 and bf16).
  Type getMatmulElementType(Type fallback) {
    FloatType widest;
    for (auto op : program.getBodyBlock().getOps<MatmulOp>())
      for (Type type : op->getOperandTypes()) {
        auto candidate = cast<FloatType>(prism::getElementType(type));
        if (!widest || widest == candidate)
          widest = candidate;
        else if (widest.getWidth() == candidate.getWidth())
          return fallback;
        else if (widest.getWidth() < candidate.getWidth())
          widest = candidate;
      }
    return widest ? Type(widest) : fallback;
  }

  /// The element type that the float operands are cast to; null for none.
  Type getOperandElementType(Operation *prototype, ValueRange operands) {
    Type arithmetic = prism::getElementType(prototype->getResult(0).getType());
    bool agree = llvm::all_of(operands, [&](Value operand) {
      return prism::getElementType(operand.getType()) ==
             prism::getElementType(operands.front().getType());
    });
    if (isDataMovement(prototype) && agree)
      return {};
    if (isa<MatmulOp>(prototype)) {
      bool asStored = llvm::all_of(operands, [](Value operand) {
        return operand.getDefiningOp<LoadOp>() != nullptr;
      });
      return agree && asStored ? Type() : getMatmulElementType(arithmetic);
    }
    if (arithmetic.isInteger(1)) // a comparison, or logic on conditions
      arithmetic = prism::getElementType(prototype->getOperand(0).getType());
    return arithmetic;
  }

  Value createOp(const FormNode &node) {
    Operation *prototype = node.op->prototype;
    SmallVector<Value> operands;
    for (unsigned operand : node.operands)
      operands.push_back(getOperand(operand));
    Type elementType = getOperandElementType(prototype, operands);
    if (elementType)
      for (Value &operand : operands)
        if (!prism::getElementType(operand.getType()).isInteger(1))
          operand = castOnce(operand, elementType);
    Type resultElementType;
    if (isDataMovement(prototype))
      resultElementType = prism::getElementType(operands.front().getType());
    Operation *op =
        rebuildComputeOp(builder, prototype, operands, resultElementType);
    op->setLoc(loc);
    matchOperands(op, node.op->structure);
    return op->getResult(0);
  }

  /// The value of a form node; a constant is written at its first use.
  Value getOperand(unsigned index) {
    if (values[index])
      return values[index];
    Operation *prototype = form.nodes[index].op->prototype;
    Type elementType = prism::getElementType(prototype->getResult(0).getType());
    auto type = TileType::get(getContext(), ArrayRef<DimExpr>(), elementType);
    Operation *op = builder.clone(*prototype);
    op->setLoc(loc);
    op->getResult(0).setType(type);
    return values[index] = op->getResult(0);
  }

  //===--- Equation (4) ---------------------------------------------------===//

  void match(const DimExpr &a, const DimExpr &b) {
    auto equalities = matchExtents(a, b);
    if (!equalities) {
      isContradictory = true;
      return;
    }
    for (auto [lhs, rhs] : *equalities)
      isContradictory |= !constraints.addEqual(lhs, rhs);
  }
  void match(ArrayRef<DimExpr> a, ArrayRef<DimExpr> b) {
    for (auto [left, right] : llvm::zip_equal(a, b))
      match(left, right);
  }

  /// Extents that index one iteration dim agree.
  void matchOperands(Operation *op, const IterationStructure &structure) {
    SmallVector<DimExpr> extents = getIterationExtents(
        structure, op->getOperandTypes(), op->getResult(0).getType());
    for (auto [map, type] :
         llvm::zip_equal(structure.operandMaps, op->getOperandTypes())) {
      SmallVector<DimExpr> have = getExtents(type);
      for (auto [dim, factors] : llvm::enumerate(map))
        if (factors.size() == 1)
          match(have[dim], extents[factors.front()]);
    }
  }

  /// Each variable that is equal to a lesser one or known.
  ArrayAttr getEqualities() {
    SmallVector<Attribute> equalities;
    for (unsigned variable = 0; variable < nextVariable; ++variable) {
      MapTerm term = MapTerm::variable(variable);
      MapTerm representative = constraints.lookup(term);
      if (representative == term)
        continue;
      if (!representative.isVariable)
        std::swap(term, representative); // m5 = 0
      equalities.push_back(
          EqualityAttr::get(getContext(), representative, term));
    }
    return builder.getArrayAttr(equalities);
  }

  ProgramOp program;
  const Oracle &oracle;
  const Form &form;
  const LoopForm &loop;
  const KernelOptions &options;
  DimClasses dimClasses;
  OpBuilder builder;
  Location loc;
  KernelOp kernel;
  SmallVector<std::string> gridDims;
  SmallVector<Value> values;
  llvm::SmallBitVector isAfter; ///< form nodes that run after the loop
  llvm::DenseMap<std::pair<Value, Type>, Value> casts;
  MappingConstraints constraints;
  unsigned nextVariable = 0;
  bool isContradictory = false;
};

} // namespace

CandidateOp prism::buildCandidate(ProgramOp program, StringRef id,
                                  const Oracle &oracle, const Form &form,
                                  const LoopForm &loop,
                                  const KernelOptions &options) {
  return KernelBuilder(program, oracle, form, loop, options).build(id);
}
