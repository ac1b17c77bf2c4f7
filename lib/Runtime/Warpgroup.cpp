//===- Warpgroup.cpp - Matrix operations of four warps --------------------===//
//
// See Warpgroup.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Lanes.h"
#include "WarpgroupOps.h"

#include "llvm/ADT/StringExtras.h"

using namespace prism;

namespace {
constexpr unsigned rows = 64, warpRows = 16, chunkBytes = 16;
} // namespace

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

MatrixDescriptor MatrixDescriptor::decode(uint64_t bits) {
  static constexpr unsigned spans[] = {0, 128, 64, 32};
  MatrixDescriptor result;
  result.start = (bits & 0x3fff) << 4;
  result.leading = (bits >> 16 & 0x3fff) << 4;
  result.stride = (bits >> 32 & 0x3fff) << 4;
  result.baseOffset = bits >> 49 & 7;
  result.swizzle = spans[bits >> 62];
  return result;
}

uint64_t MatrixDescriptor::chunkOffset(unsigned row, unsigned k,
                                       unsigned elementBytes,
                                       bool isKMajor) const {
  unsigned perChunk = chunkBytes / elementBytes;
  if (isKMajor) {
    uint64_t outer = row / 8 * stride;
    if (!swizzle)
      return row % 8 * chunkBytes + outer + k / perChunk * leading;
    return row % 8 * swizzle + outer + k * elementBytes;
  }
  if (!swizzle)
    return row / perChunk * stride + k % 8 * chunkBytes + k / 8 * leading;
  unsigned perSpan = swizzle / elementBytes;
  return row % perSpan * elementBytes + row / perSpan * leading +
         k % 8 * swizzle + k / 8 * stride;
}

/// Calls `visit(row, k, address)` for each chunk of a `rows` x `k` matrix.
template <typename Fn>
static void forChunks(const MatrixDescriptor &matrix, unsigned numRows,
                      unsigned numK, unsigned elementBytes, bool isKMajor,
                      Fn &&visit) {
  unsigned perChunk = chunkBytes / elementBytes;
  unsigned rowStep = isKMajor ? 1 : perChunk, kStep = isKMajor ? perChunk : 1;
  for (unsigned row = 0; row < numRows; row += rowStep)
    for (unsigned k = 0; k < numK; k += kStep)
      visit(row, k,
            swizzleAddress(matrix.start + matrix.chunkOffset(
                                              row, k, elementBytes, isKMajor),
                           matrix.swizzle));
}

/// Calls `visit(address, swizzle)` for each chunk of the operands in shared
/// memory.
template <typename Fn>
static void forOperandChunks(const IssuedMatrixOp &issued, Fn &&visit) {
  const WarpgroupMatrixOp &what = *issued.what;
  unsigned bytes = getPTXTypeSize(what.element);
  auto visitAll = [&](uint64_t descriptor, unsigned numRows, bool isKMajor) {
    MatrixDescriptor matrix = MatrixDescriptor::decode(descriptor);
    forChunks(
        matrix, numRows, what.k, bytes, isKMajor,
        [&](unsigned, unsigned, uint64_t at) { visit(at, matrix.swizzle); });
  };
  if (!what.aInRegisters)
    visitAll(issued.descriptorA, rows, !what.transposeA);
  visitAll(issued.descriptorB, what.n, !what.transposeB);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// What a tensor copy brought is read by the swizzle of its tensor map.
static void checkSwizzle(Warp &warp, const Op &op, uint64_t at,
                         unsigned swizzle) {
  std::optional<unsigned> brought = warp.block->async.getSwizzle(at);
  if (brought && *brought != swizzle)
    warp.block->report(
        FindingKind::WrongSwizzle, op, warp, 0,
        "the matrix descriptor swizzles by " + llvm::Twine(swizzle) +
            " bytes, the tensor map that brought the 16 bytes "
            "at shared address 0x" +
            llvm::utohexstr(at) + " by " + llvm::Twine(*brought));
}

/// Checks the operands in shared memory, on behalf of the first warp.
static bool checkOperands(Warp &warp, const Op &op, IssuedMatrixOp &issued) {
  BlockRunner &block = *warp.block;
  for (uint64_t bits :
       {issued.what->aInRegisters ? 0 : issued.descriptorA, issued.descriptorB})
    if (MatrixDescriptor::decode(bits).baseOffset) {
      block.report(FindingKind::InvalidDescriptor, op, warp, 0,
                   "a base offset of a matrix descriptor other than 0 is not "
                   "supported");
      return false;
    }
  bool isInside = true;
  forOperandChunks(issued, [&](uint64_t at, unsigned swizzle) {
    isInside =
        isInside && checkAsyncRead(warp, op, 0, at, chunkBytes, chunkBytes);
    if (isInside)
      checkSwizzle(warp, op, at, swizzle);
  });
  if (isInside)
    forOperandChunks(issued, [&](uint64_t at, unsigned) {
      block.shadow.setReading(at, chunkBytes, true);
    });
  return isInside;
}

bool prism::issueMatrixOp(Warp &warp, const Op &op,
                          const WarpgroupMatrixOp &what, uint64_t descriptorA,
                          uint64_t descriptorB, bool accumulates) {
  BlockRunner &block = *warp.block;
  Warpgroup &group = block.warpgroups[warp.index / warpgroupWarps];
  uint64_t position = warp.matrix.issued - group.first;
  if (position >= group.queue.size()) {
    IssuedMatrixOp issued;
    issued.op = &op;
    issued.what = &what;
    issued.descriptorA = descriptorA;
    issued.descriptorB = descriptorB;
    issued.accumulates = accumulates;
    if (!checkOperands(warp, op, issued))
      return false;
    group.queue.push_back(std::move(issued));
  }
  IssuedMatrixOp &issued = group.queue[position];
  if (issued.op != &op || issued.accumulates != accumulates ||
      issued.descriptorB != descriptorB ||
      (!what.aInRegisters && issued.descriptorA != descriptorA)) {
    block.report(FindingKind::DivergentWarp, op, warp, 0,
                 "the warps of a warpgroup issue different operations; another "
                 "warp's is at PTX line " +
                     llvm::Twine(issued.op->line) +
                     (issued.op == &op ? " with other operands" : ""));
    return false;
  }
  issued.issuers |= 1u << warp.index % warpgroupWarps;
  ++warp.matrix.issued;
  ++block.async.version;
  return true;
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

/// A matrix in shared memory as [k][row], times `scale`.
template <typename T>
static void loadMatrix(const char *shared, const MatrixDescriptor &matrix,
                       unsigned numRows, unsigned numK, bool isKMajor,
                       int scale, std::vector<float> &values) {
  values.resize(numRows * numK);
  constexpr unsigned perChunk = chunkBytes / sizeof(T);
  unsigned step = isKMajor ? numRows : 1;
  forChunks(matrix, numRows, numK, sizeof(T), isKMajor,
            [&](unsigned row, unsigned k, uint64_t at) {
              T chunk[perChunk];
              std::memcpy(chunk, shared + at, chunkBytes);
              float *to = values.data() + k * numRows + row;
              for (unsigned i = 0; i < perChunk; ++i)
                to[i * step] = scale * toFloat(chunk[i]);
            });
}

/// The fragment of A of one warp, laid out as that of mma.sync.
template <typename T>
static void loadFragment(Warp &warp, const WarpgroupMatrixOp &what,
                         std::vector<float> &values) {
  constexpr unsigned E = 4 / sizeof(T);
  unsigned warpRow = warp.index % warpgroupWarps * warpRows;
  for (unsigned r = 0; r < what.a.size(); ++r) {
    const T *elements = warp.lanes<T>(what.a[r]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned row = warpRow + lane / 4 + 8 * (r % 2);
      unsigned k = lane % 4 * E + 4 * E * (r / 2);
      for (unsigned e = 0; e < E; ++e)
        values[(k + e) * rows + row] =
            what.scaleA * toFloat(elements[lane * E + e]);
    }
  }
}

/// Where lane `lane` has element `i` of its warp's 16 x N part of D.
static std::pair<unsigned, unsigned> sumAt(unsigned lane, unsigned i) {
  return {lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}

template <typename C>
static void loadSums(Warp &warp, const WarpgroupMatrixOp &what, float *sums) {
  constexpr unsigned perRegister = 4 / sizeof(C);
  for (unsigned i = 0; i < what.n / 2; ++i) {
    const C *values = warp.lanes<C>(what.d[i / perRegister]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      auto [row, column] = sumAt(lane, i);
      sums[row * what.n + column] =
          toFloat(values[lane * perRegister + i % perRegister]);
    }
  }
}

template <typename C>
static void storeSums(Warp &warp, const WarpgroupMatrixOp &what,
                      const float *sums) {
  constexpr unsigned perRegister = 4 / sizeof(C);
  for (unsigned i = 0; i < what.n / 2; ++i) {
    C *values = warp.lanes<C>(what.d[i / perRegister]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      auto [row, column] = sumAt(lane, i);
      values[lane * perRegister + i % perRegister] =
          fromFloat<C>(sums[row * what.n + column]);
    }
  }
}

static void multiply(const WarpgroupMatrixOp &what, const float *a,
                     const float *b, unsigned firstRow, float *sums) {
  for (unsigned row = 0; row < warpRows; ++row) {
    float *sum = sums + row * what.n;
    for (unsigned k = 0; k < what.k; ++k) {
      float factor = a[k * rows + firstRow + row];
      const float *column = b + k * what.n;
      for (unsigned n = 0; n < what.n; ++n)
        sum[n] += factor * column[n];
    }
  }
}

template <typename T>
static void compute(BlockRunner &block, unsigned firstWarp,
                    const IssuedMatrixOp &issued) {
  const WarpgroupMatrixOp &what = *issued.what;
  const char *shared = block.shared.data();
  std::vector<float> a(rows * what.k), b, sums(warpRows * what.n);
  if (!what.aInRegisters)
    loadMatrix<T>(shared, MatrixDescriptor::decode(issued.descriptorA), rows,
                  what.k, !what.transposeA, what.scaleA, a);
  loadMatrix<T>(shared, MatrixDescriptor::decode(issued.descriptorB), what.n,
                what.k, !what.transposeB, what.scaleB, b);
  for (unsigned w = 0; w < warpgroupWarps; ++w) {
    Warp &warp = block.getWarp(firstWarp + w);
    if (what.aInRegisters)
      loadFragment<T>(warp, what, a);
    if (!issued.accumulates)
      std::fill(sums.begin(), sums.end(), 0.0f);
    else if (what.halfSums)
      loadSums<Half>(warp, what, sums.data());
    else
      loadSums<float>(warp, what, sums.data());
    multiply(what, a.data(), b.data(), w * warpRows, sums.data());
    if (what.halfSums)
      storeSums<Half>(warp, what, sums.data());
    else
      storeSums<float>(warp, what, sums.data());
  }
}

static void landMatrixOp(BlockRunner &block, unsigned firstWarp,
                         IssuedMatrixOp &issued) {
  issued.landed = true;
  // As many as the m16n8k16 instructions that would do the same.
  block.addSteps(warpgroupWarps * issued.what->n / 8);
  forOperandChunks(issued, [&](uint64_t at, unsigned) {
    block.shadow.setReading(at, chunkBytes, false);
  });
  switch (issued.what->element) {
  case PTXType::F16:
    return compute<Half>(block, firstWarp, issued);
  case PTXType::BF16:
    return compute<BF16>(block, firstWarp, issued);
  default:
    return compute<TF32>(block, firstWarp, issued);
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static void dropFinished(BlockRunner &block, Warpgroup &group,
                         unsigned firstWarp) {
  uint64_t finished = ~uint64_t(0);
  for (unsigned w = 0; w < warpgroupWarps; ++w)
    finished = std::min(finished, block.getWarp(firstWarp + w).matrix.waited);
  for (; group.first < finished; ++group.first)
    group.queue.pop_front();
}

bool prism::waitForMatrixOps(Warp &warp, uint64_t end) {
  BlockRunner &block = *warp.block;
  Warpgroup &group = block.warpgroups[warp.index / warpgroupWarps];
  unsigned firstWarp = warp.index / warpgroupWarps * warpgroupWarps;
  constexpr unsigned allWarps = (1u << warpgroupWarps) - 1;
  for (uint64_t i = warp.matrix.waited; i < end; ++i)
    if (group.queue[i - group.first].issuers != allWarps)
      return false;
  for (uint64_t i = warp.matrix.waited; i < end; ++i)
    if (IssuedMatrixOp &issued = group.queue[i - group.first]; !issued.landed)
      landMatrixOp(block, firstWarp, issued);
  warp.matrix.waited = std::max(warp.matrix.waited, end);
  dropFinished(block, group, firstWarp);
  return true;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void prism::checkWatched(Warp &warp, const Op &op, uint32_t mask) {
  if (!mask)
    return;
  WarpMatrixState &state = warp.matrix;
  for (const Program::Access &access :
       warp.block->launch.program.watches[op.watch]) {
    WarpMatrixState::Register &reg = state.registers[access.index];
    bool inFlight = reg.writtenBy > state.waited ||
                    (access.isWrite && reg.readBy > state.waited);
    if (inFlight)
      warp.block->report(
          FindingKind::AsyncInFlight, op, warp, llvm::countr_zero(mask),
          llvm::Twine(access.isWrite ? "writes" : "reads") +
              " a register of the wgmma at PTX line " +
              llvm::Twine(reg.asyncLine) + ", which has not been waited for");
    reg.unfencedLine = op.line;
  }
}
