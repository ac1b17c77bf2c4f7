//===- PrismAttributes.cpp - Extents, maps, parallel dims, proofs -------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The assembly of the attributes; the same text stands inside types and ops.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prism;

#define GET_ATTRDEF_CLASSES
#include "Prism/Dialect/PrismAttributes.cpp.inc"

void PrismDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Prism/Dialect/PrismAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Far more than any graph has; larger numbers are typing errors, and the two
/// largest are not distinguishable in a DenseMap.
static constexpr unsigned maxVariable = 1u << 24;

/// m<number>
static FailureOr<unsigned> parseVariable(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  unsigned number;
  if (failed(parser.parseKeyword(&name)))
    return failure();
  if (!name.consume_front("m") || name.getAsInteger(10, number) ||
      number > maxVariable)
    return parser.emitError(loc, "expected a mapping variable such as m0, "
                                 "numbered up to ")
           << maxVariable;
  return number;
}

/// dim or dim?m<number>
static FailureOr<Split> parseSplit(AsmParser &parser) {
  StringRef dim;
  if (failed(parser.parseKeyword(&dim)))
    return failure();
  Split split{dim.str(), std::nullopt};
  if (failed(parser.parseOptionalQuestion()))
    return split;
  FailureOr<unsigned> variable = parseVariable(parser);
  if (failed(variable))
    return failure();
  split.variable = *variable;
  return split;
}

/// Parentheses and quotients in each other: every level is a call on the stack,
/// here and wherever the expression is walked.
static constexpr unsigned maxNesting = 64;

static FailureOr<DimExpr> parseSum(AsmParser &parser, unsigned nesting);

static FailureOr<DimExpr> parseFactor(AsmParser &parser, unsigned nesting) {
  SMLoc loc = parser.getCurrentLocation();
  DimExpr factor;
  StringRef name;
  int64_t value;
  OptionalParseResult number = parser.parseOptionalInteger(value);
  if (number.has_value()) {
    if (failed(*number))
      return failure();
    if (value < 0)
      return parser.emitError(loc, "extents are not negative, got ") << value;
    factor = DimExpr::constant(value);
  } else if (succeeded(parser.parseOptionalLParen())) {
    if (++nesting > maxNesting)
      return parser.emitError(loc, "expected an extent nested at most ")
             << maxNesting << " deep";
    FailureOr<DimExpr> inner = parseSum(parser, nesting);
    if (failed(inner) || failed(parser.parseRParen()))
      return failure();
    factor = *inner;
  } else if (succeeded(parser.parseOptionalKeyword(&name))) {
    factor = DimExpr::symbol(name);
  } else {
    return parser.emitError(loc, "expected an extent: a number, a symbol or a "
                                 "parenthesized expression");
  }
  for (unsigned splits = 0; succeeded(parser.parseOptionalSlash()); ++splits) {
    if (splits == maxNesting)
      return parser.emitError(loc, "expected an extent split at most ")
             << maxNesting << " times";
    FailureOr<Split> split = parseSplit(parser);
    if (failed(split))
      return failure();
    factor = DimExpr::quotient(factor, *split);
  }
  return factor;
}

static FailureOr<DimExpr> parseSum(AsmParser &parser, unsigned nesting) {
  SMLoc loc = parser.getCurrentLocation();
  DimExpr sum = DimExpr::constant(0);
  do {
    DimExpr product = DimExpr::constant(1);
    do {
      FailureOr<DimExpr> factor = parseFactor(parser, nesting);
      if (failed(factor))
        return failure();
      product = product * *factor;
    } while (succeeded(parser.parseOptionalStar()));
    sum = sum + product;
  } while (succeeded(parser.parseOptionalPlus()));
  if (sum.isUnknown())
    return parser.emitError(loc, "the extent is too large: expected at most ")
           << DimExpr::maxTerms
           << " terms, factors in a term, and 64 bits in a "
           << "coefficient";
  return sum;
}

FailureOr<DimExpr> prism::parseDimExpr(AsmParser &parser) {
  return parseSum(parser, /*nesting=*/0);
}

Attribute DimExprAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<DimExpr> value = parseDimExpr(parser);
  if (failed(value) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *value);
}

void DimExprAttr::print(AsmPrinter &printer) const {
  printer << '<' << getValue().str() << '>';
}

/// Wraps a bare parser in the attribute's brackets.
static Attribute parseBracketed(AsmParser &parser,
                                function_ref<Attribute()> parseBare) {
  if (parser.parseLess())
    return {};
  Attribute attr = parseBare();
  if (!attr || parser.parseGreater())
    return {};
  return attr;
}

ExtentSymbolAttr prism::parseExtentSymbol(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  std::optional<int64_t> value;
  if (parser.parseKeyword(&name) || parser.parseEqual())
    return {};
  if (failed(parser.parseOptionalQuestion())) {
    int64_t number;
    if (parser.parseInteger(number))
      return {};
    value = number;
  }
  return ExtentSymbolAttr::getChecked([&] { return parser.emitError(loc); },
                                      parser.getContext(), name, value);
}

void prism::printExtentSymbol(AsmPrinter &printer, ExtentSymbolAttr symbol) {
  printer << symbol.getName() << " = ";
  symbol.getValue() ? (printer << *symbol.getValue()) : (printer << '?');
}

Attribute ExtentSymbolAttr::parse(AsmParser &parser, Type) {
  return parseBracketed(
      parser, [&]() -> Attribute { return parseExtentSymbol(parser); });
}

void ExtentSymbolAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printExtentSymbol(printer, *this);
  printer << '>';
}

LogicalResult
ExtentSymbolAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringRef name, std::optional<int64_t> value) {
  if (value && *value < 0)
    return emitError() << "extent '" << name << "' is negative: " << *value;
  return success();
}

//===----------------------------------------------------------------------===//
// Parallel dims and maps
//===----------------------------------------------------------------------===//

ParallelDimAttr prism::parseParallelDim(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  std::optional<int64_t> tile;
  if (parser.parseKeyword(&name))
    return {};
  FailureOr<ParallelKind> kind = FieldParser<ParallelKind>::parse(parser);
  if (failed(kind))
    return {};
  if (succeeded(parser.parseOptionalKeyword("tile"))) {
    int64_t number;
    if (parser.parseInteger(number))
      return {};
    tile = number;
  }
  return ParallelDimAttr::getChecked([&] { return parser.emitError(loc); },
                                     parser.getContext(), name, *kind, tile);
}

void prism::printParallelDim(AsmPrinter &printer, ParallelDimAttr dim) {
  printer << dim.getName() << ' ' << stringifyParallelKind(dim.getKind());
  if (dim.getTile())
    printer << " tile " << *dim.getTile();
}

Attribute ParallelDimAttr::parse(AsmParser &parser, Type) {
  return parseBracketed(
      parser, [&]() -> Attribute { return parseParallelDim(parser); });
}

void ParallelDimAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printParallelDim(printer, *this);
  printer << '>';
}

LogicalResult
ParallelDimAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        StringRef name, ParallelKind,
                        std::optional<int64_t> tile) {
  if (tile && *tile < 1)
    return emitError() << "tile extent of parallel dim '" << name
                       << "' must be at least 1, got " << *tile;
  return success();
}

ParseResult prism::parseMapLists(AsmParser &parser, MapAttr &map) {
  Mapping mapping;
  auto parseDim = [&]() -> ParseResult {
    auto &splits = mapping.emplace_back();
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::Square, [&]() -> ParseResult {
          FailureOr<Split> split = parseSplit(parser);
          if (failed(split))
            return failure();
          splits.push_back(*split);
          return success();
        });
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim))
    return failure();
  map = MapAttr::get(parser.getContext(), mapping);
  return success();
}

void prism::printMapLists(AsmPrinter &printer, const Mapping &mapping) {
  raw_ostream &os = printer.getStream();
  os << '[';
  llvm::interleaveComma(mapping, os, [&](const auto &splits) {
    os << '[';
    llvm::interleaveComma(splits, os);
    os << ']';
  });
  os << ']';
}

Attribute MapAttr::parse(AsmParser &parser, Type) {
  MapAttr map;
  if (parser.parseLess() || parseMapLists(parser, map) || parser.parseGreater())
    return {};
  return map;
}

void MapAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printMapLists(printer, getValue());
  printer << '>';
}

/// m<number>, 0 or 1
static FailureOr<MapTerm> parseMapTerm(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t value;
  OptionalParseResult number = parser.parseOptionalInteger(value);
  if (!number.has_value()) {
    FailureOr<unsigned> variable = parseVariable(parser);
    if (failed(variable))
      return failure();
    return MapTerm::variable(*variable);
  }
  if (failed(*number) || value < 0 || value > 1)
    return parser.emitError(loc, "a map entry is 0 or 1, got ") << value;
  return MapTerm::known(value);
}

EqualityAttr prism::parseEquality(AsmParser &parser) {
  FailureOr<MapTerm> lhs = parseMapTerm(parser);
  if (failed(lhs) || parser.parseEqual())
    return {};
  FailureOr<MapTerm> rhs = parseMapTerm(parser);
  if (failed(rhs))
    return {};
  return EqualityAttr::get(parser.getContext(), *lhs, *rhs);
}

void prism::printEquality(AsmPrinter &printer, EqualityAttr equality) {
  auto print = [&](MapTerm term) {
    printer << (term.isVariable ? "m" : "") << term.value;
  };
  print(equality.getLhs());
  printer << " = ";
  print(equality.getRhs());
}

Attribute EqualityAttr::parse(AsmParser &parser, Type) {
  return parseBracketed(parser,
                        [&]() -> Attribute { return parseEquality(parser); });
}

void EqualityAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printEquality(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Certificates
//===----------------------------------------------------------------------===//

/// `name = number,`
static ParseResult parseField(AsmParser &parser, StringRef name,
                              int64_t &value) {
  return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                 parser.parseInteger(value) || parser.parseComma());
}

Attribute CertificateAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t version, castsErased = 0;
  std::optional<Precision> precision;
  SmallVector<ProofStepAttr> steps;
  if (parser.parseLess() || parseField(parser, "version", version))
    return {};
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    FailureOr<Precision> rule = failure();
    if (parser.parseEqual() ||
        failed(rule = FieldParser<Precision>::parse(parser)) ||
        parser.parseComma() || parseField(parser, "casts_erased", castsErased))
      return {};
    precision = *rule;
  }
  if (parser.parseKeyword("steps") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() -> ParseResult {
                                       FailureOr<ProofStepAttr> step =
                                           FieldParser<ProofStepAttr>::parse(
                                               parser);
                                       if (succeeded(step))
                                         steps.push_back(*step);
                                       return success(succeeded(step));
                                     }) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<CertificateAttr>(loc, parser.getContext(), version,
                                            precision, castsErased, steps);
}

void CertificateAttr::print(AsmPrinter &printer) const {
  printer << "<version = " << getVersion();
  if (getPrecision())
    printer << ", precision = " << stringifyPrecision(*getPrecision())
            << ", casts_erased = " << getCastsErased();
  printer << ", steps = [";
  printer.printStrippedAttrOrType(getSteps());
  printer << "]>";
}

LogicalResult
CertificateAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t version, std::optional<Precision> precision,
                        int64_t, ArrayRef<ProofStepAttr>) {
  if (version < 1 || version > certificateVersion)
    return emitError() << "certificate version " << version
                       << " is not known; this tool reads versions 1 to "
                       << certificateVersion;
  if (precision.has_value() != (version > 1))
    return emitError() << "a certificate of version " << version
                       << (version > 1 ? " names" : " does not name")
                       << " its precision rule";
  return success();
}
