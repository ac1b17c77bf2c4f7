//===- Npy.h - NumPy's .npy files -------------------------------*- C++ -*-===//
//
// Reads and writes dense arrays in NumPy's .npy format, versions 1.0 to 3.0
// (numpy.lib.format). Files are not trusted: what the header claims is checked
// against the bytes that are there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_NPY_H
#define PRISM_RUNTIME_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prism {

/// Element types, named as in MLIR. In a .npy file bf16 is stored as uint16,
/// so reading one gives U16.
enum class ElementType {
  F16,
  BF16,
  F32,
  F64,
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64
};

/// "f16", "bf16", ..., "i64", "ui8", ..., or none.
std::optional<ElementType> parseElementType(llvm::StringRef name);
llvm::StringRef stringifyElementType(ElementType type);
/// Size in bytes.
unsigned getElementSize(ElementType type);

/// A dense, row-major array in host memory.
struct HostArray {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<char> data;

  int64_t getNumElements() const;
};

/// `8x4096xf16`.
std::string describeArray(ElementType type, llvm::ArrayRef<int64_t> shape);

/// Parses the bytes of a .npy file; `name` appears in errors. Column-major
/// arrays and big-endian or structured types are refused.
llvm::Expected<HostArray> parseNpy(llvm::StringRef bytes, llvm::StringRef name);

/// Reads a .npy file.
llvm::Expected<HostArray> readNpy(llvm::StringRef path);

/// Writes a .npy file of version 1.0.
llvm::Error writeNpy(llvm::StringRef path, const HostArray &array);

} // namespace prism

#endif // PRISM_RUNTIME_NPY_H
