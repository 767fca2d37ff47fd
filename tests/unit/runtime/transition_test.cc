// The state machine of words by enumeration: every state, owner, epoch relation, mask and need. A
// word is built from a description, and what is expected is said of the description alone.
#include "runtime/ownership/transition.h"

#include <gtest/gtest.h>

#include "unit/runtime/described_words.h"

namespace isosan::rt {
namespace {

using namespace described;

TEST(Transition, IsTheTable) {
  std::uint64_t combinations = 0;
  for (const Described& described : all_words()) {
    for (const Word mask : masks_of_accesses()) {
      for (const Need need : {Need::kRead, Need::kWrite}) {
        const Word w = word_of(described);
        ASSERT_EQ(static_cast<int>(transition(w, kActor, mask, need, covers)),
                  static_cast<int>(expected(described, mask, need)))
            << std::hex << "word " << w << " mask " << mask << " need " << static_cast<int>(need);
        ++combinations;
      }
    }
  }
  EXPECT_GT(combinations, 40'000u);
}

// Where compiled code has to call the runtime, the actor's values never match: nothing is a hit.
TEST(Transition, NoWordMatchesTheValuesThatNeverMatch) {
  constexpr Actor kNever{kNeverTag, kNeverOwner, 0};
  for (const Described& described : all_words()) {
    const Action action = transition(word_of(described), kNever, 0xff, Need::kRead,
                                     [](std::uint32_t, std::uint64_t) { return false; });
    EXPECT_NE(static_cast<int>(action), static_cast<int>(Action::kNothing));
    EXPECT_NE(static_cast<int>(action), static_cast<int>(Action::kMark));
    EXPECT_NE(static_cast<int>(action), static_cast<int>(Action::kLogShared));
  }
}

// What the actions store leads where it should: the same access again needs nothing.
TEST(Transition, AfterMarkTheSameAccessIsLogged) {
  for (const Described& described : all_words()) {
    for (const Word mask : masks_of_accesses()) {
      for (const Need need : {Need::kRead, Need::kWrite}) {
        const Word w = word_of(described);
        if (transition(w, kActor, mask, need, covers) != Action::kMark) continue;
        const Word after = need == Need::kWrite
                               ? write_claimed(w, kActor.tag, mask)
                               : read_claimed(w, kActor.tag, mask, Word{3} << kEpochShift);
        ASSERT_EQ(static_cast<int>(transition(after, kActor, mask, need, covers)),
                  static_cast<int>(Action::kNothing))
            << std::hex << w << " became " << after;
        ASSERT_EQ(static_cast<int>(transition(after, kActor, mask, Need::kRead, covers)),
                  static_cast<int>(Action::kNothing))
            << "a write counts as a read";
      }
    }
  }
}

}  // namespace
}  // namespace isosan::rt
