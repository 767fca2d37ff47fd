// Blocks: the examples of the paper, nesting, other regions.
#include "unit/singletrack/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Blocks, QuicksortOfFigure1) {
  TraceBuilder p;
  p.block(0, "quicksort").acquire(0, "a.lock").read(0, "a+0:16").write(0, "a+0:16").fork(0, 1);
  p.fork(0, 2).read(1, "a+0:8").write(1, "a+0:8").read(2, "a+8:8").write(2, "a+8:8");
  p.join(0, 1).join(0, 2).release(0, "a.lock").end(0);
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Blocks, DeterministicTasksInANondeterministicPool) {  // Figure 2(b)
  TraceBuilder p;
  p.fork(0, 1).fork(0, 2);
  for (const int worker : {1, 2, 1}) {
    p.acquire(worker, "queue").read(worker, "head").write(worker, "head").release(worker, "queue");
    p.block(worker, "task").fork(worker, 10 + worker * 3 + (worker == 1));
    p.write(worker, "r" + std::to_string(worker)).end(worker);
  }
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Blocks, AViolationIsToldForEveryBlockAroundIt) {
  TraceBuilder p;
  p.block(0, "outer").block(0, "inner").fork(0, 1).write(0, "x").write(1, "x");
  EXPECT_THAT(conflicts(p), UnorderedElementsAre(Conflict{"inner", 3, 4}, Conflict{"outer", 3, 4}));
}

TEST(Blocks, AConflictOfTheOuterBlockAlone) {
  TraceBuilder p;
  p.block(0, "outer").fork(0, 1).block(0, "inner").write(0, "x").end(0).write(1, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"outer", 3, 5}));
}

// Inside the outer block the two writes conflict; as a cycle it is nobody's.
TEST(Blocks, AnInnerBlockIsPartOfTheOuterTransaction) {
  TraceBuilder p;
  p.block(0, "outer").fork(0, 1).block(0, "inner").read(0, "x").write(1, "x").write(0, "x");
  EXPECT_THAT(blamed(p), IsEmpty());
  EXPECT_THAT(conflicts(p), UnorderedElementsAre(Conflict{"outer", 3, 4}, Conflict{"outer", 4, 5}));
}

TEST(Blocks, AnInnerBlockMayMeetTheOthersOfTheOuterOneAtABarrier) {
  TraceBuilder p;
  p.block(0, "outer").fork(0, 1).block(0, "inner").block(1, "inner2").write(0, "x");
  p.arrive(0, "bar").arrive(1, "bar").depart(1, "bar").read(1, "x").arrive(1, "bar", 1);
  p.depart(0, "bar").arrive(0, "bar", 1).depart(0, "bar", 1).write(0, "x").end(0).end(1);
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Blocks, AtomicRegionsAreNoBlocks) {
  TraceBuilder p;
  p.begin(0, "atomic").fork(0, 1).write(0, "x").write(1, "x").end(0);
  EXPECT_THAT(run(p), IsEmpty());
}

}  // namespace
}  // namespace isosan::test
