//===- OpAssembly.h - Custom assembly of the ops ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The custom directives of the ops' assembly formats. Included where the
// generated op definitions are.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_DIALECT_OPASSEMBLY_H
#define PRISM_LIB_DIALECT_OPASSEMBLY_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// The bare keyword of an enum; the default format of an enum attribute would
/// put a second blank before it.
template <typename EnumAttrT>
mlir::ParseResult parseEnum(mlir::AsmParser &parser, EnumAttrT &attr) {
  using EnumT = decltype(attr.getValue());
  mlir::FailureOr<EnumT> value = mlir::FieldParser<EnumT, EnumT>::parse(parser);
  if (failed(value))
    return mlir::failure();
  attr = EnumAttrT::get(parser.getContext(), *value);
  return mlir::success();
}

template <typename EnumAttrT>
void printEnum(mlir::AsmPrinter &printer, mlir::Operation *, EnumAttrT attr) {
  printer << stringifyEnum(attr.getValue());
}

/// [d0, d2]
inline mlir::ParseResult parseDimList(mlir::AsmParser &parser,
                                      llvm::SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(
      mlir::AsmParser::Delimiter::Square, [&]() -> mlir::ParseResult {
        mlir::SMLoc loc = parser.getCurrentLocation();
        llvm::StringRef name;
        int64_t position;
        if (parser.parseKeyword(&name))
          return mlir::failure();
        if (!name.consume_front("d") || name.getAsInteger(10, position) ||
            position > 1000)
          return parser.emitError(loc, "expected an iteration dim such as d0");
        dims.push_back(position);
        return mlir::success();
      });
}

inline void printDimList(mlir::AsmPrinter &printer,
                         llvm::ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer.getStream(),
                        [&](int64_t dim) { printer << 'd' << dim; });
  printer << ']';
}

/// [d0, d2], [d2, d1] -> [d0, d1]
inline mlir::ParseResult parseIndexingMaps(mlir::AsmParser &parser,
                                           mlir::ArrayAttr &maps) {
  llvm::SmallVector<llvm::SmallVector<int64_t>> lists;
  do {
    if (parseDimList(parser, lists.emplace_back()))
      return mlir::failure();
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseArrow() || parseDimList(parser, lists.emplace_back()))
    return mlir::failure();

  int64_t numDims = 0;
  for (llvm::ArrayRef<int64_t> list : lists)
    for (int64_t dim : list)
      numDims = std::max(numDims, dim + 1);
  mlir::Builder &builder = parser.getBuilder();
  maps = builder.getAffineMapArrayAttr(
      llvm::map_to_vector(lists, [&](llvm::ArrayRef<int64_t> list) {
        auto exprs = llvm::map_to_vector(
            list, [&](int64_t dim) { return builder.getAffineDimExpr(dim); });
        return mlir::AffineMap::get(numDims, 0, exprs, builder.getContext());
      }));
  return mlir::success();
}

inline void printIndexingMaps(mlir::AsmPrinter &printer, mlir::Operation *,
                              mlir::ArrayAttr maps) {
  for (auto [index, map] :
       llvm::enumerate(maps.getAsValueRange<mlir::AffineMapAttr>())) {
    if (index)
      printer << (index + 1 == maps.size() ? " -> " : ", ");
    printDimList(printer,
                 llvm::map_to_vector(map.getResults(), [](mlir::AffineExpr e) {
                   auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(e);
                   return dim ? static_cast<int64_t>(dim.getPosition()) : -1;
                 }));
  }
}

/// ([d0], [d1, d2])
inline mlir::ParseResult parseFactorLists(mlir::AsmParser &parser,
                                          mlir::ArrayAttr &lists) {
  llvm::SmallVector<mlir::Attribute> attrs;
  auto parseOne = [&]() -> mlir::ParseResult {
    llvm::SmallVector<int64_t> dims;
    if (parseDimList(parser, dims))
      return mlir::failure();
    attrs.push_back(mlir::DenseI64ArrayAttr::get(parser.getContext(), dims));
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Paren,
                                     parseOne))
    return mlir::failure();
  lists = mlir::ArrayAttr::get(parser.getContext(), attrs);
  return mlir::success();
}

inline void printFactorLists(mlir::AsmPrinter &printer, mlir::Operation *,
                             mlir::ArrayAttr lists) {
  printer << '(';
  llvm::interleaveComma(lists, printer.getStream(), [&](mlir::Attribute list) {
    if (auto dims = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(list))
      printDimList(printer, dims.asArrayRef());
  });
  printer << ')';
}

inline void printMapLists(mlir::AsmPrinter &printer, mlir::Operation *,
                          MapAttr map) {
  printMapLists(printer, map.getValue());
}

/// The bare name of a parallel dim.
inline mlir::ParseResult parseDimName(mlir::AsmParser &parser,
                                      mlir::StringAttr &name) {
  llvm::StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return mlir::failure();
  name = parser.getBuilder().getStringAttr(keyword);
  return mlir::success();
}

inline void printDimName(mlir::AsmPrinter &printer, mlir::Operation *,
                         mlir::StringAttr name) {
  printer.printKeywordOrString(name);
}

inline mlir::ParseResult parseDimNames(mlir::AsmParser &parser,
                                       mlir::ArrayAttr &names) {
  llvm::SmallVector<mlir::Attribute> attrs;
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     [&]() -> mlir::ParseResult {
                                       mlir::StringAttr name;
                                       if (parseDimName(parser, name))
                                         return mlir::failure();
                                       attrs.push_back(name);
                                       return mlir::success();
                                     }))
    return mlir::failure();
  names = mlir::ArrayAttr::get(parser.getContext(), attrs);
  return mlir::success();
}

inline void printDimNames(mlir::AsmPrinter &printer, mlir::Operation *op,
                          mlir::ArrayAttr names) {
  printer << '[';
  llvm::interleaveComma(
      names.getAsRange<mlir::StringAttr>(), printer.getStream(),
      [&](mlir::StringAttr name) { printDimName(printer, op, name); });
  printer << ']';
}

} // namespace prism

#endif // PRISM_LIB_DIALECT_OPASSEMBLY_H
