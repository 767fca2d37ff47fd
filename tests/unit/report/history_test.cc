#include "report/history.h"

#include <gtest/gtest.h>

#include "report/text.h"
#include "unit/report/samples.h"

namespace isosan {
namespace {

Event acquire(std::uint32_t thread, Address lock) {
  return {.kind = Kind::kAcquire, .thread = ThreadId{thread}, .address = lock, .site = SiteId{1}};
}
Event release(std::uint32_t thread, Address lock) {
  return {.kind = Kind::kRelease, .thread = ThreadId{thread}, .address = lock};
}
FindingStep step_at(std::uint64_t ordinal, std::uint32_t thread, Address address = 0) {
  return {.where = {.ordinal = ordinal, .thread = ThreadId{thread}}, .address = address};
}
std::vector<Address> locks_at(const History& history, std::uint64_t ordinal, std::uint32_t thread) {
  std::vector<Address> locks;
  for (const HeldLock& held : history.of(step_at(ordinal, thread)).locks) {
    locks.push_back(held.lock);
  }
  return locks;
}

TEST(History, KnowsWhatWasHeldAtAnEarlierEvent) {
  const Event read{.kind = Kind::kRead, .thread = ThreadId{1}};
  const Event events[] = {acquire(1, 0xa),
                          acquire(1, 0xb),
                          read,
                          release(1, 0xa),
                          acquire(2, 0xa),
                          read,
                          release(1, 0xb),
                          read};
  History history;
  history.feed(events, 100);
  EXPECT_EQ(locks_at(history, 102, 1), (std::vector<Address>{0xa, 0xb}));
  EXPECT_EQ(locks_at(history, 105, 1), (std::vector<Address>{0xb}));
  EXPECT_EQ(locks_at(history, 107, 1), (std::vector<Address>{}));
  EXPECT_EQ(locks_at(history, 107, 2), (std::vector<Address>{0xa}));
  EXPECT_EQ(history.of(step_at(102, 1)).locks.front().taken.ordinal, 100u);
}

TEST(History, GuessesNothingOfWhatIsTooLongAgo) {
  History history;
  const Event first[] = {acquire(1, 0xa)};
  history.feed(first, 0);
  std::vector<Event> many;
  for (std::size_t i = 0; i < History::kKept; ++i) {
    many.push_back(acquire(2, 0xb));
    many.push_back(release(2, 0xb));
  }
  history.feed(many, 2);
  EXPECT_EQ(locks_at(history, 1, 1), (std::vector<Address>{}));
  const std::uint64_t oldest_kept = 2 + History::kKept;
  EXPECT_FALSE(history.reaches(oldest_kept));
  EXPECT_TRUE(history.reaches(oldest_kept + 1));
  EXPECT_EQ(locks_at(history, oldest_kept + 1, 1), (std::vector<Address>{0xa}));
  EXPECT_EQ(locks_at(history, many.size() + 2, 1), (std::vector<Address>{0xa}));
}

TEST(History, KnowsTheBlockAroundAnAddressUntilItIsFreed) {
  const Event allocate{
      .kind = Kind::kAllocate, .thread = ThreadId{1}, .address = 0x100, .size = 32};
  const Event free{.kind = Kind::kFree, .thread = ThreadId{2}, .address = 0x100, .size = 32};
  History history;
  history.feed({&allocate, 1}, 5);
  ASSERT_TRUE(history.of(step_at(6, 1, 0x11f)).block.has_value());
  EXPECT_EQ(history.of(step_at(6, 1, 0x11f)).block->allocated.thread, ThreadId{1});
  EXPECT_FALSE(history.of(step_at(6, 1, 0x120)).block.has_value());
  history.feed({&free, 1}, 7);
  EXPECT_FALSE(history.of(step_at(8, 1, 0x100)).block.has_value());
}

TEST(TextReport, TellsMemoryAndLocksOfAStep) {
  const Finding finding = samples::torn_deposit();
  Evidence evidence;
  evidence[5] = {.locks = {{samples::kMutex, LockMode::kShared, {4, ThreadId{1}, SiteId{1}}}},
                 .block = MemoryBlock{samples::kBalance - 8, 24, {2, ThreadId{0}, SiteId{5}}}};
  const std::string text = text_report(finding, samples::bank_tables(), Colour::kNever, &evidence);
  EXPECT_NE(
      text.find("  [1] read balance by thread T1:\n"
                "    byte 8 of a block of 24 bytes, allocated by thread T0 at main bank.cc:30\n"
                "    holding mutex (shared), taken at Account::deposit bank.cc:10\n"
                "    #0 Account::deposit bank.cc:11:7\n"),
      std::string::npos)
      << text;
}

TEST(TextReport, TheFooterTellsWhatWasBlind) {
  RunRecord run;
  run.regions_known = true;
  run.regions_matched = 3;
  run.regions_entered = 1;
  run.blind_modules = {{"/lib/libc.so.6", true}, {"/opt/libfast.so", false}};
  run.notes = {"suppression 'f' was not used"};
  EXPECT_EQ(text_footer(run),
            "IsoSan: 3 functions are regions, 1 of them entered\n"
            "IsoSan: not instrumented, what happens there is not seen: /opt/libfast.so\n"
            "IsoSan: suppression 'f' was not used\n");
}

}  // namespace
}  // namespace isosan
