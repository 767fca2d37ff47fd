// The __tsan_* check logs an access to a word of its own, then marks the word. Another thread may
// take the word in between. Here that thread is the test: it changes the word after the check.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <stdexcept>

#include "runtime/front/checked.h"

namespace isosan::rt {

LogMapping g_log;
Mode g_mode;
Options g_options;
void close_open_walks(log::ThreadBlock*) {}
void log_beside_walks(log::ThreadBlock*, std::uint64_t, std::uint64_t, std::uint32_t) {}
void wait_for_room(log::ThreadBlock*, std::uint64_t) {}
void check_failed(const char* what) { throw std::logic_error(what); }

namespace {

int claims;  // accesses that went to the slow path

constexpr std::uint32_t kMe = 5;
constexpr std::uint32_t kOther = 6;
constexpr std::uint64_t kEpoch = 9;
constexpr std::uint64_t kUnits = 1024;

class Marking : public ::testing::Test {
 protected:
  void SetUp() override {
    claims = 0;
    void* page =
        mmap(reinterpret_cast<void*>(shadow_address(address()) & ~std::uint64_t{4095}), 4096,
             PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    ASSERT_NE(page, MAP_FAILED);
    page_ = page;
    block_.tag = make_tag(kMe, kEpoch);
    block_.owner = make_owner(kMe);
    block_.ring = reinterpret_cast<std::uint64_t>(units_);
    block_.ring_mask = kUnits - 1;
    block_.limit = kUnits;
    block_.runtime = reinterpret_cast<std::uint64_t>(&thread_);
    thread_.appends = thread_.block = &block_;
  }
  void TearDown() override { munmap(page_, 4096); }

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(&bytes_); }
  AtomicWord& word() { return shadow_word(address()); }

  alignas(8) unsigned char bytes_[8] = {};
  log::LogUnit units_[kUnits] = {};
  log::ThreadBlock block_;
  Thread thread_;
  void* page_ = nullptr;
};

const Word kMine = make_tag(kMe, kEpoch) & ~(kMasks | kWriteBit);

TEST_F(Marking, AWordOfItsOwnIsMarked) {
  word() = kMine;
  log_and_mark<2, Need::kRead>(&block_, address(), 1);
  EXPECT_EQ(word().load(), kMine | 3);
  EXPECT_EQ(block_.position, 1u);
  EXPECT_EQ(claims, 0);
}

// Its holder will store what the word becomes: a held bit that came after that would never go.
TEST_F(Marking, AWordThatAnotherThreadHoldsIsLeftAlone) {
  word() = kMine | kHeld;
  log_and_mark<2, Need::kRead>(&block_, address(), 1);
  log_and_mark<2, Need::kWrite>(&block_, address(), 1);
  EXPECT_EQ(word().load(), kMine | kHeld);
  EXPECT_EQ(block_.position, 0u);
  EXPECT_EQ(claims, 2);
}

TEST_F(Marking, AWordThatAnotherThreadHasTakenIsLeftAlone) {
  const Word others = make_tag(kOther, 1) & ~kMasks;
  for (const Word taken : {others, kReadShared | 7}) {
    word() = taken;
    log_and_mark<2, Need::kWrite>(&block_, address(), 1);
    EXPECT_EQ(word().load(), taken);
  }
  EXPECT_EQ(claims, 2);
}

}  // namespace

void slow_access(std::uint64_t, std::uint64_t, std::uint64_t, Need) { ++claims; }

}  // namespace isosan::rt
