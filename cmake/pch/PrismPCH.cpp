//===- PrismPCH.cpp - Owner of the precompiled header ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object that CMake builds the shared precompiled header with; empty
// otherwise.
//
//===----------------------------------------------------------------------===//
