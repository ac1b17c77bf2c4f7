//===- InitAll.h - Registration of everything in Prism ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of Prism's dialects, passes and pipelines. Every tool, the
// plugin and the C API register through it.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_INITALL_H
#define PRISM_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace prism {

/// Adds Prism's dialects and their interface implementations to `registry`.
void registerPrismDialects(mlir::DialectRegistry &registry);

/// Registers Prism's passes and pipelines with MLIR's pass registry, so that
/// they can be named on the command line and in textual pipelines. May be
/// called more than once.
void registerPrismPasses();

/// Adds every upstream dialect, extension and translation to LLVM IR that
/// Prism's pipelines may meet or need (among them those that
/// `gpu-module-to-binary` uses) to `registry`.
void registerUpstreamDialects(mlir::DialectRegistry &registry);

} // namespace prism

#endif // PRISM_INITALL_H
