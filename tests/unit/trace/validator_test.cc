#include "trace/order/validator.h"

#include <gtest/gtest.h>

#include <random>

#include "trace/generator.h"
#include "trace/native/trace_writer.h"
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
    ::testing::Values(IllFormed{"release", "T|r(x)|1\nT|rel(l)|1\nT|w(x)|1\n",
                                "in:2: thread T: release of lock l, which is not held", 1, 2},
                      IllFormed{"release_after_another", "T|acq(l)|1\nU|rel(l)|1\nT|rel(l)|1\n",
                                "in:3: thread T: release of lock l, which is not held", 2, 2},
                      IllFormed{"acquire",
                                "T|acq(l)|1\nU|acq(l)|1\nU|rel(l)|1\nT|rel(l)|1\nU|acq(l)|1\n",
                                "in:2: thread U: acquire of lock l, which thread T holds", 1, 3},
                      IllFormed{"end", "T|begin|1\nT|end|1\nT|end|1\n",
                                "in:3: thread T: end without a begin", 2, 2},
                      IllFormed{"fork_after_run", "T|r(x)|1\nU|r(x)|1\nT|fork(U)|1\n",
                                "in:3: thread T: fork of thread U, which has run before", 2, 2},
                      IllFormed{"fork_of_itself", "T|r(x)|1\nT|fork(T)|1\n",
                                "in:2: thread T: fork of thread T, which has run before", 1, 1},
                      IllFormed{"second_fork", "T|fork(U)|1\nT|fork(U)|1\n",
                                "in:2: thread T: fork of thread U, which was forked before", 1, 1},
                      IllFormed{"after_join",
                                "T|fork(U)|1\nU|r(x)|1\nT|join(U)|1\nU|w(x)|1\nT|r(x)|1\n",
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
            "in:2: thread 0: release of lock 0x40, which is not held");
}

// Neither is defined by POSIX, and programs do it: the lock is free then.
TEST(Validator, AnotherThreadMayGiveALockUp) {
  using enum LockMode;
  const auto acquire = [](std::uint32_t t, LockMode m) { return lock_event(Kind::kAcquire, t, m); };
  const auto release = [](std::uint32_t t, LockMode m) { return lock_event(Kind::kRelease, t, m); };
  EXPECT_EQ(validate({acquire(0, kExclusive), release(1, kExclusive), acquire(2, kExclusive),
                      release(0, kExclusive), acquire(0, kExclusive)}),
            "");
  EXPECT_EQ(validate({acquire(0, kShared), release(1, kShared), acquire(2, kExclusive)}), "");
  EXPECT_EQ(validate({acquire(0, kShared), release(1, kShared), release(0, kShared)}),
            "in:3: thread 0: release of lock 0x40, which is not held");
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

// A reader that knows which events matter (batch_outline.h) spares the Validator a look at the
// others: chunks with and without forks, several batches each, and an event somewhere in them that
// became another one.
TEST(Validator, FindsTheSameWithAnOutline) {
  Generator generator({.events = 6000, .threads = 5, .variables = 40, .locks = 6, .seed = 5});
  std::vector<Event> whole;
  for (auto batch = generator.next(); !batch.empty(); batch = generator.next()) {
    whole.insert(whole.end(), batch.begin(), batch.end());
  }
  const std::string path = ::testing::TempDir() + "/outline.trace";
  std::mt19937_64 random(7);
  std::size_t refused = 0;
  for (int run = 0; run < 60; ++run) {
    std::vector<Event> events = whole;
    Event& changed = events[100 + random() % 5800];
    changed.thread = ThreadId{static_cast<std::uint32_t>(random() % 6)};  // 5: never forked
    if (random() % 2 == 0) changed.kind = static_cast<Kind>(static_cast<int>(changed.kind) ^ 1);
    TraceWriter writer(path);
    Tables tables = generator.tables();
    tables.threads.resize(6);
    for (std::size_t i = 0; i < events.size(); i += 1500) {
      writer.write(std::span(events).subspan(i, 1500), tables);
      writer.flush(tables);
    }
    writer.finish(tables);
    const ReadResult outlined = testing::read_file(path);
    Validator validator(std::make_unique<VectorSource>(events, tables), {});
    const ReadResult looked_at = read_all(validator);
    EXPECT_EQ(outlined.events.size(), looked_at.events.size());
    const auto reason = [](const std::string& error) {
      return error.substr(std::min(error.find(": thread"), error.size()));
    };
    EXPECT_EQ(reason(outlined.error), reason(looked_at.error));
    refused += outlined.error.empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 15u);
  EXPECT_LT(refused, 60u);
}

}  // namespace
}  // namespace isosan
