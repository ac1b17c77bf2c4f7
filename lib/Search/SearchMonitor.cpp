//===- SearchMonitor.cpp - Cancellation, progress, memory -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/SearchMonitor.h"
#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;
using namespace prism;

std::optional<uint64_t> prism::getHeapBytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  // Large blocks are mapped one by one, and counted apart.
  return info.uordblks + info.hblkhd;
#else
  return std::nullopt;
#endif
}

void SearchMonitor::startPeak() {
  std::optional<uint64_t> bytes = getHeapBytes();
  knowsBytes = bytes.has_value();
  baseBytes = peakBytes = bytes.value_or(0);
}

void SearchMonitor::samplePeak() {
  if (!knowsBytes)
    return;
  uint64_t bytes = getHeapBytes().value_or(0), peak = peakBytes;
  while (bytes > peak && !peakBytes.compare_exchange_weak(peak, bytes))
    ;
}

std::optional<double> SearchMonitor::getPeakMiB() const {
  if (!knowsBytes)
    return std::nullopt;
  return double(peakBytes - baseBytes) / (1 << 20);
}

void SearchMonitor::setProgress(ProgressFn newShow) {
  std::lock_guard<std::mutex> lock(mutex);
  show = std::move(newShow);
  lastShown = Clock::now();
  grown = pruned = kept = 0;
}

void SearchMonitor::addProgress(const Progress &more) {
  grown += more.grown;
  pruned += more.pruned;
  kept += more.kept;
}

void SearchMonitor::poll() {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock || !show)
    return;
  Clock::time_point now = Clock::now();
  if (now - lastShown < std::chrono::milliseconds(100))
    return;
  lastShown = now;
  show({grown, pruned, kept});
}

namespace {
/// Holds the monitor in the dialect.
class SearchMonitorInterface
    : public DialectInterface::Base<SearchMonitorInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SearchMonitorInterface)

  explicit SearchMonitorInterface(Dialect *dialect)
      : Base(dialect), monitor(std::make_unique<SearchMonitor>()) {}
  SearchMonitor &get() const { return *monitor; }

private:
  std::unique_ptr<SearchMonitor> monitor;
};

/// Adds the monitor when the dialect is loaded.
class SearchMonitorExtension : public DialectExtensionBase {
public:
  explicit SearchMonitorExtension(CancelFlag flag)
      : DialectExtensionBase(
            ArrayRef<StringRef>(PrismDialect::getDialectNamespace())),
        flag(std::move(flag)) {}

  void apply(MLIRContext *,
             MutableArrayRef<Dialect *> dialects) const override {
    Dialect *dialect = dialects.front();
    if (!dialect->getRegisteredInterface<SearchMonitorInterface>())
      dialect->addInterface(std::make_unique<SearchMonitorInterface>(dialect));
    if (flag)
      dialect->getRegisteredInterface<SearchMonitorInterface>()
          ->get()
          .setCancelFlag(flag);
  }
  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<SearchMonitorExtension>(flag);
  }

private:
  CancelFlag flag;
};

/// One that sets a flag is another extension than one that does not.
struct DefaultExtensionTag {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DefaultExtensionTag)
};
struct FlagExtensionTag {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FlagExtensionTag)
};
} // namespace

void prism::registerSearchMonitor(DialectRegistry &registry, CancelFlag flag) {
  TypeID id = flag ? TypeID::get<FlagExtensionTag>()
                   : TypeID::get<DefaultExtensionTag>();
  registry.addExtension(
      id, std::make_unique<SearchMonitorExtension>(std::move(flag)));
}

SearchMonitor *prism::getSearchMonitor(MLIRContext *context) {
  Dialect *dialect = context->getLoadedDialect<PrismDialect>();
  if (!dialect)
    return nullptr;
  const auto *interface =
      dialect->getRegisteredInterface<SearchMonitorInterface>();
  return interface ? &interface->get() : nullptr;
}
