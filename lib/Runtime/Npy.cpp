//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
//
// See Npy.h. The header is a Python dictionary literal with three keys; the
// little scanner below knows as much of Python as NumPy writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/Npy.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

std::optional<ElementType> prism::parseElementType(llvm::StringRef name) {
  using E = ElementType;
  return llvm::StringSwitch<std::optional<E>>(name)
      .Case("f16", E::F16)
      .Case("bf16", E::BF16)
      .Case("f32", E::F32)
      .Case("f64", E::F64)
      .Case("i1", E::I1)
      .Case("i8", E::I8)
      .Case("i16", E::I16)
      .Case("i32", E::I32)
      .Case("i64", E::I64)
      .Case("ui8", E::U8)
      .Case("ui16", E::U16)
      .Case("ui32", E::U32)
      .Case("ui64", E::U64)
      .Default(std::nullopt);
}

namespace {
struct ElementInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral npy; ///< the descr of the .npy header
  unsigned bytes;
};
} // namespace

static const ElementInfo &infoOf(ElementType type) {
  static constexpr ElementInfo table[] = {
      {"f16", "<f2", 2},  {"bf16", "<u2", 2}, {"f32", "<f4", 4},
      {"f64", "<f8", 8},  {"i1", "|b1", 1},   {"i8", "|i1", 1},
      {"i16", "<i2", 2},  {"i32", "<i4", 4},  {"i64", "<i8", 8},
      {"ui8", "|u1", 1},  {"ui16", "<u2", 2}, {"ui32", "<u4", 4},
      {"ui64", "<u8", 8},
  };
  return table[unsigned(type)];
}

llvm::StringRef prism::stringifyElementType(ElementType type) {
  return infoOf(type).name;
}

unsigned prism::getElementSize(ElementType type) { return infoOf(type).bytes; }

int64_t HostArray::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string prism::describeArray(ElementType type,
                                 llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + stringifyElementType(type).str();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::optional<ElementType> parseDescr(llvm::StringRef descr) {
  using E = ElementType;
  return llvm::StringSwitch<std::optional<E>>(descr)
      .Case("<f2", E::F16)
      .Case("<f4", E::F32)
      .Case("<f8", E::F64)
      .Cases({"|b1", "?"}, E::I1)
      .Cases({"|i1", "<i1"}, E::I8)
      .Case("<i2", E::I16)
      .Case("<i4", E::I32)
      .Case("<i8", E::I64)
      .Cases({"|u1", "<u1"}, E::U8)
      .Case("<u2", E::U16)
      .Case("<u4", E::U32)
      .Case("<u8", E::U64)
      .Default(std::nullopt);
}

/// The text behind `'key':` in the header's dictionary.
static std::optional<llvm::StringRef> findKey(llvm::StringRef header,
                                              llvm::StringRef key) {
  for (char quote : {'\'', '"'}) {
    std::string quoted = quote + key.str() + quote;
    size_t at = header.find(quoted);
    if (at == llvm::StringRef::npos)
      continue;
    llvm::StringRef rest = header.drop_front(at + quoted.size()).ltrim();
    if (rest.consume_front(":"))
      return rest.ltrim();
  }
  return std::nullopt;
}

/// `(8, 4096)`, `(8,)`, `()`.
static bool parseShape(llvm::StringRef text, HostArray &array) {
  if (!text.consume_front("("))
    return false;
  auto [inside, rest] = text.split(')');
  if (inside.size() == text.size())
    return false;
  llvm::SmallVector<llvm::StringRef> parts;
  inside.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    part = part.trim();
    int64_t extent;
    if (part.empty())
      continue;
    if (part.getAsInteger(10, extent) || extent < 0)
      return false;
    array.shape.push_back(extent);
  }
  return true;
}

llvm::Expected<HostArray> prism::parseNpy(llvm::StringRef bytes,
                                          llvm::StringRef name) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError(name + ": " + what);
  };
  llvm::StringRef rest = bytes;
  if (!rest.consume_front("\x93NUMPY") || rest.size() < 4)
    return fail("not a .npy file");
  unsigned major = static_cast<unsigned char>(rest[0]);
  if (major < 1 || major > 3)
    return fail(".npy version " + llvm::Twine(major) + " is not 1, 2 or 3");
  rest = rest.drop_front(2);
  unsigned lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return fail("the header is cut off");
  uint64_t length = major == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return fail("the header is cut off");
  llvm::StringRef header = rest.take_front(length);
  llvm::StringRef data = rest.drop_front(length);

  auto descr = findKey(header, "descr");
  auto order = findKey(header, "fortran_order");
  auto shape = findKey(header, "shape");
  if (!descr || !order || !shape)
    return fail("the header lacks 'descr', 'fortran_order' or 'shape'");
  HostArray array;
  char quote = descr->empty() ? 0 : descr->front();
  if (quote != '\'' && quote != '"')
    return fail("structured element types are not supported");
  llvm::StringRef code = descr->drop_front().split(quote).first;
  auto type = parseDescr(code);
  if (!type)
    return fail("unsupported element type '" + code +
                "'; use f2, f4, f8, i1 to i8, u1 to u8 or bool, little-endian");
  array.type = *type;
  if (!parseShape(*shape, array))
    return fail("malformed shape");
  if (!order->starts_with("False") && array.shape.size() > 1)
    return fail("the array is in column-major order; save it with "
                "numpy.ascontiguousarray");
  uint64_t size = getElementSize(array.type);
  for (int64_t extent : array.shape) {
    auto product = llvm::checkedMulUnsigned<uint64_t>(size, extent);
    if (!product)
      return fail("the shape is too large");
    size = *product;
  }
  if (data.size() != size)
    return fail("the header says " + describeArray(array.type, array.shape) +
                ", " + llvm::Twine(size) + " bytes; the file has " +
                llvm::Twine(data.size()));
  array.data.assign(data.begin(), data.end());
  return array;
}

llvm::Expected<HostArray> prism::readNpy(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  return parseNpy((*buffer)->getBuffer(), path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string makeHeader(const HostArray &array) {
  std::string header = "{'descr': '" + infoOf(array.type).npy.str() +
                       "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    header += (i ? ", " : "") + std::to_string(array.shape[i]);
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // Magic, version, length, header and newline together fill 64-byte blocks.
  constexpr size_t prefix = 10, block = 64;
  header.append(llvm::alignTo(prefix + header.size() + 1, block) - prefix - 1 -
                    header.size(),
                ' ');
  return header + "\n";
}

llvm::Error prism::writeNpy(llvm::StringRef path, const HostArray &array) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::OF_None);
  if (error)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + error.message());
  std::string header = makeHeader(array);
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  os << "\x93NUMPY" << '\1' << '\0';
  os.write(length, 2);
  os << header;
  os.write(array.data.data(), array.data.size());
  os.close();
  if (os.has_error()) {
    error = os.error();
    os.clear_error();
    return llvm::createStringError("cannot write '" + path +
                                   "': " + error.message());
  }
  return llvm::Error::success();
}
