//===- PlanParameters.cpp - Kernel parameters of plan.json ----------------===//
//
// Reading and checking the parameters of launches, and tensor maps as a plan
// describes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanParsing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace prism;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Tensor maps from JSON
//===----------------------------------------------------------------------===//

/// Most keys have a default, so a misspelt one would go unnoticed.
static bool knowsAllKeys(const json::Object &object, json::Path path) {
  static constexpr llvm::StringLiteral known[] = {
      "base", "offset", "type", "shape", "strides", "box", "swizzle", "fill"};
  for (const auto &entry : object) {
    if (llvm::is_contained(known, llvm::StringRef(entry.first)))
      continue;
    path.field(entry.first)
        .report("unknown key; expected base, offset, type, shape, strides, "
                "box, swizzle or fill");
    return false;
  }
  return true;
}

static bool checkBox(const PlanTensorMap &map, json::Path path) {
  for (auto [i, extent] : llvm::enumerate(map.box))
    if (extent < 1 || extent > 256) {
      path.field("box").index(i).report("expected 1 to 256 elements");
      return false;
    }
  if (llvm::is_contained({0u, 32u, 64u, 128u}, map.swizzle))
    return true;
  path.field("swizzle").report("expected 0, 32, 64 or 128 bytes");
  return false;
}

static bool isArray(PlanParameter::Kind kind) {
  using K = PlanParameter::Kind;
  return llvm::is_contained({K::Argument, K::Result, K::Workspace, K::Constant},
                            kind);
}

/// `{"base": {"argument": 0}, "box": [64, 64], "swizzle": 128}`
static bool parseTensorMap(const json::Value &value, PlanParameter &parameter,
                           json::Path path) {
  PlanTensorMap map;
  PlanParameter base;
  std::string fill = "zero";
  json::ObjectMapper mapper(value, path);
  if (!mapper || !knowsAllKeys(*value.getAsObject(), path) ||
      !mapper.map("base", base) || !mapper.mapOptional("offset", map.offset) ||
      !mapper.map("type", map.type) || !mapper.map("shape", map.shape) ||
      !mapper.map("strides", map.strides) || !mapper.map("box", map.box) ||
      !mapper.mapOptional("swizzle", map.swizzle) ||
      !mapper.mapOptional("fill", fill))
    return false;
  if (!isArray(base.kind) || base.tensorMap) {
    path.field("base").report(
        "expected an argument, a result, a workspace or a constant");
    return false;
  }
  if (fill != "zero" && fill != "nan") {
    path.field("fill").report("expected zero or nan");
    return false;
  }
  map.fillWithNaN = fill == "nan";
  parameter = std::move(base);
  parameter.tensorMap = std::move(map);
  return checkBox(*parameter.tensorMap, path);
}

//===----------------------------------------------------------------------===//
// Parameters from JSON
//===----------------------------------------------------------------------===//

bool prism::fromJSON(const json::Value &value, PlanParameter &parameter,
                     json::Path path) {
  const auto *entry = onlyEntry(value, path);
  if (!entry)
    return false;
  llvm::StringRef key = entry->first;
  json::Path inside = path.field(key);
  if (key == "tensor_map")
    return parseTensorMap(entry->second, parameter, inside);
  using K = PlanParameter::Kind;
  auto kind = llvm::StringSwitch<std::optional<K>>(key)
                  .Case("argument", K::Argument)
                  .Case("result", K::Result)
                  .Case("workspace", K::Workspace)
                  .Case("i32", K::I32)
                  .Case("i64", K::I64)
                  .Case("f32", K::F32)
                  .Case("constant", K::Constant)
                  .Default(std::nullopt);
  // An expression by itself, such as a size, is an i32.
  parameter.kind = kind.value_or(K::I32);
  if (!kind)
    return fromJSON(value, parameter.value, path);
  switch (*kind) {
  case K::I32:
  case K::I64:
    return fromJSON(entry->second, parameter.value, inside);
  case K::F32:
    return json::fromJSON(entry->second, parameter.number, inside);
  case K::Constant:
    return json::fromJSON(entry->second, parameter.file, inside);
  default:
    return json::fromJSON(entry->second, parameter.index, inside);
  }
}

/// The argument or result that `parameter` is; null for others.
static const PlanTensor *getTensor(const PlanFunction &function,
                                   const PlanParameter &parameter) {
  if (parameter.kind == PlanParameter::Kind::Argument)
    return &function.arguments[parameter.index];
  if (parameter.kind == PlanParameter::Kind::Result)
    return &function.results[parameter.index];
  return nullptr;
}

static bool checkTensorMap(const PlanFunction &function,
                           const PlanParameter &parameter, json::Path path) {
  const PlanTensorMap &map = *parameter.tensorMap;
  const PlanTensor *tensor = getTensor(function, parameter);
  if (!tensor && (!map.type || !map.shape)) {
    path.report("a tensor map of a workspace or constant needs type and shape");
    return false;
  }
  size_t rank = map.shape ? map.shape->size() : tensor->shape.size();
  if (rank < 1 || rank > TensorMap::maxRank) {
    path.report("the array has a rank that is not 1 to 5; write a shape");
    return false;
  }
  if (map.box.size() != rank) {
    path.field("box").report("expected one extent for each of the array's");
    return false;
  }
  if (!map.strides || map.strides->size() == rank - 1)
    return true;
  path.field("strides").report(
      "expected one for each dimension but the innermost");
  return false;
}

static bool checkParameter(const PlanFunction &function,
                           const PlanParameter &parameter, json::Path path) {
  size_t count = ~size_t(0);
  if (parameter.kind == PlanParameter::Kind::Argument)
    count = function.arguments.size();
  else if (parameter.kind == PlanParameter::Kind::Result)
    count = function.results.size();
  else if (parameter.kind == PlanParameter::Kind::Workspace)
    count = function.workspaces.size();
  if (parameter.index >= count) {
    path.report("this index names nothing the function has");
    return false;
  }
  return !parameter.tensorMap ||
         checkTensorMap(function, parameter, path.field("tensor_map"));
}

bool prism::checkParameters(const PlanFunction &function, json::Path path) {
  // A path points to the one it is inside of, so each has a name.
  json::Path launches = path.field("launches");
  for (auto [l, launch] : llvm::enumerate(function.launches)) {
    json::Path inside = launches.index(l);
    json::Path place = inside.field("parameters");
    for (auto [p, parameter] : llvm::enumerate(launch.parameters))
      if (!checkParameter(function, parameter, place.index(p)))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Building tensor maps
//===----------------------------------------------------------------------===//

/// Bulk copies move bits; signs matter only to reductions.
static TensorMapType getMapType(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return TensorMapType::F16;
  case ElementType::BF16:
    return TensorMapType::BF16;
  case ElementType::F32:
    return TensorMapType::F32;
  case ElementType::F64:
    return TensorMapType::F64;
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::U8:
    return TensorMapType::U8;
  case ElementType::I16:
  case ElementType::U16:
    return TensorMapType::U16;
  case ElementType::I32:
    return TensorMapType::S32;
  case ElementType::U32:
    return TensorMapType::U32;
  case ElementType::I64:
    return TensorMapType::S64;
  case ElementType::U64:
    return TensorMapType::U64;
  }
  return TensorMapType::U8;
}

using Shapes = llvm::ArrayRef<llvm::SmallVector<int64_t, 4>>;

/// Evaluates numbers of a tensor map, none of which may be negative.
static llvm::Error evaluateInto(llvm::SmallVectorImpl<uint64_t> &result,
                                llvm::ArrayRef<PlanExpr> exprs, Shapes shapes,
                                const char *what) {
  for (const PlanExpr &expr : exprs) {
    auto value = expr.evaluate(shapes);
    if (!value)
      return value.takeError();
    if (*value < 0)
      return llvm::createStringError("tensor map: " + llvm::Twine(what) +
                                     " of " + llvm::Twine(*value));
    result.push_back(*value);
  }
  return llvm::Error::success();
}

/// Bytes between the rows, planes, ... of a dense array; innermost first, as
/// the extents are. Too large ones are left to TensorMap::verify.
static void setDenseStrides(TensorMap &map) {
  uint64_t stride = getTensorMapTypeSize(map.type);
  for (uint64_t extent : llvm::drop_end(map.extents)) {
    stride = llvm::SaturatingMultiply(stride, extent);
    map.strides.push_back(stride);
  }
}

llvm::Expected<TensorMap>
PlanTensorMap::build(DevicePtr array, ElementType arrayType,
                     llvm::ArrayRef<int64_t> arrayShape, Shapes shapes) const {
  TensorMap map;
  map.type = getMapType(type.value_or(arrayType));
  map.swizzle = swizzle;
  map.fillWithNaN = fillWithNaN;
  llvm::SmallVector<uint64_t, 1> start;
  if (auto error = evaluateInto(start, offset, shapes, "an offset"))
    return std::move(error);
  map.base = DevicePtr(uint64_t(array) + start.front());
  if (shape) {
    if (auto error = evaluateInto(map.extents, *shape, shapes, "an extent"))
      return std::move(error);
  } else {
    map.extents.assign(arrayShape.begin(), arrayShape.end());
  }
  // A plan begins with the outermost dimension, a map with the innermost.
  std::reverse(map.extents.begin(), map.extents.end());
  map.box.assign(box.rbegin(), box.rend());
  if (!strides) {
    setDenseStrides(map);
  } else {
    if (auto error = evaluateInto(map.strides, *strides, shapes, "a stride"))
      return std::move(error);
    std::reverse(map.strides.begin(), map.strides.end());
  }
  return map;
}
