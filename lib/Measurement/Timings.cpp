//===- Timings.cpp - Measured times of candidates -------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Measurement/Timings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <tuple>

using namespace prism;
namespace json = llvm::json;

bool TimingKey::operator<(const TimingKey &other) const {
  return std::tie(kernel, target, toolchain, shapes) <
         std::tie(other.kernel, other.target, other.toolchain, other.shapes);
}

json::Object TimingKey::toJSON() const {
  json::Array list;
  for (const std::vector<int64_t> &shape : shapes)
    list.push_back(json::Array(shape));
  return json::Object{{"kernel", kernel},
                      {"target", target},
                      {"toolchain", toolchain},
                      {"shapes", std::move(list)}};
}

std::string prism::hashKernels(llvm::StringRef ptx) {
  llvm::MD5 hash;
  hash.update(ptx);
  return std::string(hash.final().digest());
}

namespace prism {
static bool fromJSON(const json::Value &value, TimingKey &key,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kernel", key.kernel) &&
         map.map("target", key.target) && map.map("toolchain", key.toolchain) &&
         map.map("shapes", key.shapes);
}
} // namespace prism

llvm::Expected<Timings> Timings::parse(llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  json::Path::Root root("timings");
  json::ObjectMapper map(*value, root);
  int64_t found = 0;
  if (!map || !map.map("version", found))
    return root.getError();
  if (found != version)
    return llvm::createStringError("version " + llvm::Twine(found) +
                                   ", expected " + llvm::Twine(version));
  // A path points to the one that it goes on from.
  json::Path top(root);
  json::Path list = top.field("timings");
  const json::Array *entries = value->getAsObject()->getArray("timings");
  if (!entries) {
    list.report("expected array");
    return root.getError();
  }
  Timings timings;
  for (const auto &[index, entry] : llvm::enumerate(*entries)) {
    json::Path path = list.index(index);
    TimingKey key;
    double microseconds = 0;
    if (!fromJSON(entry, key, path) ||
        !json::ObjectMapper(entry, path).map("microseconds", microseconds))
      return root.getError();
    if (!(microseconds > 0) || !std::isfinite(microseconds)) {
      path.field("microseconds").report("expected a positive number");
      return root.getError();
    }
    timings.add(std::move(key), microseconds);
  }
  return timings;
}

llvm::Expected<Timings> Timings::read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  llvm::Expected<Timings> timings = parse((*buffer)->getBuffer());
  if (!timings)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(timings.takeError()));
  return timings;
}

void Timings::add(TimingKey key, double microseconds) {
  times[std::move(key)] = microseconds;
}

std::optional<double> Timings::lookup(const TimingKey &key) const {
  auto found = times.find(key);
  if (found == times.end())
    return std::nullopt;
  return found->second;
}
