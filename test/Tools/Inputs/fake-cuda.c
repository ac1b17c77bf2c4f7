/* A libcuda.so.1 without a GPU: memory is the host's, a launch copies the array
 * of its first parameter to that of its third, and calls are written to
 * FAKE_CUDA_LOG. FAKE_CUDA_FAIL=NAME makes a function fail; FAKE_CUDA_PARAMETERS
 * has the sizes of the kernel's parameters (m: 128 bytes, a tensor map);
 * FAKE_CUDA_STATIC its shared bytes; FAKE_CUDA_HOPPER makes it a GPU of sm_90.
 * With FAKE_CUDA_ANY_KERNEL a launch does nothing; FAKE_CUDA_NAME is the GPU's.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(const char *format, ...) {
  const char *path = getenv("FAKE_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  va_list arguments;
  if (!file)
    return;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fputc('\n', file);
  fclose(file);
}

static int fails(const char *name) {
  const char *wanted = getenv("FAKE_CUDA_FAIL");
  return wanted && !strcmp(wanted, name) ? 719 : 0;
}
#define ENTER(NAME)                                                            \
  if (fails(NAME))                                                             \
  return 719

static struct array { char *data; size_t bytes; } arrays[64];
static int numArrays;
static int findArrayAround(void *data) {
  int i = 0;
  while (i < numArrays - 1 && !(arrays[i].data <= (char *)data &&
                                (char *)data < arrays[i].data + arrays[i].bytes))
    ++i;
  return i;
}

int cuInit(unsigned flags) { ENTER("cuInit"); return 0; }
int cuGetErrorName(int result, const char **text) {
  *text = result == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}
int cuGetErrorString(int result, const char **text) { *text = "as told"; return 0; }
int cuDeviceGetCount(int *count) {
  *count = getenv("FAKE_CUDA_NONE") ? 0 : 1;
  return 0;
}
int cuDeviceGet(int *device, int number) { *device = 7; return 0; }
int cuDeviceGetName(char *text, int bytes, int device) {
  const char *name = getenv("FAKE_CUDA_NAME");
  snprintf(text, (size_t)bytes, "%s", name ? name : "no GPU");
  return device == 7 ? 0 : 1;
}
int cuDriverGetVersion(int *version) { *version = 12080; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? (getenv("FAKE_CUDA_HOPPER") ? 9 : 8) : attribute == 76 ? 0 : attribute == 97 ? 166912 : -1;
  return device == 7 ? 0 : 1;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = arrays; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { note("release %d", device); return 0; }
int cuCtxSetCurrent(void *context) { return context == arrays ? 0 : 1; }
int cuModuleLoadDataEx(void **module, const void *data, unsigned count,
                       int *options, void **values) {
  note("load %.2s", (const char *)data);
  *module = &numArrays;
  if (fails("cuModuleLoadDataEx") && count == 2 && options[0] == 5)
    snprintf(values[0], (size_t)values[1], "ptxas: line 3: no such thing\n");
  ENTER("cuModuleLoadDataEx");
  return 0;
}
int cuModuleUnload(void *module) { note("unload"); return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  note("function %s", name);
  *function = module;
  ENTER("cuModuleGetFunction");
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  const char *bytes = getenv("FAKE_CUDA_STATIC");
  *value = attribute == 1 && bytes ? atoi(bytes) : 0;
  return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  note("attribute %d %d", attribute, value);
  ENTER("cuFuncSetAttribute");
  return 0;
}
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes) {
  const char *sizes = getenv("FAKE_CUDA_PARAMETERS");
  for (sizes = sizes ? sizes : "88844"; index && *sizes; --index)
    ++sizes;
  if (!*sizes)
    return 1;
  *bytes = *sizes == 'm' ? 128 : *sizes - '0';
  return 0;
}
#ifndef FAKE_CUDA_OLD /* drivers before CUDA 11.8 lack it */
struct config { unsigned grid[3], block[3], shared; void *stream, *attributes; unsigned count; };
static struct array *findArray(void *data) {
  for (int i = 0; i < numArrays; ++i)
    if (arrays[i].data == data)
      return &arrays[i];
  return NULL;
}
int cuLaunchKernelEx(const struct config *c, void *function, void **p, void **extra) {
  if (getenv("FAKE_CUDA_ANY_KERNEL"))
    return 0;
  note("launch grid %u %u %u block %u %u %u shared %u stream %d attributes %u: %g %d",
       c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2],
       c->shared, c->stream != NULL, c->count, *(float *)p[3], *(int *)p[4]);
  if (strchr(getenv("FAKE_CUDA_PARAMETERS") ? getenv("FAKE_CUDA_PARAMETERS") : "", 'm'))
    note("map %.4s ... %.4s", (char *)p[1], (char *)p[1] + 124);
  ENTER("cuLaunchKernelEx");
  struct array *from = findArray(*(void **)p[0]), *to = findArray(*(void **)p[2]);
  if (!from || !to || from->bytes != to->bytes)
    return 1;
  memcpy(to->data, from->data, from->bytes);
  return 0;
}
#endif
#ifndef FAKE_CUDA_OLD_11 /* drivers before CUDA 12.0 lack it */
static const char *list(char *text, unsigned count, const void *numbers, int size) {
  char *end = text;
  *end = 0;
  for (unsigned i = 0; i < count; ++i)
    end += sprintf(end, "%s%lu", i ? "," : "",
                   size == 8 ? (unsigned long)((const unsigned long long *)numbers)[i]
                             : (unsigned long)((const unsigned *)numbers)[i]);
  return text;
}
int cuTensorMapEncodeTiled(char *map, int type, unsigned rank, void *base,
                           const unsigned long long *extents, const unsigned long long *strides,
                           const unsigned *box, const unsigned *steps, int interleave,
                           int swizzle, int promotion, int fill) {
  char e[99], s[99], b[99], t[99];
  note("tensor map aligned %d type %d rank %u array %d+%d extents %s strides %s box %s steps %s "
       "interleave %d swizzle %d promotion %d fill %d",
       (unsigned long)map % 64 == 0, type, rank, findArrayAround(base),
       (int)((char *)base - arrays[findArrayAround(base)].data), list(e, rank, extents, 8),
       list(s, rank - 1, strides, 8), list(b, rank, box, 4), list(t, rank, steps, 4),
       interleave, swizzle, promotion, fill);
  ENTER("cuTensorMapEncodeTiled");
  memset(map, 'T', 128);
  return 0;
}
#endif
int cuMemAlloc_v2(void **pointer, size_t bytes) {
  ENTER("cuMemAlloc_v2");
  note("allocate %zu", bytes);
  *pointer = arrays[numArrays].data = malloc(bytes);
  arrays[numArrays++].bytes = bytes;
  return 0;
}
int cuMemFree_v2(void *pointer) {
  note("free");
  for (int i = 0; i < numArrays; ++i)
    if (arrays[i].data == pointer) {
      free(pointer);
      arrays[i].data = NULL;
      return 0;
    }
  return 1;
}
int cuMemcpyHtoD_v2(void *to, const void *from, size_t bytes) {
  ENTER("cuMemcpyHtoD_v2");
  memcpy(to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, void *from, size_t bytes) {
  ENTER("cuMemcpyDtoH_v2");
  memcpy(to, from, bytes);
  return 0;
}
int cuStreamCreate(void **stream, unsigned flags) { *stream = arrays; return flags == 1 ? 0 : 1; }
int cuStreamDestroy_v2(void *stream) { return 0; }
int cuStreamSynchronize(void *stream) { ENTER("cuStreamSynchronize"); return 0; }
int cuEventCreate(void **event, unsigned flags) { *event = malloc(1); return 0; }
int cuEventDestroy_v2(void *event) { free(event); return 0; }
int cuEventRecord(void *event, void *stream) { return 0; }
int cuEventSynchronize(void *event) { return 0; }
/* 1, 2, 3, ... ms, so the median of 5 is 3. */
int cuEventElapsedTime(float *ms, void *start, void *stop) {
  static int calls;
  *ms = (float)++calls;
  return start != stop ? 0 : 1;
}
int cuStreamBeginCapture_v2(void *stream, int mode) { note("capture %d", mode); return 0; }
int cuStreamEndCapture(void *stream, void **graph) { *graph = arrays; note("captured"); return 0; }
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags) { *exec = graph; return 0; }
int cuGraphLaunch(void *exec, void *stream) { note("graph"); ENTER("cuGraphLaunch"); return 0; }
int cuGraphDestroy(void *graph) { return 0; }
int cuGraphExecDestroy(void *exec) { return 0; }
