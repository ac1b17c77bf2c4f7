// Kernels for the simulated device's tests: tiled f16 and bf16 products.
//
// The .ptx beside this file was made from it by
//   nvcc -ptx -arch=sm_80 -lineinfo gemm.cu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Tiles of C are 64 x 64, by 4 warps of 32 x 32; the inner tile is 32. Rows in
// shared memory are padded by 8 elements against bank conflicts.
constexpr int tileM = 64, tileN = 64, tileK = 32, pad = 8;
constexpr int strideA = tileK + pad, strideB = tileN + pad;

__device__ unsigned sharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void copy16(void *target, const void *source) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   sharedAddress(target)),
               "l"(source));
}

template <typename T>
__device__ void mma(float (&c)[4], const unsigned (&a)[4],
                    const unsigned (&b)[2]);
template <>
__device__ void mma<__half>(float (&c)[4], const unsigned (&a)[4],
                            const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
template <>
__device__ void mma<__nv_bfloat16>(float (&c)[4], const unsigned (&a)[4],
                                   const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}

template <typename T>
__device__ void loadTile(T (*a)[strideA], T (*b)[strideB], const T *A,
                         const T *B, int n, int k, int row, int column,
                         int at) {
  for (int i = threadIdx.x; i < tileM * tileK / 8; i += blockDim.x) {
    int r = i / (tileK / 8), c = i % (tileK / 8) * 8;
    copy16(&a[r][c], A + size_t(row + r) * k + at + c);
  }
  for (int i = threadIdx.x; i < tileK * tileN / 8; i += blockDim.x) {
    int r = i / (tileN / 8), c = i % (tileN / 8) * 8;
    copy16(&b[r][c], B + size_t(at + r) * n + column + c);
  }
  asm volatile("cp.async.commit_group;");
}

// C = A (m x k) * B (k x n), all row-major and multiples of the tiles, with two
// stages of asynchronous copies. WAIT and BARRIER leave a fault out or in.
template <typename T, bool WAIT, bool BARRIER>
__device__ void gemm(const T *A, const T *B, float *C, int n, int k) {
  __shared__ __align__(16) T a[2][tileM][strideA];
  __shared__ __align__(16) T b[2][tileK][strideB];
  int row = blockIdx.y * tileM, column = blockIdx.x * tileN;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warpRow = warp / 2 * 32, warpColumn = warp % 2 * 32;
  float c[2][4][4] = {};
  loadTile(a[0], b[0], A, B, n, k, row, column, 0);
  int tiles = k / tileK;
  for (int tile = 0; tile < tiles; ++tile) {
    int stage = tile % 2;
    if (tile + 1 < tiles)
      loadTile(a[1 - stage], b[1 - stage], A, B, n, k, row, column,
               (tile + 1) * tileK);
    else
      asm volatile("cp.async.commit_group;");
    if (WAIT)
      asm volatile("cp.async.wait_group 1;");
    else
      asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    for (int kk = 0; kk < tileK; kk += 16) {
      unsigned fa[2][4], fb[4][2];
      for (int i = 0; i < 2; ++i)
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
            : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
            : "r"(sharedAddress(
                &a[stage][warpRow + 16 * i + lane % 16][kk + lane / 16 * 8])));
      for (int j = 0; j < 4; ++j)
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
            : "=r"(fb[j][0]), "=r"(fb[j][1])
            : "r"(sharedAddress(
                &b[stage][kk + lane % 16][warpColumn + 8 * j])));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          mma<T>(c[i][j], fa[i], fb[j]);
    }
    if (BARRIER)
      __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        int r = row + warpRow + 16 * i + lane / 4 + e / 2 * 8;
        int col = column + warpColumn + 8 * j + lane % 4 * 2 + e % 2;
        C[size_t(r) * n + col] = c[i][j][e];
      }
}

extern "C" __global__ void gemmF16(const __half *A, const __half *B, float *C,
                                   int n, int k) {
  gemm<__half, true, true>(A, B, C, n, k);
}
extern "C" __global__ void gemmBF16(const __nv_bfloat16 *A,
                                    const __nv_bfloat16 *B, float *C, int n,
                                    int k) {
  gemm<__nv_bfloat16, true, true>(A, B, C, n, k);
}
extern "C" __global__ void gemmWeakWait(const __half *A, const __half *B,
                                        float *C, int n, int k) {
  gemm<__half, false, true>(A, B, C, n, k);
}
extern "C" __global__ void gemmNoBarrier(const __half *A, const __half *B,
                                         float *C, int n, int k) {
  gemm<__half, true, false>(A, B, C, n, k);
}

// The source of the copy is 8 bytes off.
extern "C" __global__ void copyMisaligned(const __half *A, __half *C) {
  __shared__ __align__(16) __half a[32][8];
  copy16(a[threadIdx.x], A + 4 + 8 * threadIdx.x);
  asm volatile("cp.async.wait_all;");
  C[threadIdx.x] = a[threadIdx.x][0];
}

// C (16 x 8) = A (16 x 64) * B (64 x 8) by one warp. The 16-byte chunks of A's
// rows in shared memory lie at their number xor the row's by `written`, and are
// looked for by `read`.
template <int written, int read>
__device__ void swizzled(const __half *A, const __half *B, float *C) {
  constexpr int depth = 64, chunk = 8, columns = 8;
  __shared__ __align__(16) __half a[16][depth], b[depth][columns];
  int lane = threadIdx.x;
  for (int i = lane; i < 16 * depth / chunk; i += 32) {
    int r = i / (depth / chunk), c = i % (depth / chunk);
    copy16(&a[r][(c ^ r & written) * chunk], A + r * depth + c * chunk);
  }
  for (int r = lane; r < depth; r += 32)
    copy16(b[r], B + r * columns);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  float c[4] = {};
  for (int kk = 0; kk < depth; kk += 16) {
    unsigned fa[4], fb[2];
    int r = lane % 16, at = kk / chunk + lane / 16;
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
        : "r"(sharedAddress(&a[r][(at ^ r & read) * chunk])));
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
        : "=r"(fb[0]), "=r"(fb[1])
        : "r"(sharedAddress(b[kk + lane % 16])));
    mma<__half>(c, fa, fb);
  }
  for (int e = 0; e < 4; ++e)
    C[(lane / 4 + e / 2 * 8) * columns + lane % 4 * 2 + e % 2] = c[e];
}

extern "C" __global__ void rightSwizzle(const __half *A, const __half *B,
                                        float *C) {
  swizzled<7, 7>(A, B, C);
}
extern "C" __global__ void wrongSwizzle(const __half *A, const __half *B,
                                        float *C) {
  swizzled<7, 3>(A, B, C);
}
