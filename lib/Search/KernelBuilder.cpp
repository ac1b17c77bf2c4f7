//===- KernelBuilder.cpp - Candidates from loop forms ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In each kernel loaders first, then what runs in the loop, the accumulators,
// what runs after the loop, savers. Constants and casts stand before their
// first user.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/KernelBuilder.h"

using namespace mlir;
using namespace prism;

std::string prism::getGridDimName(unsigned index) {
  return index < 3 ? std::string(1, "xyz"[index]) : "g" + std::to_string(index);
}

static SymbolicTensorType cloneTensor(Type type, Type elementType) {
  return cast<SymbolicTensorType>(
      cloneWith(type, getExtents(type), elementType));
}

namespace {

/// Builds one kernel at the builder's insertion point.
class KernelBuilder {
public:
  KernelBuilder(ProgramOp program, const Oracle &oracle,
                const KernelForm &kernelForm, const KernelOptions &options,
                OpBuilder &builder)
      : program(program), oracle(oracle), kernelForm(kernelForm),
        form(kernelForm.form), loop(kernelForm.loop), options(options),
        dimClasses(oracle, form), builder(builder), loc(program.getLoc()) {}

  /// The kernel on `tensors`, one for each load. It has the results of the form
  /// in order, of these types (of the whole values, where it writes partials).
  /// Null if the equalities contradict each other.
  KernelOp build(StringRef name, ArrayRef<Value> tensors,
                 ArrayRef<Type> resultTypes) {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> sources = createKernel(name, tensors, resultTypes);
    buildBody(sources);
    if (isContradictory) {
      kernel.erase();
      return {};
    }
    kernel.setEqualityConstraintsAttr(getEqualities());
    return kernel;
  }

private:
  MLIRContext *getContext() { return program.getContext(); }

  //===--- Shell ----------------------------------------------------------===//

  /// As many as split every result: a grid dim that does not is useless. Of
  /// partial results some may be the same all along a grid dim; the dim along
  /// which they are written comes in addition.
  unsigned getNumGridDims() {
    SmallVector<unsigned> ranks;
    for (unsigned result : form.results)
      ranks.push_back(getRank(oracle.classes[form.nodes[result].cls].type));
    if (kernelForm.writesPartials)
      return std::min(options.maxGridDims, *llvm::max_element(ranks));
    return std::min(options.maxGridDims, *llvm::min_element(ranks));
  }

  SmallVector<Attribute> declareParallelDims() {
    SmallVector<Attribute> parallel;
    auto declare = [&](StringRef name, ParallelKind kind) {
      parallel.push_back(
          ParallelDimAttr::get(getContext(), name, kind, std::nullopt));
    };
    for (unsigned i = 0, e = getNumGridDims(); i < e; ++i)
      gridDims.push_back(getGridDimName(i));
    for (const std::string &name : gridDims)
      declare(name, ParallelKind::Grid);
    if (kernelForm.writesPartials)
      declare(getSplitDimName(), ParallelKind::Grid);
    if (loop.hasLoop())
      declare(getLoopDimName(), ParallelKind::Loop);
    return parallel;
  }

  /// Creates the kernel; returns its arguments, one for each load, however
  /// often a tensor is loaded.
  SmallVector<Value> createKernel(StringRef name, ArrayRef<Value> tensors,
                                  ArrayRef<Type> resultTypes) {
    SmallVector<Attribute> parallel = declareParallelDims();
    SmallVector<Value> inputs;
    SmallVector<unsigned> inputOf;
    for (Value tensor : tensors) {
      auto *it = llvm::find(inputs, tensor);
      inputOf.push_back(it - inputs.begin());
      if (it == inputs.end())
        inputs.push_back(tensor);
    }
    SmallVector<Type> types(resultTypes);
    if (kernelForm.writesPartials)
      for (Type &type : types) {
        SmallVector<DimExpr> extents = getExtents(type);
        extents.insert(extents.begin(),
                       DimExpr::symbol((name + "." + getSplitDimName()).str()));
        type = cloneWith(type, extents, prism::getElementType(type));
      }
    kernel = KernelOp::create(
        builder, loc, types, builder.getStringAttr(name),
        builder.getArrayAttr(parallel), builder.getArrayAttr({}), inputs,
        /*threads=*/IntegerAttr(), /*stages=*/IntegerAttr());
    Block &body = kernel.getBody().emplaceBlock();
    for (Value input : inputs)
      body.addArgument(input.getType(), loc);
    builder.setInsertionPointToEnd(&body);
    return llvm::map_to_vector(inputOf, [&](unsigned index) {
      return Value(body.getArgument(index));
    });
  }

  //===--- Body -----------------------------------------------------------===//

  /// Per data dim of form node `node`: its splits along the grid dims, then
  /// along the loop, each with a variable of its own; none where matching rules
  /// out every split.
  Mapping createMapping(unsigned node, unsigned rank, bool isLoad) {
    Mapping mapping;
    auto add = [&](StringRef name) {
      mapping.back().push_back({name.str(), nextVariable++});
    };
    for (unsigned dim = 0; dim < rank; ++dim) {
      mapping.emplace_back();
      if (dimClasses.isWhole(dimClasses.get(node, dim)))
        continue;
      for (const std::string &name : gridDims)
        add(name);
      if (isLoad && kernelForm.writesPartials)
        add(getSplitDimName());
      if (isLoad && loop.hasLoop())
        add(getLoopDimName());
    }
    return mapping;
  }

  Value createLoad(unsigned node, Value source) {
    SmallVector<DimExpr> extents = getExtents(source.getType());
    unsigned rank = getRank(oracle.classes[form.nodes[node].cls].type);
    Mapping mapping = createMapping(node, rank, /*isLoad=*/true);
    // Partial results are loaded all of them.
    mapping.insert(mapping.begin(), extents.size() - rank, {});
    auto type = TileType::get(getContext(), getTileExtents(extents, mapping),
                              prism::getElementType(source.getType()));
    return LoadOp::create(builder, loc, type, source,
                          MapAttr::get(getContext(), mapping));
  }

  void buildBody(ArrayRef<Value> sources) {
    values.resize(form.nodes.size());
    for (unsigned i = 0; i < sources.size(); ++i)
      values[i] = createLoad(i, sources[i]);
    combinePartials(sources.size());
    for (unsigned i = sources.size(); i < form.nodes.size(); ++i)
      if (!form.nodes[i].op->isConstant() && !loop.isAfter.test(i))
        values[i] = createOp(form.nodes[i]);
    SmallVector<Value> inLoop = values;
    for (const Accumulator &accumulator : loop.accumulators)
      values[accumulator.node] = createAccumulate(accumulator, inLoop);
    for (unsigned i : loop.isAfter.set_bits())
      values[i] = createOp(form.nodes[i]);
    SmallVector<Value> saved;
    for (auto [index, result] : llvm::enumerate(form.results))
      saved.push_back(createSave(result, kernel.getResult(index).getType()));
    YieldOp::create(builder, loc, saved);
  }

  /// Indexes an elementwise op of a value of `rank` dims with one of its dims
  /// `dims`.
  ArrayAttr getMaps(unsigned rank, ArrayRef<unsigned> dims) {
    AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, getContext());
    return builder.getAffineMapArrayAttr(
        {identity, identity.getSubMap(dims), identity});
  }

  Value createAccumulate(const Accumulator &accumulator,
                         ArrayRef<Value> inLoop) {
    Value tile = inLoop[accumulator.node];
    bool isRescaled = accumulator.isRescaled();
    return AccumulateOp::create(
        builder, loc, tile.getType(),
        AccumulatorKindAttr::get(getContext(), accumulator.kind), tile,
        isRescaled ? inLoop[accumulator.shift] : Value(),
        builder.getStringAttr(getLoopDimName()),
        isRescaled ? getMaps(getRank(tile.getType()), accumulator.shiftDims)
                   : ArrayAttr());
  }

  Value createSave(unsigned node, Type type) {
    Value tile = castOnce(values[node], prism::getElementType(type));
    SmallVector<DimExpr> extents = getExtents(type);
    SmallVector<StringRef, 1> partials;
    if (kernelForm.writesPartials) {
      partials.push_back(getSplitDimName());
      extents.erase(extents.begin());
    }
    Mapping mapping = createMapping(node, extents.size(), /*isLoad=*/false);
    match(getExtents(tile.getType()), getTileExtents(extents, mapping));
    return SaveOp::create(builder, loc, type, tile,
                          MapAttr::get(getContext(), mapping),
                          builder.getStrArrayAttr(partials));
  }

  //===--- Partial results ------------------------------------------------===//

  /// Replaces the loaded partial results by what they are of.
  void combinePartials(unsigned numLoads) {
    SmallVector<Value> loaded(values.begin(), values.begin() + numLoads);
    llvm::DenseMap<unsigned, Value> weights; // by the load of the maxima
    for (unsigned i = 0; i < numLoads; ++i) {
      const std::optional<Combination> &combination =
          kernelForm.combinations[i];
      if (!combination)
        continue;
      switch (combination->kind) {
      case AccumulatorKind::Sum:
        values[i] = reducePartials<ReduceSumOp>(loaded[i]);
        break;
      case AccumulatorKind::Max:
        values[i] = getMaximum(loaded, i);
        break;
      case AccumulatorKind::RescaledSum: {
        Value &weight = weights[combination->shift];
        if (!weight)
          weight = createWeight(loaded, combination->shift);
        values[i] = reducePartials<ReduceSumOp>(
            rescale(loaded[i], weight, combination->shiftDims));
        break;
      }
      }
    }
  }

  /// Over the leading dim.
  template <typename ReduceT>
  Value reducePartials(Value partials) {
    SmallVector<DimExpr> extents = getExtents(partials.getType());
    extents.erase(extents.begin());
    return ReduceT::create(builder, loc,
                           cloneWith(partials.getType(), extents,
                                     prism::getElementType(partials.getType())),
                           partials, builder.getDenseI64ArrayAttr({0}));
  }

  Value getMaximum(ArrayRef<Value> loaded, unsigned node) {
    Value &maximum = maxima[node];
    if (!maximum)
      maximum = reducePartials<ReduceMaxOp>(loaded[node]);
    return maximum;
  }

  /// exp(m - max m), for the partial maxima m.
  Value createWeight(ArrayRef<Value> loaded, unsigned node) {
    Value partial = loaded[node];
    SmallVector<unsigned> dims =
        llvm::to_vector(llvm::seq<unsigned>(1, getRank(partial.getType())));
    Value difference = SubOp::create(builder, loc, partial.getType(), partial,
                                     getMaximum(loaded, node),
                                     getMaps(getRank(partial.getType()), dims));
    return ExpOp::create(builder, loc, partial.getType(), difference);
  }

  Value rescale(Value partials, Value weight, ArrayRef<unsigned> shiftDims) {
    SmallVector<unsigned> dims = {0};
    SmallVector<DimExpr> extents = getExtents(partials.getType());
    SmallVector<DimExpr> weightExtents = getExtents(weight.getType());
    for (unsigned dim : shiftDims) {
      match(extents[dim + 1], weightExtents[dims.size()]);
      dims.push_back(dim + 1);
    }
    return MulOp::create(builder, loc, partials.getType(), partials, weight,
                         getMaps(getRank(partials.getType()), dims));
  }

  //===--- Compute ops and their element types ----------------------------===//

  Value castTo(Value value, Type elementType) {
    Type type = value.getType();
    return CastOp::create(
        builder, loc, cloneWith(type, getExtents(type), elementType), value);
  }

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
    if (isa<CastOp>(prototype))
      return prism::getElementType(prototype->getOperand(0).getType());
    if (isa<MatmulOp>(prototype)) {
      if (oracle.precision == Precision::Strict) // nothing is narrowed
        return agree ? Type() : arithmetic;
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
  const KernelForm &kernelForm;
  const Form &form;
  const LoopForm &loop;
  const KernelOptions &options;
  DimClasses dimClasses;
  OpBuilder &builder;
  Location loc;
  KernelOp kernel;
  SmallVector<std::string> gridDims;
  SmallVector<Value> values;              ///< by form node
  llvm::DenseMap<unsigned, Value> maxima; ///< of partial maxima, by load
  llvm::DenseMap<std::pair<Value, Type>, Value> casts;
  MappingConstraints constraints;
  unsigned nextVariable = 0;
  bool isContradictory = false;
};

/// Builds the kernels of a candidate one after the other.
class CandidateBuilder {
public:
  CandidateBuilder(ProgramOp program, const Oracle &oracle,
                   const KernelGraph &kernels, const KernelOptions &options)
      : program(program), oracle(oracle), kernels(kernels), options(options),
        builder(program.getContext()), loc(program.getLoc()) {}

  CandidateOp build(StringRef id) {
    createCandidate(id);
    unsigned numDefined = 0;
    for (const KernelForm &kernel : kernels) {
      if (!addKernel(kernel, "k" + std::to_string(numDefined))) {
        candidate.erase();
        return {};
      }
      numDefined += !kernel.isPredefined;
    }
    createYield();
    return candidate;
  }

private:
  void createCandidate(StringRef id) {
    MLIRContext *context = program.getContext();
    builder.setInsertionPointToEnd(&program.getOrCreateCandidateBlock());
    candidate = CandidateOp::create(
        builder, loc, builder.getStringAttr(id),
        CandidateStateAttr::get(context, CandidateState::Symbolic),
        VerdictAttr(), FloatAttr(), CertificateAttr());
    Block &block = candidate.getBody().emplaceBlock();
    for (Type type : program.getFunctionType().getInputs())
      block.addArgument(type, loc);
    builder.setInsertionPointToEnd(&block);
  }

  bool isRead(unsigned cls, const KernelForm *after) const {
    for (const KernelForm *kernel = after + 1; kernel != kernels.end();
         ++kernel)
      for (const FormNode &node : kernel->form.nodes)
        if (node.isLoad() && node.cls == cls)
          return true;
    return false;
  }

  /// The type that the first program result of class `cls` has, unless it is
  /// read again; then that of the arithmetic.
  Type getResultType(unsigned cls, const KernelForm &kernel) {
    auto *it = llvm::find(oracle.results, cls);
    if (it != oracle.results.end() && !isRead(cls, &kernel))
      return program.getFunctionType().getResult(it - oracle.results.begin());
    Type type = oracle.classes[cls].type;
    return cloneTensor(type, prism::getElementType(type));
  }

  /// The one op of the form, on whole tensors as they are stored.
  bool addPredefined(const KernelForm &kernelForm) {
    const FormNode &node = kernelForm.form.nodes.back();
    SmallVector<Value> operands =
        llvm::map_to_vector(node.operands, [&](unsigned operand) {
          return getTensor(kernelForm.form.nodes[operand].cls);
        });
    for (Value operand : operands)
      if (prism::getElementType(operand.getType()) !=
          prism::getElementType(operands.front().getType()))
        return false; // a library has no kernel for that
    Operation *op =
        rebuildComputeOp(builder, node.op->prototype, operands,
                         prism::getElementType(oracle.classes[node.cls].type));
    op->setLoc(loc);
    computed[node.cls] = op->getResult(0);
    return true;
  }

  bool addKernel(const KernelForm &kernelForm, StringRef name) {
    if (kernelForm.isPredefined)
      return addPredefined(kernelForm);
    const Form &form = kernelForm.form;
    SmallVector<Value> tensors;
    for (auto [index, node] : llvm::enumerate(form.nodes))
      if (node.isLoad())
        tensors.push_back(kernelForm.combinations[index]
                              ? partials.lookup(node.cls)
                              : getTensor(node.cls));
    SmallVector<Type> types;
    for (unsigned result : form.results)
      types.push_back(getResultType(form.nodes[result].cls, kernelForm));
    KernelOp kernel =
        KernelBuilder(program, oracle, kernelForm, options, builder)
            .build(name, tensors, types);
    if (!kernel)
      return false;
    auto &values = kernelForm.writesPartials ? partials : computed;
    for (auto [index, result] : llvm::enumerate(form.results))
      values[form.nodes[result].cls] = kernel.getResult(index);
    return true;
  }

  /// A whole tensor of class `cls`: an argument, or computed before.
  Value getTensor(unsigned cls) {
    if (Value value = computed.lookup(cls))
      return value;
    if (oracle.classes[cls].argument)
      return candidate.getBodyBlock().getArgument(
          *oracle.classes[cls].argument);
    for (const OracleNode &node : oracle.classes[cls].nodes)
      if (node.isConstant())
        return builder.clone(*node.prototype)->getResult(0);
    llvm_unreachable("it is an argument, a constant or computed before");
  }

  /// Yields kernel results, arguments and constants, each in the type that the
  /// program yields.
  void createYield() {
    SmallVector<Value> values;
    for (auto [index, cls] : llvm::enumerate(oracle.results)) {
      Type type = program.getFunctionType().getResult(index);
      Value value = getTensor(cls);
      if (value.getType() != type)
        value = CastOp::create(builder, loc, type, value);
      values.push_back(value);
    }
    YieldOp::create(builder, loc, values);
  }

  ProgramOp program;
  const Oracle &oracle;
  const KernelGraph &kernels;
  const KernelOptions &options;
  OpBuilder builder;
  Location loc;
  CandidateOp candidate;
  llvm::DenseMap<unsigned, Value> computed, partials; ///< by class
};

} // namespace

CandidateOp prism::buildCandidate(ProgramOp program, StringRef id,
                                  const Oracle &oracle,
                                  const KernelGraph &kernels,
                                  const KernelOptions &options) {
  return CandidateBuilder(program, oracle, kernels, options).build(id);
}
