#include "analysis/velodrome/transaction_graph.h"

#include <gmock/gmock.h>

namespace isosan::velodrome {
namespace {

using Slot = TransactionGraph::Slot;

Step step(std::uint32_t thread, std::uint64_t segment) {
  Step s;
  s.number = thread;
  s.segment = segment;
  s.detail.event = StepDetail::event_of(segment, Kind::kRead, false);
  return s;
}

class TransactionGraphTest : public testing::Test {
 protected:
  TransactionGraphTest() { graph.make_room_for(200); }

  void connect(const Step& from, const Step& to, Slot transaction) {
    const SlotSet new_ancestors = graph.new_ancestors(from, to.thread());
    if (!new_ancestors.empty())
      graph.add_edge(from, to, EdgeReason::kData, new_ancestors, transaction);
  }
  TransactionGraph graph;
};

TEST_F(TransactionGraphTest, AFinishedTransactionWithoutAncestorsIsCollected) {
  const Slot a = graph.begin(1, 10);
  EXPECT_TRUE(graph.may_matter(10, 1));
  graph.end(a);
  EXPECT_FALSE(graph.may_matter(10, 1));
  EXPECT_EQ(graph.live_nodes(), 0u);
}

TEST_F(TransactionGraphTest, CollectionCascades) {
  const Slot a = graph.begin(1, 10);
  const Slot b = graph.begin(2, 11);
  const Slot c = graph.begin(3, 12);
  connect(step(1, 10), step(2, 11), b);
  connect(step(2, 11), step(3, 12), c);
  graph.end(c);
  graph.end(b);
  EXPECT_TRUE(graph.reaches(a, step(3, 12)));
  EXPECT_EQ(graph.live_nodes(), 3u);
  graph.end(a);
  EXPECT_EQ(graph.live_nodes(), 0u);
}

TEST_F(TransactionGraphTest, AnEdgeIntoAnAncestorReachesItsDescendants) {
  const Slot a = graph.begin(1, 10);
  const Slot b = graph.begin(2, 11);
  const Slot c = graph.begin(3, 12);
  connect(step(2, 11), step(3, 12), c);
  EXPECT_FALSE(graph.reaches(a, step(3, 12)));
  connect(step(1, 10), step(2, 11), b);
  EXPECT_TRUE(graph.reaches(a, step(3, 12)));
  const std::vector<Dependence> path = graph.path(a, step(3, 12));
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[0].from.thread(), 1u);
  EXPECT_EQ(path[1].to.thread(), 3u);
}

TEST_F(TransactionGraphTest, TransactionsWithTheSameAncestorsShareANode) {
  const Slot root = graph.begin(1, 1);
  for (std::uint64_t segment = 10; segment < 1000; segment += 10) {
    const Slot t = graph.begin(2, segment);
    connect(step(1, 1), step(2, segment), t);
    graph.end(t);
  }
  EXPECT_EQ(graph.live_nodes(), 2u);
  EXPECT_EQ(graph.edges(), 1u);
  EXPECT_FALSE(graph.reaches(root, step(2, 9)));
  EXPECT_TRUE(graph.reaches(root, step(2, 500)));
  EXPECT_EQ(graph.path(root, step(2, 500)).at(0).to.segment, 10u);
}

TEST_F(TransactionGraphTest, MoreOpenTransactionsThanBitsInAWord) {
  std::vector<Slot> open;
  for (std::uint32_t t = 1; t <= 200; ++t) open.push_back(graph.begin(t, 1000 + t));
  for (std::uint32_t t = 1; t < 200; ++t)
    connect(step(t, 1000 + t), step(t + 1, 1001 + t), open[t]);
  EXPECT_TRUE(graph.reaches(open[0], step(200, 1200)));
  EXPECT_TRUE(graph.reaches(open[150], step(200, 1200)));
  EXPECT_FALSE(graph.reaches(open[150], step(100, 1100)));
  EXPECT_EQ(graph.path(open[0], step(200, 1200)).size(), 199u);
  for (Slot slot : open) graph.end(slot);
  EXPECT_EQ(graph.live_nodes(), 0u);
}

TEST(SlotSet, IsASet) {
  SlotSet a, b;
  for (std::uint32_t slot : {0u, 63u, 64u, 130u}) a.add(slot);
  for (std::uint32_t slot : {63u, 64u, 65u, 130u}) b.add(slot);
  std::vector<std::uint32_t> members;
  (a - b).for_each([&](std::uint32_t slot) { members.push_back(slot); });
  EXPECT_THAT(members, testing::ElementsAre(0u));
  EXPECT_EQ((b - a).has(65), true);
  a |= b;
  EXPECT_TRUE(a.has(65) && a.has(130) && a.has(0));
  EXPECT_FALSE(a.has(129));
  EXPECT_FALSE(a.has(5000));
  for (std::uint32_t slot : {0u, 63u, 64u, 65u, 130u, 777u}) a.remove(slot);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a, SlotSet{}) << "whatever was in it once";
}

}  // namespace
}  // namespace isosan::velodrome
