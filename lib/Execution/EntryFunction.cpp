//===- EntryFunction.cpp - Arrays in and out of a function ----------------===//
//
// See EntryFunction.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryFunction.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace prism;

/// The element type of arrays that stand for `type`, or none.
static std::optional<ElementType> getHostElementType(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  if (!type.isIntOrFloat())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseElementType(name);
}

/// Element type of a number, tensor or dense memref; none for other types.
static std::optional<ElementType> getArrayType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    if (!memref.getLayout().isIdentity() || memref.getMemorySpace())
      return std::nullopt;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return getHostElementType(type);
  if (!isa<RankedTensorType, MemRefType>(type))
    return std::nullopt;
  return getHostElementType(shaped.getElementType());
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

llvm::Expected<func::FuncOp> prism::findEntry(ModuleOp module,
                                              StringRef entry) {
  SmallVector<StringRef> names;
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    names.push_back(function.getSymName());
    if (function.getSymName() == entry)
      found = function;
  }
  if (!found)
    return llvm::createStringError(
        "the module has no function '" + entry + "' with a body; it has: " +
        (names.empty() ? std::string("none") : llvm::join(names, ", ")));
  return found;
}

llvm::Error prism::checkInputs(func::FuncOp function,
                               ArrayRef<HostArray> inputs) {
  StringRef name = function.getSymName();
  if (inputs.size() != function.getNumArguments())
    return llvm::createStringError(
        "function '" + name + "' takes " + Twine(function.getNumArguments()) +
        " arguments, " + Twine(inputs.size()) + " inputs were given");
  for (auto [i, type, input] :
       llvm::enumerate(function.getArgumentTypes(), inputs)) {
    std::optional<ElementType> element = getArrayType(type);
    if (!element)
      return llvm::createStringError("argument " + Twine(i) + " of '" + name +
                                     "' is " + toString(type) +
                                     ", for which there are no arrays");
    auto shaped = dyn_cast<ShapedType>(type);
    ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
    bool isBF16 = *element == ElementType::BF16;
    bool fits = (input.type == *element ||
                 (isBF16 && input.type == ElementType::U16)) &&
                input.shape.size() == shape.size();
    for (size_t d = 0; fits && d < shape.size(); ++d)
      fits = ShapedType::isDynamic(shape[d]) || shape[d] == input.shape[d];
    if (!fits)
      return llvm::createStringError(
          "argument " + Twine(i) + " of '" + name + "' is " + toString(type) +
          ", the input is " + describeArray(input.type, input.shape) +
          (isBF16 ? "; bf16 comes as ui16" : ""));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostArray>>
prism::prepareResults(func::FuncOp function) {
  std::vector<HostArray> results;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<ElementType> element = getArrayType(type);
    if (!element)
      return llvm::createStringError(
          "result " + Twine(i) + " of '" + function.getSymName() + "' is " +
          toString(type) + ", for which there are no arrays");
    HostArray result;
    result.type = *element;
    if (auto shaped = dyn_cast<ShapedType>(type))
      result.shape.resize(shaped.getRank());
    results.push_back(std::move(result));
  }
  return results;
}
