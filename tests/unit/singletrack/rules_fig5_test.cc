// Figure 5: every rule of external serializability by its name.
#include "unit/singletrack/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExternalSerializability, XsBegin) {  // program order from one block to the next
  TraceBuilder p;
  p.block(0, "a").write(0, "x").end(0).block(0, "b").write(0, "y").end(0);
  p.block(1, "c").read(1, "y").read(1, "x").end(1);
  EXPECT_THAT(blamed(p), IsEmpty());
  TraceBuilder cycle;  // c sees y of the later block b, but not x of a, which came before it
  cycle.block(1, "c").read(1, "x").block(0, "a").write(0, "x").end(0).block(0, "b");
  cycle.write(0, "y").end(0).read(1, "y").end(1);
  EXPECT_THAT(blamed(cycle), ElementsAre("c"));
}

TEST(ExternalSerializability, XsEnd) {  // what follows the block is not in it
  TraceBuilder p;
  p.block(0).write(0, "x").end(0).read(1, "x").write(1, "y").read(0, "y");
  EXPECT_THAT(blamed(p), IsEmpty());
}

TEST(ExternalSerializability, XsAcquireXsRelease) {
  TraceBuilder p;
  p.block(0).acquire(0, "m").release(0, "m").acquire(1, "m").release(1, "m").acquire(0, "m");
  EXPECT_THAT(blamed(p), ElementsAre("block"));
  EXPECT_THAT(conflicts(p), IsEmpty());  // the other acquire is outside
}

TEST(ExternalSerializability, XsRead) {
  TraceBuilder p;
  p.block(0).write(0, "x").read(1, "x").write(1, "y").read(0, "y");
  EXPECT_THAT(blamed(p), ElementsAre("block"));
}

TEST(ExternalSerializability, XsWrite) {
  TraceBuilder after_read;
  after_read.block(0).read(0, "x").write(1, "x").read(0, "x");
  EXPECT_THAT(blamed(after_read), ElementsAre("block"));
  TraceBuilder after_write;
  after_write.block(0).write(0, "x").write(1, "x").write(0, "x");
  EXPECT_THAT(blamed(after_write), ElementsAre("block"));
}

TEST(ExternalSerializability, XsForkIn) {  // the forked thread is in the transaction
  TraceBuilder p;
  p.block(0).write(0, "x").fork(0, 1).read(1, "x").write(1, "x").join(0, 1).read(0, "x").end(0);
  EXPECT_THAT(blamed(p), IsEmpty());
  TraceBuilder crossed;
  crossed.block(0).fork(0, 1).write(1, "x").write(2, "x").read(0, "x");
  EXPECT_THAT(blamed(crossed), ElementsAre("block"));
}

TEST(ExternalSerializability,
     XsForkOut) {  // the forked thread comes after, in transactions of its own
  TraceBuilder p;
  p.block(0).write(0, "x").end(0).fork(0, 1).block(1, "child").read(1, "x").end(1);
  EXPECT_THAT(blamed(p), IsEmpty());
  TraceBuilder through_fork;
  through_fork.block(2, "reader").read(2, "x").write(0, "x").fork(0, 1).write(1, "y");
  through_fork.read(2, "y").end(2);
  EXPECT_THAT(blamed(through_fork), ElementsAre("reader"));
}

TEST(ExternalSerializability, XsJoin) {
  TraceBuilder p;
  p.fork(9, 1).block(0).write(0, "x").read(1, "x").join(0, 1).end(0);
  EXPECT_THAT(blamed(p), ElementsAre("block"));
}

TEST(ExternalSerializability,
     XsStop) {  // a child that waits for the end of the thread that began it
  TraceBuilder p;
  p.fork(9, 0).block(0).fork(0, 1).end(0).thread_end(0).join(1, 0);
  EXPECT_THAT(blamed(p), ElementsAre("block"));
}

TEST(ExternalSerializability, XsOutside) {  // each operation outside is a transaction of its own
  TraceBuilder p;
  p.block(0).write(0, "x").read(1, "x").end(0).read(1, "y").block(0, "next").write(0, "y");
  EXPECT_THAT(blamed(p), IsEmpty());
}

TEST(ExternalSerializability, BlamesTheBlockThatWasInterrupted) {
  TraceBuilder p;
  p.block(0, "interrupted").read(0, "x").block(1, "quick").read(1, "x").write(1, "x").end(1);
  p.write(0, "x").end(0);
  const std::vector<Finding> findings = run(p);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(blamed(p), ElementsAre("interrupted"));
  ASSERT_EQ(findings[0].transactions.size(), 2u);
  EXPECT_TRUE(findings[0].transactions[0].blamed != findings[0].transactions[1].blamed);
  EXPECT_EQ(findings[0].edges.size(), 2u);
}

}  // namespace
}  // namespace isosan::test
