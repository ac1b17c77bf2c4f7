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
/// depth. Operands: the sums, the sums again as inputs, two descriptors.
static std::string writeProduct(const MatmulPlan &matmul,
                                const WarpgroupOperand &rows,
                                const WarpgroupOperand &columns, bool isF16) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t perPart = matmul.columnFragments * 4;
  StringRef type = isF16 ? "f16" : "bf16";
  os << "{\n.reg .pred accumulate;\n.reg .b64 left, right;\n"
        "setp.eq.b64 accumulate, $"
     << 2 * matmul.accumulators << ", $" << 2 * matmul.accumulators
     << ";\nwgmma.fence.sync.aligned;\n";
  for (int64_t depth = 0; depth < matmul.depth; depth += warpgroupDepth)
    for (int64_t part = 0; part < matmul.rowFragments; ++part) {
      os << "add.s64 left, $" << 2 * matmul.accumulators << ", "
         << getOffset(rows, part * warpgroupRows, depth) / 16 << ";\n"
         << "add.s64 right, $" << 2 * matmul.accumulators + 1 << ", "
         << getOffset(columns, 0, depth) / 16 << ";\n"
         << "wgmma.mma_async.sync.aligned.m" << warpgroupRows << "n"
         << matmul.columnFragments * warpgroupColumns << "k" << warpgroupDepth
         << ".f32." << type << "." << type << " {";
      llvm::interleaveComma(llvm::seq(part * perPart, (part + 1) * perPart), os,
                            [&](int64_t sum) { os << "$" << sum; });
      os << "}, left, right, accumulate, 1, 1, " << !rows.isDepthMajor << ", "
         << !columns.isDepthMajor << ";\n";
    }
  os << "wgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;\n}";
  return text;
}

KernelEmitter::Indices
KernelEmitter::emitWarpgroupProduct(const PlanStep &step,
                                    ValueRange accumulators) {
  const MatmulPlan &matmul = step.matmul;
  WarpgroupOperand rows = *getWarpgroupOperand(plan, step, /*isRows=*/true);
  WarpgroupOperand columns = *getWarpgroupOperand(plan, step, /*isRows=*/false);
  // What threads have written, not a bulk copy, has to be made known to wgmma.
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
  SmallVector<Value> operands(accumulators);
  operands.push_back(
      getDescriptor(rows, mul(place[1], matmul.rowFragments * warpgroupRows)));
  operands.push_back(getDescriptor(
      columns, mul(place[0], matmul.columnFragments * warpgroupColumns)));
  std::string constraints;
  for (int64_t sum = 0; sum < matmul.accumulators; ++sum)
    constraints += "=f,";
  for (int64_t sum = 0; sum < matmul.accumulators; ++sum)
    constraints += std::to_string(sum) + ",";
  constraints += "l,l";
  bool isF16 = rows.buffer->elementType.isF16();
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(matmul.accumulators, b.getF32Type()));
  auto product = LLVM::InlineAsmOp::create(
      b, type, operands, writeProduct(matmul, rows, columns, isF16),
      constraints, /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      /*operand_attrs=*/ArrayAttr());
  Indices results;
  for (int64_t sum = 0; sum < matmul.accumulators; ++sum)
    results.push_back(
        LLVM::ExtractValueOp::create(b, product.getResult(0), sum));
  return results;
}
