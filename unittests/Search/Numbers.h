//===- Numbers.h - Evaluating ops on small tensors --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A float64 evaluator over iteration structures, for tests that compare what
// the search claims with numbers.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_SEARCH_NUMBERS_H
#define PRISM_UNITTESTS_SEARCH_NUMBERS_H

#include "Prism/Dialect/IterationStructure.h"
#include <functional>
#include <optional>
#include <random>

namespace prism::test {

/// A dense row-major tensor.
struct Data {
  std::vector<int> shape;
  std::vector<double> values;
};

using Scalar = std::function<double(llvm::ArrayRef<double>)>;

/// Values between 0.5 and 2: nothing is near a pole.
inline Data randomData(std::mt19937 &engine, std::vector<int> shape) {
  size_t size = 1;
  for (int extent : shape)
    size *= extent;
  std::uniform_real_distribution<double> uniform(0.5, 2.0);
  Data data{std::move(shape), {}};
  for (size_t i = 0; i < size; ++i)
    data.values.push_back(uniform(engine));
  return data;
}

/// Elements [begin, end) of dim `dim`.
inline Data slice(const Data &data, unsigned dim, int begin, int end) {
  Data result{data.shape, {}};
  result.shape[dim] = end - begin;
  size_t inner = 1;
  for (size_t i = dim + 1; i < data.shape.size(); ++i)
    inner *= data.shape[i];
  for (size_t i = 0; i < data.values.size(); ++i) {
    int position = (i / inner) % data.shape[dim];
    if (position >= begin && position < end)
      result.values.push_back(data.values[i]);
  }
  return result;
}

/// `scalar` at each point of the structure's iteration space, combined over
/// its sum or max dims. None if the operands do not fit together. Every
/// iteration dim stands alone in some operand.
inline std::optional<Data> evaluate(const IterationStructure &s,
                                    const Scalar &scalar,
                                    llvm::ArrayRef<Data> operands) {
  std::vector<int> extents(s.dims.size(), -1);
  for (auto [map, data] : llvm::zip_equal(s.operandMaps, operands))
    for (auto [dim, factors] : llvm::enumerate(map)) {
      int &known = extents[factors.front()];
      if (known >= 0 && known != data.shape[dim])
        return std::nullopt;
      known = data.shape[dim];
    }
  Data result;
  size_t size = 1;
  for (const auto &factors : s.resultMap) {
    result.shape.push_back(extents[factors.front()]);
    size *= result.shape.back();
  }
  result.values.assign(size, 0);
  std::vector<bool> isSet(size, false);
  std::vector<int> point(s.dims.size(), 0);
  auto index = [&](const IndexMap &map, llvm::ArrayRef<int> shape) {
    size_t position = 0;
    for (auto [dim, factors] : llvm::enumerate(map))
      position = position * shape[dim] + point[factors.front()];
    return position;
  };
  bool isMax = llvm::is_contained(s.dims, IterationKind::Max);
  for (bool done = false; !done;) {
    llvm::SmallVector<double> x;
    for (auto [map, data] : llvm::zip_equal(s.operandMaps, operands))
      x.push_back(data.values[index(map, data.shape)]);
    size_t at = index(s.resultMap, result.shape);
    double value = scalar(x);
    if (!isSet[at])
      result.values[at] = value;
    else if (isMax)
      result.values[at] = std::max(result.values[at], value);
    else
      result.values[at] += value;
    isSet[at] = true;
    done = true;
    for (size_t i = 0; i < point.size(); ++i) {
      if (++point[i] < extents[i]) {
        done = false;
        break;
      }
      point[i] = 0;
    }
  }
  return result;
}

} // namespace prism::test

#endif // PRISM_UNITTESTS_SEARCH_NUMBERS_H
