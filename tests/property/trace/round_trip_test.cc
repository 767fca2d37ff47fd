// What is written is read back: random events through each of the formats.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <iterator>

#include "oracle/property.h"
#include "trace/create_trace.h"
#include "trace/native/trace_writer.h"
#include "trace/stream/event_text.h"
#include "unit/trace/test_events.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

constexpr test::Repetitions kRepetitions{.default_count = 300, .long_count = 20'000};

using testing::read_bytes;
using testing::ReadResult;

constexpr TraceOptions kRaw{.lenient = false, .validate = false};

std::string temporary(const std::string& suffix) {
  return ::testing::TempDir() + "/round_trip" + suffix;
}
std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Events of every kind; rapidcheck shrinks the seeds away one by one.
rc::Gen<std::vector<Event>> any_events() {
  return rc::gen::container<std::vector<Event>>(
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
        std::mt19937_64 random(seed);
        return testing::random_event(random);
      }));
}

TEST(RoundTrip, OurFormatKeepsEverything) {
  EXPECT_TRUE(test::law_holds(
      [] {
        const std::vector<Event> events = *any_events();
        const Tables tables = testing::sample_tables();
        const std::string path = temporary(".trace");
        TraceWriter writer(path);
        std::span<const Event> rest = events;
        while (!rest.empty()) {
          const auto count = *rc::gen::inRange<std::size_t>(1, rest.size() + 1);
          writer.write(rest.first(count), tables);
          if (*rc::gen::arbitrary<bool>()) writer.flush(tables);
          rest = rest.subspan(count);
        }
        writer.finish(tables);
        const ReadResult r = testing::read_file(path, kRaw);
        RC_ASSERT(r.error.empty());
        RC_ASSERT(r.events == events);
      },
      kRepetitions));
}

// What STD and RapidBin can express, with names all over.
struct Expressible {
  std::vector<Event> events;
  Tables tables;
};

Expressible expressible() {
  constexpr Kind kKinds[] = {Kind::kRead, Kind::kWrite, Kind::kAcquire, Kind::kRelease,
                             Kind::kFork, Kind::kJoin,  Kind::kBegin,   Kind::kEnd};
  Expressible x;
  const auto name = [](std::uint32_t i) {
    return fmt::format("{}n{}", i % 3 == 0 ? "a.long(name)" : "", i);
  };
  for (std::uint32_t i = 0; i < 5; ++i) x.tables.threads.push_back({"", name(i), {}});
  for (std::uint32_t i = 1; i < 9; ++i) {
    x.tables.sites.push_back({.file = i % 2 == 0 ? "" : name(i), .line = i});
    x.tables.regions.push_back({RegionKind::kAtomic, name(i), kNoFunction, SiteId{i}});
    x.tables.symbols.push_back({i * 16, 8, name(i)});
  }
  const auto count = *rc::gen::inRange<std::size_t>(0, 200);
  for (std::size_t i = 0; i < count; ++i) {
    const auto pick = [](std::uint32_t end) { return *rc::gen::inRange<std::uint32_t>(0, end); };
    Event e{.kind = kKinds[pick(8)],
            .thread = ThreadId{pick(5)},
            .address = std::uint64_t{1 + pick(8)} * 16,
            .site = SiteId{pick(9)}};
    if (e.kind == Kind::kRead || e.kind == Kind::kWrite) e.size = 8;
    if (e.kind == Kind::kFork || e.kind == Kind::kJoin) e.address = pick(5);
    if (e.kind == Kind::kBegin || e.kind == Kind::kEnd) {
      e.address = 0;
      e.size = 1 + pick(8);
      e.site = SiteId{1 + pick(8)};
    }
    x.events.push_back(e);
  }
  return x;
}

ReadResult through(TraceFormat format, const std::vector<Event>& events, const Tables& tables,
                   std::string& bytes) {
  const std::string path = temporary(".other");
  const auto writer = create_trace(path, format);
  writer->write(events, tables);
  writer->finish(tables);
  bytes = bytes_of(path);
  return read_bytes(bytes, kRaw);
}

// Depths are derived from the order of acquires, an end's region from its begin: not compared.
std::string without_derived(Event e, const Tables& tables) {
  e.depth = 0;
  if (e.kind == Kind::kEnd) e.size = 0;
  return dump_line(e, 0, tables);
}

TEST(RoundTrip, StdKeepsOrderNamesAndPlaces) {
  EXPECT_TRUE(test::law_holds(
      [] {
        const Expressible x = expressible();
        std::string text;
        const ReadResult r = through(TraceFormat::kStd, x.events, x.tables, text);
        if (x.events.empty()) return;
        RC_ASSERT(r.error.empty());
        RC_ASSERT(r.events.size() == x.events.size());
        for (std::size_t i = 0; i < x.events.size(); ++i) {
          RC_ASSERT(without_derived(r.events[i], r.tables) ==
                    without_derived(x.events[i], x.tables));
        }
        std::string again;
        through(TraceFormat::kStd, r.events, r.tables, again);
        RC_ASSERT(again == text);
      },
      kRepetitions));
}

TEST(RoundTrip, RapidBinKeepsOrderAndIdentities) {
  EXPECT_TRUE(test::law_holds(
      [] {
        const Expressible x = expressible();
        std::string bytes;
        const ReadResult r = through(TraceFormat::kRapid, x.events, x.tables, bytes);
        RC_ASSERT(r.error.empty());
        RC_ASSERT(r.events.size() == x.events.size());
        std::map<std::uint64_t, Address> variables, locks;  // theirs by ours
        for (std::size_t i = 0; i < x.events.size(); ++i) {
          const Event& ours = x.events[i];
          const Event& theirs = r.events[i];
          RC_ASSERT(theirs.kind == ours.kind);
          RC_ASSERT(r.tables.threads.at(index(theirs.thread)).name ==
                    fmt::format("T{}", index(ours.thread)));
          RC_ASSERT((theirs.site == kNoSite) == (ours.site == kNoSite));
          if (is_access(ours.kind)) {
            RC_ASSERT(variables.try_emplace(ours.address, theirs.address).first->second ==
                      theirs.address);
          } else if (ours.kind == Kind::kAcquire || ours.kind == Kind::kRelease) {
            RC_ASSERT(locks.try_emplace(ours.address, theirs.address).first->second ==
                      theirs.address);
          }
        }
        std::set<Address> distinct;
        for (const auto& [ours, theirs] : variables) RC_ASSERT(distinct.insert(theirs).second);
      },
      kRepetitions));
}

TEST(RoundTrip, DamageNeverGoesUnseen) {
  EXPECT_TRUE(test::law_holds(
      [] {
        const std::vector<Event> events =
            *rc::gen::suchThat(any_events(), [](const auto& v) { return !v.empty(); });
        const std::string path = temporary(".damaged");
        TraceWriter writer(path);
        writer.write(events, testing::sample_tables());
        writer.finish(testing::sample_tables());
        std::string bytes = bytes_of(path);
        const auto at = *rc::gen::inRange<std::size_t>(8, bytes.size());  // behind the magic
        bytes[at] = static_cast<char>(bytes[at] ^ *rc::gen::inRange(1, 256));
        const ReadResult r = read_bytes(bytes, kRaw);
        RC_ASSERT(!r.error.empty());
        RC_ASSERT(r.events.empty() || r.events == events);
        RC_ASSERT(read_bytes(bytes, {.lenient = true, .validate = false}).events.size() <=
                  events.size());
      },
      kRepetitions));
}

}  // namespace
}  // namespace isosan
