#include "trace/linearizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "trace/open_trace.h"
#include "trace/trace_writer.h"
#include "unit/trace/identity.h"
#include "unit/trace/test_events.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using log::Code;
using log::LogUnit;
using ::testing::HasSubstr;
using testing::Identity;
using testing::marker;
using testing::read_file;
using testing::ReadResult;
using testing::units_of;

Event access(std::uint32_t thread, Address address, Kind kind = Kind::kRead) {
  return {
      .kind = kind, .thread = ThreadId{thread}, .address = address, .size = 8, .site = SiteId{1}};
}

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

LogUnit read_at(Address a) { return units_of(access(0, a)).front(); }
LogUnit number(Code code, std::uint64_t value) {
  LogUnit unit = log::make_unit(static_cast<std::uint8_t>(code), 0, 0);
  unit.word1 = value;
  return unit;
}

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
  EXPECT_THAT([&] { drain(); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("thread 0: position 1")));
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
    const bool sized = log::is_access(e.kind) || log::has_extension(units_of(e)[0]) || region;
    if (!sized) e.size = 0;
    append(index(e.thread), units_of(e));
    const std::vector<Event> out = drain();
    ASSERT_EQ(out.size(), 1u);
    ASSERT_EQ(out[0], e) << name_of(e.kind);
  }
}

// Through a file: the writer takes logs, the reader linearizes.

std::string log_trace(const std::string& name, std::size_t piece) {
  const std::string path = ::testing::TempDir() + "/" + name;
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  Identity identity;
  TraceWriter writer(path);
  std::map<std::uint32_t, std::vector<LogUnit>> logs;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto t = static_cast<std::uint32_t>(i % 3);
    const auto previous = static_cast<std::uint32_t>((i + 2) % 3);
    if (i > 0) logs[t].push_back(marker(previous, logs[previous].size()));
    for (const LogUnit& unit : units_of(access(t, i))) logs[t].push_back(unit);
    logs[t].push_back(number(Code::kEventIndex, i));
  }
  std::map<std::uint32_t, std::size_t> done;
  for (bool more = true; more;) {
    more = false;
    for (auto& [thread, units] : logs) {
      const std::size_t n = std::min(piece, units.size() - done[thread]);
      writer.write_units(ThreadId{thread}, done[thread], std::span(units).subspan(done[thread], n),
                         identity, tables);
      done[thread] += n;
      more |= done[thread] < units.size();
    }
    writer.flush(tables);
  }
  writer.finish(tables);
  return path;
}

TEST(LogTrace, IsLinearizedByItsMarkers) {
  const ReadResult r = read_file(log_trace("logs.trace", 37));
  ASSERT_EQ(r.error, "");
  ASSERT_EQ(r.events.size(), 500u);
  for (std::uint64_t i = 0; i < 500; ++i) {
    EXPECT_EQ(r.events[i].address, i);
    EXPECT_EQ(index(r.events[i].thread), i % 3);
  }
}

// A thread that logs little is written in time for those that wait for it.
TEST(LogTrace, CanBeReadWithoutKeepingMuchOfIt) {
  const std::string path = ::testing::TempDir() + "/waits.trace";
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  Identity identity;
  TraceWriter writer(path);
  writer.write_units(ThreadId{0}, 0, std::vector{read_at(1)}, identity, tables);
  writer.write_units(ThreadId{1}, 0, std::vector{marker(0, 1)}, identity, tables);
  std::vector<LogUnit> many;
  for (std::uint64_t i = 0; i < 1000; ++i) many.push_back(read_at(i * 0x9e3779b97f4a7c15u >> 20));
  std::uint64_t position = 1;
  for (; position < 4 * TraceWriter::kFlushUnits; position += many.size()) {
    writer.write_units(ThreadId{1}, position, many, identity, tables);
  }
  writer.finish(tables);
  const std::unique_ptr<TraceSource> reader = open_trace(path, {});
  const std::span<const Event> first = reader->next();
  ASSERT_GT(first.size(), 1u);
  EXPECT_LT(reader->progress().bytes_read, reader->progress().bytes_total / 2);
}

TEST(LogTrace, UnitsComeBackWhateverTheirTemplatesAndValues) {
  std::vector<LogUnit> units;
  const std::uint64_t large = ~std::uint64_t{0};
  for (const std::uint64_t value : {0ul, 1ul, 255ul, 1ul << 20, 1ul << 47, large, 7ul, 8ul, 9ul}) {
    units.push_back(number(Code::kEventIndex, value));
    units.push_back(read_at(value & log::kLow48));
    units.push_back(number(Code::kExtension, value));
    units.push_back(number(Code::kRange, large - value));
  }
  for (std::uint64_t i = 0; i < 5000; ++i) {  // more templates than the table has slots
    units.push_back(log::make_unit(log::code_of(Kind::kWrite), i * i, i % 3000, 4));
  }
  UnitEncoder encoder;
  UnitDecoder decoder;
  for (int chunk = 0; chunk < 2; ++chunk) {  // each chunk is on its own
    encoder.clear();
    encoder.add(
        units, [](const LogUnit& unit, const LogUnit*) { return unit; },
        [](std::uint64_t place) { return place; });
    EXPECT_EQ(encoder.size(), units.size());
    std::string raw(encoder.bytes());
    const std::size_t size = raw.size();
    raw.resize(size + UnitDecoder::kPadding);
    const auto yes = [](const auto&) { return true; };
    ASSERT_TRUE(decoder.decode({raw.data(), size}, units.size(), yes, yes));
    ASSERT_TRUE(std::ranges::equal(decoder.units(), units, [](const LogUnit& a, const LogUnit& b) {
      return a.word0 == b.word0 && a.word1 == b.word1;
    }));
    EXPECT_FALSE(decoder.decode({raw.data(), size - 1}, units.size(), yes, yes));
    EXPECT_FALSE(decoder.decode({raw.data(), size}, units.size() - 1, yes, yes));
  }
}

TEST(LogTrace, EveryTruncationGivesAPrefixAndAnError) {
  const std::string path = log_trace("logs_cut.trace", 200);
  FILE* file = std::fopen(path.c_str(), "rb");
  std::string whole(1 << 20, '\0');
  whole.resize(std::fread(whole.data(), 1, whole.size(), file));
  std::fclose(file);
  const ReadResult all = testing::read_bytes(whole);
  for (std::size_t n = 17; n < whole.size(); n += 3) {
    const ReadResult part = testing::read_bytes(whole.substr(0, n));
    ASSERT_NE(part.error, "");
    ASSERT_TRUE(std::equal(part.events.begin(), part.events.end(), all.events.begin()));
  }
}

TEST(LogTrace, PlacesAreResolvedWhenWritten) {
  class Halved : public Identity {
   public:
    SiteId site_of(std::uint64_t place) override {
      return SiteId{static_cast<std::uint32_t>(place / 0x1000)};
    }
  };
  const std::string path = ::testing::TempDir() + "/places.trace";
  Halved resolver;
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  TraceWriter writer(path);
  const std::vector<LogUnit> units = {
      log::make_unit(log::code_of(Kind::kCall), 0x4000, 1, 1),  // of function 1, at 0x4000
      log::make_unit(log::code_of(Kind::kRead), 8, 0x3000, 4),
      log::make_unit(log::code_of(Kind::kBegin), 0, 2,
                     static_cast<std::uint8_t>(RegionKind::kUnit))};
  writer.write_units(ThreadId{0}, 0, units, resolver, tables);
  writer.finish(tables);
  const ReadResult r = read_file(path);
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(r.events.at(0).site, SiteId{4});
  EXPECT_EQ(r.events.at(0).address, 0u);
  EXPECT_EQ(r.tables.contexts.at(1).call_site, SiteId{4});
  EXPECT_EQ(r.events.at(1).site, SiteId{3});
  EXPECT_EQ(r.events.at(2).size, 2u);
  EXPECT_EQ(r.events.at(2).site, tables.regions[2].site);
}

}  // namespace
}  // namespace isosan
