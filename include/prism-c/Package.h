/*===- Package.h - Running kernel packages, in C -----------------*- C -*-===*\
|*
|* Part of the Prism project. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Reads a kernel package (plan.json beside its PTX) and runs its functions on
|* the simulated device or on a GPU. The library, libPrismPackage.so, has no
|* compiler in it and needs nothing of MLIR or LLVM.
|*
|* Where a function fails it returns null, false or a negative number, and, if
|* `error` is not null, puts a text into *error that is to be given to
|* prismPackageFreeText. A package is to be used on one thread at a time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef PRISM_C_PACKAGE_H
#define PRISM_C_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A package that was read, on the device it runs on. */
typedef struct PrismPackage PrismPackage;

/** The results of one run. */
typedef struct PrismPackageResults PrismPackageResults;

/** A dense, row-major array in host memory. */
typedef struct PrismPackageArray {
  /** As in MLIR: f16, bf16, f32, f64, i1, i8 to i64, ui8 to ui64. */
  const char *type;
  size_t rank;
  const int64_t *shape;
  const void *data;
} PrismPackageArray;

/** How a package is run. Zeros are the defaults. */
typedef struct PrismPackageOptions {
  /** The number of the GPU. */
  unsigned gpu;
  /** Leave out the simulated device's checks besides bounds and alignment. */
  bool unchecked;
  /** Blocks and warps of the simulated device last to first. */
  bool reversed;
  /** Most warp instructions of one block on the simulated device. */
  uint64_t step_limit;
} PrismPackageOptions;

/**
 * Reads DIRECTORY/plan.json, to run on `device`: "sim" or "cuda" (which needs
 * a driver). `options` may be null.
 */
PrismPackage *prismPackageOpen(const char *directory, const char *device,
                               const PrismPackageOptions *options,
                               char **error);
void prismPackageClose(PrismPackage *package);
void prismPackageFreeText(char *text);

/** The GPU that the package was compiled for, e.g. "sm_80". */
const char *prismPackageTarget(const PrismPackage *package);

size_t prismPackageNumFunctions(const PrismPackage *package);
/** Null where there is no such function. */
const char *prismPackageFunctionName(const PrismPackage *package, size_t index);

/** Numbers of arguments and results; false if there is no such function. */
bool prismPackageSignature(const PrismPackage *package, const char *function,
                           size_t *arguments, size_t *results);
/** The element types that the plan gives them; null where there is none. */
const char *prismPackageArgumentType(const PrismPackage *package,
                                     const char *function, size_t index);
const char *prismPackageResultType(const PrismPackage *package,
                                   const char *function, size_t index);

/**
 * Runs a function. Types and shapes must be the plan's; bf16 may come as ui16.
 * The inputs are copied. On the simulated device, what a kernel does wrong is
 * an error, a line a finding.
 */
PrismPackageResults *prismPackageRun(PrismPackage *package,
                                     const char *function,
                                     const PrismPackageArray *inputs,
                                     size_t num_inputs, char **error);
void prismPackageResultsDestroy(PrismPackageResults *results);
size_t prismPackageResultsSize(const PrismPackageResults *results);
/** Lives as long as the results do. */
PrismPackageArray prismPackageResult(const PrismPackageResults *results,
                                     size_t index);

/**
 * The median microseconds of `repetitions` runs of a function's kernels, caches
 * warm, on a GPU. Negative on failure.
 */
double prismPackageTime(PrismPackage *package, const char *function,
                        const PrismPackageArray *inputs, size_t num_inputs,
                        unsigned repetitions, char **error);

#ifdef __cplusplus
}
#endif

#endif /* PRISM_C_PACKAGE_H */
