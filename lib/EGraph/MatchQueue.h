//===- MatchQueue.h - Matches kept for later --------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A packed match is what it takes to apply a rule later: the root, the class
// and payload variables by VarId, and the matched nodes.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EGRAPH_MATCHQUEUE_H
#define PRISM_LIB_EGRAPH_MATCHQUEUE_H

#include "MatchProgram.h"
#include <algorithm>
#include <deque>
#include <utility>

namespace prism::egraph {

/// Packs and unpacks the matches of a program.
class MatchPacker {
public:
  explicit MatchPacker(const MatchProgram &program) : program(program) {
    for (uint32_t rule = 0; rule != program.rules.size(); ++rule)
      largest = std::max(largest, size(rule));
  }

  /// The number of words of a packed match of the rule.
  uint32_t size(uint32_t rule) const {
    const CompiledRule &compiled = program.rules[rule];
    return uint32_t(1 + compiled.classRegs.size() +
                    compiled.payloadRegs.size() + compiled.boundNodes.size());
  }
  uint32_t largestSize() const { return largest; }

  void pack(uint32_t rule, const MatchRegisters &from, uint32_t *to) const {
    const CompiledRule &compiled = program.rules[rule];
    *to++ = from.classes[0];
    for (uint32_t reg : compiled.classRegs)
      *to++ = from.classes[reg];
    for (uint32_t reg : compiled.payloadRegs)
      *to++ = from.payloads[reg];
    for (uint32_t reg : compiled.boundNodes)
      *to++ = from.nodes[reg];
  }

  void unpack(uint32_t rule, const uint32_t *from, MatchRegisters &to) const {
    const CompiledRule &compiled = program.rules[rule];
    to.classes[0] = *from++;
    for (uint32_t reg : compiled.classRegs)
      to.classes[reg] = *from++;
    for (uint32_t reg : compiled.payloadRegs)
      to.payloads[reg] = *from++;
    for (uint32_t reg : compiled.boundNodes)
      to.nodes[reg] = *from++;
  }

private:
  const MatchProgram &program;
  uint32_t largest = 0;
};

/// A few packed matches, whose right sides are looked up together.
class MatchBatch {
public:
  static constexpr uint32_t capacity = 64;

  explicit MatchBatch(const MatchPacker &packer)
      : stride(packer.largestSize()), words(capacity * stride) {}

  uint32_t size() const { return count; }
  bool empty() const { return count == 0; }
  bool full() const { return count == capacity; }
  uint32_t rule(uint32_t i) const { return rules[i]; }
  uint32_t *match(uint32_t i) { return words.data() + i * stride; }

  /// Returns where to pack the match.
  uint32_t *push(uint32_t rule) {
    rules[count] = rule;
    return match(count++);
  }
  /// Keeps match i, as the k-th, k <= i.
  void keep(uint32_t i, uint32_t k) {
    if (i == k)
      return;
    rules[k] = rules[i];
    std::copy_n(match(i), stride, match(k));
  }
  void resize(uint32_t size) { count = size; }

private:
  uint32_t stride, count = 0;
  uint32_t rules[capacity];
  std::vector<uint32_t> words;
};

/// What is to be done, in the order of a priority, the smallest first; of equal
/// priority, roots before matches, and first in, first out.
class Agenda {
public:
  explicit Agenda(const MatchPacker &packer) : packer(packer) {}

  /// A node at which matches are to be looked for.
  void pushRoot(uint32_t priority, Id root) {
    bucket(priority).roots.push_back(root);
  }

  /// A match that is to be applied, and its generation.
  void pushMatch(uint32_t priority, uint32_t rule, uint32_t generation,
                 const uint32_t *packed) {
    std::deque<uint32_t> &matches = bucket(priority).matches;
    matches.push_back(rule);
    matches.push_back(generation);
    matches.insert(matches.end(), packed, packed + packer.size(rule));
  }

  /// Moves on to what comes next; false if there is nothing.
  bool advance() {
    while (current != buckets.size() && buckets[current].empty())
      ++current;
    return current != buckets.size();
  }

  /// After advance: all roots that come next, or none if a match does.
  std::vector<Id> popRoots() { return std::move(buckets[current].roots); }

  /// After advance, if no roots come next: a match; its rule and generation.
  std::pair<uint32_t, uint32_t> popMatch(MatchRegisters &registers) {
    std::deque<uint32_t> &matches = buckets[current].matches;
    uint32_t rule = matches[0], generation = matches[1];
    packed.assign(matches.begin() + 2, matches.begin() + 2 + packer.size(rule));
    matches.erase(matches.begin(), matches.begin() + 2 + packer.size(rule));
    packer.unpack(rule, packed.data(), registers);
    return {rule, generation};
  }

private:
  struct Bucket {
    std::vector<Id> roots;
    /// A deque gives memory back as it is read, and never copies itself.
    std::deque<uint32_t> matches;
    bool empty() const { return roots.empty() && matches.empty(); }
  };

  Bucket &bucket(uint32_t priority) {
    if (priority >= buckets.size())
      buckets.resize(priority + 1);
    current = std::min<size_t>(current, priority);
    return buckets[priority];
  }

  const MatchPacker &packer;
  std::vector<Bucket> buckets;
  size_t current = 0;
  std::vector<uint32_t> packed;
};

} // namespace prism::egraph

#endif // PRISM_LIB_EGRAPH_MATCHQUEUE_H
