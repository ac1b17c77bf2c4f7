// Kernels for the simulated device's tests: sums and a softmax.
//
// The .ptx beside this file was made from it by
//   nvcc -ptx -arch=sm_80 -lineinfo reduction.cu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_fp16.h>

__device__ float warpSum(float value) {
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// out[block] = the sum of in[0..n), by one block, through shared memory.
extern "C" __global__ void blockSum(const float *in, float *out, int n) {
  __shared__ float partial[32];
  float value = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    value += in[i];
  value = warpSum(value);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    value = warpSum(value);
    if (threadIdx.x == 0)
      out[blockIdx.x] = value;
  }
}

// blockSum without its barrier.
extern "C" __global__ void blockSumNoBarrier(const float *in, float *out,
                                             int n) {
  __shared__ float partial[32];
  float value = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    value += in[i];
  value = warpSum(value);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    value = warpSum(value);
    if (threadIdx.x == 0)
      out[blockIdx.x] = value;
  }
}

// Row-wise softmax of an f16 matrix, one block a row.
extern "C" __global__ void softmax(const __half *in, __half *out, int columns) {
  extern __shared__ float row[];
  __shared__ float scratch[2];
  const __half *x = in + size_t(blockIdx.x) * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    row[i] = __half2float(x[i]);
  __syncthreads();
  if (threadIdx.x < 32) {
    float most = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += 32)
      most = fmaxf(most, row[i]);
    for (int offset = 16; offset; offset /= 2)
      most = fmaxf(most, __shfl_down_sync(0xffffffffu, most, offset));
    most = __shfl_sync(0xffffffffu, most, 0);
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += 32)
      sum += expf(row[i] - most);
    sum = warpSum(sum);
    if (threadIdx.x == 0) {
      scratch[0] = most;
      scratch[1] = sum;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[size_t(blockIdx.x) * columns + i] =
        __float2half(expf(row[i] - scratch[0]) / scratch[1]);
}

// A histogram by atomics, in shared and then global memory.
extern "C" __global__ void histogram(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned bins[64];
  if (threadIdx.x < 64)
    bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Seeded faults.
extern "C" __global__ void offByOne(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = 2 * in[i];
}

extern "C" __global__ void misaligned(const float *in, float *out) {
  float4 v = *reinterpret_cast<const float4 *>(in + 1 + threadIdx.x);
  out[threadIdx.x] = v.x + v.w;
}

extern "C" __global__ void divergentBarrier(float *out) {
  if (threadIdx.x < 48)
    __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void endless(volatile int *flag) {
  while (!*flag) {
  }
}

extern "C" __global__ void readsOutput(float *out) {
  out[threadIdx.x] += 1;
}
