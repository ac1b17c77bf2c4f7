//===- BulkTest.cpp - Bulk copies and mbarriers of sm_90 ------------------===//
//
// Tensor copies of every rank against a walk over the box's elements, plain
// bulk copies, phases of mbarriers, and the faults that each can have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include "Prism/Runtime/TensorMap.h"

#include <cstring>

using namespace prism;

namespace {

using Arg = KernelArgument;

const char *const header = ".version 8.0\n.target sm_90a\n.address_size 64\n";

std::string coordinates(unsigned rank) {
  std::string text = "{";
  for (unsigned i = 0; i < rank; ++i)
    text += (i ? ", %c" : "%c") + std::to_string(i);
  return text + "}";
}

/// Loads a box (and with `store` stores it to a second map), then copies the
/// box's bytes, as they lie in shared memory, to `pout`.
std::string tensorKernel(unsigned rank, unsigned bytes, bool store) {
  std::string ptx =
      std::string(header) + ".shared .align 1024 .b8 s[" +
      std::to_string(bytes) +
      "];\n.shared .align 8 .b64 bar;\n"
      ".entry k(.param .align 64 .b8 pmap[128], .param .align 64 .b8 "
      "pmap2[128], .param .u64 pout, .param .align 4 .b8 pc[20])\n{\n"
      ".reg .b32 %t, %i, %s, %v, %c<5>; .reg .b64 %m, %m2, %out, %o; "
      ".reg .pred %p, %first;\n"
      "mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0;\n"
      "mov.b64 %m, pmap; cvta.param.u64 %m, %m;\n"
      "mov.b64 %m2, pmap2; cvta.param.u64 %m2, %m2;\n"
      "prefetch.param.tensormap [pmap];\n";
  for (unsigned i = 0; i < rank; ++i)
    ptx += "ld.param.b32 %c" + std::to_string(i) + ", [pc+" +
           std::to_string(4 * i) + "];\n";
  std::string dim = std::to_string(rank) + "d";
  ptx += "@%first mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\n"
         "@%first mbarrier.arrive.expect_tx.shared.b64 _, [bar], " +
         std::to_string(bytes) + ";\n@%first cp.async.bulk.tensor." + dim +
         ".shared::cluster.global.mbarrier::complete_tx::bytes [s], [%m, " +
         coordinates(rank) +
         "], [bar];\n"
         "poll: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;\n"
         "@!%p bra poll;\n";
  if (store)
    ptx +=
        "@%first cp.async.bulk.tensor." + dim +
        ".global.shared::cta.bulk_group [%m2, " + coordinates(rank) +
        "], [s];\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read "
        "0;\n";
  return ptx +
         "ld.param.u64 %out, [pout]; shl.b32 %i, %t, 2;\n"
         "loop: mov.u32 %s, s; add.u32 %s, %s, %i; ld.shared.b32 %v, [%s];\n"
         "cvt.u64.u32 %o, %i; add.u64 %o, %o, %out; st.global.b32 [%o], %v;\n"
         "add.u32 %i, %i, 128; setp.lt.u32 %p, %i, " +
         std::to_string(bytes) + "; @%p bra loop;\nret;\n}\n";
}

struct Box {
  TensorMapType type;
  std::vector<uint64_t> extents;
  std::vector<uint32_t> box;
  std::vector<int32_t> at;
  unsigned swizzle = 0;
  bool nan = false;
};

uint64_t align16(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

void checkBox(const Box &box) {
  unsigned rank = box.extents.size(), size = getTensorMapTypeSize(box.type);
  TensorMap map;
  map.type = box.type;
  map.extents.assign(box.extents.begin(), box.extents.end());
  map.box.assign(box.box.begin(), box.box.end());
  map.swizzle = box.swizzle;
  map.fillWithNaN = box.nan;
  uint64_t stride = align16(box.extents[0] * size), elements = 1;
  for (unsigned i = 1; i < rank; ++i) {
    map.strides.push_back(stride);
    stride = stride * box.extents[i] + 32;
  }
  for (uint32_t extent : box.box)
    elements *= extent;
  std::vector<char> array(stride);
  std::mt19937 engine(rank);
  for (char &byte : array)
    byte = char(engine());
  Fixture f(tensorKernel(rank, elements * size, true));
  ASSERT_EQ(f.loadError, "");
  map.base = f.upload(array);
  TensorMap second = map;
  std::vector<char> old(array.size(), 0x55);
  second.base = f.upload(old);
  std::vector<int32_t> at = box.at;
  at.resize(5);
  DevicePtr out = f.allocate(elements * size);
  ASSERT_EQ(message(f.launch("k", {1, 1, 1}, {32, 1, 1},
                             {llvm::cantFail(f.device.makeTensorMap(map)),
                              llvm::cantFail(f.device.makeTensorMap(second)),
                              Arg::pointer(out), Arg::raw(asBytes(at))})),
            "");
  auto shared = f.download<char>(out, elements * size);
  auto stored = f.download<char>(second.base, array.size());
  std::vector<char> expectedStore = old;
  for (uint64_t e = 0; e < elements; ++e) {
    uint64_t rest = e, offset = 0;
    bool inside = true;
    for (unsigned i = 0; i < rank; ++i) {
      int64_t index = int64_t(rest % box.box[i]) + box.at[i];
      rest /= box.box[i];
      inside &= index >= 0 && index < int64_t(box.extents[i]);
      offset += index * (i ? map.strides[i - 1] : size);
    }
    char expected[8] = {};
    if (inside)
      std::memcpy(expected, array.data() + offset, size);
    else if (box.nan)
      std::memset(expected, 0xff, size), expected[size - 1] = 0x7f;
    // Bits 4-6 of the address are XORed with bits 7-9, of which only the first
    // count for narrower patterns. `s` is aligned to 1024 bytes.
    uint64_t to = e * size;
    uint64_t pattern = box.swizzle == 128 ? 7 : box.swizzle == 64 ? 3 : 1;
    if (box.swizzle)
      to ^= (to >> 7 & pattern) << 4;
    ASSERT_EQ(std::memcmp(shared.data() + to, expected, size), 0)
        << "element " << e;
    if (inside)
      std::memcpy(expectedStore.data() + offset, expected, size);
  }
  EXPECT_EQ(stored, expectedStore);
}

using T = TensorMapType;

TEST(TensorCopy, EveryRank) {
  checkBox({T::F16, {100}, {64}, {8}});
  checkBox({T::F16, {100, 30}, {64, 8}, {16, 4}});
  checkBox({T::F32, {20, 6, 5}, {8, 4, 3}, {4, 1, 2}});
  checkBox({T::U8, {40, 5, 4, 3}, {32, 3, 2, 2}, {5, 1, 1, 0}});
  checkBox({T::F64, {6, 4, 3, 3, 2}, {4, 3, 2, 2, 2}, {1, 0, 1, 1, 0}});
}

TEST(TensorCopy, BeyondTheArray) {
  checkBox({T::F16, {20}, {64}, {-24}});
  checkBox({T::F16, {100, 30}, {64, 8}, {-16, -4}});
  checkBox({T::F16, {100, 30}, {64, 8}, {70, 25}});
  checkBox({T::BF16, {100, 30}, {64, 8}, {70, 25}, 128, true});
  checkBox({T::F32, {20, 6, 5}, {8, 4, 3}, {17, -2, 4}, 32, true});
  checkBox({T::F16, {100, 30}, {64, 8}, {200, 100}});
  checkBox({T::F64, {6, 4}, {4, 4}, {4, 3}, 0, true});
}

TEST(TensorCopy, Swizzles) {
  checkBox({T::F16, {100, 40}, {64, 32}, {8, 4}, 128});
  checkBox({T::F16, {100, 40}, {32, 32}, {8, 4}, 64});
  checkBox({T::BF16, {100, 40}, {16, 32}, {8, 4}, 32});
  checkBox({T::F32, {40, 9, 9}, {32, 4, 5}, {1, 2, 3}, 128});
}

TEST(TensorCopy, MapsThatAreNotValid) {
  Fixture f(tensorKernel(2, 1024, false));
  TensorMap good;
  good.base = f.upload(std::vector<uint16_t>(64 * 64));
  good.extents = {64, 64};
  good.strides = {128};
  good.box = {64, 8};
  auto problem = [&](auto change) {
    TensorMap map = good;
    change(map);
    auto made = f.device.makeTensorMap(map);
    return made ? std::string() : llvm::toString(made.takeError());
  };
  EXPECT_EQ(problem([](TensorMap &) {}), "");
  EXPECT_NE(problem([](TensorMap &m) {
              m.base = DevicePtr::Null;
            }).find("null pointer"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) {
              m.base = DevicePtr(uint64_t(m.base) + 8);
            }).find("not aligned to 16"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) { m.box = {257, 8}; }).find("1 to 256"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) {
              m.box = {4, 8};
            }).find("not a multiple of 16"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) {
              m.swizzle = 64;
            }).find("more than its swizzle"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) {
              m.strides = {120};
            }).find("not a multiple of 16"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) { m.strides = {}; }).find("needs 2"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) {
              m.extents = {64, 65};
            }).find("not inside one device array"),
            std::string::npos);
  EXPECT_NE(problem([](TensorMap &m) {
              m.type = T::U16;
              m.fillWithNaN = true;
            }).find("filled with NaN"),
            std::string::npos);
}

TEST(TensorCopy, RankThatDiffers) {
  Fixture f(tensorKernel(1, 128, false));
  TensorMap map;
  map.base = f.upload(std::vector<uint16_t>(64 * 64));
  map.extents = {64, 64};
  map.strides = {128};
  map.box = {64, 1};
  DevicePtr out = f.allocate(128);
  Arg argument = llvm::cantFail(f.device.makeTensorMap(map));
  std::vector<int32_t> at(5);
  auto found = findings(
      f.launch("k", {1, 1, 1}, {32, 1, 1},
               {argument, argument, Arg::pointer(out), Arg::raw(asBytes(at))}));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, FindingKind::InvalidDescriptor);
  // Bytes that are no map at all.
  Arg junk = Arg::raw(std::vector<char>(128, 1));
  found = findings(
      f.launch("k", {1, 1, 1}, {32, 1, 1},
               {junk, junk, Arg::pointer(out), Arg::raw(asBytes(at))}));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, FindingKind::InvalidDescriptor);
}

/// What a kernel is given in place of a map that the device has made.
TEST(TensorCopy, MapsThatLie) {
  Fixture f(tensorKernel(2, 1024, true));
  TensorMap map;
  map.base = f.upload(std::vector<uint16_t>(64 * 64), "small");
  map.extents = {64, 64};
  map.strides = {128};
  map.box = {64, 8};
  std::vector<int32_t> at(5);
  DevicePtr out = f.allocate(1024);
  auto run = [&](auto change) {
    Arg good = llvm::cantFail(f.device.makeTensorMap(map));
    std::vector<char> bytes(good.getBytes().begin(), good.getBytes().end());
    change(bytes);
    auto found = findings(f.launch(
        "k", {1, 1, 1}, {32, 1, 1},
        {Arg::raw(bytes), good, Arg::pointer(out), Arg::raw(asBytes(at))}));
    return found.empty() ? std::string() : found[0].message;
  };
  auto word = [](std::vector<char> &bytes, unsigned offset, uint64_t value) {
    std::memcpy(bytes.data() + offset, &value, 8);
  };
  EXPECT_EQ(run([](std::vector<char> &) {}), "");
  EXPECT_EQ(run([&](std::vector<char> &b) { word(b, 24, 1 << 20); }),
            "the tensor map goes beyond its array 'small'");
  EXPECT_EQ(run([&](std::vector<char> &b) { word(b, 56, 1 << 20); }),
            "the tensor map goes beyond its array 'small'");
  EXPECT_NE(run([&](std::vector<char> &b) { word(b, 88, 0); }).find("1 to 256"),
            std::string::npos);
  EXPECT_NE(run([&](std::vector<char> &b) {
              word(b, 8, uint64_t(map.base) + 2);
            }).find("not aligned"),
            std::string::npos);
}

/// Rows that are narrower than the swizzle take its whole span.
TEST(TensorCopy, SwizzleNeedsItsSpan) {
  for (bool fits : {true, false}) {
    std::string text = tensorKernel(1, fits ? 256 : 144, false);
    // One row of 16 bytes, at the second span of shared memory.
    std::string at = "[s], [%m, {%c0}]";
    text.replace(text.find(at), at.size(), "[s+128], [%m, {%c0}]");
    std::string bytes = "_, [bar], " + std::to_string(fits ? 256 : 144);
    text.replace(text.find(bytes), bytes.size(), "_, [bar], 16");
    text.insert(text.find("poll:"), "ret;\n");
    Fixture f(text);
    ASSERT_EQ(f.loadError, "");
    TensorMap map;
    map.base = f.upload(std::vector<uint16_t>(64));
    map.extents = {64};
    map.box = {8};
    map.swizzle = 128;
    Arg argument = llvm::cantFail(f.device.makeTensorMap(map));
    DevicePtr out = f.allocate(256);
    std::vector<int32_t> zero(5);
    auto found = findings(f.launch(
        "k", {1, 1, 1}, {32, 1, 1},
        {argument, argument, Arg::pointer(out), Arg::raw(asBytes(zero))}));
    ASSERT_EQ(found.empty(), fits);
    if (!fits)
      EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
  }
}

//===----------------------------------------------------------------------===//
// mbarriers and plain bulk copies
//===----------------------------------------------------------------------===//

/// `k(in, out)` with an mbarrier `bar` and 1024 bytes `s`.
std::string plainKernel(llvm::StringRef body) {
  return std::string(header) +
         ".shared .align 16 .b8 s[1024];\n.shared .align 8 .b64 bar;\n"
         ".entry k(.param .u64 pin, .param .u64 pout)\n{\n"
         ".reg .b32 %t, %v, %w, %s; .reg .b64 %in, %out, %o, %state; "
         ".reg .pred %p, %first;\n"
         "mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0;\n"
         "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n" +
         body.str() + "\nret;\n}\n";
}

struct Outcome {
  std::vector<Finding> found;
  std::vector<uint32_t> out;
  std::string text;

  bool has(FindingKind kind, llvm::StringRef at) const {
    return prism::has(found, kind, lineOf(text, ".entry", at));
  }
};

Outcome runPlain(llvm::StringRef body, unsigned threads = 32,
                 ScheduleOrder order = ScheduleOrder::Forward) {
  Outcome outcome;
  outcome.text = plainKernel(body);
  SimulationOptions options;
  options.warpOrder = order;
  Fixture f(outcome.text, options);
  EXPECT_EQ(f.loadError, "");
  if (!f.loadError.empty())
    return outcome;
  std::vector<uint32_t> in(256);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = 1000 + i;
  DevicePtr pin = f.upload(in), pout = f.upload(std::vector<uint32_t>(256));
  outcome.found = findings(f.launch("k", {1, 1, 1}, {threads, 1, 1},
                                    {Arg::pointer(pin), Arg::pointer(pout)}));
  outcome.out = f.download<uint32_t>(pout, 256);
  return outcome;
}

const std::string init = "@%first mbarrier.init.shared::cta.b64 [bar], 1;\n"
                         "bar.sync 0;\n";
const std::string expect =
    "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n";
const std::string copyIn =
    "@%first cp.async.bulk.shared::cluster.global.mbarrier"
    "::complete_tx::bytes [s], [%in], 128, [bar];\n";
const std::string poll = "poll: mbarrier.try_wait.parity.shared::cta.b64 %p, "
                         "[bar], 0;\n@!%p bra poll;\n";
const std::string take =
    "shl.b32 %s, %t, 2; cvt.u64.u32 %o, %s; add.u64 %out, %out, %o;\n"
    "mov.u32 %v, s; add.u32 %s, %s, %v;\n"
    "ld.shared.b32 %v, [%s];\nst.global.b32 [%out], %v;\n";

TEST(BulkCopy, LoadAndStore) {
  Outcome load = runPlain(init + expect + copyIn + poll + take);
  EXPECT_TRUE(load.found.empty());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(load.out[i], 1000 + i);
  // The copy may come before the bytes are expected.
  EXPECT_TRUE(runPlain(init + copyIn + expect + poll + take).found.empty());
  const std::string put = "shl.b32 %s, %t, 2; mov.u32 %v, s; add.u32 %s, %s, "
                          "%v;\nst.shared.b32 [%s], %t;\n";
  const std::string copyOut =
      "@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 128;\n"
      "cp.async.bulk.commit_group;\n";
  Outcome store =
      runPlain(put + "fence.proxy.async.shared::cta; bar.sync 0;\n" + copyOut +
               "cp.async.bulk.wait_group 0;");
  EXPECT_TRUE(store.found.empty());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(store.out[i], i);
  // The fence may also be on the side of the thread that stores.
  EXPECT_TRUE(runPlain(put + "bar.sync 0; fence.proxy.async;\n" + copyOut +
                       "cp.async.bulk.wait_group 0;")
                  .found.empty());
  const char *at = "cp.async.bulk.global";
  EXPECT_TRUE(
      runPlain(put + "bar.sync 0;\n" + copyOut + "cp.async.bulk.wait_group 0;")
          .has(FindingKind::MissingFence, at));
  EXPECT_TRUE(runPlain(put + "fence.proxy.async;\n" + copyOut +
                       "cp.async.bulk.wait_group 0;")
                  .has(FindingKind::Race, at));
  EXPECT_TRUE(runPlain(put + "fence.proxy.async; bar.sync 0;\n" + copyOut)
                  .has(FindingKind::AsyncInFlight, at));
  // Its source is overwritten too early.
  EXPECT_TRUE(runPlain(put + "fence.proxy.async; bar.sync 0;\n" + copyOut +
                       "bar.sync 0;\nst.shared.b32 [%s], 7;\n"
                       "cp.async.bulk.wait_group 0;")
                  .has(FindingKind::AsyncInFlight, "st.shared.b32 [%s], 7"));
}

TEST(BulkCopy, Faults) {
  EXPECT_TRUE(runPlain(init + expect + copyIn + take)
                  .has(FindingKind::AsyncInFlight, "ld.shared.b32"));
  // The parity of the phase before the first.
  std::string early = poll;
  early.replace(early.find("[bar], 0"), 8, "[bar], 1");
  EXPECT_TRUE(runPlain(init + expect + copyIn + early + take)
                  .has(FindingKind::AsyncInFlight, "ld.shared.b32"));
  EXPECT_TRUE(runPlain(expect + copyIn + poll)
                  .has(FindingKind::MbarrierMisuse, "mbarrier.arrive"));
  std::string more = expect;
  more.replace(more.find("128"), 3, "144");
  Outcome deadlock = runPlain(init + more + copyIn + poll + take);
  EXPECT_TRUE(deadlock.has(FindingKind::Deadlock, "poll:"));
  EXPECT_NE(deadlock.found[0].message.find("0 of 1 arrivals and 16 bytes"),
            std::string::npos)
      << deadlock.found[0].message;
  std::string fewer = expect;
  fewer.replace(fewer.find("128"), 3, "112");
  EXPECT_TRUE(runPlain(init + fewer + copyIn + poll + take)
                  .has(FindingKind::MbarrierMisuse, "cp.async.bulk"));
  auto changed = [&](const char *from, const char *to) {
    std::string text = copyIn;
    text.replace(text.find(from), std::strlen(from), to);
    return runPlain(init + expect + text + poll);
  };
  const char *at = "cp.async.bulk";
  EXPECT_TRUE(changed("128", "120").has(FindingKind::Misaligned, at));
  EXPECT_TRUE(changed("[%in]", "[%in+8]").has(FindingKind::Misaligned, at));
  EXPECT_TRUE(changed("[s]", "[s+8]").has(FindingKind::Misaligned, at));
  EXPECT_TRUE(changed("[%in]", "[%in+1008]").has(FindingKind::OutOfBounds, at));
  EXPECT_TRUE(changed("[s]", "[s+4096]").has(FindingKind::OutOfBounds, at));
}

TEST(Mbarrier, CountsAndPhases) {
  // 64 threads meet at it twice; each arrival returns the phase.
  Outcome twice = runPlain(
      "@%first mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\n"
      "mbarrier.arrive.shared.b64 %state, [bar];\n"
      "one: mbarrier.test_wait.shared.b64 %p, [bar], %state;\n@!%p bra one;\n"
      "mbarrier.arrive.release.cta.shared::cta.b64 %state, [bar], 1;\n"
      "two: mbarrier.try_wait.acquire.cta.shared::cta.b64 %p, [bar], %state, "
      "1000;\n@!%p bra two;\n"
      "mbarrier.test_wait.parity.shared.b64 %p, [bar], 1;\n@!%p trap;\n"
      "bar.sync 0;\n@%first mbarrier.inval.shared.b64 [bar];",
      64);
  EXPECT_TRUE(twice.found.empty())
      << message(llvm::make_error<FindingsError>(twice.found));
  // What one warp writes before it arrives, the other reads after its wait.
  const std::string pipe =
      "@%first mbarrier.init.shared.b64 [bar], 32;\nbar.sync 0;\n"
      "setp.ge.u32 %p, %t, 32; @%p bra consumer;\n"
      "shl.b32 %s, %t, 2; mov.u32 %v, s; add.u32 %s, %s, %v;\n"
      "st.shared.b32 [%s], %t;\nmbarrier.arrive.shared.b64 _, [bar];\nret;\n"
      "consumer: WAIT\nsub.u32 %t, 63, %t;\n" +
      take;
  for (auto order : {ScheduleOrder::Forward, ScheduleOrder::Reverse}) {
    std::string good = pipe, bad = pipe;
    good.replace(good.find("WAIT"), 4, poll);
    bad.replace(bad.find("WAIT"), 4, "");
    Outcome outcome = runPlain(good, 64, order);
    EXPECT_TRUE(outcome.found.empty());
    for (unsigned i = 0; i < 32; ++i)
      EXPECT_EQ(outcome.out[i], i);
    EXPECT_FALSE(runPlain(bad, 64, order).found.empty());
  }
}

TEST(Mbarrier, Misuse) {
  const auto kind = FindingKind::MbarrierMisuse;
  EXPECT_TRUE(runPlain("mbarrier.arrive.shared.b64 _, [bar];")
                  .has(kind, "mbarrier.arrive"));
  EXPECT_TRUE(runPlain("@%first mbarrier.init.shared.b64 [bar], 0;")
                  .has(kind, "mbarrier.init"));
  EXPECT_TRUE(runPlain(init + "@%first mbarrier.init.shared.b64 [bar], 2;")
                  .found.size() == 1);
  // Three at once where one is counted.
  EXPECT_TRUE(runPlain(init + "@%first mbarrier.arrive.shared.b64 _, [bar], 3;")
                  .has(kind, "mbarrier.arrive"));
  EXPECT_TRUE(
      runPlain(init +
               "@%first mbarrier.inval.shared.b64 [bar];\nbar.sync 0;\n" + poll)
          .has(kind, "poll:"));
  // No barrier between the initialization and its use by others.
  EXPECT_TRUE(runPlain("@%first mbarrier.init.shared.b64 [bar], 32;\n"
                       "mbarrier.arrive.shared.b64 _, [bar];")
                  .has(FindingKind::Race, "mbarrier.arrive"));
  EXPECT_TRUE(runPlain(init + poll).has(FindingKind::Deadlock, "poll:"));
}

// The lane that arms the mbarrier does so further down in the code than where
// the others wait.
TEST(Mbarrier, WaitingLanesGiveWay) {
  auto armedBy = [&](const std::string &arming) {
    return runPlain(init + "@%first bra arm;\nback:\n" + poll + take +
                    "bra done;\narm:\n" + arming + "bra back;\ndone:\n");
  };
  Outcome outcome = armedBy(expect + copyIn);
  EXPECT_TRUE(outcome.found.empty());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.out[i], 1000 + i);
  EXPECT_TRUE(armedBy("").has(FindingKind::Deadlock, "poll:"));
}

TEST(Mbarrier, ArrivalOfAsyncCopies) {
  const std::string copies =
      "@%first mbarrier.init.shared.b64 [bar], 32;\nbar.sync 0;\n"
      "shl.b32 %s, %t, 2; cvt.u64.u32 %o, %s; add.u64 %o, %in, %o;\n"
      "mov.u32 %v, s; add.u32 %s, %s, %v;\n"
      "cp.async.ca.shared.global [%s], [%o], 4;\n"
      "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n";
  Outcome outcome = runPlain(copies + poll + take);
  EXPECT_TRUE(outcome.found.empty());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.out[i], 1000 + i);
  EXPECT_TRUE(
      runPlain(copies + take).has(FindingKind::AsyncInFlight, "ld.shared.b32"));
}

/// Without .noinc the arrival of the copies is one more than was counted.
TEST(Mbarrier, CountedArrivalOfAsyncCopies) {
  const std::string copies =
      "@%first mbarrier.init.shared.b64 [bar], 32;\nbar.sync 0;\n"
      "shl.b32 %s, %t, 2; cvt.u64.u32 %o, %s; add.u64 %o, %in, %o;\n"
      "mov.u32 %v, s; add.u32 %s, %s, %v;\n"
      "cp.async.ca.shared.global [%s], [%o], 4;\n"
      "cp.async.mbarrier.arrive.shared.b64 [bar];\n";
  Outcome outcome =
      runPlain(copies + "mbarrier.arrive.shared.b64 _, [bar];\n" + poll + take);
  EXPECT_TRUE(outcome.found.empty());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(outcome.out[i], 1000 + i);
  // The copies' arrivals alone complete nothing.
  EXPECT_TRUE(runPlain(copies + poll + take)
                  .has(FindingKind::Deadlock, "mbarrier.try_wait"));
}

/// Bytes by hand, a generic address, an arrival that may not complete.
TEST(Mbarrier, OtherForms) {
  const std::string byHand =
      "@%first mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\n"
      "mov.b64 %o, bar; cvta.shared.u64 %o, %o; mov.u32 %v, 64;\n"
      "@%first mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], %v;\n"
      "@%first mbarrier.arrive.b64 _, [%o];\n";
  const std::string complete =
      "@%first mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 64;\n";
  EXPECT_TRUE(runPlain(byHand + complete + poll).found.empty());
  EXPECT_TRUE(
      runPlain(byHand + poll).has(FindingKind::Deadlock, "mbarrier.try_wait"));
  EXPECT_TRUE(runPlain("@%first mbarrier.init.shared.b64 [bar], 33;\n"
                       "bar.sync 0;\n"
                       "mbarrier.arrive.noComplete.shared.b64 %state, [bar], "
                       "1;\n@%first mbarrier.arrive.shared.b64 _, [bar];\n" +
                       poll)
                  .found.empty());
}

/// Tiles named as such, a load by the block's own name, prefetches.
TEST(BulkCopy, OtherForms) {
  std::string own = copyIn;
  own.replace(own.find("shared::cluster"), 15, "shared::cta");
  Outcome load = runPlain("cp.async.bulk.prefetch.L2.global [%in], 128;\n" +
                          init + expect + own + poll + take);
  EXPECT_TRUE(load.found.empty());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(load.out[i], 1000 + i);
  std::string text = tensorKernel(1, 128, false);
  std::string copy = ".shared::cluster.global.mbarrier::complete_tx::bytes";
  text.replace(text.find(copy), copy.size(),
               ".shared::cluster.global.tile.mbarrier::complete_tx::bytes"
               ".L2::cache_hint");
  std::string end = "], [bar];\n";
  text.replace(text.find(end), end.size(), "], [bar], %m2;\n");
  text.insert(text.find("@%first mbarrier.init"),
              "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%m, {%c0}];\n"
              "fence.mbarrier_init.release.cluster;\n");
  Fixture f(text);
  ASSERT_EQ(f.loadError, "");
  std::vector<uint32_t> in(32);
  for (unsigned i = 0; i < 32; ++i)
    in[i] = 7 * i;
  TensorMap map;
  map.type = T::F32;
  map.base = f.upload(in);
  map.extents = {32};
  map.box = {32};
  Arg argument = llvm::cantFail(f.device.makeTensorMap(map));
  DevicePtr out = f.allocate(128);
  std::vector<int32_t> at(5);
  EXPECT_EQ(message(f.launch("k", {1, 1, 1}, {32, 1, 1},
                             {argument, argument, Arg::pointer(out),
                              Arg::raw(asBytes(at))})),
            "");
  EXPECT_EQ(f.download<uint32_t>(out, 32), in);
}

TEST(Cluster, OfOneBlock) {
  Outcome outcome = runPlain(
      "shl.b32 %s, %t, 2; mov.u32 %v, s; add.u32 %s, %s, %v;\n"
      "mapa.shared::cluster.u32 %s, %s, 0; st.shared::cluster.b32 [%s], %t;\n"
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;\nsub.u32 %t, 63, %t;\n" +
          take,
      64);
  EXPECT_TRUE(outcome.found.empty());
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(outcome.out[i], i);
}

TEST(Register, HintsOfHopper) {
  EXPECT_TRUE(
      runPlain("setmaxnreg.inc.sync.aligned.u32 240;\n"
               "setmaxnreg.dec.sync.aligned.u32 40;\n"
               "griddepcontrol.wait; griddepcontrol.launch_dependents;\n"
               "elect.sync _|%p, 0xffffffff; @%p bra done; done:")
          .found.empty());
}

} // namespace
