//===- WarpgroupEmitter.cpp - Matrix products by wgmma --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async reads both operands from shared memory, which descriptors
// describe (PTX ISA, matrix descriptors of wgmma). All of a product is one
// piece of inline PTX: the sums are its operands, so that nothing can be put
// between fence, instructions and wait that touches their registers.
//
// In a descriptor of a swizzled tile (WarpgroupPlan.h), the stride is from 8
// rows of a panel to the next 8; the other number is from a panel to the next
// where the product's own rows lie together, and is ignored where depths do. 16
// depths further is 32 bytes further in a row, or 16 rows; the order of the
// units, which is by the address, is the same there.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

/// Bytes from the operand's start to a row (column) and depth of the product;
/// both first in their unit.
static int64_t getOffset(const WarpgroupOperand &operand, int64_t own,
                         int64_t depth) {
  int64_t row = operand.isDepthMajor ? own : depth;
  int64_t column = operand.isDepthMajor ? depth : own;
  return column / operand.panel * operand.getPanelBytes() +
         row * operand.getRowBytes() +
         column % operand.panel * getElementBytes(operand.buffer->elementType);
}

/// The same for a row (column) that the kernel computes, at depth 0.
Value KernelEmitter::getWarpgroupOffset(const WarpgroupOperand &operand,
                                        Value own) {
  if (operand.isDepthMajor)
    return mul(own, operand.getRowBytes());
  Value panel = b.createOrFold<arith::DivUIOp>(own, number(operand.panel));
  Value inPanel = b.createOrFold<arith::RemUIOp>(own, number(operand.panel));
  return add(mul(panel, operand.getPanelBytes()),
             mul(inPanel, getElementBytes(operand.buffer->elementType)));
}

/// The descriptor of the operand from row (column) `own` on.
Value KernelEmitter::getDescriptor(const WarpgroupOperand &operand, Value own) {
  Indices first(operand.buffer->extents.size(), number(0));
  Value start = LLVM::PtrToIntOp::create(
      b, i32, getElementPointer(*operand.buffer, first));
  Value address = add(start, getWarpgroupOffset(operand, own));
  Value units = b.createOrFold<arith::ShRUIOp>(address, number(4));
  uint64_t swizzle = operand.buffer->swizzle;
  uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
  uint64_t leading = operand.isDepthMajor ? 16 : operand.getPanelBytes();
  uint64_t bits =
      mode << 62 | (8 * swizzle >> 4) << 32 | (leading >> 4 & 0x3fff) << 16;
  Type i64 = b.getI64Type();
  Value wide = arith::ExtUIOp::create(b, i64, units);
  return arith::OrIOp::create(
      b, wide,
      arith::ConstantOp::create(
          b, b.getI64IntegerAttr(static_cast<int64_t>(bits))));
}

/// The product's instructions, part of rows by part of rows and along the
/// depth, and the end of their group. Sum i is called `nameSum(i)`; `left` and
/// `right` are descriptors.
static std::string writeProduct(const MatmulPlan &matmul,
                                const WarpgroupOperand &rows,
                                const WarpgroupOperand &columns, bool isF16,
                                const Twine &left, const Twine &right,
                                function_ref<std::string(int64_t)> nameSum) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t perPart = matmul.columnFragments * 4;
  StringRef type = isF16 ? "f16" : "bf16";
  os << "{\n.reg .pred accumulate;\n.reg .b64 left, right;\n"
        "setp.eq.b64 accumulate, "
     << left << ", " << left << ";\nwgmma.fence.sync.aligned;\n";
  for (int64_t depth = 0; depth < matmul.depth; depth += warpgroupDepth)
    for (int64_t part = 0; part < matmul.rowFragments; ++part) {
      os << "add.s64 left, " << left << ", "
         << getOffset(rows, part * warpgroupRows, depth) / 16 << ";\n"
         << "add.s64 right, " << right << ", "
         << getOffset(columns, 0, depth) / 16 << ";\n"
         << "wgmma.mma_async.sync.aligned.m" << warpgroupRows << "n"
         << matmul.columnFragments * warpgroupColumns << "k" << warpgroupDepth
         << ".f32." << type << "." << type << " {";
      llvm::interleaveComma(llvm::seq(part * perPart, (part + 1) * perPart), os,
                            [&](int64_t sum) { os << nameSum(sum); });
      os << "}, left, right, accumulate, 1, 1, " << !rows.isDepthMajor << ", "
         << !columns.isDepthMajor << ";\n";
    }
  os << "wgmma.commit_group.sync.aligned;\n";
  return text;
}

static Value createAssembly(ImplicitLocOpBuilder &b, Type type,
                            ValueRange operands, StringRef text,
                            StringRef constraints) {
  auto op = LLVM::InlineAsmOp::create(
      b, type, operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
  return type ? op.getResult(0) : Value();
}

/// The results of `text`, whose first operands they are.
static SmallVector<Value> createFloats(ImplicitLocOpBuilder &b, int64_t count,
                                       ValueRange operands, StringRef text,
                                       StringRef inputConstraints) {
  std::string constraints;
  for (int64_t index = 0; index < count; ++index)
    constraints += index == 0 ? "=f" : ",=f";
  constraints += inputConstraints;
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(count, b.getF32Type()));
  Value result = createAssembly(b, type, operands, text, constraints);
  SmallVector<Value> floats;
  for (int64_t index = 0; index < count; ++index)
    floats.push_back(LLVM::ExtractValueOp::create(b, result, index));
  return floats;
}

/// Makes what threads have written, not a bulk copy, known to wgmma, and
/// describes the operands.
SmallVector<Value>
KernelEmitter::getDescriptors(const PlanStep &step,
                              const WarpgroupOperand &rows,
                              const WarpgroupOperand &columns) {
  const MatmulPlan &matmul = step.matmul;
  if (llvm::any_of(step.op->getOperands(), [&](Value tile) {
        return llvm::none_of(plan.steps, [&](const PlanStep &load) {
          return plan.isBulkLoad(load) && load.getStoredTile() == tile;
        });
      }))
    fenceAsyncProxy();
  // The same in all threads of a warpgroup.
  Value group =
      b.createOrFold<arith::DivUIOp>(threadId, number(warpgroupThreads));
  Indices place = delinearize(
      group, {matmul.warpsOverColumns,
              matmul.warpsOverRows * Target::warpSize / warpgroupThreads});
  return {
      getDescriptor(rows, mul(place[1], matmul.rowFragments * warpgroupRows)),
      getDescriptor(columns,
                    mul(place[0], matmul.columnFragments * warpgroupColumns))};
}

KernelEmitter::Indices
KernelEmitter::emitWarpgroupProduct(const PlanStep &step,
                                    ValueRange accumulators) {
  int64_t count = step.matmul.accumulators;
  WarpgroupOperand rows = *getWarpgroupOperand(plan, step, /*isRows=*/true);
  WarpgroupOperand columns = *getWarpgroupOperand(plan, step, /*isRows=*/false);
  SmallVector<Value> operands(accumulators);
  llvm::append_range(operands, getDescriptors(step, rows, columns));
  // The sums, the sums again as inputs, two descriptors.
  std::string constraints;
  for (int64_t sum = 0; sum < count; ++sum)
    constraints += "," + std::to_string(sum);
  std::string text =
      writeProduct(step.matmul, rows, columns, rows.buffer->elementType.isF16(),
                   "$" + Twine(2 * count), "$" + Twine(2 * count + 1),
                   [](int64_t sum) { return "$" + std::to_string(sum); });
  return Indices(createFloats(b, count, operands,
                              text + "wgmma.wait_group.sync.aligned 0;\n}",
                              constraints + ",l,l"));
}

//===----------------------------------------------------------------------===//
// Products that the next step waits for
//===----------------------------------------------------------------------===//

/// The name of a deferred product's sum; products by their place in the plan.
static std::string nameDeferredSum(const KernelPlan &plan, const PlanStep &step,
                                   int64_t sum) {
  return ("sum" + Twine(&step - plan.steps.data()) + "_" + Twine(sum)).str();
}

void KernelEmitter::declareSums(const PlanStep &step) {
  // There once, whatever becomes of the blocks after it.
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t sum = 0; sum < step.matmul.accumulators; ++sum) {
    std::string name = nameDeferredSum(plan, step, sum);
    os << ".reg .f32 " << name << ";\nmov.f32 " << name << ", 0f00000000;\n";
  }
  createAssembly(b, Type(), ValueRange(), text, "");
}

void KernelEmitter::startProduct(const PlanStep &step) {
  b.setLoc(step.op->getLoc());
  WarpgroupOperand rows = *getWarpgroupOperand(plan, step, /*isRows=*/true);
  WarpgroupOperand columns = *getWarpgroupOperand(plan, step, /*isRows=*/false);
  SmallVector<Value> operands = getDescriptors(step, rows, columns);
  std::string text = writeProduct(
      step.matmul, rows, columns, rows.buffer->elementType.isF16(), "$0", "$1",
      [&](int64_t sum) { return nameDeferredSum(plan, step, sum); });
  createAssembly(b, Type(), operands, text + "}", "l,l");
}

void KernelEmitter::waitForProducts() {
  int64_t started = llvm::count_if(
      plan.steps, [&](const PlanStep &step) { return isDeferred(plan, step); });
  if (started > 0)
    createAssembly(
        b, Type(), ValueRange(),
        "wgmma.wait_group.sync.aligned " + std::to_string(started) + ";", "");
}

KernelEmitter::Indices KernelEmitter::readSums(const PlanStep &step) {
  std::string text = "wgmma.wait_group.sync.aligned 0;";
  for (int64_t sum = 0; sum < step.matmul.accumulators; ++sum)
    text += "\nmov.f32 $" + std::to_string(sum) + ", " +
            nameDeferredSum(plan, step, sum) + ";";
  return Indices(
      createFloats(b, step.matmul.accumulators, ValueRange(), text, ""));
}
