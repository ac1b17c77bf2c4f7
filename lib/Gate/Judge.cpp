//===- Judge.cpp - Whether results are right ------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row by row: a row is what errors are relative to.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace prism;
using namespace prism::gate;

static std::string describePlace(const Numbers &numbers, int64_t point) {
  llvm::SmallVector<int64_t> index(numbers.at.size());
  for (size_t dim = index.size(); dim-- > 0;) {
    int64_t size = numbers.at[dim].size();
    index[dim] = numbers.at[dim][point % size];
    point /= size;
  }
  std::string text = "[";
  for (auto [number, position] : llvm::enumerate(index))
    text += (number ? ", " : "") + std::to_string(position);
  return text + "]";
}

/// Whether infinities and NaNs agree.
static bool isSameKind(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return std::isinf(a) || std::isinf(b) ? a == b : true;
}

namespace {
/// What the elements of a row are compared by.
struct Row {
  double magnitude = 0;    ///< largest exact result
  double programError = 0; ///< largest where both are finite
};
} // namespace

static Row measureRow(const Numbers &exact, const Numbers &declared,
                      size_t begin, size_t end) {
  Row row;
  for (size_t i = begin; i < end; ++i) {
    double value = exact.values[i], program = declared.values[i];
    if (!std::isfinite(value) || !std::isfinite(program))
      continue;
    row.magnitude = std::max(row.magnitude, std::fabs(value));
    row.programError = std::max(row.programError, std::fabs(program - value));
  }
  return row;
}

/// Whether `found` may stand where `exact` should; the error, where it is one.
static bool isRight(Format format, double found, double exact, double program,
                    double bound, const Row &row, double &error,
                    double &allowed) {
  allowed = errorFactor * row.programError +
            unitFactor * getUnit(format) * row.magnitude + boundFactor * bound;
  if (format == Format::F16) // the last place of subnormals
    allowed += 0x1p-24;
  if (std::isinf(bound))
    return true; // the program itself is noise here
  double stored = roundTo(format, exact);
  bool isOverflow = !std::isfinite(stored) && isSameKind(stored, program);
  if (!std::isfinite(program) && std::isfinite(exact) &&
      !(isOverflow && std::isfinite(found)))
    return true; // as bad as the program, or better
  if (!std::isfinite(found)) {
    if (isSameKind(found, stored) || isSameKind(found, program))
      return true;
    // So close to the largest number that rounding decides.
    return std::isinf(found) && std::isfinite(exact) &&
           std::signbit(found) == std::signbit(exact) &&
           std::fabs(exact) + allowed >= getLargest(format);
  }
  if (!std::isfinite(exact))
    return false;
  error = std::fabs(found - exact);
  return error <= allowed;
}

std::optional<Mistake> prism::gate::judge(Format format,
                                          llvm::ArrayRef<double> found,
                                          const Numbers &exact,
                                          const Numbers &declared,
                                          Errors &errors) {
  // Short rows say little of the program's error: the whole is then one row.
  size_t length = exact.at.empty() ? 1 : exact.at.back().size();
  if (length < 16)
    length = found.size();
  std::optional<Mistake> wrong;
  for (size_t begin = 0; begin < found.size(); begin += length) {
    size_t end = std::min(begin + length, found.size());
    Row row = measureRow(exact, declared, begin, end);
    double scale = std::max(row.magnitude, getSmallest(format));
    errors.program = std::max(errors.program, row.programError / scale);
    for (size_t i = begin; i < end; ++i) {
      double error = 0, allowed = 0;
      double bound = exact.bounds.empty() ? 0 : exact.bounds[i];
      bool right = isRight(format, found[i], exact.values[i],
                           declared.values[i], bound, row, error, allowed);
      // What single precision makes of it is nothing of the kernel's own, and
      // has nothing to do with the size of the result.
      errors.worst =
          std::max(errors.worst, (error - boundFactor * bound) / scale);
      if (right || wrong)
        continue;
      wrong = {i,
               llvm::formatv("{0} is {1:e6}, expected {2:e6}; the program in "
                             "its declared precision gives {3:e6}, {4:e3} more "
                             "or less would do",
                             describePlace(exact, i), found[i], exact.values[i],
                             declared.values[i], allowed)
                   .str()};
    }
  }
  return wrong;
}
