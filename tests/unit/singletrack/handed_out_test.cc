// Loops whose pieces go to whichever thread asks next: what one piece leaves for another.
#include "unit/singletrack/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TraceBuilder in_a_team() {
  TraceBuilder p;
  p.block(0, "b").fork(0, 1);
  return p;
}

TEST(HandedOut, APieceReadsWhatAnotherLeftInTheThread) {
  TraceBuilder p = in_a_team();
  p.handout(1).write(1, "x").handout(1).read(1, "x").no_more(1).join(0, 1);
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"b", 4, 7}));
}

TEST(HandedOut, ItsOwnBytesAndThoseFromBeforeTheLoopAreFine) {
  TraceBuilder p = in_a_team();
  p.write(1, "y").handout(1).write(1, "x").read(1, "x").read(1, "y").handout(1).read(1, "y");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(HandedOut, ScratchMemoryIsWrittenFirst) {
  TraceBuilder p = in_a_team();
  p.handout(1).write(1, "x").read(1, "x").handout(1).write(1, "x").read(1, "x").no_more(1);
  p.write(1, "x").read(1, "x");  // and afterwards it is written by no piece
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(HandedOut, TheLastPieceOfAThreadLeavesWhatIsReadLater) {
  TraceBuilder p = in_a_team();
  p.handout(1).write(1, "x").handout(1).write(1, "x").no_more(1).join(0, 1).read(0, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"b", 4, 10}));
}

TEST(HandedOut, OnePieceOfEachLoopIsFine) {
  TraceBuilder p = in_a_team();
  p.handout(1).write(1, "x").no_more(1).handout(1).read(1, "x").write(1, "x").no_more(1);
  p.join(0, 1).read(0, "x");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(HandedOut, TheThreadsOwnStackIsPrivate) {
  TraceBuilder p = in_a_team();
  p.handout(1).write(1, "stack").handout(1).read(1, "stack");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(HandedOut, MemoryThatWasAllocatedAnewIsNew) {
  TraceBuilder p = in_a_team();
  p.handout(1).write(1, "x").free(1, "x").handout(1).allocate(1, "x").read(1, "x");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(HandedOut, OutsideOfTheBlockNothingIsChecked) {
  TraceBuilder p;
  p.fork(0, 1).handout(1).write(1, "x").handout(1).read(1, "x").no_more(1);
  EXPECT_THAT(conflicts(p), IsEmpty());
}

}  // namespace
}  // namespace isosan::test
