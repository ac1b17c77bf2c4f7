//===- TensorBox.cpp - Tensor maps and their boxes ------------------------===//
//
// See TensorMap.h and TensorBox.h. The rules of a valid map are those of
// cuTensorMapEncodeTiled (CUDA driver API, tensor map object management).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBox.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace prism;

unsigned prism::getTensorMapTypeSize(TensorMapType type) {
  switch (type) {
  case TensorMapType::U8:
    return 1;
  case TensorMapType::U16:
  case TensorMapType::F16:
  case TensorMapType::BF16:
    return 2;
  case TensorMapType::U32:
  case TensorMapType::S32:
  case TensorMapType::F32:
    return 4;
  case TensorMapType::U64:
  case TensorMapType::S64:
  case TensorMapType::F64:
    return 8;
  }
  return 0;
}

static bool isFloat(TensorMapType type) { return type >= TensorMapType::F16; }

uint64_t TensorMap::getBoxBytes() const {
  uint64_t bytes = getTensorMapTypeSize(type);
  for (uint32_t extent : box)
    bytes *= extent;
  return bytes;
}

uint64_t TensorMap::getArrayBytes() const {
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(
      extents[0], getTensorMapTypeSize(type));
  for (auto [extent, stride] : llvm::zip(llvm::drop_begin(extents), strides))
    bytes = llvm::SaturatingMultiplyAdd<uint64_t>(extent - 1, stride, bytes);
  return bytes;
}

static llvm::Error invalid(const llvm::Twine &what) {
  return llvm::createStringError("tensor map: " + what);
}

static llvm::Error verifyBox(const TensorMap &map) {
  for (auto [i, extent] : llvm::enumerate(map.box))
    if (extent < 1 || extent > 256)
      return invalid("dimension " + llvm::Twine(i) + " of the box has " +
                     llvm::Twine(extent) + " elements, not 1 to 256");
  uint64_t row = uint64_t(map.box[0]) * getTensorMapTypeSize(map.type);
  if (row % 16)
    return invalid("a row of the box has " + llvm::Twine(row) +
                   " bytes, not a multiple of 16");
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 &&
      map.swizzle != 128)
    return invalid("a swizzle of " + llvm::Twine(map.swizzle) +
                   " bytes, expected 0, 32, 64 or 128");
  if (map.swizzle && row > map.swizzle)
    return invalid("a row of the box has " + llvm::Twine(row) +
                   " bytes, more than its swizzle of " +
                   llvm::Twine(map.swizzle));
  return llvm::Error::success();
}

llvm::Error TensorMap::verify() const {
  unsigned rank = getRank();
  if (rank < 1 || rank > maxRank)
    return invalid("rank " + llvm::Twine(rank) + " is not 1 to 5");
  if (box.size() != rank || strides.size() != rank - 1)
    return invalid("rank " + llvm::Twine(rank) + " needs " + llvm::Twine(rank) +
                   " extents of the box and " + llvm::Twine(rank - 1) +
                   " strides, found " + llvm::Twine(box.size()) + " and " +
                   llvm::Twine(strides.size()));
  if (base == DevicePtr::Null)
    return invalid("the base is a null pointer");
  if (uint64_t(base) % 16)
    return invalid("the base is not aligned to 16 bytes");
  for (auto [i, extent] : llvm::enumerate(extents))
    if (extent < 1 || extent > uint64_t(1) << 32)
      return invalid("dimension " + llvm::Twine(i) + " has " +
                     llvm::Twine(extent) + " elements, not 1 to 2^32");
  for (auto [i, stride] : llvm::enumerate(strides))
    if (stride % 16 || stride >= uint64_t(1) << 40)
      return invalid("the stride of dimension " + llvm::Twine(i + 1) + ", " +
                     llvm::Twine(stride) +
                     " bytes, is not a multiple of 16 below 2^40");
  if (fillWithNaN && !isFloat(type))
    return invalid("integers cannot be filled with NaN");
  return verifyBox(*this);
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

namespace {
/// The 128 bytes as the simulated device writes them; a GPU's are secret.
struct Encoded {
  char magic[8];
  uint64_t base;
  uint64_t extents[TensorMap::maxRank];
  uint64_t strides[TensorMap::maxRank - 1];
  uint16_t box[TensorMap::maxRank];
  uint8_t type, rank, swizzle, fill;
};
static_assert(sizeof(Encoded) <= tensorMapBytes);
constexpr char magic[9] = "prismTM1";
} // namespace

KernelArgument prism::encodeTensorMap(const TensorMap &map) {
  Encoded encoded = {};
  std::memcpy(encoded.magic, magic, sizeof(encoded.magic));
  encoded.base = uint64_t(map.base);
  llvm::copy(map.extents, encoded.extents);
  llvm::copy(map.strides, encoded.strides);
  llvm::copy(map.box, encoded.box);
  encoded.type = uint8_t(map.type);
  encoded.rank = map.getRank();
  encoded.swizzle = map.swizzle;
  encoded.fill = map.fillWithNaN;
  char bytes[tensorMapBytes] = {};
  std::memcpy(bytes, &encoded, sizeof(encoded));
  return KernelArgument::raw(bytes);
}

std::optional<TensorMap> prism::decodeTensorMap(const char *bytes) {
  Encoded encoded;
  std::memcpy(&encoded, bytes, sizeof(encoded));
  if (std::memcmp(encoded.magic, magic, sizeof(encoded.magic)) ||
      encoded.rank < 1 || encoded.rank > TensorMap::maxRank ||
      encoded.type > uint8_t(TensorMapType::BF16))
    return std::nullopt;
  TensorMap map;
  map.type = TensorMapType(encoded.type);
  map.base = DevicePtr(encoded.base);
  map.extents.assign(encoded.extents, encoded.extents + encoded.rank);
  map.strides.assign(encoded.strides, encoded.strides + encoded.rank - 1);
  map.box.assign(encoded.box, encoded.box + encoded.rank);
  map.swizzle = encoded.swizzle;
  map.fillWithNaN = encoded.fill;
  return map;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void prism::forEachRow(const TensorMap &map,
                       llvm::ArrayRef<int32_t> coordinates,
                       llvm::function_ref<void(const BoxRow &)> visit) {
  int64_t element = getTensorMapTypeSize(map.type);
  // The part of a row that is inside, the same for all rows.
  int64_t begin = std::max<int64_t>(0, -int64_t(coordinates[0]));
  int64_t end =
      std::min<int64_t>(map.box[0], int64_t(map.extents[0]) - coordinates[0]);
  uint64_t index[TensorMap::maxRank] = {};
  unsigned rank = map.getRank();
  for (uint64_t boxOffset = 0;; boxOffset += map.box[0] * element) {
    BoxRow row;
    row.boxOffset = boxOffset;
    bool inside = begin < end;
    int64_t offset = (coordinates[0] + begin) * element;
    for (unsigned i = 1; i < rank; ++i) {
      int64_t at = int64_t(coordinates[i]) + int64_t(index[i]);
      inside &= at >= 0 && uint64_t(at) < map.extents[i];
      offset += at * int64_t(map.strides[i - 1]);
    }
    if (inside) {
      row.globalOffset = offset;
      row.skipped = begin * element;
      row.bytes = (end - begin) * element;
    }
    visit(row);
    unsigned i = 1;
    for (; i < rank && ++index[i] == map.box[i]; ++i)
      index[i] = 0;
    if (i >= rank)
      return;
  }
}
