//===- PrismDialect.cpp - The prism dialect -----------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"

using namespace mlir;
using namespace prism;

#include "Prism/Dialect/PrismDialect.cpp.inc"
#include "Prism/Dialect/PrismEnums.cpp.inc"
#include "Prism/Dialect/PrismInterfaces.cpp.inc"

namespace {
/// Certificates are long, and shared by the sizes of a candidate.
struct CertificateAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    auto certificate = dyn_cast<CertificateAttr>(attribute);
    if (!certificate || certificate.getSteps().empty())
      return AliasResult::NoAlias;
    os << "proof";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void PrismDialect::initialize() {
  addInterfaces<CertificateAliases>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Prism/Dialect/PrismOps.cpp.inc"
      >();
}
