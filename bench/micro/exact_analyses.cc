// The hot paths of the exact analyses, one by one: what a single event costs when nothing has to be
// decoded. `./dev bench hot-paths` builds and runs it; bench/offline measures the whole.
#include <benchmark/benchmark.h>

#include <span>
#include <vector>

#include "analysis/aerodrome/aerodrome.h"
#include "analysis/atomsanitizer/atomsanitizer.h"
#include "analysis/velodrome/velodrome.h"
#include "trace/generator.h"

namespace isosan {
namespace {

Event access(Kind kind, std::uint32_t thread, std::uint64_t variable) {
  return {.kind = kind, .thread = ThreadId{thread}, .address = 0x1000 + 8 * variable, .size = 8};
}
Event sync(Kind kind, std::uint32_t thread, Address object) {
  return {.kind = kind, .thread = ThreadId{thread}, .address = object};
}
Event region(Kind kind, std::uint32_t thread) {
  return {.kind = kind, .thread = ThreadId{thread}, .size = 1};
}

// Feeds `events` again and again to one analysis; the time is per event.
template <class A>
void repeat(benchmark::State& state, const std::vector<Event>& events) {
  FindingSink findings;
  A analysis(findings, {});
  std::uint64_t ordinal = 0;
  for (auto _ : state) {
    feed(analysis, std::span<const Event>(events), ordinal);
    ordinal += events.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(ordinal));
  if (!findings.findings().empty()) state.SkipWithError("the events are not serializable");
}

// The same transaction reads the same variable: nothing new.
template <class A>
void read_again(benchmark::State& state) {
  std::vector<Event> events{region(Kind::kBegin, 0)};
  events.resize(1001, access(Kind::kRead, 0, 0));
  events.push_back(region(Kind::kEnd, 0));
  repeat<A>(state, events);
}

// A transaction that reads and writes variables of its own.
template <class A>
void own_variables(benchmark::State& state) {
  std::vector<Event> events{region(Kind::kBegin, 0)};
  for (std::uint64_t v = 0; v < 500; ++v) {
    events.push_back(access(Kind::kRead, 0, v));
    events.push_back(access(Kind::kWrite, 0, v));
  }
  events.push_back(region(Kind::kEnd, 0));
  repeat<A>(state, events);
}

// Eight threads in transactions read what nobody writes.
template <class A>
void read_shared(benchmark::State& state) {
  std::vector<Event> events;
  for (std::uint32_t t = 0; t < 8; ++t) events.push_back(region(Kind::kBegin, t));
  for (std::uint64_t v = 0; v < 100; ++v) {
    for (std::uint32_t t = 0; t < 8; ++t) events.push_back(access(Kind::kRead, t, v));
  }
  for (std::uint32_t t = 0; t < 8; ++t) events.push_back(region(Kind::kEnd, t));
  repeat<A>(state, events);
}

// Short transactions of eight threads, one after the other, under one lock.
template <class A>
void lock_hand_over(benchmark::State& state) {
  std::vector<Event> events;
  for (std::uint32_t t = 0; t < 8; ++t) {
    events.push_back(region(Kind::kBegin, t));
    events.push_back(sync(Kind::kAcquire, t, 0x900000));
    events.push_back(access(Kind::kRead, t, 7));
    events.push_back(access(Kind::kWrite, t, 7));
    events.push_back(sync(Kind::kRelease, t, 0x900000));
    events.push_back(region(Kind::kEnd, t));
  }
  repeat<A>(state, events);
}

// The traces of bench/offline, from memory: `threads` threads, 992 variables, 16 locks.
template <class A>
void generated(benchmark::State& state) {
  Generator generator({.events = 500'000, .threads = static_cast<std::uint32_t>(state.range(0))});
  std::vector<Event> events;
  for (auto batch = generator.next(); !batch.empty(); batch = generator.next()) {
    events.insert(events.end(), batch.begin(), batch.end());
  }
  for (auto _ : state) {
    FindingSink findings;
    A analysis(findings, {});
    feed(analysis, std::span<const Event>(events), 0);
    benchmark::DoNotOptimize(findings.findings().size());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(events.size()));
}

#define ISOSAN_HOT_PATHS(A)     \
  BENCHMARK(read_again<A>);     \
  BENCHMARK(own_variables<A>);  \
  BENCHMARK(read_shared<A>);    \
  BENCHMARK(lock_hand_over<A>); \
  BENCHMARK(generated<A>)->Arg(8)->Arg(64)->Arg(1024)
ISOSAN_HOT_PATHS(AtomSanitizer);
ISOSAN_HOT_PATHS(Aerodrome);
ISOSAN_HOT_PATHS(Velodrome);

}  // namespace
}  // namespace isosan
