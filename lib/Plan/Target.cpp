//===- Target.cpp - Facts about the GPUs we compile for -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace prism;

static constexpr int64_t KiB = 1024;
static constexpr int64_t MiB = 1024 * KiB;

// PTX 9.0 everywhere: CUDA 13.0's ptxas takes it for each of these, and the
// oldest PTX that LLVM would choose lacks instructions that we use.
static const Target targets[] = {
    {"sm_80", "A100 SXM 80 GB", "+ptx90",
     /*staticSharedBytes=*/48 * KiB, /*maxSharedBytes=*/163 * KiB,
     /*sharedBytesPerSM=*/164 * KiB, /*reservedSharedBytes=*/KiB,
     /*registersPerSM=*/65536, /*maxRegisters=*/255,
     /*maxThreadsPerBlock=*/1024, /*maxThreadsPerSM=*/2048,
     /*maxBlocksPerSM=*/32, /*numSMs=*/108, /*dramBytesPerSecond=*/2.039e12,
     /*l2BytesPerSecond=*/5.0e12, /*l2Bytes=*/40 * MiB,
     /*tensorFlopsPerSecond=*/312e12, /*f32FlopsPerSecond=*/19.5e12,
     /*hasTensorMaps=*/false},
    {"sm_86", "A10", "+ptx90", 48 * KiB, 99 * KiB, 100 * KiB, KiB, 65536, 255,
     1024, 1536, 16, 72, 0.6e12, 1.8e12, 6 * MiB, 125e12, 31.2e12, false},
    {"sm_89", "L40S", "+ptx90", 48 * KiB, 99 * KiB, 100 * KiB, KiB, 65536, 255,
     1024, 1536, 24, 142, 0.864e12, 4.0e12, 96 * MiB, 362e12, 91.6e12, false},
    {"sm_90a", "H100 SXM", "+ptx90", 48 * KiB, 227 * KiB, 228 * KiB, KiB, 65536,
     255, 1024, 2048, 32, 132, 3.35e12, 7.0e12, 50 * MiB, 989e12, 66.9e12,
     true},
    {"sm_100a", "B200", "+ptx90", 48 * KiB, 227 * KiB, 228 * KiB, KiB, 65536,
     255, 1024, 2048, 32, 148, 8.0e12, 12.0e12, 126 * MiB, 2250e12, 75e12,
     false},
    {"sm_120a", "RTX 5090", "+ptx90", 48 * KiB, 99 * KiB, 100 * KiB, KiB, 65536,
     255, 1024, 1536, 24, 170, 1.792e12, 5.0e12, 96 * MiB, 209.5e12, 104.8e12,
     false},
};

llvm::ArrayRef<Target> prism::getTargets() { return targets; }

const Target *prism::lookupTarget(llvm::StringRef name) {
  const Target *found = llvm::find_if(
      targets, [&](const Target &target) { return target.name == name; });
  return found == std::end(targets) ? nullptr : found;
}

llvm::SmallVector<llvm::StringRef> prism::getTargetNames() {
  return llvm::map_to_vector(targets, [](const Target &target) {
    return llvm::StringRef(target.name);
  });
}
