/*===- Prism.h - The C API of Prism ------------------------------*- C -*-===*\
|*
|* Part of the Prism project. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* IR as text or bytecode goes in; IR, report, kernels and diagnostics come
|* out. Calls are independent of each other and may run on several threads.
|* Strings belong to the result and live until it is destroyed.
|*
\*===----------------------------------------------------------------------===*/

#ifndef PRISM_C_PRISM_H
#define PRISM_C_PRISM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What one run gave. */
typedef struct PrismResult PrismResult;

/** A string that need not end in a null byte. */
typedef struct PrismStringRef {
  const char *data;
  size_t length;
} PrismStringRef;

/** The version of the library, e.g. "0.1.0". */
const char *prismVersion(void);

/**
 * Parses `module` (text or bytecode) and runs the pass pipeline `pipeline` on
 * it, as in mlir-opt's --pass-pipeline without the anchor, e.g.
 * "convert-linalg-to-prism,prism-partition". Never null.
 */
PrismResult *prismRunPipeline(PrismStringRef module, PrismStringRef pipeline);

/**
 * Runs --prism-superoptimize with `options`, e.g. "target=sm_90a emit=ptx".
 * The report is always made, and need not be asked for. Never null.
 */
PrismResult *prismSuperoptimize(PrismStringRef module, PrismStringRef options);

/** Runs that can be ended from another thread. */
typedef struct PrismContext PrismContext;

/** Never null. It must outlive the runs in it. */
PrismContext *prismContextCreate(void);
void prismContextDestroy(PrismContext *context);

/**
 * Ends the searches of all runs in `context`, now and later, as a budget does:
 * each returns soon, with the best that it has found. May be called from any
 * thread.
 */
void prismContextCancel(PrismContext *context);

/** As prismRunPipeline and prismSuperoptimize, in `context`. */
PrismResult *prismContextRunPipeline(PrismContext *context,
                                     PrismStringRef module,
                                     PrismStringRef pipeline);
PrismResult *prismContextSuperoptimize(PrismContext *context,
                                       PrismStringRef module,
                                       PrismStringRef options);

void prismResultDestroy(PrismResult *result);

/** Whether IR came out; if not, the diagnostics say why. */
bool prismResultSucceeded(const PrismResult *result);
/** The IR as text; empty on failure. */
PrismStringRef prismResultModule(const PrismResult *result);
/** The JSON report; empty unless prismSuperoptimize made one. */
PrismStringRef prismResultReport(const PrismResult *result);
/** Everything that was reported, a line each: location, severity, text. */
PrismStringRef prismResultDiagnostics(const PrismResult *result);

/** The objects of the gpu.binary ops in the IR, in order. */
size_t prismResultNumKernelModules(const PrismResult *result);
/** The symbol name of the gpu.binary. */
PrismStringRef prismResultKernelModuleName(const PrismResult *result,
                                           size_t index);
/** PTX text or a cubin, as `emit` asked for. */
PrismStringRef prismResultKernelModuleObject(const PrismResult *result,
                                             size_t index);

#ifdef __cplusplus
}
#endif

#endif /* PRISM_C_PRISM_H */
