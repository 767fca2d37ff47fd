#include "analysis/marathon/conflict_graph.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace isosan::marathon {
namespace {

UnitRef unit(ConflictGraph& graph) { return graph.add({}); }

TEST(ConflictGraph, HandsBackTheShortestCycle) {
  ConflictGraph graph;
  const UnitRef a = unit(graph), b = unit(graph), c = unit(graph);
  EXPECT_TRUE(graph.add_edge(a, b, {}).empty());
  EXPECT_TRUE(graph.add_edge(b, c, {}).empty());
  EXPECT_TRUE(graph.add_edge(a, c, {}).empty());
  const Cycle cycle = graph.add_edge(c, a, {});
  ASSERT_EQ(cycle.size(), 2u);
  EXPECT_EQ(cycle[0].from, a);
  EXPECT_EQ(cycle[0].to, c);
  EXPECT_EQ(cycle[1].from, c);
  EXPECT_EQ(cycle[1].to, a);
}

TEST(ConflictGraph, AnEdgeThatClosedACycleIsToldOnce) {
  ConflictGraph graph;
  const UnitRef a = unit(graph), b = unit(graph);
  graph.add_edge(a, b, {});
  EXPECT_EQ(graph.add_edge(b, a, {}).size(), 2u);
  EXPECT_TRUE(graph.add_edge(b, a, {}).empty());
  EXPECT_TRUE(graph.closed_before());
  EXPECT_TRUE(graph.add_edge(a, b, {}).empty());
  EXPECT_FALSE(graph.closed_before());
}

TEST(ConflictGraph, FinishedUnitsWithoutIncomingEdgesGo) {
  ConflictGraph graph;
  const UnitRef a = unit(graph), b = unit(graph), c = unit(graph);
  graph.add_edge(a, b, {});
  graph.add_edge(b, c, {});
  graph.finish(b);
  EXPECT_TRUE(graph.alive(b)) << "a may still come after it";
  graph.finish(a);
  EXPECT_FALSE(graph.alive(a));
  EXPECT_FALSE(graph.alive(b)) << "with a, what only a held";
  EXPECT_TRUE(graph.alive(c));
  EXPECT_EQ(graph.live_units(), 1u);
  EXPECT_EQ(graph.max_live_units(), 3u);
}

TEST(ConflictGraph, AStaleReferenceDoesNotMeanTheNextUnitInItsPlace) {
  ConflictGraph graph;
  const UnitRef a = unit(graph);
  graph.finish(a);
  const UnitRef b = unit(graph);
  EXPECT_EQ(a.slot, b.slot);
  EXPECT_FALSE(graph.alive(a));
  EXPECT_TRUE(graph.alive(b));
}

TEST(ConflictGraph, FinishedUnitsWithTheSamePredecessorsAreOne) {
  ConflictGraph graph;
  const UnitRef open = unit(graph), other = unit(graph);
  const UnitRef first = unit(graph), twin = unit(graph), elsewhere = unit(graph);
  for (const UnitRef u : {first, twin}) graph.add_edge(open, u, {});
  graph.add_edge(other, elsewhere, {});
  for (const UnitRef u : {first, twin, elsewhere}) graph.finish(u);
  EXPECT_TRUE(graph.same(first, twin));
  EXPECT_FALSE(graph.same(first, elsewhere)) << "something else comes before it";
  EXPECT_EQ(graph.live_units(), 4u);
  EXPECT_EQ(graph.add_edge(twin, open, {}).size(), 2u) << "what leads from it closes its cycle";
  graph.finish(open);
  EXPECT_FALSE(graph.alive(first));
  EXPECT_FALSE(graph.alive(twin)) << "they go together";
  EXPECT_TRUE(graph.alive(elsewhere));
}

TEST(ConflictGraph, UnitsOfOtherFunctionsAreNoTwins) {
  ConflictGraph graph;
  const UnitRef open = unit(graph);
  const UnitRef a = graph.add({.function = FunctionId{1}}),
                b = graph.add({.function = FunctionId{2}});
  for (const UnitRef u : {a, b}) {
    graph.add_edge(open, u, {});
    graph.finish(u);
  }
  EXPECT_FALSE(graph.same(a, b)) << "a cycle through b is another one";
}

TEST(ConflictGraph, KeepsConflictsWithDistinctSites) {
  ConflictGraph graph;
  const UnitRef a = unit(graph), b = unit(graph);
  graph.add_edge(a, b, {.from = {.site = SiteId{1}}, .to = {.site = SiteId{2}}});
  graph.add_edge(a, b, {.from = {.site = SiteId{1}}, .to = {.site = SiteId{2}}});
  graph.add_edge(a, b, {.from = {.site = SiteId{3}}, .to = {.site = SiteId{2}}});
  const Cycle cycle = graph.add_edge(b, a, {});
  EXPECT_EQ(cycle[0].conflicts.size(), 2u);
  EXPECT_EQ(cycle[1].conflicts.size(), 1u);
}

// Against reachability by search over all edges that were accepted.
TEST(ConflictGraph, AgreesWithSearchOnRandomEdges) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    ConflictGraph graph;
    std::vector<UnitRef> units;
    std::vector<std::set<std::size_t>> successors;
    for (int i = 0; i < 12; ++i) {
      units.push_back(unit(graph));
      successors.emplace_back();
    }
    const auto reaches = [&](std::size_t from, std::size_t to) {
      std::set<std::size_t> seen{from};
      for (std::vector<std::size_t> left{from}; !left.empty();) {
        const std::size_t at = left.back();
        left.pop_back();
        for (const std::size_t next : successors[at]) {
          if (seen.insert(next).second) left.push_back(next);
        }
      }
      return seen.contains(to);
    };
    std::set<std::pair<std::size_t, std::size_t>> refused;
    for (int step = 0; step < 60; ++step) {
      const std::size_t from = random() % 12, to = random() % 12;
      if (from == to) continue;
      const bool closes = reaches(to, from);
      const Cycle cycle = graph.add_edge(units[from], units[to], {});
      if (refused.contains({from, to})) {
        EXPECT_TRUE(cycle.empty());
        continue;
      }
      EXPECT_EQ(!cycle.empty(), closes);
      if (closes) {
        refused.insert({from, to});
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].from);
        }
      } else {
        successors[from].insert(to);
      }
    }
  }
}

}  // namespace
}  // namespace isosan::marathon
