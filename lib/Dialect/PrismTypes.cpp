//===- PrismTypes.cpp - Tensors and tiles ------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types, and the one place that treats the three levels alike: builtin
// tensors, !prism.tensor and !prism.tile.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prism;

#define GET_TYPEDEF_CLASSES
#include "Prism/Dialect/PrismTypes.cpp.inc"

void PrismDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Prism/Dialect/PrismTypes.cpp.inc"
      >();
}

static bool isComputeElementType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         type.isInteger(1);
}

static SmallVector<DimExprAttr> toAttrs(MLIRContext *context,
                                        ArrayRef<DimExpr> extents) {
  return llvm::map_to_vector(extents, [&](const DimExpr &extent) {
    return DimExprAttr::get(context, extent);
  });
}

static SmallVector<DimExpr> fromAttrs(ArrayRef<DimExprAttr> attrs) {
  return llvm::map_to_vector(
      attrs, [](DimExprAttr attr) -> DimExpr { return attr.getValue(); });
}

/// <[extents], element type>
template <typename TypeT>
static Type parseShaped(AsmParser &parser) {
  SmallVector<DimExprAttr> extents;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&]() -> ParseResult {
            FailureOr<DimExpr> extent = parseDimExpr(parser);
            if (failed(extent))
              return failure();
            extents.push_back(DimExprAttr::get(parser.getContext(), *extent));
            return success();
          }) ||
      parser.parseComma() || parser.parseType(elementType) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TypeT>(parser.getContext(),
                                  ArrayRef<DimExprAttr>(extents), elementType);
}

static void printShaped(AsmPrinter &printer, ArrayRef<DimExprAttr> extents,
                        Type elementType) {
  printer << "<[";
  llvm::interleaveComma(extents, printer.getStream(), [&](DimExprAttr extent) {
    printer << extent.getValue().str();
  });
  printer << "], " << elementType << '>';
}

static LogicalResult verifyShaped(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<DimExprAttr> extents,
                                  Type elementType) {
  if (!isComputeElementType(elementType))
    return emitError()
           << "expected element type f16, bf16, f32, f64 or i1, got "
           << elementType;
  for (DimExprAttr extent : extents)
    if (extent.getValue().isUnknown())
      return emitError() << "extents must be known expressions; name a symbol "
                            "for a dynamic extent";
  return success();
}

Type SymbolicTensorType::parse(AsmParser &parser) {
  return parseShaped<SymbolicTensorType>(parser);
}
void SymbolicTensorType::print(AsmPrinter &printer) const {
  printShaped(printer, getExtentAttrs(), getElementType());
}
LogicalResult
SymbolicTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                           ArrayRef<DimExprAttr> extents, Type elementType) {
  return verifyShaped(emitError, extents, elementType);
}
SymbolicTensorType SymbolicTensorType::get(MLIRContext *context,
                                           ArrayRef<DimExpr> extents,
                                           Type elementType) {
  return get(context, toAttrs(context, extents), elementType);
}
SmallVector<DimExpr> SymbolicTensorType::getExtents() const {
  return fromAttrs(getExtentAttrs());
}

Type TileType::parse(AsmParser &parser) {
  return parseShaped<TileType>(parser);
}
void TileType::print(AsmPrinter &printer) const {
  printShaped(printer, getExtentAttrs(), getElementType());
}
LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<DimExprAttr> extents,
                               Type elementType) {
  return verifyShaped(emitError, extents, elementType);
}
TileType TileType::get(MLIRContext *context, ArrayRef<DimExpr> extents,
                       Type elementType) {
  return get(context, toAttrs(context, extents), elementType);
}
SmallVector<DimExpr> TileType::getExtents() const {
  return fromAttrs(getExtentAttrs());
}

//===----------------------------------------------------------------------===//
// The three levels alike
//===----------------------------------------------------------------------===//

Type prism::getElementType(Type type) {
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<SymbolicTensorType, TileType, RankedTensorType>(
          [](auto shaped) { return shaped.getElementType(); })
      .Default(Type());
}

bool prism::isComputeType(Type type) {
  Type elementType = getElementType(type);
  return elementType && isComputeElementType(elementType);
}

SmallVector<DimExpr> prism::getExtents(Type type) {
  return llvm::TypeSwitch<Type, SmallVector<DimExpr>>(type)
      .Case<SymbolicTensorType, TileType>(
          [](auto shaped) { return shaped.getExtents(); })
      .Case([](RankedTensorType tensor) {
        return llvm::map_to_vector(tensor.getShape(), [](int64_t extent) {
          return ShapedType::isDynamic(extent) ? DimExpr()
                                               : DimExpr::constant(extent);
        });
      })
      .Default(SmallVector<DimExpr>());
}

Type prism::cloneWith(Type type, ArrayRef<DimExpr> extents, Type elementType) {
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<SymbolicTensorType, TileType>([&](auto shaped) -> Type {
        return decltype(shaped)::get(type.getContext(), extents, elementType);
      })
      .Case([&](RankedTensorType) {
        SmallVector<int64_t> shape =
            llvm::map_to_vector(extents, [](const DimExpr &extent) {
              return extent.asConstant().value_or(ShapedType::kDynamic);
            });
        return RankedTensorType::get(shape, elementType);
      })
      .Default(Type());
}
