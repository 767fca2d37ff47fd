#include "trace/order/linearizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/trace/identity.h"
#include "unit/trace/test_events.h"

namespace isosan {
namespace {

using log::Code;
using log::LogUnit;
using testing::access;
using ::testing::HasSubstr;
using testing::Identity;
using testing::marker;
using testing::number;
using testing::read_at;
using testing::units_of;

class LinearizerTest : public ::testing::Test {
 protected:
  void append(std::uint32_t thread, const std::vector<LogUnit>& units) {
    linearizer_.append(ThreadId{thread}, linearizer_.appended(ThreadId{thread}), units);
  }
  std::vector<Event> drain(std::size_t limit = 1000) {
    std::vector<Event> out;
    linearizer_.drain(out, limit);
    return out;
  }
  std::vector<Address> addresses(std::size_t limit = 1000) {
    std::vector<Address> result;
    for (const Event& e : drain(limit)) result.push_back(e.address);
    return result;
  }

  Identity identity_;
  std::vector<Context> contexts_{Context{}};
  Linearizer linearizer_{identity_, contexts_, "log"};
};

TEST_F(LinearizerTest, AMarkerHoldsAThreadBackUntilTheOtherWasRead) {
  append(0, {read_at(1), marker(1, 2), read_at(2)});
  EXPECT_EQ(addresses(), (std::vector<Address>{1}));
  append(1, {read_at(10)});
  EXPECT_EQ(addresses(), (std::vector<Address>{10}));
  append(1, {read_at(11), read_at(12)});
  EXPECT_EQ(addresses(), (std::vector<Address>{11, 12, 2}));
  EXPECT_TRUE(linearizer_.finish());
}

TEST_F(LinearizerTest, ChainsOfMarkersAreFollowed) {
  append(0, {marker(1, 2), read_at(1)});
  append(1, {marker(2, 1), read_at(2)});
  append(2, {read_at(3)});
  EXPECT_EQ(addresses(), (std::vector<Address>{3, 2, 1}));
  EXPECT_EQ(linearizer_.buffered(), 0u);
}

TEST_F(LinearizerTest, LimitsAreKept) {
  append(0, {read_at(1), read_at(2), read_at(3)});
  EXPECT_EQ(addresses(2), (std::vector<Address>{1, 2}));
  EXPECT_EQ(linearizer_.consumed(ThreadId{0}), 2u);
  EXPECT_EQ(linearizer_.buffered(ThreadId{0}), 1u);
  EXPECT_FALSE(linearizer_.finish());
  EXPECT_EQ(addresses(2), (std::vector<Address>{3}));
  EXPECT_TRUE(linearizer_.finish());
}

TEST_F(LinearizerTest, RangesAreExpandedOrJoined) {
  const LogUnit first = read_at(100);
  append(0, {first, number(Code::kExtension, 3), number(Code::kRange, 32)});
  EXPECT_EQ(addresses(2), (std::vector<Address>{100, 132}));
  EXPECT_EQ(addresses(2), (std::vector<Address>{164}));
  append(0, {first, number(Code::kExtension, 4), number(Code::kRange, 8)});
  auto events = drain();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].address, 100u);
  EXPECT_EQ(events[0].size, 32u);
  append(0, {first, number(Code::kExtension, 4), number(Code::kRange, std::uint64_t(-8))});
  events = drain();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].address, 76u);
  EXPECT_EQ(events[0].size, 32u);
  append(0, {first, number(Code::kExtension, 2), number(Code::kRange, std::uint64_t(-16))});
  EXPECT_EQ(addresses(), (std::vector<Address>{100, 84}));
}

TEST_F(LinearizerTest, RangesAreWalksWhereWalksAreKept) {
  linearizer_.keep_walks();
  append(0, {read_at(100), number(Code::kExtension, 3), number(Code::kRange, 32)});
  const auto events = drain();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].address, 100u);
  ASSERT_TRUE(is_walk(events[0]));
  EXPECT_EQ(steps_of(events[0]).size, 8u);
  EXPECT_EQ(steps_of(events[0]).count, 3u);
  EXPECT_EQ(steps_of(events[0]).stride, 32u);
  const std::uint64_t far = std::uint64_t{1} << 32;
  append(0, {read_at(100), number(Code::kExtension, 2), number(Code::kRange, far)});
  EXPECT_EQ(addresses(), (std::vector<Address>{100, 100 + far}));
}

TEST_F(LinearizerTest, PlainAccessesCanBeLeftOut) {
  UnorderedGranules granules;
  granules.add(132);
  linearizer_.keep_plain_only_at(&granules);
  const LogUnit store = units_of(access(0, 3, Kind::kAtomicStore)).front();
  const LogUnit count = number(Code::kExtension, 3);
  append(0, {read_at(1), store, read_at(100), count, number(Code::kRange, 64), marker(1, 2), store,
             read_at(100), count, number(Code::kRange, 32), read_at(128), read_at(136)});
  append(1, {read_at(10), read_at(11)});  // nobody sees them, and yet they are waited for
  EXPECT_EQ(addresses(), (std::vector<Address>{3, 3, 100, 132, 164, 128}));
  EXPECT_TRUE(linearizer_.finish());
}

TEST_F(LinearizerTest, PlainWalksAreLeftOutAsAWholeOrNotAtAll) {
  UnorderedGranules granules;
  granules.add(4000);
  linearizer_.keep_plain_only_at(&granules);
  const auto walk = [&](Address from, std::uint64_t count, std::uint64_t stride) {
    append(0, {read_at(from), number(Code::kExtension, count), number(Code::kRange, stride)});
    return addresses().size();
  };
  const std::uint64_t down = std::uint64_t{0} - 16;
  EXPECT_EQ(walk(3000, 62, 16), 0u) << "up to below it";
  EXPECT_EQ(walk(3008, 63, 16), 63u) << "up to it";
  EXPECT_EQ(walk(5008, 63, down), 0u) << "down to above it";
  EXPECT_EQ(walk(5008, 64, down), 64u) << "down to it";
  EXPECT_EQ(walk(3000, 20, 64), 0u) << "over it";
  EXPECT_EQ(walk(4008, 60, 16), 0u);
  EXPECT_EQ(walk(8000, 9, std::uint64_t{0} - 500), 9u);
  EXPECT_EQ(walk(0, 5, 1000), 5u) << "in large steps";
  EXPECT_EQ(walk(8, 5, 1000), 0u);
}

LogUnit call(Kind kind, std::uint64_t f) { return log::make_unit(log::code_of(kind), 0, f); }
LogUnit store_at(Address a) { return units_of(access(0, a, Kind::kAtomicStore)).front(); }

TEST_F(LinearizerTest, WithPlainAccessesCallsAreLeftOutInWhichNothingElseHappens) {
  const UnorderedGranules none;
  linearizer_.keep_plain_only_at(&none);
  append(0, {call(Kind::kCall, 1), call(Kind::kCall, 2), read_at(1), call(Kind::kReturn, 2)});
  append(0, {call(Kind::kCall, 2), read_at(2), call(Kind::kReturn, 2), call(Kind::kCall, 3)});
  append(0, {store_at(7), call(Kind::kReturn, 3), call(Kind::kCall, 2), call(Kind::kCall, 3)});
  append(0, {store_at(8)});
  std::vector<std::pair<Kind, std::uint64_t>> seen;  // with the function, or the depth of the stack
  for (const Event& e : drain()) {
    std::uint64_t depth = 0;
    for (ContextId c = e.context; c != ContextId{}; c = contexts_[index(c)].parent) ++depth;
    seen.emplace_back(e.kind, e.kind == Kind::kAtomicStore ? depth : e.size);
  }
  using enum Kind;
  EXPECT_EQ(seen, (std::vector<std::pair<Kind, std::uint64_t>>{{kCall, 1},
                                                               {kCall, 2},  // the first of each
                                                               {kReturn, 2},
                                                               {kCall, 3},
                                                               {kAtomicStore, 2},
                                                               {kReturn, 3},
                                                               {kCall, 2},
                                                               {kCall, 3},
                                                               {kAtomicStore, 3}}));
}

TEST_F(LinearizerTest, ARangeHasTheCallsThatWereLeftOutBeforeIt) {
  UnorderedGranules granules;
  granules.add(100);
  linearizer_.keep_plain_only_at(&granules);
  append(0, {call(Kind::kCall, 1), read_at(100), number(Code::kExtension, 2),
             number(Code::kRange, 64)});
  const std::vector<Event> out = drain();
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].kind, Kind::kCall);
  EXPECT_NE(out[0].context, ContextId{});
  EXPECT_EQ(out[1].context, out[0].context);
  EXPECT_EQ(out[2].context, out[0].context);
}

TEST_F(LinearizerTest, CallsThatLeadToAnEventMayBeMoreThanABatch) {
  const UnorderedGranules none;
  linearizer_.keep_plain_only_at(&none);
  constexpr std::size_t kDepth = 1000;
  append(0, std::vector<LogUnit>(kDepth, call(Kind::kCall, 1)));
  append(0, {store_at(7)});
  std::size_t events = 0;
  for (std::vector<Event> out; !(out = drain(10)).empty();) events += out.size();
  EXPECT_EQ(events, kDepth + 1);
}

TEST_F(LinearizerTest, EventsCarryTheirCallingContext) {
  append(0, {call(Kind::kCall, 1), read_at(1), call(Kind::kCall, 2), read_at(2),
             call(Kind::kReturn, 2), call(Kind::kReturn, 1), call(Kind::kCall, 1), read_at(3),
             call(Kind::kCall, 2), call(Kind::kCall, 3), call(Kind::kReturn, 2), read_at(4),
             call(Kind::kReturn, 9), read_at(5)});
  std::map<Address, ContextId> context;
  for (const Event& e : drain()) {
    if (e.kind == Kind::kRead) context[e.address] = e.context;
  }
  EXPECT_EQ(context[1], context[3]);
  EXPECT_EQ(context[4], context[1]);  // returned past a frame that longjmp left
  EXPECT_EQ(context[5], context[1]);  // a return from elsewhere changes nothing
  const Context inner = contexts_.at(index(context[2]));
  EXPECT_EQ(inner.function, FunctionId{2});
  EXPECT_EQ(inner.parent, context[1]);
  EXPECT_EQ(contexts_.size(), 4u);  // the empty stack, 1, 1>2, 1>2>3
}

TEST_F(LinearizerTest, DamageIsToldAfterWhatStoodBefore) {
  append(0, {read_at(1), log::make_unit(99, 0, 0), read_at(2)});
  EXPECT_EQ(addresses(), (std::vector<Address>{1}));
  EXPECT_THAT([&] { drain(); }, ::testing::ThrowsMessage<InputError>(
                                    HasSubstr("thread 0: position 1 of its log: no such unit")));
}

TEST_F(LinearizerTest, AMarkerNamesAThreadThatCanBe) {
  append(0, {marker(1u << 24, 0)});
  EXPECT_THAT([&] { drain(); }, ::testing::ThrowsMessage<InputError>(
                                    HasSubstr("a marker of a thread that cannot be")));
}

TEST_F(LinearizerTest, ALogMayNotEndWithinARecord) {
  append(0, {units_of({.kind = Kind::kRead, .address = 8, .size = 1000}).front()});
  EXPECT_THAT(addresses(), ::testing::IsEmpty());
  EXPECT_THAT([&] { linearizer_.finish(); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("the log ends within a record")));
}

TEST_F(LinearizerTest, WaitingForEachOtherIsAnError) {
  append(0, {read_at(1), marker(1, 2), read_at(2)});
  append(1, {marker(0, 2), read_at(3)});
  EXPECT_EQ(addresses(), (std::vector<Address>{1}));
  EXPECT_THAT([&] { linearizer_.finish(); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("waits for position 2 of thread 0")));
}

// Thread 1 was killed: what others wait for was never written. Who waits for these waits rightly.
TEST_F(LinearizerTest, AtTheEndNobodyWaitsForWhatWasNeverWritten) {
  append(0, {marker(2, 2), read_at(1)});
  append(2, {marker(1, 5), read_at(2)});
  append(1, {read_at(3)});
  EXPECT_EQ(addresses(), (std::vector<Address>{3}));
  EXPECT_FALSE(linearizer_.finish());
  EXPECT_EQ(addresses(), (std::vector<Address>{2, 1}));
  EXPECT_TRUE(linearizer_.finish());
}

TEST_F(LinearizerTest, LenientlyItGoesOnAllTheSame) {
  Linearizer lenient(identity_, contexts_, "log", true);
  const std::vector<LogUnit> a = {read_at(1), marker(1, 5), read_at(2)};
  const std::vector<LogUnit> b = {marker(0, 3), read_at(3)};
  lenient.append(ThreadId{0}, 0, a);
  lenient.append(ThreadId{1}, 4, b);  // positions 0 to 3 were lost
  std::vector<Event> out;
  do {
    lenient.drain(out, 100);
  } while (!lenient.finish());
  EXPECT_EQ(out.size(), 3u);
  EXPECT_GE(lenient.passed_over().count, 1u);
}

TEST_F(LinearizerTest, UnitsOfEveryKindGiveTheEventBack) {
  for (Event e : testing::random_events(11, 5000)) {
    e.context = kEmptyStack;
    e.address &= log::kLow48;
    if (e.kind != Kind::kAcquire && e.kind != Kind::kRelease) e.depth = 0;
    const bool region = e.kind == Kind::kBegin || e.kind == Kind::kEnd;
    const bool call = e.kind == Kind::kCall || e.kind == Kind::kReturn;
    if (call) continue;  // they change the stack; see above
    if (region) e.site = SiteId{static_cast<std::uint32_t>(e.size)};
    const bool sized = is_access(e.kind) || log::has_extension(units_of(e)[0]) || region;
    if (!sized) e.size = 0;
    append(index(e.thread), units_of(e));
    const std::vector<Event> out = drain();
    ASSERT_EQ(out.size(), 1u);
    ASSERT_EQ(out[0], e) << name_of(e.kind);
  }
}

}  // namespace
}  // namespace isosan
