//===- Prism.cpp - The C API of Prism ---------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prism-c/Prism.h"
#include "Prism/InitAll.h"
#include "Prism/Search/SearchMonitor.h"
#include "Prism/Version.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include <mutex>

using namespace mlir;

struct PrismResult {
  bool succeeded = false;
  std::string module, report, diagnostics;
  std::vector<std::pair<std::string, std::string>> kernels;
};

struct PrismContext {
  prism::CancelFlag cancelled = std::make_shared<std::atomic<bool>>(false);
};

static PrismStringRef wrap(StringRef text) {
  return {text.data(), text.size()};
}
static StringRef unwrap(PrismStringRef text) {
  return StringRef(text.data, text.length);
}

/// Pass registration is process-wide in MLIR.
static void registerOnce() {
  static std::once_flag flag;
  std::call_once(flag, [] {
    registerAllPasses();
    prism::registerPrismPasses();
  });
}

static void print(Diagnostic &diagnostic, raw_ostream &os) {
  auto printOne = [&](Diagnostic &one) {
    os << one.getLocation() << ": ";
    switch (one.getSeverity()) {
    case DiagnosticSeverity::Error:
      os << "error: ";
      break;
    case DiagnosticSeverity::Warning:
      os << "warning: ";
      break;
    case DiagnosticSeverity::Remark:
      os << "remark: ";
      break;
    case DiagnosticSeverity::Note:
      os << "note: ";
      break;
    }
    os << one << '\n';
  };
  printOne(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    printOne(note);
}

static void collectKernels(ModuleOp module, PrismResult &result) {
  module.walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      result.kernels.emplace_back(binary.getSymName().str(),
                                  object.getObject().getValue().str());
  });
}

static void run(prism::CancelFlag cancelled, StringRef text, StringRef pipeline,
                PrismResult &result) {
  registerOnce();
  DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  if (cancelled)
    prism::registerSearchMonitor(registry, std::move(cancelled));
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // it would repeat the whole module
  llvm::raw_string_ostream diagnostics(result.diagnostics);
  std::mutex mutex;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::lock_guard<std::mutex> lock(mutex);
    print(diagnostic, diagnostics);
    return success();
  });

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return;
  PassManager pm(module.get()->getName());
  if (failed(parsePassPipeline(pipeline, pm, diagnostics)) ||
      failed(pm.run(*module)))
    return;
  llvm::raw_string_ostream(result.module) << *module;
  collectKernels(*module, result);
  result.succeeded = true;
}

const char *prismVersion(void) { return PRISM_VERSION; }

static PrismResult *runPipeline(prism::CancelFlag cancelled, StringRef module,
                                StringRef pipeline) {
  auto *result = new PrismResult();
  run(std::move(cancelled), module, pipeline, *result);
  return result;
}

static PrismResult *superoptimize(prism::CancelFlag cancelled, StringRef module,
                                  StringRef options) {
  auto *result = new PrismResult();
  llvm::SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("prism-report", "json", path)) {
    result->diagnostics =
        "cannot make a temporary file for the report: " + error.message();
    return result;
  }
  llvm::FileRemover remover(path);
  std::string pipeline =
      ("prism-superoptimize{report=" + path + " " + options + "}").str();
  run(std::move(cancelled), module, pipeline, *result);
  if (auto report = llvm::MemoryBuffer::getFile(path))
    result->report = (*report)->getBuffer().str();
  return result;
}

PrismResult *prismRunPipeline(PrismStringRef module, PrismStringRef pipeline) {
  return runPipeline({}, unwrap(module), unwrap(pipeline));
}

PrismResult *prismSuperoptimize(PrismStringRef module, PrismStringRef options) {
  return superoptimize({}, unwrap(module), unwrap(options));
}

PrismContext *prismContextCreate(void) { return new PrismContext(); }
void prismContextDestroy(PrismContext *context) { delete context; }
void prismContextCancel(PrismContext *context) { *context->cancelled = true; }

PrismResult *prismContextRunPipeline(PrismContext *context,
                                     PrismStringRef module,
                                     PrismStringRef pipeline) {
  return runPipeline(context->cancelled, unwrap(module), unwrap(pipeline));
}

PrismResult *prismContextSuperoptimize(PrismContext *context,
                                       PrismStringRef module,
                                       PrismStringRef options) {
  return superoptimize(context->cancelled, unwrap(module), unwrap(options));
}

void prismResultDestroy(PrismResult *result) { delete result; }

bool prismResultSucceeded(const PrismResult *result) {
  return result->succeeded;
}
PrismStringRef prismResultModule(const PrismResult *result) {
  return wrap(result->module);
}
PrismStringRef prismResultReport(const PrismResult *result) {
  return wrap(result->report);
}
PrismStringRef prismResultDiagnostics(const PrismResult *result) {
  return wrap(result->diagnostics);
}
size_t prismResultNumKernelModules(const PrismResult *result) {
  return result->kernels.size();
}
PrismStringRef prismResultKernelModuleName(const PrismResult *result,
                                           size_t index) {
  return index < result->kernels.size() ? wrap(result->kernels[index].first)
                                        : wrap({});
}
PrismStringRef prismResultKernelModuleObject(const PrismResult *result,
                                             size_t index) {
  return index < result->kernels.size() ? wrap(result->kernels[index].second)
                                        : wrap({});
}
