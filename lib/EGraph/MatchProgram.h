//===- MatchProgram.h - Compiled left sides ---------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Left sides are compiled to sequences of instructions over registers, and the
// sequences of all rules are put together into a tree: common prefixes run
// once. Registers are numbered by a rule's own instructions in order, so equal
// prefixes use equal registers.
//
//   (+ (+ ?a ?b) ?c)    bind n0: c0 as + -> c1 c2;  bind n1: c1 as + -> c3 c4
//   (+ ?a ?b)           bind n0: c0 as + -> c1 c2   (shared)
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EGRAPH_MATCHPROGRAM_H
#define PRISM_LIB_EGRAPH_MATCHPROGRAM_H

#include "Prism/EGraph/Rule.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>
#include <vector>

namespace prism::egraph {

/// One instruction: a node of the prefix tree.
struct Instruction {
  enum Kind : uint8_t {
    Bind,         ///< For each node of class[a] with this shape: its children.
    Compare,      ///< class[a] == class[b]
    PayloadConst, ///< payload[a] == value b
    PayloadVar,   ///< payload[a] == payload[b]
    Lookup,       ///< The class of a node over bound registers.
    Yield         ///< A match of rule a.
  };
  Kind kind = Yield;
  /// No Bind or Lookup follows: the last chance to take something new.
  bool last = true;
  uint32_t a = 0, b = 0;
  OpId op = 0;
  uint32_t numPayloads = 0, numChildren = 0;
  uint32_t outClass = 0, outPayload = 0, outNode = 0; ///< First registers.
  std::vector<uint32_t> children;                     ///< Lookup: registers.
  std::vector<PayloadPattern> payloads; ///< Lookup: var = register.
  std::vector<uint32_t>
      next; ///< Instructions that follow, in any of the rules.

  bool sameAs(const Instruction &other) const;
};

/// A rule with the registers of its variables.
struct CompiledRule {
  Rule rule;
  llvm::SmallVector<uint32_t, 4> classRegs;   ///< By VarId.
  llvm::SmallVector<uint32_t, 2> payloadRegs; ///< By VarId.
  /// Variables that the left side binds, by VarId.
  llvm::SmallVector<bool, 4> bound;
  /// The node register of each operator of the left side, by pattern index.
  llvm::SmallVector<uint32_t, 4> nodeRegs;
  llvm::SmallVector<uint32_t, 4> boundNodes; ///< Those of nodeRegs in use.
};

class MatchProgram {
public:
  /// Compiles a checked rule in.
  void add(Rule rule);

  std::deque<CompiledRule> rules; ///< Growing moves none of them.
  std::vector<Instruction> instructions;
  /// The first instructions, all Binds of class register 0, by operator.
  std::vector<std::vector<uint32_t>> rootsByOp;
  /// Registers that a run needs.
  uint32_t numClassRegs = 1, numPayloadRegs = 0, numNodeRegs = 0;
  /// The deepest left side, of all and of those whose root is an operator.
  uint32_t depth = 1;
  std::vector<uint32_t> depthByOp;
  uint32_t depthOf(OpId op) const {
    return op < depthByOp.size() ? depthByOp[op] : 0;
  }
};

/// The registers of a running match.
struct MatchRegisters {
  std::vector<Id> classes;
  std::vector<Payload> payloads;
  std::vector<Id> nodes;
};

/// Runs a MatchProgram over a rebuilt graph, whose node lists stay as they are
/// while matches are applied.
class Matcher {
public:
  /// Called on each match with the rule's index and the registers, in which it
  /// may set those of unbound variables; false stops the run.
  using Sink = llvm::function_ref<bool(uint32_t rule, MatchRegisters &)>;

  Matcher(const EGraph &graph, const MatchProgram &program);

  /// All matches rooted at a node in which a node with a stamp of at least
  /// `since` takes part; false if the sink stopped it.
  bool run(Id root, uint32_t since, Sink sink);

private:
  bool runAll(llvm::ArrayRef<uint32_t> list, bool anyNew);
  bool runBind(const Instruction &instruction, bool anyNew);
  bool bindNode(const Instruction &instruction, Id id, bool anyNew);
  bool runLookup(const Instruction &instruction, bool anyNew);

  const EGraph &graph;
  const MatchProgram &program;
  uint32_t since = 0;
  MatchRegisters registers;
  Sink sink;
};

} // namespace prism::egraph

#endif // PRISM_LIB_EGRAPH_MATCHPROGRAM_H
