// The mathematics of CUDA's library, for the simulated device's tests.
//
// The .ptx beside this file was made from it by nvcc -ptx -arch=sm_80 math.cu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define KERNEL(name, expression)                                               \
  extern "C" __global__ void name(const float *in, float *out) {               \
    float x = in[threadIdx.x];                                                 \
    out[threadIdx.x] = expression;                                             \
  }

KERNEL(mathExp, expf(x))
KERNEL(mathLog, logf(fabsf(x) + 0.5f))
KERNEL(mathTanh, tanhf(x))
KERNEL(mathErf, erff(x))
KERNEL(mathPow, powf(fabsf(x) + 0.1f, 1.7f))
KERNEL(mathSin, sinf(100 * x))
KERNEL(mathSqrt, sqrtf(fabsf(x)))
KERNEL(mathRsqrt, rsqrtf(fabsf(x) + 0.1f))
KERNEL(mathDivide, x / (x * x + 1))
KERNEL(mathSigmoid, 1 / (1 + __expf(-x)))
