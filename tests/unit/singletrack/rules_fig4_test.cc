// Figure 4: every rule of conflict freedom by its name.
#include "unit/singletrack/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(ConflictFreedom, CfBegin) {  // what came before the block is not in it
  TraceBuilder p;
  p.write(1, "x").block(0).write(0, "x").fork(0, 2).read(1, "x");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(ConflictFreedom,
     CfEnd) {  // after its end the thread is no longer in the block, its children are
  TraceBuilder p;
  p.block(0).fork(0, 1).end(0).write(0, "x").write(1, "x");
  EXPECT_THAT(conflicts(p), IsEmpty());
  TraceBuilder children;
  children.block(0).fork(0, 1).fork(0, 2).end(0).write(1, "x").write(2, "x");
  EXPECT_THAT(conflicts(children), ElementsAre(Conflict{"block", 4, 5}));
}

TEST(ConflictFreedom, CfAcquire) {
  TraceBuilder unordered;
  unordered.block(0).fork(0, 1).acquire(0, "m").release(0, "m").acquire(1, "m").release(1, "m");
  EXPECT_THAT(conflicts(unordered), ElementsAre(Conflict{"block", 3, 4}));
  TraceBuilder ordered;
  ordered.block(0).fork(0, 1).acquire(1, "m").release(1, "m").join(0, 1).acquire(0, "m");
  EXPECT_THAT(conflicts(ordered), IsEmpty());
}

TEST(ConflictFreedom, CfRelease) {  // the unlock is what counts: here it comes after the fork
  TraceBuilder p;
  p.block(0).acquire(0, "m").fork(0, 1).release(0, "m").acquire(1, "m");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 3, 4}));
}

TEST(ConflictFreedom, CfRead) {
  TraceBuilder unordered;
  unordered.block(0).fork(0, 1).write(1, "x").read(0, "x");
  EXPECT_THAT(conflicts(unordered), ElementsAre(Conflict{"block", 2, 3}));
  TraceBuilder two_reads;
  two_reads.block(0).fork(0, 1).read(1, "x").read(0, "x");
  EXPECT_THAT(conflicts(two_reads), IsEmpty());
}

TEST(ConflictFreedom, CfWrite) {
  TraceBuilder p;
  p.block(0).fork(0, 1).fork(0, 2).read(1, "x").write(2, "x").write(0, "x");
  EXPECT_THAT(conflicts(p, {.filter = false}),
              UnorderedElementsAre(Conflict{"block", 3, 4}, Conflict{"block", 3, 5},
                                   Conflict{"block", 4, 5}));
}

TEST(ConflictFreedom, ALockOrdersNothingInsideTheBlock) {
  TraceBuilder p;
  p.block(0).fork(0, 1);
  p.acquire(1, "m").write(1, "x").release(1, "m").acquire(0, "m").write(0, "x").release(0, "m");
  EXPECT_THAT(conflicts(p, {.filter = false}),
              UnorderedElementsAre(Conflict{"block", 4, 5}, Conflict{"block", 3, 6}));
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 4, 5}));  // the access follows the lock
}

TEST(ConflictFreedom, CfFork) {
  TraceBuilder p;
  p.block(0).write(0, "x").fork(0, 1).read(1, "x").write(0, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 3, 4}));
}

TEST(ConflictFreedom, CfJoin) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").join(0, 1).read(0, "x").end(0);
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(ConflictFreedom, CfStop) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").thread_end(1).read(0, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 4}));
}

TEST(ConflictFreedom, CfOutside) {
  TraceBuilder p;
  p.fork(0, 1).write(0, "x").write(1, "x").acquire(0, "m").release(0, "m").acquire(1, "m");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(ConflictFreedom, AForeignWriteInBetweenHidesNothing) {
  TraceBuilder p;
  p.fork(0, 9).block(0).fork(0, 1).write(0, "x").write(9, "x").write(1, "x");
  EXPECT_THAT(conflicts(p, {.filter = false}), ElementsAre(Conflict{"block", 3, 5}));
}

}  // namespace
}  // namespace isosan::test
