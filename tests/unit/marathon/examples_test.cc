// The paper's figures as traces.
#include <gtest/gtest.h>

#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

// Fig. 1(b): T2's inc() between the two calls of inc() that T1's transfer() makes. Not serializable
// as a whole; serializable on {checking, savings} and on {opCounter}.
struct Fig1 : testing::Test {
  Fig1() {
    transfer = p.method("Account::transfer");
    inc = p.method("Global::inc");
    account = p.object("Account", {"checking", "savings"});
    global = p.object("Global", {"opCounter"});
  }
  void run_inc(int t) {
    p.call(t, inc, global).read(t, global, "opCounter").write(t, global, "opCounter").ret(t);
  }
  void run_transfer() {
    p.call(1, transfer, account).read(1, account, "checking").write(1, account, "checking");
    run_inc(1);
    run_inc(2);
    p.read(1, account, "savings").write(1, account, "savings");
    run_inc(1);
    p.ret(1);
  }
  Program p;
  FunctionId transfer, inc;
  Program::Object account, global;
};

TEST_F(Fig1, IsNoViolation) {
  run_transfer();
  EXPECT_TRUE(p.findings().empty());
}

TEST_F(Fig1, IsOneIfTheCounterBelongsToTheAccountsSet) {
  run_transfer();
  MarathonOptions options;
  for (const char* field : {"checking", "savings"}) {
    options.rules.fields[{"Account", field}] = {"everything", true};
  }
  options.rules.fields[{"Global", "opCounter"}] = {"everything", true};
  options.rules.units = {"Account::transfer"};
  const std::vector<Finding> findings = p.findings(options);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].subject, "everything");
}

TEST_F(Fig1, ALostUpdateOfTheCounterIsOne) {
  p.call(1, inc, global).read(1, global, "opCounter");
  run_inc(2);
  p.write(1, global, "opCounter").ret(1);
  ASSERT_EQ(p.findings().size(), 1u);
  EXPECT_EQ(p.stat("cycles_of_2"), 1u);
}

// Fig. 2: three units, each of which reads one of x, y, z and writes the next.
TEST(Fig2, IsACycleOfThreeUnits) {
  Program p;
  const FunctionId u1 = p.method("Triple::u1"), u2 = p.method("Triple::u2"),
                   u3 = p.method("Triple::u3");
  const auto o = p.object("Triple", {"x", "y", "z"});
  p.call(1, u1, o).call(2, u2, o).call(3, u3, o);
  p.write(1, o, "x").read(2, o, "x").write(2, o, "y").read(3, o, "y").write(3, o, "z");
  p.read(1, o, "z").ret(1).ret(2).ret(3);
  const std::vector<Finding> findings = p.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].transactions.size(), 3u);
  EXPECT_EQ(findings[0].edges.size(), 3u);
  EXPECT_EQ(p.stat("cycles_of_3"), 1u);
}

// 4.1: a consumer that waits for a producer. The condition is read before the wait and after.
TEST(Wait, CutsAUnitInTwo) {
  Program p;
  const FunctionId take = p.method("Queue::take"), put = p.method("Queue::put");
  const auto queue = p.object("Queue", {"size"});
  p.call(1, take, queue).read(1, queue, "size").wait(1);
  p.call(2, put, queue).read(2, queue, "size").write(2, queue, "size").ret(2);
  // Events of one thread: the wait above stands before the producer's accesses.
  p.read(1, queue, "size").write(1, queue, "size").ret(1);
  EXPECT_TRUE(p.findings().empty());
  MarathonOptions whole;
  whole.split_at_wait = false;
  EXPECT_EQ(p.findings(whole).size(), 1u);
}

// Two phases of a parallel loop: each thread reads in the second what the other wrote in the first.
TEST(Barrier, CutsAUnitInTwo) {
  Program p;
  const FunctionId step = p.method("Grid::step");
  const auto grid = p.object("Grid", {"left", "right"});
  p.call(1, step, grid).write(1, grid, "left").call(2, step, grid).write(2, grid, "right");
  p.pass_barrier(1).pass_barrier(2);
  p.read(1, grid, "right").ret(1).read(2, grid, "left").ret(2);
  EXPECT_TRUE(p.findings().empty());
  MarathonOptions whole;
  whole.split_at_barrier = false;
  EXPECT_EQ(p.findings(whole).size(), 1u);
}

// Takes turns with another thread by semaphores.
TEST(Semaphore, CutsAUnitInTwo) {
  Program p;
  const FunctionId play = p.method("Game::play"), move = p.method("Game::move");
  const auto game = p.object("Game", {"board"});
  p.call(1, play, game).write(1, game, "board");
  p.call(2, move, game).write(2, game, "board").ret(2);
  p.take(1).read(1, game, "board").ret(1);
  EXPECT_TRUE(p.findings().empty());
  MarathonOptions whole;
  whole.split_at_wait = false;
  EXPECT_EQ(p.findings(whole).size(), 1u);
}

// A function that prepares, has another thread work, and reads the result.
TEST(ForkAndJoin, CutAUnitInTwo) {
  Program p;
  const FunctionId sort = p.method("Array::sort"), half = p.method("Array::sort_half");
  const auto array = p.object("Array", {"first"});
  p.call(1, sort, array).write(1, array, "first").fork(1, 2);
  p.call(2, half, array).write(2, array, "first").ret(2);
  p.join(1, 2).read(1, array, "first").ret(1);
  EXPECT_TRUE(p.findings().empty());
  MarathonOptions whole;
  whole.split_at_fork = false;
  EXPECT_TRUE(p.findings(whole).empty()) << "the join cuts it";
  whole.split_at_join = false;
  EXPECT_EQ(p.findings(whole).size(), 1u) << "the paper's way";
}

// What the parent does between the two is one unit still.
TEST(ForkAndJoin, LeaveTheRestWhole) {
  Program p;
  const FunctionId run = p.method("Array::run"), half = p.method("Array::sort_half");
  const auto array = p.object("Array", {"first"});
  p.call(1, run, array).fork(1, 2).read(1, array, "first");
  p.call(2, half, array).write(2, array, "first").ret(2);
  p.read(1, array, "first").join(1, 2).ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

}  // namespace
}  // namespace isosan::test
