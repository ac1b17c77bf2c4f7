//===- Backend.cpp - Kernels through LLVM and ptxas -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/Backend.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <mutex>

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

namespace {

/// Keeps what the backend reports; LLVM's own handler would end the process.
struct KeepErrors : llvm::DiagnosticHandler {
  explicit KeepErrors(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream os(errors);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    os << '\n';
    return true;
  }

  std::string &errors;
};

/// What gpu-module-to-binary does for PTX, with errors kept.
class PTXCompiler : public NVVM::SerializeGPUModuleBase {
public:
  PTXCompiler(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
              std::string &errors)
      : SerializeGPUModuleBase(*module, target), errors(errors) {}

private:
  /// Kernels call no device library.
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &) override {
    return SmallVector<std::unique_ptr<llvm::Module>>();
  }

  void handleModulePreLink(llvm::Module &module) override {
    module.getContext().setDiagnosticHandler(
        std::make_unique<KeepErrors>(errors));
  }

  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &module) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    FailureOr<SmallString<0>> ptx = translateModuleToISA(
        module, **machine, [&] { return getOperation().emitError(); });
    if (failed(ptx))
      return failure();
    return SmallVector<char, 0>(ptx->begin(), ptx->end());
  }

  std::string &errors;
};

} // namespace

/// LLVM's fatal error handler: ends what RunSafely runs on this thread. Errors
/// of other threads go the way they always do.
static void endAttempt(void *errors, const char *message, bool) {
  auto *context = llvm::CrashRecoveryContext::GetCurrent();
  if (!context)
    return;
  *static_cast<std::string *>(errors) += message;
  context->HandleExit(1);
}

/// Runs `body`; false, with what is known of it in `errors`, where it would
/// have ended the process.
static bool runSafely(std::string &errors, llvm::function_ref<void()> body) {
  // The fatal error handler is the process's: one attempt at a time has it.
  static std::mutex attempt;
  std::lock_guard<std::mutex> lock(attempt);
  llvm::ScopedFatalErrorHandler handler(endAttempt, &errors);
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  bool ended = !context.RunSafely(body);
  if (ended && errors.empty())
    errors = "the backend crashed";
  return !ended;
}

/// The first line of `text`, which is not empty.
static std::string getFirstLine(StringRef text) {
  return text.trim().split('\n').first.str();
}

std::optional<std::string> prism::compileToPTX(gpu::GPUModuleOp module,
                                               const Target &target,
                                               std::string &whyNot) {
  return compileToPTX(module,
                      NVVM::NVVMTargetAttr::get(
                          module.getContext(), /*optLevel=*/3,
                          "nvptx64-nvidia-cuda", target.name, target.features),
                      whyNot);
}

std::optional<std::string> prism::compileToPTX(gpu::GPUModuleOp module,
                                               NVVM::NVVMTargetAttr attr,
                                               std::string &whyNot) {
  std::string errors;
  std::optional<PTXCompiler> compiler;
  {
    // It looks for the device library, and says where there is none.
    ScopedDiagnosticHandler ignore(module.getContext(),
                                   [](Diagnostic &) { return success(); });
    compiler.emplace(module, attr, errors);
  }
  std::optional<SmallVector<char, 0>> ptx;
  {
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &what) {
      if (what.getSeverity() == DiagnosticSeverity::Error)
        errors += what.str() + "\n";
      return success();
    });
    NVVM::SerializeGPUModuleBase::init();
    runSafely(errors, [&] { ptx = compiler->run(); });
  }
  if (ptx && errors.empty())
    return std::string(ptx->begin(), ptx->end());
  whyNot = "the backend refuses it: " +
           (errors.empty() ? "no reason given" : getFirstLine(errors));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

std::optional<std::string> prism::findPtxas() {
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> root =
            llvm::sys::Process::GetEnv(variable)) {
      SmallString<128> path(*root);
      llvm::sys::path::append(path, "bin", "ptxas");
      if (llvm::sys::fs::can_execute(path))
        return path.str().str();
    }
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  return std::nullopt;
}

/// A temporary file with `contents`, or nothing if it could not be written.
static bool createTemporary(StringRef suffix, StringRef contents,
                            SmallVectorImpl<char> &path) {
  int descriptor;
  if (llvm::sys::fs::createTemporaryFile("prism", suffix, descriptor, path))
    return false;
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << contents;
  os.close();
  bool hasFailed = os.has_error();
  os.clear_error();
  return !hasFailed;
}

std::string prism::getPtxasVersion() {
  std::optional<std::string> ptxas = findPtxas();
  SmallString<128> output;
  if (!ptxas || !createTemporary("log", "", output))
    return "";
  llvm::FileRemover remove(output);
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(output),
                                          StringRef()};
  llvm::sys::ExecuteAndWait(*ptxas, {*ptxas, "--version"}, std::nullopt,
                            redirects);
  auto text = llvm::MemoryBuffer::getFile(output);
  StringRef printed = text ? (*text)->getBuffer().trim() : StringRef();
  return printed.substr(printed.rfind('\n') + 1).str();
}

/// Reads what `ptxas -v` prints: for each kernel a line that names it, one with
/// the spills and one with the registers.
static llvm::StringMap<KernelResources> parseResources(StringRef text) {
  llvm::StringMap<KernelResources> resources;
  KernelResources *kernel = nullptr;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  auto numberBefore = [](StringRef line, StringRef what) {
    int64_t number = 0;
    StringRef before = line.substr(0, line.find(what)).rtrim();
    before.substr(before.find_last_of(" \t") + 1).getAsInteger(10, number);
    return number;
  };
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function"))
      kernel = &resources[line.split('\'').second.split('\'').first];
    else if (kernel && line.contains("bytes spill"))
      kernel->spillBytes = numberBefore(line, "bytes spill stores") +
                           numberBefore(line, "bytes spill loads");
    else if (kernel && line.contains(" registers"))
      kernel->registers = numberBefore(line, "registers");
  }
  return resources;
}

std::optional<llvm::StringMap<KernelResources>>
prism::assembleKernels(StringRef ptxas, StringRef ptx, const Target &target,
                       std::string &whyNot) {
  SmallString<128> input, output, log;
  if (!createTemporary("ptx", ptx, input) ||
      !createTemporary("cubin", "", output) ||
      !createTemporary("log", "", log)) {
    whyNot = "no temporary file for ptxas could be written";
    return std::nullopt;
  }
  llvm::FileRemover removeInput(input), removeOutput(output), removeLog(log);
  StringRef arguments[] = {ptxas,       "-v",  "-O3", "--gpu-name",
                           target.name, input, "-o",  output};
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(log),
                                          StringRef(log)};
  std::string error;
  int result = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                         redirects, 0, 0, &error);
  auto text = llvm::MemoryBuffer::getFile(log);
  StringRef printed = text ? (*text)->getBuffer() : StringRef(error);
  if (result == 0)
    return parseResources(printed);
  StringRef reason = printed.trim().empty() ? StringRef(error) : printed.trim();
  reason.consume_front("ptxas ");
  whyNot = "ptxas refuses it: " + getFirstLine(reason);
  // Not the name of a file that is gone.
  if (size_t at = whyNot.find(input.str()); at != std::string::npos)
    whyNot.replace(at, input.size(), "PTX");
  return std::nullopt;
}

std::optional<CompiledKernels> prism::compileKernels(gpu::GPUModuleOp module,
                                                     const Target &target,
                                                     std::string &whyNot) {
  std::optional<std::string> ptx = compileToPTX(module, target, whyNot);
  if (!ptx)
    return std::nullopt;
  CompiledKernels compiled = {std::move(*ptx), {}};
  std::optional<std::string> ptxas = findPtxas();
  if (!ptxas)
    return compiled;
  auto resources = assembleKernels(*ptxas, compiled.ptx, target, whyNot);
  if (!resources)
    return std::nullopt;
  compiled.resources = std::move(*resources);
  return compiled;
}
