// FastTrack against the definition: on random traces every pair it reports is a race of the
// brute-force oracle, and every byte that has a race has its first one reported.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/fasttrack/fasttrack.h"
#include "oracle/happens_before_oracle.h"
#include "oracle/property.h"

namespace isosan::test {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

std::set<Pair> fasttrack_races(const std::vector<Event>& events) {
  FindingSink sink;
  FastTrack fasttrack(sink);
  feed(fasttrack, events, 0);
  fasttrack.finish();
  std::set<Pair> races;
  for (const Finding& finding : sink.findings()) {
    races.emplace(finding.steps.at(0).where.ordinal, finding.steps.at(1).where.ordinal);
  }
  return races;
}

std::string told(const Pair& race) {
  return "(" + std::to_string(race.first) + ", " + std::to_string(race.second) + ")";
}

// For each byte, the event at which it races first.
std::map<Address, std::size_t> first_races(const HappensBeforeOracle& oracle,
                                           const std::set<Pair>& races) {
  std::map<Address, std::size_t> first;
  for (const auto& [e, f] : races) {
    for (const Address byte : oracle.racing_bytes(e, f)) {
      const auto [found, inserted] = first.emplace(byte, f);
      if (!inserted && f < found->second) found->second = f;
    }
  }
  return first;
}

std::string error_of(const std::vector<Event>& events) {
  const HappensBeforeOracle oracle(events);
  const std::set<Pair> reported = fasttrack_races(events);
  for (const Pair& race : reported) {
    if (!oracle.races().contains(race)) return "no race by the definition: " + told(race);
  }
  if (first_races(oracle, reported) != first_races(oracle, oracle.races())) {
    std::string races;
    for (const Pair& race : oracle.races()) races += " " + told(race);
    return "the first race of some byte was missed; all races by the definition:" + races;
  }
  return "";
}

// Every event needs a site of its own, or findings would be told once for several races.
std::vector<Event> prepared(std::vector<Event> events) {
  std::uint32_t next = 1;
  for (Event& e : events) e.site = SiteId{next++};
  return events;
}

// Atomics moved onto the bytes of plain variables, where they meet accesses of other sizes.
std::vector<Event> with_atomics_on_plain_variables(std::vector<Event> events) {
  constexpr std::uint64_t kSizes[] = {1, 2, 4, 8};
  std::vector<Address> plain;
  for (const Event& e : events) {
    if (e.kind == Kind::kRead || e.kind == Kind::kWrite) plain.push_back(e.address);
  }
  std::size_t i = 0;
  for (Event& e : events) {
    const bool atomic =
        e.kind == Kind::kAtomicLoad || e.kind == Kind::kAtomicStore || e.kind == Kind::kAtomicRmw;
    if (!atomic || plain.empty()) continue;
    e.address = plain[i % plain.size()];
    e.size = kSizes[i++ % 4];
  }
  return events;
}

// Writes, allocations and frees moved onto synchronization objects.
std::vector<Event> with_objects_that_come_and_go(std::vector<Event> events) {
  std::vector<Address> objects;
  for (const Event& e : events) {
    const Payload payload = payload_of(e.kind);
    const bool is_object = payload == Payload::kLock || payload == Payload::kScope ||
                           payload == Payload::kGeneration || e.kind == Kind::kWaitBegin;
    if (is_object) objects.push_back(e.address);
  }
  std::size_t i = 0;
  for (Event& e : events) {
    const bool moves = e.kind == Kind::kWrite || payload_of(e.kind) == Payload::kMemory;
    if (moves && !objects.empty()) e.address = objects[i++ % objects.size()];
  }
  return events;
}

TEST(FastTrackProperty, ReportsTheFirstRaceOfEveryByteAndNothingElse) {
  EXPECT_TRUE(holds_on_random_traces(
      {}, [](const Trace& trace) { return error_of(prepared(trace.events)); }));
}

TEST(FastTrackProperty, HoldsWhereAtomicAndPlainAccessesMeet) {
  EXPECT_TRUE(holds_on_random_traces({.max_threads = 3}, [](const Trace& trace) {
    return error_of(prepared(with_atomics_on_plain_variables(trace.events)));
  }));
}

TEST(FastTrackProperty, HoldsForObjectsThatComeAndGo) {
  EXPECT_TRUE(holds_on_random_traces({.max_threads = 3}, [](const Trace& trace) {
    return error_of(prepared(with_objects_that_come_and_go(trace.events)));
  }));
}

}  // namespace
}  // namespace isosan::test
