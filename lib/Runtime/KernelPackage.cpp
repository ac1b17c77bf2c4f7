//===- KernelPackage.cpp - Reading plan.json ------------------------------===//
//
// The plan's grammar is in KernelPackage.h and INTERFACES; errors name the
// place in the JSON text. References (arguments, results, workspaces, files)
// are checked here once, so that a launch cannot meet a dangling one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanParsing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace prism;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

llvm::Expected<int64_t>
PlanExpr::evaluate(llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes) const {
  if (kind == Kind::Constant)
    return value;
  if (kind == Kind::SizeOf) {
    if (argument >= shapes.size() || dimension >= shapes[argument].size())
      return llvm::createStringError("size_of [" + llvm::Twine(argument) +
                                     ", " + llvm::Twine(dimension) +
                                     "] names no dimension of an argument");
    return shapes[argument][dimension];
  }
  auto left = operands[0].evaluate(shapes);
  if (!left)
    return left.takeError();
  auto right = operands[1].evaluate(shapes);
  if (!right)
    return right.takeError();
  int64_t result = 0;
  bool overflow = false;
  switch (kind) {
  case Kind::Mul:
    overflow = llvm::MulOverflow(*left, *right, result);
    break;
  case Kind::Add:
    overflow = llvm::AddOverflow(*left, *right, result);
    break;
  case Kind::Min:
    result = std::min(*left, *right);
    break;
  case Kind::CeilDiv:
    if (*right <= 0)
      return llvm::createStringError("ceildiv by " + llvm::Twine(*right));
    result = llvm::divideCeilSigned(*left, *right);
    break;
  default:
    break;
  }
  if (overflow)
    return llvm::createStringError("the value of an expression of the plan "
                                   "does not fit into 64 bits");
  return result;
}

//===----------------------------------------------------------------------===//
// From JSON
//===----------------------------------------------------------------------===//

namespace prism {

const json::Object::value_type *onlyEntry(const json::Value &value,
                                          json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object || object->size() != 1) {
    path.report("expected an object with one key");
    return nullptr;
  }
  return &*object->begin();
}

static bool parseIndexPair(const json::Value &value, PlanExpr &expr,
                           json::Path path) {
  std::vector<unsigned> pair;
  if (!fromJSON(value, pair, path))
    return false;
  if (pair.size() != 2) {
    path.report("expected [argument, dimension]");
    return false;
  }
  expr.argument = pair[0];
  expr.dimension = pair[1];
  return true;
}

bool fromJSON(const json::Value &value, PlanExpr &expr, json::Path path) {
  if (auto number = value.getAsInteger()) {
    expr.value = *number;
    return true;
  }
  const auto *entry = onlyEntry(value, path);
  if (!entry)
    return false;
  llvm::StringRef key = entry->first;
  using K = PlanExpr::Kind;
  auto kind = llvm::StringSwitch<std::optional<K>>(key)
                  .Case("size_of", K::SizeOf)
                  .Case("mul", K::Mul)
                  .Case("ceildiv", K::CeilDiv)
                  .Case("add", K::Add)
                  .Case("min", K::Min)
                  .Default(std::nullopt);
  if (!kind) {
    path.report("expected an integer, size_of, mul, ceildiv, add or min");
    return false;
  }
  expr.kind = *kind;
  json::Path inside = path.field(key);
  if (*kind == K::SizeOf)
    return parseIndexPair(entry->second, expr, inside);
  if (!json::fromJSON(entry->second, expr.operands, inside))
    return false;
  if (expr.operands.size() == 2)
    return true;
  inside.report("expected two operands");
  return false;
}

bool fromJSON(const json::Value &value, ElementType &type, json::Path path) {
  std::string name;
  if (!json::fromJSON(value, name, path))
    return false;
  auto parsed = parseElementType(name);
  if (!parsed) {
    path.report("unknown element type");
    return false;
  }
  type = *parsed;
  return true;
}

static bool fromJSON(const json::Value &value, PlanTensor &tensor,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("type", tensor.type) &&
         mapper.map("shape", tensor.shape);
}

static bool fromJSON(const json::Value &value, PlanCondition &condition,
                     json::Path path) {
  const json::Array *array = value.getAsArray();
  if (!array || array->size() != 3 || !(*array)[1].getAsString()) {
    path.report("expected [a, relation, b]");
    return false;
  }
  using R = PlanCondition::Relation;
  auto relation =
      llvm::StringSwitch<std::optional<R>>(*(*array)[1].getAsString())
          .Case("<=", R::LE)
          .Case("<", R::LT)
          .Case(">=", R::GE)
          .Case(">", R::GT)
          .Case("==", R::EQ)
          .Case("!=", R::NE)
          .Default(std::nullopt);
  if (!relation) {
    path.index(1).report("expected <=, <, >=, >, == or !=");
    return false;
  }
  condition.relation = *relation;
  return fromJSON((*array)[0], condition.left, path.index(0)) &&
         fromJSON((*array)[2], condition.right, path.index(2));
}

static bool fromJSON(const json::Value &value, PlanLaunch &launch,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("module", launch.module) ||
      !mapper.map("kernel", launch.kernel) ||
      !mapper.map("grid", launch.grid) || !mapper.map("block", launch.block) ||
      !mapper.map("shared_bytes", launch.sharedBytes) ||
      !mapper.map("parameters", launch.parameters) ||
      !mapper.map("when", launch.when))
    return false;
  for (auto [name, dims] : {std::make_pair("grid", &launch.grid),
                            std::make_pair("block", &launch.block)}) {
    if (dims->size() == 3)
      continue;
    path.field(name).report("expected three extents");
    return false;
  }
  return true;
}

/// Workspaces are written `{"bytes": N}`.
static bool parseWorkspaces(const json::Object &object, PlanFunction &function,
                            json::Path path) {
  const json::Array *array = object.getArray("workspaces");
  if (!array)
    return true;
  json::Path workspaces = path.field("workspaces");
  for (size_t i = 0; i < array->size(); ++i) {
    json::Path place = workspaces.index(i);
    json::ObjectMapper mapper((*array)[i], place);
    PlanExpr bytes;
    if (!mapper || !mapper.map("bytes", bytes))
      return false;
    function.workspaces.push_back(std::move(bytes));
  }
  return true;
}

static bool fromJSON(const json::Value &value, PlanFunction &function,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("name", function.name) ||
      !mapper.map("arguments", function.arguments) ||
      !mapper.map("results", function.results) ||
      !parseWorkspaces(*value.getAsObject(), function, path) ||
      !mapper.map("launches", function.launches) ||
      !mapper.mapOptional("requires", function.requirements))
    return false;
  for (size_t r = 0; r < function.results.size(); ++r)
    for (const std::optional<PlanExpr> &extent : function.results[r].shape)
      if (!extent) {
        path.field("results").index(r).field("shape").report(
            "a result's extent cannot be null; write an expression");
        return false;
      }
  return checkParameters(function, path);
}

static bool fromJSON(const json::Value &value, KernelPackage &package,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  int64_t version = 0;
  if (!mapper || !mapper.map("version", version))
    return false;
  if (version != KernelPackage::version) {
    path.field("version").report("this reader knows version 1");
    return false;
  }
  return mapper.map("target", package.target) &&
         mapper.map("functions", package.functions);
}

} // namespace prism

/// How deep brackets nest. JSON is parsed by recursion, which a file must not
/// exhaust.
static unsigned nestingOf(llvm::StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return deepest;
}

llvm::Expected<KernelPackage> KernelPackage::parse(llvm::StringRef text,
                                                   llvm::StringRef directory) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, "plan.json");
  constexpr unsigned mostNesting = 200;
  if (unsigned nesting = nestingOf(text); nesting > mostNesting)
    return llvm::createStringError(
        path.str() + ": brackets nest " + llvm::Twine(nesting) +
        " deep, this reader takes " + llvm::Twine(mostNesting));
  auto value = json::parse(text);
  if (!value)
    return llvm::createStringError(path.str() + ": " +
                                   llvm::toString(value.takeError()));
  KernelPackage package;
  package.directory = directory.str();
  json::Path::Root root(path);
  if (!fromJSON(*value, package, root))
    return root.getError();
  return package;
}

llvm::Expected<KernelPackage> KernelPackage::read(llvm::StringRef directory) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, "plan.json");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path.str() +
                                   "': " + buffer.getError().message());
  return parse((*buffer)->getBuffer(), directory);
}

llvm::Expected<const PlanFunction *>
KernelPackage::find(llvm::StringRef name) const {
  std::string known;
  for (const PlanFunction &function : functions) {
    if (function.name == name)
      return &function;
    known += (known.empty() ? "" : ", ") + function.name;
  }
  return llvm::createStringError(
      "the package has no function '" + name +
      "'; it has: " + (known.empty() ? "none" : known));
}
