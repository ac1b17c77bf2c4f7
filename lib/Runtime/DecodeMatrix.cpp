//===- DecodeMatrix.cpp - Matrix operations of a warp ---------------------===//
//
// mma.sync and ldmatrix/stmatrix. All fragments of mma.sync follow one pattern:
// with g = lane / 4, t = lane % 4 and E elements in a 32-bit register,
//   A, register r, element e: row g + 8 * (r % 2), k = t*E + e + 4*E * (r / 2)
//   B, register r, element e: column g,            k = t*E + e + 4*E * r
//   C and D, element i:       row g + 8 * (i / 2), column 2 * t + i % 2
// Example: m16n8k16 with f16 has E = 2, so A's register 3 of lane 5 (g = 1,
// t = 1) holds row 9, k = 10 and 11. Products are exact in f32; sums are f32.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {
constexpr unsigned mmaM = 16, mmaN = 8, mostK = 32;

template <typename T>
struct ElementOf {
  using Sum = float;
  static Sum widen(T value) { return toFloat(value); }
};
template <>
struct ElementOf<int8_t> {
  using Sum = int32_t;
  static Sum widen(int8_t value) { return value; }
};
template <>
struct ElementOf<uint8_t> {
  using Sum = int32_t;
  static Sum widen(uint8_t value) { return value; }
};
} // namespace

/// Register `slot` of all lanes: an 8 x (4 * E) block, its rows one after the
/// other. In a loop of its own, so that it is vectorized.
template <typename T, typename Sum>
static void widenBlock(Warp &warp, Slot slot, Sum *block) {
  const T *values = warp.lanes<T>(slot);
  for (unsigned i = 0; i < warpSize * 4 / sizeof(T); ++i)
    block[i] = ElementOf<T>::widen(values[i]);
}

/// Gathers A as [row][k].
template <typename T, typename Sum>
static void gatherA(Warp &warp, const Slot *regs, unsigned count,
                    Sum (*a)[mostK]) {
  constexpr unsigned width = 16 / sizeof(T);
  for (unsigned r = 0; r < count; ++r) {
    Sum block[8 * width];
    widenBlock<T>(warp, regs[r], block);
    for (unsigned g = 0; g < 8; ++g)
      std::memcpy(&a[8 * (r % 2) + g][width * (r / 2)], block + g * width,
                  width * sizeof(Sum));
  }
}

/// Gathers B as [k][column], so that the sums run over contiguous columns.
template <typename T, typename Sum>
static void gatherB(Warp &warp, const Slot *regs, unsigned count,
                    Sum (*b)[mmaN]) {
  constexpr unsigned width = 16 / sizeof(T);
  for (unsigned r = 0; r < count; ++r) {
    Sum block[8 * width];
    widenBlock<T>(warp, regs[r], block);
    for (unsigned k = 0; k < width; ++k)
      for (unsigned g = 0; g < 8; ++g)
        b[width * r + k][g] = block[g * width + k];
  }
}

static unsigned rowOf(unsigned lane, unsigned i) {
  return lane / 4 + 8 * (i / 2);
}
static unsigned columnOf(unsigned lane, unsigned i) {
  return 2 * (lane % 4) + i % 2;
}

/// D = A * B + C. `C` is the type of an element of C and D; Op::list holds the
/// registers of D, A, B and C in this order, Op::count those of A.
template <typename TA, typename TB, typename C>
static void execMma(Warp &warp, const Op &op, uint32_t) {
  using Sum = typename ElementOf<TA>::Sum;
  constexpr unsigned perRegister = 4 / sizeof(C);
  constexpr unsigned resultRegisters = 4 / perRegister;
  const Slot *d = warp.block->launch.program.lists.data() + op.list;
  const Slot *aRegs = d + resultRegisters, *bRegs = aRegs + op.count;
  const Slot *cRegs = bRegs + op.count / 2 + op.count % 2;
  Sum a[mmaM][mostK], b[mostK][mmaN], sums[mmaM][mmaN];
  gatherA<TA>(warp, aRegs, op.count, a);
  gatherB<TB>(warp, bRegs, (op.count + 1) / 2, b);
  for (unsigned i = 0; i < 4; ++i) {
    const C *c = warp.lanes<C>(cRegs[i / perRegister]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      C value = c[lane * perRegister + i % perRegister];
      Sum &sum = sums[rowOf(lane, i)][columnOf(lane, i)];
      if constexpr (std::is_same_v<Sum, float>)
        sum = prism::toFloat(value);
      else
        sum = value;
    }
  }
  for (unsigned m = 0; m < mmaM; ++m)
    for (unsigned k = 0; k < unsigned(op.imm); ++k)
      for (unsigned n = 0; n < mmaN; ++n)
        sums[m][n] += a[m][k] * b[k][n];
  for (unsigned i = 0; i < 4; ++i) {
    C *result = warp.lanes<C>(d[i / perRegister]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      Sum sum = sums[rowOf(lane, i)][columnOf(lane, i)];
      C &element = result[lane * perRegister + i % perRegister];
      if constexpr (std::is_same_v<Sum, float>)
        element = fromFloat<C>(sum);
      else
        element = sum;
    }
  }
}

/// m8n8k4 on f64: A is (g, t), B (t, g), C and D (g, 2t + i).
static void execMmaDouble(Warp &warp, const Op &op, uint32_t) {
  const Slot *regs = warp.block->launch.program.lists.data() + op.list;
  const double *a = warp.lanes<double>(regs[2]);
  const double *b = warp.lanes<double>(regs[3]);
  double sums[2][warpSize];
  for (unsigned i = 0; i < 2; ++i) {
    const double *c = warp.lanes<double>(regs[4 + i]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      sums[i][lane] = c[lane];
      unsigned row = lane / 4, column = columnOf(lane, i);
      for (unsigned k = 0; k < 4; ++k)
        sums[i][lane] =
            std::fma(a[row * 4 + k], b[column * 4 + k], sums[i][lane]);
    }
  }
  for (unsigned i = 0; i < 2; ++i)
    std::memcpy(warp.lanes<double>(regs[i]), sums[i], sizeof(sums[i]));
}

namespace {
/// One supported shape and type combination.
struct MmaForm {
  llvm::StringLiteral shape;
  PTXType d, a, b, c;
  unsigned k;
  ExecFn exec;
};
} // namespace

static llvm::ArrayRef<MmaForm> mmaForms() {
  using T = PTXType;
  static constexpr MmaForm forms[] = {
      {"m16n8k16", T::F32, T::F16, T::F16, T::F32, 16,
       execMma<Half, Half, float>},
      {"m16n8k16", T::F16, T::F16, T::F16, T::F16, 16,
       execMma<Half, Half, Half>},
      {"m16n8k16", T::F32, T::BF16, T::BF16, T::F32, 16,
       execMma<BF16, BF16, float>},
      {"m16n8k8", T::F32, T::F16, T::F16, T::F32, 8,
       execMma<Half, Half, float>},
      {"m16n8k8", T::F16, T::F16, T::F16, T::F16, 8, execMma<Half, Half, Half>},
      {"m16n8k8", T::F32, T::BF16, T::BF16, T::F32, 8,
       execMma<BF16, BF16, float>},
      {"m16n8k8", T::F32, T::TF32, T::TF32, T::F32, 8,
       execMma<TF32, TF32, float>},
      {"m16n8k4", T::F32, T::TF32, T::TF32, T::F32, 4,
       execMma<TF32, TF32, float>},
      {"m16n8k16", T::S32, T::S8, T::S8, T::S32, 16,
       execMma<int8_t, int8_t, int32_t>},
      {"m16n8k32", T::S32, T::S8, T::S8, T::S32, 32,
       execMma<int8_t, int8_t, int32_t>},
      {"m16n8k32", T::S32, T::U8, T::U8, T::S32, 32,
       execMma<uint8_t, uint8_t, int32_t>},
      {"m8n8k4", T::F64, T::F64, T::F64, T::F64, 4, execMmaDouble},
  };
  return forms;
}

static const MmaForm *takeForm(Decoder &d) {
  llvm::StringRef shape;
  for (llvm::StringRef modifier : d.getModifiers())
    if (modifier.starts_with("m") && modifier.contains('n'))
      shape = modifier;
  if (!d.take(shape))
    return nullptr;
  PTXType types[4];
  for (PTXType &type : types)
    type = d.expectType();
  for (const MmaForm &form : mmaForms())
    if (form.shape == shape && form.d == types[0] && form.a == types[1] &&
        form.b == types[2] && form.c == types[3])
      return &form;
  return nullptr;
}

static void decodeMma(Decoder &d) {
  d.ignore({"sync", "aligned"});
  if (!d.take("row") || !d.take("col"))
    return d.fail("mma is supported with '.row.col' only");
  const MmaForm *form = takeForm(d);
  if (!form)
    return d.fail("mma has no such shape with these types");
  if (!d.expectOperands(4))
    return;
  unsigned elementBytes = getPTXTypeSize(form->a);
  unsigned aCount = form->a == PTXType::F64
                        ? 1
                        : 16 * form->k * elementBytes / (warpSize * 4);
  unsigned bCount = std::max(1u, aCount / 2);
  unsigned cCount = form->c == PTXType::F64 ? 2 : getPTXTypeSize(form->c);
  unsigned counts[] = {cCount, aCount, bCount, cCount};
  PTXType bits = form->a == PTXType::F64 ? PTXType::F64 : PTXType::B32;
  llvm::SmallVector<Slot> slots;
  for (unsigned i = 0; i < 4; ++i) {
    auto elements = d.elements(d.operand(i));
    if (elements.size() != counts[i])
      return d.fail("operand " + llvm::Twine(i) + " of this mma has " +
                    llvm::Twine(counts[i]) + " registers, found " +
                    llvm::Twine(elements.size()));
    for (const PTXOperand &element : elements)
      slots.push_back(i == 0 ? d.def(element, bits) : d.use(element, bits));
  }
  uint32_t list = d.addList(slots);
  Op &op = d.emit(form->exec, OpKind::Collective);
  op.needsWholeWarp = true;
  op.list = list;
  op.count = aCount;
  op.imm = form->k;
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

/// Where lane `lane` has its two elements of an 8x8 matrix: (row, column) of
/// the first; the second is next in the row, or in the column if transposed.
static std::pair<unsigned, unsigned> elementAt(unsigned lane, unsigned i,
                                               bool transposed) {
  unsigned major = lane / 4, minor = 2 * (lane % 4) + i;
  return transposed ? std::make_pair(minor, major)
                    : std::make_pair(major, minor);
}

static constexpr unsigned rowBytes = 16;

static void execLdmatrix(Warp &warp, const Op &op, uint32_t) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  uint16_t matrices[4][8][8];
  for (unsigned m = 0; m < op.count; ++m)
    for (unsigned row = 0; row < 8; ++row) {
      unsigned lane = 8 * m + row;
      readCell(warp, op, lane, addressOf(warp, op, lane), matrices[m][row]);
    }
  for (unsigned m = 0; m < op.count; ++m) {
    uint16_t *dst = warp.lanes<uint16_t>(list[m]);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < 2; ++i) {
        auto [row, column] = elementAt(lane, i, op.mode);
        dst[2 * lane + i] = matrices[m][row][column];
      }
  }
}

static void execStmatrix(Warp &warp, const Op &op, uint32_t) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  for (unsigned m = 0; m < op.count; ++m) {
    uint16_t matrix[8][8];
    const uint16_t *values = warp.lanes<uint16_t>(list[m]);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < 2; ++i) {
        auto [row, column] = elementAt(lane, i, op.mode);
        matrix[row][column] = values[2 * lane + i];
      }
    for (unsigned row = 0; row < 8; ++row) {
      unsigned lane = 8 * m + row;
      writeMemory(warp, op, lane, op.space, addressOf(warp, op, lane), rowBytes,
                  matrix[row]);
    }
  }
}

static void decodeMatrixAccess(Decoder &d, bool load) {
  d.ignore({"sync", "aligned"});
  if (!d.take("m8n8") || !d.take("b16"))
    return d.fail("only the shape m8n8 of type b16 is supported");
  bool transposed = d.take("trans");
  unsigned count = d.take("x4") ? 4 : d.take("x2") ? 2 : d.take("x1") ? 1 : 0;
  if (!count)
    return d.fail("expected '.x1', '.x2' or '.x4'");
  // Unlike ld, these reach shared memory only.
  PTXSpace space = d.take("shared") || d.take("shared::cta")
                       ? PTXSpace::Shared
                       : PTXSpace::Generic;
  if (!d.expectOperands(2))
    return;
  auto elements = d.elements(d.operand(load ? 0 : 1));
  if (elements.size() != count)
    return d.fail("expected " + llvm::Twine(count) + " registers, found " +
                  llvm::Twine(elements.size()));
  llvm::SmallVector<Slot> slots;
  for (const PTXOperand &element : elements)
    slots.push_back(load ? d.def(element, PTXType::B32)
                         : d.use(element, PTXType::B32));
  uint32_t list = d.addList(slots);
  Op &op = d.emit(load ? execLdmatrix : execStmatrix, OpKind::Collective);
  op.needsWholeWarp = true;
  op.space = space;
  op.bytes = rowBytes;
  op.count = count;
  op.list = list;
  op.mode = transposed;
  d.useAddress(op, d.operand(load ? 1 : 0));
}

DecodeFn prism::lookupMatrixInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("mma", decodeMma)
      .Case("ldmatrix", [](Decoder &d) { decodeMatrixAccess(d, true); })
      .Case("stmatrix", [](Decoder &d) { decodeMatrixAccess(d, false); })
      .Default(nullptr);
}
