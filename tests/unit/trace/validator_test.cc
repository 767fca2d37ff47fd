#include "trace/validator.h"

#include <gtest/gtest.h>

#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using testing::read_all;
using testing::read_bytes;
using testing::ReadResult;
using testing::VectorSource;

struct IllFormed {
  const char* name;
  const char* text;
  const char* error;
  std::size_t events_before;
  std::size_t events_lenient;  // what lenient reading keeps
};
std::ostream& operator<<(std::ostream& out, const IllFormed& c) { return out << c.name; }

class ValidatorIllFormed : public ::testing::TestWithParam<IllFormed> {};

TEST_P(ValidatorIllFormed, IsRefusedWithPlaceThreadAndReason) {
  const ReadResult r = read_bytes(GetParam().text);
  EXPECT_EQ(r.error, GetParam().error);
  EXPECT_EQ(r.events.size(), GetParam().events_before);
}

TEST_P(ValidatorIllFormed, IsPassedOverWhenLenient) {
  const ReadResult r = read_bytes(GetParam().text, {.lenient = true});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.events.size(), GetParam().events_lenient);
  EXPECT_GE(r.passed_over.count, 1u);
  EXPECT_EQ(r.passed_over.first, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidatorIllFormed,
    ::testing::Values(
        IllFormed{"release", "T|r(x)|1\nT|rel(l)|1\nT|w(x)|1\n",
                  "in:2: thread T: release of lock l, which the thread does not hold", 1, 2},
        IllFormed{"release_of_another", "T|acq(l)|1\nU|rel(l)|1\nT|rel(l)|1\n",
                  "in:2: thread U: release of lock l, which the thread does not hold", 1, 2},
        IllFormed{"acquire", "T|acq(l)|1\nU|acq(l)|1\nU|rel(l)|1\nT|rel(l)|1\nU|acq(l)|1\n",
                  "in:2: thread U: acquire of lock l, which thread T holds", 1, 3},
        IllFormed{"end", "T|begin|1\nT|end|1\nT|end|1\n", "in:3: thread T: end without a begin", 2,
                  2},
        IllFormed{"fork_after_run", "T|r(x)|1\nU|r(x)|1\nT|fork(U)|1\n",
                  "in:3: thread T: fork of thread U, which has run before", 2, 2},
        IllFormed{"fork_of_itself", "T|r(x)|1\nT|fork(T)|1\n",
                  "in:2: thread T: fork of thread T, which has run before", 1, 1},
        IllFormed{"second_fork", "T|fork(U)|1\nT|fork(U)|1\n",
                  "in:2: thread T: fork of thread U, which was forked before", 1, 1},
        IllFormed{"after_join", "T|fork(U)|1\nU|r(x)|1\nT|join(U)|1\nU|w(x)|1\nT|r(x)|1\n",
                  "in:4: thread U: event of a thread that was joined before", 3, 4},
        IllFormed{"after_own_join", "T|join(T)|1\nT|w(x)|1\n",
                  "in:2: thread T: event of a thread that was joined before", 1, 1}),
    [](const auto& c) { return c.param.name; });

TEST(Validator, RefusesATraceWithoutEvents) {
  EXPECT_EQ(read_bytes("").error, "in: offset 0: the file is empty");
  EXPECT_EQ(read_bytes("\n\n").error, "in:3: the trace has no events");
  EXPECT_EQ(read_bytes("\n\n", {.lenient = true}).error, "in:3: the trace has no events");
}

TEST(Validator, AcceptsJoinsOfThreadsNeverForkedAndReentrantLocks) {
  EXPECT_EQ(read_bytes("T|acq(l)|1\nT|acq(l)|1\nT|rel(l)|1\nT|rel(l)|1\nU|acq(l)|1\nU|join(T)|1\n"
                       "U|join(V)|1\n")
                .error,
            "");
}

Event lock_event(Kind kind, std::uint32_t thread, LockMode mode, Address lock = 64) {
  return {.kind = kind,
          .detail = static_cast<std::uint8_t>(mode),
          .thread = ThreadId{thread},
          .address = lock};
}

std::string validate(std::vector<Event> events) {
  Validator validator(std::make_unique<VectorSource>(std::move(events)), {});
  return read_all(validator).error;
}

TEST(Validator, SharedHoldersExcludeExclusiveOnesOnly) {
  using enum LockMode;
  const auto acquire = [](std::uint32_t t, LockMode m) { return lock_event(Kind::kAcquire, t, m); };
  const auto release = [](std::uint32_t t, LockMode m) { return lock_event(Kind::kRelease, t, m); };
  EXPECT_EQ(validate({acquire(0, kShared), acquire(1, kShared), release(0, kShared),
                      release(1, kShared), acquire(2, kExclusive)}),
            "");
  EXPECT_EQ(validate({acquire(0, kShared), acquire(1, kExclusive)}),
            "in:2: thread 1: acquire of lock 0x40, which thread 0 holds");
  EXPECT_EQ(validate({acquire(0, kExclusive), acquire(1, kShared)}),
            "in:2: thread 1: acquire of lock 0x40, which thread 0 holds");
  EXPECT_EQ(validate({acquire(0, kShared), release(0, kExclusive)}),
            "in:2: thread 0: release of lock 0x40, which the thread does not hold");
  EXPECT_EQ(validate({acquire(0, kShared), release(1, kShared)}),
            "in:2: thread 1: release of lock 0x40, which the thread does not hold");
}

TEST(Validator, MemoryThatIsFreedTakesItsLocksAlong) {
  const Event held = lock_event(Kind::kAcquire, 0, LockMode::kExclusive);
  const Event again = lock_event(Kind::kAcquire, 1, LockMode::kExclusive);
  const auto free_at = [](Address a) {
    return Event{.kind = Kind::kFree, .thread = ThreadId{0}, .address = a, .size = 16};
  };
  EXPECT_EQ(validate({held, free_at(56), again}), "");
  EXPECT_NE(validate({held, free_at(72), again}), "");
  EXPECT_NE(validate({held, free_at(48), again}), "");
}

}  // namespace
}  // namespace isosan
