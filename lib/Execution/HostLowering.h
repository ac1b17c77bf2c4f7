//===- HostLowering.h - Host code that calls the runtime --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a host module so that it runs under the module runner: a main
// function that fetches the inputs, calls the entry and hands over the results;
// allocations, kernel launches, accesses to buffers that kernels may have
// written and failed checks become calls of the runner's entries. All of these
// take the address of the run as their first argument.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EXECUTION_HOSTLOWERING_H
#define PRISM_LIB_EXECUTION_HOSTLOWERING_H

#include "Prism/Runtime/KernelPackage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

#include <map>

namespace prism {

/// A gpu.launch_func of the module.
struct LaunchSite {
  std::string module, kernel;
  /// Per kernel parameter: its size in bytes if it is a number, 0 for a buffer.
  llvm::SmallVector<unsigned, 8> scalarBytes;
  /// Parameters that are tensor maps of buffers, not their addresses.
  struct Map {
    PlanTensorMap map;
    ElementType type;
    llvm::SmallVector<int64_t, 4> shape;
  };
  std::map<unsigned, Map> tensorMaps;
};

/// The runner's entries that host code calls, in C; all numbers are i64.
///   Argument  (run, index) -> memref<?xi8>: the bytes of an input
///   Allocate  (run, label, bytes) -> memref<?xi8>
///   Free      (run, pointer): the buffer at `pointer` is not used any more
///   Access    (run, pointer, mode): the host is about to read (mode & 1) or
///             write (mode & 2) the buffer at `pointer`
///   Launch    (run, site, words): grid, block and shared bytes, then per
///             parameter the bits of a number, or pointer and bytes of a buffer
///   Result    (run, index, words): pointer and extents
///   Fail      (run, message): a check of the host's failed
enum class HostEntry { Argument, Allocate, Free, Access, Launch, Result, Fail };
constexpr unsigned numHostEntries = 7;

class HostLowering {
public:
  /// `run` is the number that the entries are given first.
  HostLowering(mlir::ModuleOp module, uint64_t run);

  /// Adds the main function (no arguments, no results) for a call of `entry`
  /// with inputs of these shapes. To be done on tensors.
  void addMain(mlir::func::FuncOp entry, llvm::ArrayRef<HostArray> inputs);

  /// Rewrites what is left after bufferization.
  llvm::LogicalResult lowerBuffers();

  /// Replaces cf.assert by calls of Fail.
  void lowerAsserts();

  /// The symbols: of the main function, and of an entry (empty if unused).
  llvm::StringRef getMain() const { return mainName; }
  llvm::StringRef getSymbol(HostEntry entry) const {
    return symbols[unsigned(entry)];
  }
  llvm::ArrayRef<LaunchSite> getLaunches() const { return launches; }
  /// What Allocate's and Fail's numbers stand for.
  llvm::ArrayRef<std::string> getLabels() const { return labels; }
  llvm::ArrayRef<std::string> getMessages() const { return messages; }

private:
  mlir::func::FuncOp declare(HostEntry entry);
  mlir::Value callEntry(mlir::OpBuilder &b, mlir::Location loc, HostEntry entry,
                        mlir::ValueRange operands);
  mlir::Value storeWords(mlir::OpBuilder &b, mlir::Operation *at,
                         llvm::ArrayRef<mlir::Value> words);
  mlir::Value viewBytes(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value bytes, mlir::MemRefType type,
                        mlir::ValueRange sizes);
  mlir::Value fetchArgument(mlir::OpBuilder &b, mlir::Location loc,
                            unsigned index, mlir::Type type,
                            const HostArray &input);
  void reportResult(mlir::OpBuilder &b, mlir::Location loc, unsigned index,
                    mlir::Value value);
  llvm::LogicalResult makeSynchronous();
  void eraseObsolete();
  llvm::LogicalResult replaceAllocation(mlir::Operation *op,
                                        mlir::ValueRange sizes);
  /// Frees buffers that do not leave the block they are allocated in.
  void freeLocalBuffers();
  void lowerDeallocation(mlir::memref::DeallocOp op);
  /// True for memory that holds a launch's numbers, not a buffer.
  static bool isWords(mlir::Operation *op);
  /// True for buffers that the runner allocates.
  static bool isManaged(mlir::MemRefType type);
  void announceAccesses(mlir::Operation *op);
  llvm::LogicalResult lowerLaunch(mlir::gpu::LaunchFuncOp launch);

  mlir::ModuleOp module;
  uint64_t run;
  mlir::SymbolTable symbolTable;
  mlir::func::FuncOp declarations[numHostEntries];
  std::string symbols[numHostEntries], mainName;
  /// Ops whose part something else has taken over; tokens may connect them.
  std::vector<mlir::Operation *> obsolete;
  std::vector<LaunchSite> launches;
  std::vector<std::string> labels, messages;
};

/// The size in bytes of an element in memory; 0 for what is not supported.
unsigned getHostElementSize(mlir::Type type);

/// From tensors to buffers, with checks of extents where `check` is given.
void buildBufferizePipeline(mlir::OpPassManager &passes, bool check);

/// From buffers to LLVM's dialect.
void buildHostToLLVMPipeline(mlir::OpPassManager &passes);

} // namespace prism

#endif // PRISM_LIB_EXECUTION_HOSTLOWERING_H
