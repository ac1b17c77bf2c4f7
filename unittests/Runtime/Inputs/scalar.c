/* Plain C functions, compiled for the simulated device and for the host by the
 * same compiler, and compared bit by bit. The .ptx beside this file was made by
 *   clang --target=nvptx64 -march=sm_80 -O2 -ffp-contract=off -S scalar.c
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

typedef unsigned u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;

#ifdef __NVPTX__
#define KERNEL __attribute__((nvptx_kernel))
#define THREAD (int)__nvvm_read_ptx_sreg_tid_x()
#else
#define KERNEL
extern int scalarThread;
#define THREAD scalarThread
#endif

static u32 mix(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

KERNEL void hashes(const u32 *in, u32 *out) {
  int t = THREAD;
  u32 x = in[t];
  for (u32 i = 0; i < (x & 15); ++i)
    x = mix(x + i);
  out[t] = x;
}

KERNEL void collatz(const u32 *in, u32 *out) {
  int t = THREAD;
  u64 x = in[t] & 0xffff;
  u32 steps = 0;
  while (x > 1 && steps < 200) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  out[t] = steps;
}

KERNEL void divisions(const u32 *in, u32 *out) {
  int t = THREAD;
  int a = (int)in[t], b = (int)(in[(t + 1) & 63] | 1);
  long long wide = (long long)a * b;
  out[t] = (u32)(a / b) ^ (u32)(a % b) ^ (u32)(wide / 1000003) ^
           (u32)((u64)wide % 77777u) ^ (u32)(a / 10) ^ (u32)((u32)a / 7u);
}

KERNEL void narrowTypes(const u32 *in, u32 *out) {
  int t = THREAD;
  i8 a = (i8)in[t];
  i16 b = (i16)(in[t] >> 8);
  unsigned char c = (unsigned char)(a * b);
  i16 d = (i16)(a + b * c);
  out[t] = (u32)(a * d) ^ (u32)(c << 3) ^ (u32)(b >> 2) ^ (u32)(d < a);
}

KERNEL void floats(const u32 *in, u32 *out) {
  int t = THREAD;
  float x = (float)(int)in[t] * 0x1p-28f, y = 0.5f;
  for (int i = 0; i < 10; ++i) {
    float next = x * y - y * y + 1.25f / (x * x + 1);
    x = y > 0.75f ? next : x + next;
    y = next < x ? next * 0.5f : y - x * 0.125f;
    // Bounded, so that the conversions below are defined.
    x = x > 8 ? 8 : x < -8 ? -8 : x;
    y = y > 8 ? 8 : y < -8 ? -8 : y;
  }
  union {
    float f;
    u32 u;
  } bits = {x + y};
  out[t] = bits.u ^ (u32)(int)(y * 1000.0f) ^ (u32)(long long)(x * 1e6);
}

KERNEL void doubles(const u32 *in, u32 *out) {
  int t = THREAD;
  double x = (double)in[t] / 3.0, sum = 0;
  for (u32 i = 1; i < (in[t] & 31) + 2; ++i)
    sum += x / i - (double)(float)x * i;
  union {
    double d;
    u64 u;
  } bits = {sum};
  out[t] = (u32)(bits.u >> 32) ^ (u32)bits.u;
}

KERNEL void switches(const u32 *in, u32 *out) {
  int t = THREAD;
  u32 x = in[t], r = 0;
  for (int i = 0; i < 6; ++i, x >>= 3) {
    switch (x & 7) {
    case 0:
      r += 17;
      break;
    case 1:
      r ^= x;
      __attribute__((fallthrough));
    case 2:
      r *= 5;
      break;
    case 3:
      if (r & 1)
        continue;
      r = r >> 1 | r << 31;
      break;
    case 4:
      r -= x;
      break;
    case 5:
      r = ~r;
      break;
    default:
      r += (u32)i;
      break;
    }
  }
  out[t] = r;
}

KERNEL void sorts(const u32 *in, u32 *out) {
  int t = THREAD;
  u32 v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = mix(in[t] + (u32)i) & 1023;
  for (int i = 1; i < 8; ++i) {
    u32 x = v[i];
    int j = i;
    for (; j > 0 && v[j - 1] > x; --j)
      v[j] = v[j - 1];
    v[j] = x;
  }
  u32 r = 0;
  for (int i = 0; i < 8; ++i)
    r = r * 31 + v[i];
  out[t] = r + v[in[t] & 7];
}

KERNEL void wideBits(const u32 *in, u32 *out) {
  int t = THREAD;
  u64 a = (u64)in[t] << 32 | in[(t + 5) & 63];
  __int128 product = (__int128)(long long)a * (long long)in[t];
  u64 r = (u64)(product >> 61) ^ (u64)__builtin_popcountll(a) ^
          (u64)__builtin_clz(in[t] | 1) << 20 ^
          (u64)__builtin_bswap32(in[t]) ^ (a << (a & 63) | a >> (-a & 63));
  out[t] = (u32)(r ^ r >> 32);
}
