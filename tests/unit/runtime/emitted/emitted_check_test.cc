// The check that the pass emits, executed on every word, size and need, against the table of
// transition.h. There is no runtime: stubs stand for its slow paths, and this file plays the
// thread.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "runtime/contract/fast_path.h"
#include "unit/runtime/described_words.h"

struct SlowCall {
  std::uint64_t count;
  const void* address;
  std::uint64_t size;
  bool writes;
};
extern "C" {
extern SlowCall isosan_slow_call;
std::uint8_t read8(const void*);
std::uint16_t read16(const void*);
std::uint32_t read32(const void*);
std::uint64_t read64(const void*);
void write8(void*);
void write16(void*);
void write32(void*);
void write64(void*);
constinit thread_local isosan::log::ThreadBlock* __isosan_self = nullptr;
}

namespace isosan::rt {
namespace {

using namespace described;

// What compiled code finds behind ThreadBlock::runtime.
struct ThreadWords {
  log::ThreadBlock* appends;
  const std::uint64_t* covered;
  Word published;
};
static_assert(offsetof(ThreadWords, covered) == kOffsetCovered);
static_assert(offsetof(ThreadWords, published) == kOffsetPublished);

constexpr Word kPublished = Word{3} << kEpochShift;
constexpr std::uint64_t kRingUnits = 8;

class EmittedCheck : public testing::Test {
 protected:
  EmittedCheck() {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    memory_ = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, kFlags, -1, 0));
    const std::uint64_t shadow = shadow_address(reinterpret_cast<std::uint64_t>(memory_));
    void* at = mmap(reinterpret_cast<void*>(shadow), 4096, PROT_READ | PROT_WRITE,
                    kFlags | MAP_FIXED_NOREPLACE, -1, 0);
    EXPECT_EQ(at, reinterpret_cast<void*>(shadow));
    word_ = static_cast<Word*>(at);
    clock_[kOther] = kCovered;
    block_.ring = reinterpret_cast<std::uint64_t>(ring_);
    block_.ring_mask = kRingUnits - 1;
    block_.runtime = reinterpret_cast<std::uint64_t>(&words_);
    block_.filter = reinterpret_cast<std::uint64_t>(filter_.data());
    block_.tag = kActor.tag;
    block_.owner = kActor.owner;
    block_.rdsh_limit = kActor.rdsh_limit;
    block_.filter_key = kNow << kFilterEpochShift;
    block_.region_depth = 1;
    __isosan_self = &block_;
  }
  ~EmittedCheck() override {
    munmap(memory_, 4096);
    munmap(word_, 4096);
  }

  void access(std::uint64_t offset, std::uint64_t size, Need need) {
    void* p = memory_ + offset;
    const bool writes = need == Need::kWrite;
    switch (size) {
      case 1:
        return writes ? write8(p) : static_cast<void>(read8(p));
      case 2:
        return writes ? write16(p) : static_cast<void>(read16(p));
      case 4:
        return writes ? write32(p) : static_cast<void>(read32(p));
      default:
        return writes ? write64(p) : static_cast<void>(read64(p));
    }
  }

  void prepare(Word word) {
    *word_ = word;
    block_.position = 0;
    block_.limit = kRingUnits;
    block_.last_rdsh = 0;
    filter_.assign(kFilterEntries, 0);
    for (log::LogUnit& unit : ring_) unit = {};
    isosan_slow_call = {};
  }

  void expect_logged(std::uint64_t offset, std::uint64_t size, Need need) {
    ASSERT_EQ(isosan_slow_call.count, 0u);
    ASSERT_EQ(block_.position, 1u);
    const Kind kind = need == Need::kWrite ? Kind::kWrite : Kind::kRead;
    EXPECT_EQ(log::code_of(ring_[0]), log::code_of(kind));
    EXPECT_EQ(log::address_of(ring_[0]), reinterpret_cast<std::uint64_t>(memory_) + offset);
    EXPECT_EQ(log::detail_of(ring_[0]), size);
  }
  void expect_slow(Word before, std::uint64_t offset, std::uint64_t size, Need need) {
    ASSERT_EQ(isosan_slow_call.count, 1u);
    EXPECT_EQ(isosan_slow_call.address, memory_ + offset);
    EXPECT_EQ(isosan_slow_call.size, size);
    EXPECT_EQ(isosan_slow_call.writes, need == Need::kWrite);
    EXPECT_EQ(block_.position, 0u);
    EXPECT_EQ(*word_, before);
  }

  void check_one(const Described& described, std::uint64_t offset, std::uint64_t size, Need need) {
    const Word before = word_of(described), mask = byte_mask(offset, size);
    prepare(before);
    access(offset, size, need);
    const bool writes = need == Need::kWrite;
    switch (expected(described, mask, need)) {
      case Action::kNothing:
        EXPECT_EQ(isosan_slow_call.count, 0u);
        EXPECT_EQ(block_.position, 0u);
        EXPECT_EQ(*word_, before);
        return;
      case Action::kMark:
        expect_logged(offset, size, need);
        EXPECT_EQ(*word_, writes ? write_claimed(before, kActor.tag, mask)
                                 : read_claimed(before, kActor.tag, mask, kPublished));
        return;
      case Action::kTake:
        if (before == 0) return expect_slow(before, offset, size, need);  // not inline
        expect_logged(offset, size, need);
        EXPECT_EQ(*word_, writes ? (kActor.tag & ~kMasks) | mask << kWriteMaskShift | mask
                                 : (kActor.tag & ~(kMasks | kWriteBit)) | kClean | mask);
        return;
      case Action::kLogShared:
        expect_logged(offset, size, need);
        EXPECT_EQ(*word_, before);
        EXPECT_EQ(block_.last_rdsh, kNow);
        access(offset, size, need);  // now the filter has it
        EXPECT_EQ(block_.position, 1u);
        return;
      case Action::kOrderShared:
      case Action::kShare:
      case Action::kAskOwner:
      case Action::kAskReaders:
      case Action::kUseContended:
      case Action::kWait:
        return expect_slow(before, offset, size, need);
    }
  }

  char* memory_ = nullptr;
  Word* word_ = nullptr;  // of the first granule
  log::LogUnit ring_[kRingUnits] = {};
  std::vector<std::uint64_t> filter_ = std::vector<std::uint64_t>(kFilterEntries);
  std::vector<std::uint64_t> clock_ = std::vector<std::uint64_t>(kMaxSlots);
  log::ThreadBlock block_;
  ThreadWords words_{&block_, clock_.data(), kPublished};
};

TEST_F(EmittedCheck, DoesWhatTheTableSays) {
  for (const Described& described : all_words()) {
    for (const std::uint64_t size : {1, 2, 4, 8}) {
      for (std::uint64_t offset = 0; offset < 8; offset += size) {
        for (const Need need : {Need::kRead, Need::kWrite}) {
          check_one(described, offset, size, need);
          ASSERT_FALSE(HasFailure())
              << std::hex << "word " << word_of(described) << " offset " << offset << " size "
              << size << " need " << static_cast<int>(need);
        }
      }
    }
  }
}

// Outside regions each access may be a transaction of its own: words of others are not taken over
// by compiled code.
TEST_F(EmittedCheck, TakesNothingOverOutsideRegions) {
  block_.region_depth = 0;
  const Described covered{Shape::kWrEx, false, kOther, kCovered, 0xff, 0xff};
  prepare(word_of(covered));
  access(0, 8, Need::kRead);
  expect_slow(word_of(covered), 0, 8, Need::kRead);
}

// Without room in the ring everything that would be logged is a call.
TEST_F(EmittedCheck, CallsWhereThereIsNoRoom) {
  const Described own{Shape::kWrEx, false, kMe, kNow - 1, 0xff, 0xff};
  for (const Need need : {Need::kRead, Need::kWrite}) {
    prepare(word_of(own));
    block_.limit = 0;
    access(0, 8, need);
    expect_slow(word_of(own), 0, 8, need);
  }
}

// The values that never match (full mode, ignored threads): every check is a call.
TEST_F(EmittedCheck, CallsWhereTheTagNeverMatches) {
  block_.tag = kNeverTag;
  block_.owner = kNeverOwner;
  block_.rdsh_limit = 0;
  clock_[kOther] = 0;
  for (const Described& described : all_words()) {
    prepare(word_of(described));
    access(0, 4, Need::kWrite);
    ASSERT_EQ(isosan_slow_call.count, 1u) << std::hex << word_of(described);
  }
}

}  // namespace
}  // namespace isosan::rt
