// Law: with one set for everything, marathon decides whether the data-only graph of transactions
// without program-order edges (Definition 2 has none) is acyclic.
#include <gtest/gtest.h>

#include <map>

#include "analysis/marathon/marathon.h"
#include "oracle/property.h"

namespace isosan::test {
namespace {

bool is_access(const Event& e) { return e.kind == Kind::kRead || e.kind == Kind::kWrite; }

// Regions become units on everything; what marathon does not look at goes.
Trace with_units(const Trace& trace) {
  Trace result{trace.tables, {}};
  for (Event e : trace.events) {
    const bool edge = e.kind == Kind::kBegin || e.kind == Kind::kEnd;
    const bool memory = e.kind == Kind::kAllocate || e.kind == Kind::kFree;
    if (edge) e.detail = static_cast<std::uint8_t>(RegionKind::kUnit);
    if (edge || memory || is_access(e)) result.events.push_back(e);
  }
  return result;
}

// The transaction of every event: the outermost unit, or the access itself.
std::vector<int> transactions(const std::vector<Event>& events) {
  std::map<ThreadId, std::pair<int, int>> open;  // depth, transaction
  std::vector<int> result;
  int next = 0;
  for (const Event& e : events) {
    auto& [depth, transaction] = open[e.thread];
    if (e.kind == Kind::kBegin && depth++ == 0) transaction = next++;
    result.push_back(depth > 0 ? transaction : next++);
    if (e.kind == Kind::kEnd) --depth;
  }
  return result;
}

bool conflict(const std::vector<Event>& events, std::size_t i, std::size_t j) {
  const Event &a = events[i], &b = events[j];
  if (!is_access(a) || !is_access(b)) return false;
  if (a.kind == Kind::kRead && b.kind == Kind::kRead) return false;
  for (Address byte = a.address; byte < a.address + a.size; ++byte) {
    if (byte < b.address || byte >= b.address + b.size) continue;
    bool same_memory = true;
    for (std::size_t k = i + 1; k < j; ++k) {
      const Event& e = events[k];
      same_memory &= is_access(e) || e.kind == Kind::kBegin || e.kind == Kind::kEnd ||
                     byte < e.address || byte >= e.address + e.size;
    }
    if (same_memory) return true;
  }
  return false;
}

bool acyclic(const std::vector<Event>& events) {
  const std::vector<int> transaction = transactions(events);
  const std::size_t n = events.size() + 1;
  std::vector<std::vector<char>> reaches(n, std::vector<char>(n, 0));
  for (std::size_t j = 0; j < events.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const auto u = static_cast<std::size_t>(transaction[i]),
                 v = static_cast<std::size_t>(transaction[j]);
      if (u != v && conflict(events, i, j)) reaches[u][v] = 1;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; reaches[i][k] && j < n; ++j) reaches[i][j] |= reaches[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (reaches[i][i]) return false;
  }
  return true;
}

TEST(OneSet, EqualsTheDataOnlyGraphWithoutProgramOrder) {
  int cyclic = 0;
  const auto error_of = [&](const Trace& random) -> std::string {
    const Trace trace = with_units(random);
    FindingSink sink;
    Marathon marathon(sink, {.tables = &trace.tables});
    feed(marathon, trace.events, 0);
    marathon.finish();
    const bool expected = acyclic(trace.events);
    cyclic += !expected;
    if (sink.findings().empty() == expected) return "";
    return expected ? "reported, but serializable" : "not serializable, but not reported";
  };
  EXPECT_TRUE(holds_on_random_traces({.max_intents = 60}, error_of, {10'000, 300'000}));
  EXPECT_GT(cyclic, 1500);
}

}  // namespace
}  // namespace isosan::test
