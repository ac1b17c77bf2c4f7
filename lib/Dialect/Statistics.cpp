//===- Statistics.cpp - What passes count about a program -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/Statistics.h"

using namespace mlir;
using namespace prism;

static void setEntry(ProgramOp program, StringRef key, Attribute value) {
  NamedAttrList entries(
      program->getAttrOfType<DictionaryAttr>(statisticsAttrName));
  entries.set(key, value);
  program->setAttr(statisticsAttrName,
                   entries.getDictionary(program.getContext()));
}

void prism::recordStatistics(ProgramOp program, StatisticCounts counts) {
  Builder builder(program.getContext());
  for (auto [key, value] : counts)
    setEntry(program, key, builder.getI64IntegerAttr(value));
}

void prism::addStatistics(ProgramOp program, StatisticCounts counts) {
  Builder builder(program.getContext());
  auto entries = program->getAttrOfType<DictionaryAttr>(statisticsAttrName);
  for (auto [key, value] : counts) {
    auto before = entries ? entries.getAs<IntegerAttr>(key) : IntegerAttr();
    setEntry(program, key,
             builder.getI64IntegerAttr(value + (before ? before.getInt() : 0)));
  }
}

static BoolAttr getComplete(ProgramOp program) {
  auto entries = program->getAttrOfType<DictionaryAttr>(statisticsAttrName);
  return entries ? entries.getAs<BoolAttr>("complete") : BoolAttr();
}

bool prism::isComplete(ProgramOp program) {
  BoolAttr complete = getComplete(program);
  return complete && complete.getValue();
}

void prism::recordComplete(ProgramOp program, bool complete) {
  if (BoolAttr before = getComplete(program))
    complete &= before.getValue();
  setEntry(program, "complete", BoolAttr::get(program.getContext(), complete));
}
