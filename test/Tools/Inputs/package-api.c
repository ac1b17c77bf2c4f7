/* The C API of kernel packages, from C: runs axpy and provokes errors.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "prism-c/Package.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int holds, const char *what) {
  if (!holds && ++failures)
    printf("wrong: %s\n", what);
}

/* Whether the text has the part; frees it. */
static void expectError(char *error, const char *part) {
  if (!error || !strstr(error, part))
    printf("expected '%s', got '%s'\n", part, error ? error : "nothing");
  failures += !error || !strstr(error, part);
  prismPackageFreeText(error);
}

int main(int argc, char **argv) {
  float x[5] = {1, 2, 3, 4, 5}, y[5] = {10, 20, 30, 40, 50};
  int64_t shape[1] = {5};
  PrismPackageArray inputs[2] = {{"f32", 1, shape, x}, {"f32", 1, shape, y}};
  PrismPackageOptions options = {0};
  size_t arguments = 0, results = 0;
  char *error = NULL;
  (void)argc;

  options.reversed = true;
  PrismPackage *package = prismPackageOpen(argv[1], "sim", &options, &error);
  if (!package) {
    printf("%s\n", error);
    return 1;
  }
  expect(!strcmp(prismPackageTarget(package), "sm_80"), "target");
  expect(prismPackageNumFunctions(package) == 3, "number of functions");
  expect(!strcmp(prismPackageFunctionName(package, 0), "axpy"), "name");
  expect(!prismPackageFunctionName(package, 3), "name past the end");
  expect(prismPackageSignature(package, "axpy", &arguments, &results) &&
             arguments == 2 && results == 1, "signature");
  expect(!prismPackageSignature(package, "none", &arguments, &results), "none");
  expect(!strcmp(prismPackageArgumentType(package, "axpy", 1), "f32"), "type");
  expect(!prismPackageArgumentType(package, "axpy", 2), "type past the end");
  expect(!strcmp(prismPackageResultType(package, "axpy", 0), "f32"), "type");

  PrismPackageResults *out =
      prismPackageRun(package, "axpy", inputs, 2, &error);
  if (!out) {
    printf("%s\n", error);
    return 1;
  }
  expect(prismPackageResultsSize(out) == 1, "number of results");
  PrismPackageArray result = prismPackageResult(out, 0);
  expect(!strcmp(result.type, "f32") && result.rank == 1 &&
             result.shape[0] == 5, "type and shape of the result");
  for (int i = 0; i < 5; ++i)
    expect(((const float *)result.data)[i] == 2 * x[i] + y[i], "value");
  expect(!prismPackageResult(out, 1).type, "result past the end");
  prismPackageResultsDestroy(out);

  expect(!prismPackageRun(package, "axpy", inputs, 1, &error), "count");
  expectError(error, "takes 2 arguments, 1 inputs were given");
  expect(!prismPackageRun(package, "none", inputs, 2, &error), "function");
  expectError(error, "the package has no function 'none'");
  expect(!prismPackageRun(package, "too_far", inputs, 2, &error), "shape");
  expectError(error, "argument 0 of 'too_far' is 4xf32, the input is 5xf32");
  shape[0] = 4;
  expect(!prismPackageRun(package, "too_far", inputs, 2, &error), "finding");
  expectError(error, "out-of-bounds access");
  inputs[1].type = "f31";
  expect(!prismPackageRun(package, "axpy", inputs, 2, &error), "type");
  expectError(error, "input 1 has no known element type: 'f31'");
  inputs[1].type = "f32";
  inputs[1].data = NULL;
  expect(!prismPackageRun(package, "axpy", inputs, 2, &error), "null");
  expectError(error, "input 1 has no data");
  shape[0] = -1;
  expect(!prismPackageRun(package, "axpy", inputs, 2, &error), "extent");
  expectError(error, "input 0 has an extent of -1");
  shape[0] = 4;
  inputs[1].data = y;
  /* Pointers that are null. */
  inputs[0].shape = NULL;
  expect(!prismPackageRun(package, "axpy", inputs, 2, &error), "shape");
  expectError(error, "input 0 has no shape");
  inputs[0].shape = shape;
  expect(!prismPackageRun(package, "axpy", NULL, 2, &error), "inputs");
  expectError(error, "no inputs were given");
  expect(!prismPackageRun(package, NULL, inputs, 2, &error), "function");
  expectError(error, "no function was given");
  expect(!prismPackageRun(NULL, "axpy", inputs, 2, &error), "package");
  expectError(error, "no package");
  expect(prismPackageTime(NULL, "axpy", inputs, 2, 1, &error) < 0, "package");
  expectError(error, "no package");
  expect(!prismPackageSignature(package, NULL, &arguments, &results), "null");
  expect(!prismPackageOpen(NULL, "sim", NULL, &error), "folder");
  expectError(error, "no folder");
  expect(!prismPackageOpen(argv[1], NULL, NULL, &error), "device");
  expectError(error, "no device");
  expect(prismPackageTime(package, "axpy", inputs, 2, 0, &error) < 0, "none");
  expectError(error, "at least one repetition");
  expect(prismPackageTime(package, "axpy", inputs, 2, 1, &error) < 0, "time");
  expectError(error, "no clock");
  expect(!prismPackageRun(package, "none", inputs, 2, NULL), "no text wanted");
  prismPackageClose(package);
  expect(!prismPackageOpen(argv[1], "npu", NULL, &error), "device");
  expectError(error, "there is no device 'npu', expected sim or cuda");
  expect(!prismPackageOpen("/nowhere", "sim", NULL, &error), "folder");
  expectError(error, "plan.json");
  if (!failures)
    printf("all right\n");
  return failures != 0;
}
