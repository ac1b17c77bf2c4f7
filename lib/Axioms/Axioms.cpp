//===- Axioms.cpp - The axioms as declared data ---------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/Axioms.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

using namespace mlir;
using namespace prism;

static std::array<ArrayRef<AxiomRecord>, 6> getRecordGroups() {
  return {getParallelAxiomRecords(), getRescalingAxiomRecords(),
          getFieldAxiomRecords(),    getMotionAxiomRecords(),
          getMovementAxiomRecords(), getFunctionAxiomRecords()};
}

std::vector<const AxiomRecord *> prism::getAxiomRecords() {
  std::vector<const AxiomRecord *> all;
  for (ArrayRef<AxiomRecord> records : getRecordGroups())
    for (const AxiomRecord &record : records)
      all.push_back(&record);
  return all;
}

const AxiomRecord &prism::getAxiomRecord(const Axiom &axiom) {
  unsigned index = axiom.record;
  for (ArrayRef<AxiomRecord> records : getRecordGroups()) {
    if (index < records.size())
      return records[index];
    index -= records.size();
  }
  llvm_unreachable("axioms are made from records");
}

template <unsigned... arities>
static SmallVector<unsigned> getArities(OperationName name) {
  SmallVector<unsigned> found;
  if (name.hasTrait<OpTrait::ZeroOperands>())
    return {0};
  if (name.hasTrait<OpTrait::OneOperand>())
    return {1};
  ((name.hasTrait<OpTrait::NOperands<arities>::template Impl>()
        ? found.push_back(arities)
        : void()),
   ...);
  return found.empty() ? SmallVector<unsigned>{2, 3} : found;
}

/// Reads what `signature` may have off an op whose second operand, if any, has
/// a dim that the result lacks.
static void readStructure(OpSignature &signature, OperationName name) {
  bool isMapped = name.hasInterface<IndexingMapsOpInterface>();
  if (signature.numOperands == 0 ||
      name.getAttributeNames().size() != size_t(isMapped))
    return;
  MLIRContext *context = name.getContext();
  Location loc = UnknownLoc::get(context);
  SmallVector<DimExpr> extents(isMapped ? 2 : 1, DimExpr::symbol("_"));
  Type type =
      SymbolicTensorType::get(context, extents, Float32Type::get(context));
  Block operands;
  OperationState state(loc, name);
  for (unsigned i = 0; i < signature.numOperands; ++i)
    state.addOperands(operands.addArgument(type, loc));
  state.addTypes(type);
  OwningOpRef<Operation *> op(Operation::create(state));
  if (isMapped) {
    AffineMap both = AffineMap::getMultiDimIdentityMap(2, context);
    SmallVector<AffineMap> maps(signature.numOperands, both);
    maps.push_back(both.dropResult(1));
    cast<IndexingMapsOpInterface>(*op).setMaps(maps);
  }
  IterationStructure structure =
      cast<ComputeOpInterface>(*op).getIterationStructure();
  signature.maySum = llvm::is_contained(structure.dims, IterationKind::Sum);
  signature.mayTakeMax = llvm::is_contained(structure.dims, IterationKind::Max);
  signature.mayBeLinear = 0;
  for (const auto &group : structure.linearGroups)
    for (unsigned operand : group)
      signature.mayBeLinear |= 1u << operand;
}

std::vector<OpSignature> prism::getComputeOpSignatures(MLIRContext *context) {
  std::vector<OpSignature> signatures;
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    if (name.getDialectNamespace() != PrismDialect::getDialectNamespace() ||
        !name.hasInterface<ComputeOpInterface>())
      continue;
    SmallVector<unsigned> arities = getArities<2, 3>(name);
    for (unsigned arity : arities) {
      OpSignature &signature = signatures.emplace_back();
      signature.name = name.getStringRef().str();
      signature.numOperands = arity;
      signature.isVariadic = arities.size() > 1;
      signature.isCommutative = name.hasTrait<prism::Commutes>();
      readStructure(signature, name);
    }
  }
  llvm::sort(signatures, [](const OpSignature &a, const OpSignature &b) {
    return std::tie(a.name, a.numOperands) < std::tie(b.name, b.numOperands);
  });
  return signatures;
}

std::vector<Axiom> prism::instantiateAxioms(const TermLanguage &language) {
  std::vector<OpSignature> ops = getComputeOpSignatures(language.getContext());
  std::vector<Axiom> axioms;
  for (auto [index, record] : llvm::enumerate(getAxiomRecords())) {
    size_t first = axioms.size();
    if (record->isSchema)
      for (const OpSignature &op : ops)
        record->instantiate(*record, op, language, axioms);
    else
      record->instantiate(*record, OpSignature(), language, axioms);
    for (Axiom &axiom : MutableArrayRef<Axiom>(axioms).drop_front(first))
      axiom.record = index;
  }
  return axioms;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static StringRef describe(ProofOnly proofOnly) {
  switch (proofOnly) {
  case ProofOnly::Neither:
    return "";
  case ProofOnly::Backward:
    return "; right to left only where the rest proves nothing";
  case ProofOnly::Both:
    return "; only where the rest proves nothing";
  }
  llvm_unreachable("all directions are handled");
}

static void writeRecords(raw_ostream &os, ArrayRef<AxiomRecord> records) {
  os << "| id | says | left | right | where | read |\n"
        "|---|---|---|---|---|---|\n";
  for (const AxiomRecord &record : records)
    os << "| " << record.id << " | " << record.sentence << " | `" << record.left
       << "` | `" << record.right << "` | "
       << (record.condition.empty() ? StringRef("-")
                                    : StringRef(record.condition))
       << " | " << (record.isReversible ? "both ways" : "left to right")
       << describe(record.proofOnly) << " |\n";
}

static void writeRows(raw_ostream &os) {
  os << "| law | left | right | where | by |\n|---|---|---|---|---|\n";
  for (const LawRow &row : getLawRows()) {
    os << "| " << row.id << " | `" << row.left << "` | `" << row.right << "` | "
       << (row.condition.empty() ? StringRef("-") : StringRef(row.condition))
       << " | ";
    if (row.by.empty())
      os << "none: " << row.note;
    else
      os << row.by << (row.note.empty() ? "" : "; ") << row.note;
    os << " |\n";
  }
}

void prism::writeAxiomTable(raw_ostream &os) {
  os << R"(<!-- Written by `prism-check --axioms` from the records in lib/Axioms; do not
     edit. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# Axioms

What `--prism-verify` may use to prove a candidate equal to its program, and
`prism-check` to follow the proof. Terms denote functions from their free
parallel dims to tensors; equalities hold over the reals, where the program is
defined, for every size of the parallel dims, ragged splits included.

`part(t, d, p)` is chunk p of data dim d of t, `comb(t, d, p)` puts chunks side
by side, `repl(t, p)` is t for every p, `red(t, p)` the sum over p,
`redmax(t, p)` the maximum, `stack(t, p)` puts values side by side along a new
leading dim, `sel(t, p)` takes the first of them.

## About parallel dims

S1 to S4 are schemas: each holds for every compute op `f`, and where it applies
is read from the op's iteration structure. An instance is named after the op and
the operands that are split, for example `S2.matmul.01`. There is no axiom that
equates the sum of copies, `red(repl(t, p), p)`, with `t`.

)";
  writeRecords(os, getParallelAxiomRecords());
  os << R"(
## About rescaled sums

A softmax over chunks keeps, for each, its own maximum m. `rescale(t, m, M)` is
`t * exp(m - M)`, and 0 where m = -inf, whatever t is there; a rescaled sum with
the shift m over p is `red(rescale(t, m, repl(redmax(m, p), p)), p)`: encoding
writes it so, it needs no axiom. S6 and S7 are schemas.

)";
  writeRecords(os, getRescalingAxiomRecords());
  os << R"(
## About compute ops: sums, products, quotients

Ops see their operands through indexing maps; the inner result of a regrouped
product has only the dims it needs. Some axioms are read only where the others
prove nothing: search does not look for the forms that they would bring.

)";
  writeRecords(os, getFieldAxiomRecords());
  os << R"(
## About compute ops: motion through linear ops

L1 to L3 are schemas too.

)";
  writeRecords(os, getMotionAxiomRecords());
  os << R"(
## About compute ops: data movement

C1, T2 and T3 are schemas.

)";
  writeRecords(os, getMovementAxiomRecords());
  os << R"(
## About compute ops: functions

)";
  writeRecords(os, getFunctionAxiomRecords());
  os << R"(
## Definitions

`D1` names a value on which the program relies (a divisor, the operand of a root
or a logarithm), so that its sign is a fact of its class.

## Laws, one by one

What one would write down for each kind of op, and the axioms that give it. A
test proves every row, finds these axioms among the steps, and misses each axiom
when it is taken away. t, u, a, b, c are tensors; x, y parallel dims; m, m' data
dims; n_m(t) is the extent of t's dim m, free(t) are the parallel dims of t;
(+) is add, sub, mul, div, pow, max or min, (x) is mul or div.

)";
  writeRows(os);
}
