//===- TensorMap.h - Descriptions of arrays for bulk copies -----*- C++ -*-===//
//
// What a tensor map (CUtensorMap) says: an array in global memory, the box of
// it that one bulk tensor copy moves, and how the box lies in shared memory.
// A device makes a kernel argument of it (Device::makeTensorMap).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_TENSORMAP_H
#define PRISM_RUNTIME_TENSORMAP_H

#include "Prism/Runtime/Device.h"

namespace prism {

/// Element types, numbered as the driver API's CUtensorMapDataType.
enum class TensorMapType : uint8_t {
  U8 = 0,
  U16 = 1,
  U32 = 2,
  S32 = 3,
  U64 = 4,
  S64 = 5,
  F16 = 6,
  F32 = 7,
  F64 = 8,
  BF16 = 9,
};

/// Size of an element in bytes.
unsigned getTensorMapTypeSize(TensorMapType type);

/// A tiled tensor map without interleaving. Dimensions run from the innermost
/// (contiguous) one outwards; there are 1 to 5.
struct TensorMap {
  static constexpr unsigned maxRank = 5;

  TensorMapType type = TensorMapType::F16;
  DevicePtr base = DevicePtr::Null;             ///< aligned to 16 bytes
  llvm::SmallVector<uint64_t, maxRank> extents; ///< in elements
  /// Bytes from one index to the next, of every dimension but the innermost;
  /// multiples of 16.
  llvm::SmallVector<uint64_t, maxRank> strides;
  llvm::SmallVector<uint32_t, maxRank> box; ///< in elements, 1 to 256 each
  /// Bytes over which 16-byte chunks are permuted: 0 (not at all), 32, 64 or
  /// 128. With it a row of the box is at most as long.
  unsigned swizzle = 0;
  /// Elements outside the array are read as NaN instead of zero.
  bool fillWithNaN = false;

  unsigned getRank() const { return extents.size(); }
  /// Bytes of a box in shared memory.
  uint64_t getBoxBytes() const;
  /// Bytes from the base to the end of the last element, the largest number if
  /// they do not fit.
  uint64_t getArrayBytes() const;

  /// Success if the driver would accept it, else what is wrong.
  llvm::Error verify() const;
};

} // namespace prism

#endif // PRISM_RUNTIME_TENSORMAP_H
