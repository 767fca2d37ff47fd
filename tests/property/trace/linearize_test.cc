// Logs with markers are linearized into an order that is equivalent to the original one: program
// order and every conflict stand as they happened.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <set>

#include "oracle/property.h"
#include "trace/native/trace_writer.h"
#include "trace/order/linearizer.h"
#include "unit/trace/identity.h"
#include "unit/trace/test_events.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

constexpr test::Repetitions kRepetitions{.default_count = 300, .long_count = 20'000};

using log::LogUnit;
using testing::Identity;
using testing::marker;
using testing::ReadResult;
using testing::units_of;

// An execution: events in the order in which they happened, and the logs that a runtime would have
// written. The site of an event is its number in its thread, so that it can be told from all
// others.
struct Execution {
  std::vector<Event> events;
  std::vector<std::vector<LogUnit>> logs;
};

Execution random_run() {
  Execution run;
  const auto threads = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto count = *rc::gen::inRange<std::size_t>(1, 150);
  run.logs.resize(threads);
  std::vector<std::uint32_t> own_count(threads);
  std::map<Address, std::set<std::uint32_t>> touched_by;
  for (std::size_t i = 0; i < count; ++i) {
    const auto thread = *rc::gen::inRange<std::uint32_t>(0, threads);
    const Address address = *rc::gen::inRange<Address>(1, 5) * 8;
    const Event e{.kind = *rc::gen::arbitrary<bool>() ? Kind::kRead : Kind::kWrite,
                  .thread = ThreadId{thread},
                  .address = address,
                  .size = 8,
                  .site = SiteId{++own_count[thread]}};
    std::vector<LogUnit>& log = run.logs[thread];
    for (const std::uint32_t other : touched_by[address]) {
      if (other != thread) log.push_back(marker(other, run.logs[other].size()));
    }
    touched_by[address].insert(thread);
    for (const LogUnit& unit : units_of(e)) log.push_back(unit);
    run.events.push_back(e);
  }
  return run;
}

// The order of all events of a thread, and of all events of a location.
template <class Key>
std::map<Key, std::vector<Event>> grouped(const std::vector<Event>& events,
                                          Key (*key)(const Event&)) {
  std::map<Key, std::vector<Event>> groups;
  for (const Event& e : events) groups[key(e)].push_back(e);
  return groups;
}
std::uint32_t thread_of(const Event& e) { return index(e.thread); }
Address address_of(const Event& e) { return e.address; }

void check_equivalent(const std::vector<Event>& linearized, const Execution& run) {
  RC_ASSERT(linearized.size() == run.events.size());
  RC_ASSERT(grouped(linearized, thread_of) == grouped(run.events, thread_of));
  RC_ASSERT(grouped(linearized, address_of) == grouped(run.events, address_of));
}

// Hands the logs over in random pieces; `piece` is called with thread, position and units.
template <class Piece>
void hand_over(const Execution& run, Piece&& piece) {
  std::vector<std::size_t> done(run.logs.size());
  std::set<std::uint32_t> open;
  for (std::uint32_t t = 0; t < run.logs.size(); ++t) {
    if (!run.logs[t].empty()) open.insert(t);
  }
  while (!open.empty()) {
    const auto nth = *rc::gen::inRange<std::size_t>(0, open.size());
    const std::uint32_t t = *std::next(open.begin(), static_cast<std::ptrdiff_t>(nth));
    const std::size_t left = run.logs[t].size() - done[t];
    const auto length = *rc::gen::inRange<std::size_t>(1, left + 1);
    piece(t, done[t], std::span(run.logs[t]).subspan(done[t], length));
    done[t] += length;
    if (done[t] == run.logs[t].size()) open.erase(t);
  }
}

TEST(Linearize, PiecesInAnyOrderGiveAnEquivalentOrder) {
  EXPECT_TRUE(test::law_holds(
      [] {
        const Execution run = random_run();
        Identity identity;
        std::vector<Context> contexts{Context{}};
        Linearizer linearizer(identity, contexts, "log");
        std::vector<Event> out;
        hand_over(run, [&](std::uint32_t t, std::size_t position, std::span<const LogUnit> units) {
          linearizer.append(ThreadId{t}, position, units);
          linearizer.drain(out, out.size() + *rc::gen::inRange<std::size_t>(0, 20));
        });
        while (!linearizer.finish()) linearizer.drain(out, out.size() + 7);
        RC_ASSERT(linearizer.buffered() == 0u);
        check_equivalent(out, run);
      },
      kRepetitions));
}

TEST(Linearize, TheSameThroughAFile) {
  EXPECT_TRUE(test::law_holds(
      [] {
        const Execution run = random_run();
        Identity identity;
        Tables tables;
        tables.sites.resize(200);
        tables.threads.resize(run.logs.size());
        const std::string path = ::testing::TempDir() + "/linearize.trace";
        TraceWriter writer(path);
        hand_over(run, [&](std::uint32_t t, std::size_t position, std::span<const LogUnit> units) {
          writer.write_units(ThreadId{t}, position, units, identity, tables);
          if (*rc::gen::inRange(0, 4) == 0) writer.flush(tables);
        });
        writer.finish(tables);
        const ReadResult r = testing::read_file(path);
        RC_ASSERT(r.error.empty());
        check_equivalent(r.events, run);
      },
      kRepetitions));
}

}  // namespace
}  // namespace isosan
