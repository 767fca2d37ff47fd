// Which atomics are locks, and what atomizer then finds.
#include "analysis/made_locks/made_locks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "analysis/atomizer/atomizer.h"
#include "base/check.h"
#include "oracle/property.h"
#include "oracle/trace_builder.h"

namespace isosan::test {
namespace {

// As parse_trace reads them, separated by blanks. "=" before one marks a try that failed, "+" a step
// of a counter.
std::vector<Event> events_of(const std::string& text) {
  std::string lines;
  std::vector<std::uint8_t> marks;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    marks.push_back(word[0] == '=' ? kUnchanged : word[0] == '+' ? kStep : 0);
    lines += word.substr(marks.back() != 0 ? 1 : 0) + "\n";
  }
  std::vector<Event> events = parse_trace(lines).events;
  for (std::size_t i = 0; i < events.size(); ++i) events[i].detail |= marks[i];
  return events;
}

std::vector<Event> through_made_locks(const std::vector<Event>& events, std::size_t batch) {
  MadeLocks locks;
  std::vector<Event> result;
  const auto keep = [&](const MadeLocks::Decided& decided) {
    if (decided.events.empty()) return;
    ISOSAN_CHECK(decided.first_ordinal == result.size());
    result.insert(result.end(), decided.events.begin(), decided.events.end());
  };
  for (std::size_t i = 0; i < events.size(); i += batch)
    keep(locks.take(std::span(events).subspan(i, std::min(batch, events.size() - i)), i));
  keep(locks.finish());
  return result;
}

// One letter for each event: a(cquire), r(elease), - (left out), . (as it was).
std::string made_of(const std::string& text) {
  const std::vector<Event> events = events_of(text), made = through_made_locks(events, 1);
  EXPECT_EQ(made, through_made_locks(events, events.size()));
  EXPECT_EQ(made.size(), events.size());
  std::string letters;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Kind kind = made[i].kind;
    letters += made[i] == events[i]     ? '.'
               : kind == Kind::kAcquire ? 'a'
               : kind == Kind::kRelease ? 'r'
                                        : '-';
  }
  return letters;
}

const std::string kTake = "T0|armw.acquire(x) ", kGive = "T0|astore.release(x) ";
const std::string kTake1 = "T1|armw.acquire(x) ", kGive1 = "T1|astore.release(x) ";

TEST(MadeLocks, TakenByAnUpdateAndGivenUpByAStore) {
  EXPECT_EQ(made_of(kTake + "T0|w(y) " + kGive), "a.r");
  EXPECT_EQ(made_of(kTake + kGive + kTake1 + kGive1), "arar");
}

TEST(MadeLocks, NotWhatAnotherThreadChanges) {
  EXPECT_EQ(made_of(kTake + kTake1 + kGive), "...");
  EXPECT_EQ(made_of(kTake + kGive1), "..");
  EXPECT_EQ(made_of(kTake + kGive + "T1|astore.release(x) " + kTake + kGive), "ar...");
}

TEST(MadeLocks, NotACounterOrAList) {
  EXPECT_EQ(made_of("+T0|armw.acquire(x) " + kGive), "..");
  EXPECT_EQ(made_of(kTake + kTake + kGive), "...");
  EXPECT_EQ(made_of(kTake), ".") << "never given up";
}

TEST(MadeLocks, NotWithoutAnOrder) {
  EXPECT_EQ(made_of("T0|armw.relaxed(x) " + kGive), "..");
  EXPECT_EQ(made_of(kTake + "T0|astore.relaxed(x)"), "..");
}

TEST(MadeLocks, NotOfOtherBytes) { EXPECT_EQ(made_of(kTake + "T0|astore.release(x:4)"), ".."); }

TEST(MadeLocks, MemoryThatIsUsedAnewMayBeALock) {
  EXPECT_EQ(made_of(kTake + kTake1 + "T0|free(x) " + kTake + kGive), "...ar");
}

TEST(MadeLocks, AFailedTryDoesNotCount) {
  EXPECT_EQ(made_of(kTake + "=T1|armw.acquire(x) " + kGive), "a-r");
  EXPECT_EQ(made_of(kTake + "=T1|armw.acquire(x) T1|armw.acquire(x) "), "...") << "no lock";
}

TEST(MadeLocks, ALookCountsUnlessItIsRepeated) {
  EXPECT_EQ(made_of(kTake + "T1|aload.relaxed(x) T1|aload.relaxed(x) " + kGive), "a-.r");
  EXPECT_EQ(made_of(kTake + "T1|aload.relaxed(x) " + kGive + kTake1 + kGive1), "a-rar");
  EXPECT_EQ(made_of(kTake + "T1|aload.relaxed(x) T1|w(y) " + kGive + kTake1 + kGive1), "a..rar");
}

bool has_window(const std::string& text) {
  FindingSink sink;
  Atomizer atomizer(sink, {});
  const std::vector<Event> made = through_made_locks(events_of(text), 3);
  feed(atomizer, std::span(made), 0);
  atomizer.finish();
  return !sink.findings().empty();
}

std::string region(const std::string& thread, bool twice) {
  std::string text = "begin armw.acquire(x) r(y) ";
  if (twice) text += "astore.release(x) armw.acquire(x) ";
  text += "w(y) astore.release(x) end";
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += thread + "|" + word + " ";
  return result;
}

std::string both_twice(bool twice) {
  const std::string first = region("T1", twice), second = region("T2", twice);
  return "T0|fork(T1) T0|fork(T2) " + first + second + first + second;
}

TEST(MadeLocks, ProtectsLikeALock) { EXPECT_FALSE(has_window(both_twice(false))); }
TEST(MadeLocks, TwoCriticalSectionsAreAWindow) { EXPECT_TRUE(has_window(both_twice(true))); }

std::string random_text() {
  static const char* const kOperations[] = {
      "armw.acquire(", "astore.release(", "=armw.acquire(", "aload.relaxed(", "w(", "free("};
  std::string text;
  for (int i = *rc::gen::inRange(1, 40); i > 0; --i) {
    const std::string thread = "T" + std::to_string(*rc::gen::inRange(0, 2)) + "|";
    const std::string operation = kOperations[*rc::gen::inRange(0, 6)];
    const std::string word = *rc::gen::arbitrary<bool>() ? "x)" : "y)";
    const bool failed = operation[0] == '=';
    text += (failed ? "=" : "") + thread + operation.substr(failed ? 1 : 0) + word + " ";
  }
  return text;
}

// Batches make no difference, and the acquires and releases that are made alternate.
TEST(MadeLocks, MakesPairs) {
  std::size_t pairs = 0;
  const auto law = [&] {
    const std::vector<Event> events = events_of(random_text());
    const std::vector<Event> made = through_made_locks(events, events.size());
    RC_ASSERT(made == through_made_locks(events, *rc::gen::inRange<std::size_t>(1, 20)));
    RC_ASSERT(made.size() == events.size());
    std::map<Address, ThreadId> holders;
    for (std::size_t i = 0; i < made.size(); ++i) {
      RC_ASSERT(made[i].thread == events[i].thread);
      if (made[i] == events[i]) continue;
      RC_ASSERT(is_atomic(events[i].kind));
      if (made[i].kind == Kind::kAcquire)
        RC_ASSERT(holders.try_emplace(made[i].address, made[i].thread).second);
      if (made[i].kind != Kind::kRelease) continue;
      RC_ASSERT(holders.at(made[i].address) == made[i].thread);
      holders.erase(made[i].address);
      ++pairs;
    }
    RC_ASSERT(holders.empty());
  };
  EXPECT_TRUE(law_holds(law, {2'000, 100'000}));
  EXPECT_GT(pairs, 500u);
}

}  // namespace
}  // namespace isosan::test
