//===- MatchQueue.h - Matches kept for later --------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A packed match is what it takes to apply a rule later: the root, the class
// and payload variables by VarId, and, for proofs, the matched nodes.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EGRAPH_MATCHQUEUE_H
#define PRISM_LIB_EGRAPH_MATCHQUEUE_H

#include "MatchProgram.h"
#include <deque>
#include <utility>

namespace prism::egraph {

/// Packs and unpacks the matches of a program.
class MatchPacker {
public:
  MatchPacker(const MatchProgram &program, bool withNodes)
      : program(program), withNodes(withNodes) {
    for (uint32_t rule = 0; rule != program.rules.size(); ++rule)
      largest = std::max(largest, size(rule));
  }

  /// The number of words of a packed match of the rule.
  uint32_t size(uint32_t rule) const {
    const CompiledRule &compiled = program.rules[rule];
    return uint32_t(1 + compiled.classRegs.size() +
                    compiled.payloadRegs.size() +
                    (withNodes ? compiled.boundNodes.size() : 0));
  }
  uint32_t largestSize() const { return largest; }

  void pack(uint32_t rule, const MatchRegisters &from, uint32_t *to) const {
    const CompiledRule &compiled = program.rules[rule];
    *to++ = from.classes[0];
    for (uint32_t reg : compiled.classRegs)
      *to++ = from.classes[reg];
    for (uint32_t reg : compiled.payloadRegs)
      *to++ = from.payloads[reg];
    if (withNodes)
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
    if (withNodes)
      for (uint32_t reg : compiled.boundNodes)
        to.nodes[reg] = *from++;
  }

private:
  const MatchProgram &program;
  bool withNodes;
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
  uint32_t round(uint32_t i) const { return rounds[i]; }
  uint32_t *match(uint32_t i) { return words.data() + i * stride; }

  /// Returns where to pack the match.
  uint32_t *push(uint32_t rule, uint32_t round) {
    rules[count] = rule;
    rounds[count] = round;
    return match(count++);
  }
  /// Keeps match i, as the k-th, k <= i.
  void keep(uint32_t i, uint32_t k) {
    if (i == k)
      return;
    rules[k] = rules[i];
    rounds[k] = rounds[i];
    std::copy_n(match(i), stride, match(k));
  }
  void resize(uint32_t size) { count = size; }

private:
  uint32_t stride, count = 0;
  uint32_t rules[capacity], rounds[capacity];
  std::vector<uint32_t> words;
};

/// Packed matches that wait for their turn, first in, first out.
class MatchQueue {
public:
  explicit MatchQueue(const MatchPacker &packer) : packer(packer) {}

  bool empty() const { return rounds.empty(); }

  void push(uint32_t rule, uint32_t round, const uint32_t *packed) {
    if (rounds.empty() || rounds.back().first != round)
      rounds.emplace_back(round, 0);
    ++rounds.back().second;
    data.push_back(rule);
    data.insert(data.end(), packed, packed + packer.size(rule));
  }

  /// Moves matches to the batch until it is full or the queue empty.
  void popInto(MatchBatch &batch) {
    while (!batch.full() && !empty()) {
      uint32_t rule = data.front();
      uint32_t size = packer.size(rule);
      std::copy_n(data.begin() + 1, size,
                  batch.push(rule, rounds.front().first));
      data.erase(data.begin(), data.begin() + 1 + size);
      if (--rounds.front().second == 0)
        rounds.pop_front();
    }
  }

private:
  const MatchPacker &packer;
  /// A deque gives memory back as it is read, and never copies itself.
  std::deque<uint32_t> data;
  /// The rounds of the matches, as (round, number of matches).
  std::deque<std::pair<uint32_t, uint64_t>> rounds;
};

} // namespace prism::egraph

#endif // PRISM_LIB_EGRAPH_MATCHQUEUE_H
