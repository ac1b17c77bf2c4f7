// Kernels for the simulated device's tests: a product by bulk tensor copies and
// wgmma, and the same with faults.
//
// The .ptx beside this file was made from it by
//   nvcc -ptx -arch=sm_90a -lineinfo hopper.cu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Tiles of C are 64 x 128 by one warpgroup; a fifth warp brings tiles of A and
// B, 64 deep and permuted over 128 bytes, through two stages.
constexpr int tileM = 64, tileN = 128, tileK = 64, stages = 2;
constexpr int bytesA = tileM * tileK * 2, bytesB = tileN * tileK * 2;
constexpr int consumers = 128;

enum Fault {
  None,
  NoMatrixFence,  // no wgmma.fence
  NoMatrixWait,   // C is read before wgmma.wait_group
  EarlyRelease,   // a stage is given back while wgmma reads it
  NoCopyWait,     // consumers do not wait for the copies
  WrongParity,    // consumers wait for the phase before
  TooFewBytes,    // the full barrier expects A only
  TooManyBytes,   // ... or more than is copied
  WrongSwizzle,   // the descriptors say 64 bytes
  NoProxyFence,   // C goes to the bulk store without fence.proxy.async
  NoStoreWait,    // the block ends before the bulk store has read C
  NoBlockBarrier, // the bulk store is issued before all have written C
};

__device__ uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void initBarrier(uint64_t *barrier, int count) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)),
      "r"(count)
      : "memory");
}
__device__ void arrive(uint64_t *barrier) {
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier))
      : "memory");
}
__device__ void arriveExpecting(uint64_t *barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void wait(uint64_t *barrier, int parity) {
  asm volatile("{\n.reg .pred done;\nwait:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra wait;\n}" ::"r"(sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}
__device__ void load(void *target, const CUtensorMap *map, uint64_t *barrier,
                     int inner, int outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          sharedAddress(target)),
      "l"(map), "r"(inner), "r"(outer), "r"(sharedAddress(barrier))
      : "memory");
}

/// Rows of 128 bytes, 8 of them in 1024; N-major matrices go on every 8192.
__device__ uint64_t describe(const void *matrix, uint64_t layout) {
  return (sharedAddress(matrix) & 0x3ffff) >> 4 | uint64_t(8192 >> 4) << 16 |
         uint64_t(1024 >> 4) << 32 | layout << 62;
}

// d = a * b, plus d if `add`. ROWS: B is given by its rows (N-major).
template <typename T, bool ROWS>
__device__ void matrixOp(float (&d)[64], uint64_t a, uint64_t b, int add);
template <>
__device__ void matrixOp<__half, false>(float (&d)[64], uint64_t a, uint64_t b,
                                        int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, "
      "%64, %65, p, 1, 1, 0, 0;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(add));
}
template <>
__device__ void matrixOp<__nv_bfloat16, true>(float (&d)[64], uint64_t a,
                                              uint64_t b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, "
      "%64, %65, p, 1, 1, 0, 1;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(add));
}

template <typename T, bool ROWS, Fault FAULT>
__device__ void produce(char *tiles, uint64_t *full, uint64_t *empty,
                        const CUtensorMap *mapA, const CUtensorMap *mapB,
                        int k) {
  int row = blockIdx.y * tileM, column = blockIdx.x * tileN;
  for (int i = 0; i * tileK < k; ++i) {
    int stage = i % stages;
    char *a = tiles + stage * (bytesA + bytesB), *b = a + bytesA;
    // The first time round, the phase before the first counts as complete.
    wait(&empty[stage], i / stages % 2 ^ 1);
    int bytes = FAULT == TooFewBytes    ? bytesA
                : FAULT == TooManyBytes ? bytesA + bytesB + 16
                                        : bytesA + bytesB;
    arriveExpecting(&full[stage], bytes);
    load(a, mapA, &full[stage], i * tileK, row);
    if (ROWS) {
      load(b, mapB, &full[stage], column, i * tileK);
      load(b + bytesB / 2, mapB, &full[stage], column + 64, i * tileK);
    } else {
      load(b, mapB, &full[stage], i * tileK, column);
    }
  }
}

template <typename T, bool ROWS, Fault FAULT>
__device__ void consume(float (&d)[64], char *tiles, uint64_t *full,
                        uint64_t *empty, int k) {
  for (int i = 0; i * tileK < k; ++i) {
    int stage = i % stages;
    const char *a = tiles + stage * (bytesA + bytesB), *b = a + bytesA;
    if (FAULT != NoCopyWait)
      wait(&full[stage], (i / stages + (FAULT == WrongParity)) % 2);
    constexpr uint64_t layout = FAULT == WrongSwizzle ? 2 : 1;
    if (FAULT != NoMatrixFence)
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int kk = 0; kk < tileK / 16; ++kk)
      matrixOp<T, ROWS>(d, describe(a + 32 * kk, layout),
                        describe(b + (ROWS ? 2048 : 32) * kk, layout), i || kk);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (FAULT == EarlyRelease)
      arrive(&empty[stage]);
    if (FAULT != NoMatrixWait)
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (FAULT != EarlyRelease)
      arrive(&empty[stage]);
  }
}

// C (f32, m x n) = A (m x k) * B; B is n x k, or with ROWS k x n.
template <typename T, bool ROWS, Fault FAULT>
__device__ void gemm(const CUtensorMap *mapA, const CUtensorMap *mapB,
                     const CUtensorMap *mapC, int k) {
  extern __shared__ __align__(1024) char tiles[];
  __shared__ __align__(8) uint64_t full[stages], empty[stages];
  __shared__ __align__(128) float c[tileM][tileN];
  if (threadIdx.x == 0)
    for (int i = 0; i < stages; ++i) {
      initBarrier(&full[i], 1);
      initBarrier(&empty[i], consumers);
    }
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
  if (threadIdx.x >= consumers) {
    if (threadIdx.x == consumers)
      produce<T, ROWS, FAULT>(tiles, full, empty, mapA, mapB, k);
    return;
  }
  float d[64];
#pragma unroll
  for (int i = 0; i < 64; ++i)
    d[i] = 0;
  consume<T, ROWS, FAULT>(d, tiles, full, empty, k);
  int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
#pragma unroll
  for (int i = 0; i < 64; ++i)
    c[row + 8 * (i / 2 % 2)][8 * (i / 4) + 2 * (lane % 4) + i % 2] = d[i];
  if (FAULT != NoProxyFence)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (FAULT != NoBlockBarrier)
    asm volatile("bar.sync 1, 128;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(mapC),
                 "r"(blockIdx.x * tileN), "r"(blockIdx.y * tileM),
                 "r"(sharedAddress(c))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (FAULT != NoStoreWait)
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

#define KERNEL(NAME, T, ROWS, FAULT)                                           \
  extern "C" __global__ void NAME(const __grid_constant__ CUtensorMap a,       \
                                  const __grid_constant__ CUtensorMap b,       \
                                  const __grid_constant__ CUtensorMap c,       \
                                  int k) {                                     \
    gemm<T, ROWS, FAULT>(&a, &b, &c, k);                                       \
  }
KERNEL(gemmF16, __half, false, None)
KERNEL(gemmBF16, __nv_bfloat16, true, None)
KERNEL(noMatrixFence, __half, false, NoMatrixFence)
KERNEL(noMatrixWait, __half, false, NoMatrixWait)
KERNEL(earlyRelease, __half, false, EarlyRelease)
KERNEL(noCopyWait, __half, false, NoCopyWait)
KERNEL(wrongParity, __half, false, WrongParity)
KERNEL(tooFewBytes, __half, false, TooFewBytes)
KERNEL(tooManyBytes, __half, false, TooManyBytes)
KERNEL(wrongSwizzle, __half, false, WrongSwizzle)
KERNEL(noProxyFence, __half, false, NoProxyFence)
KERNEL(noStoreWait, __half, false, NoStoreWait)
KERNEL(noBlockBarrier, __half, false, NoBlockBarrier)
