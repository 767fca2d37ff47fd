// Who an access belongs to. Each trace has a second thread that writes o.a between two reads of it:
// a violation iff both reads belong to one unit.
#include <gtest/gtest.h>

#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

struct Units : testing::Test {
  Units() {
    set = p.method("C::set");
    o = p.object("C", {"a"});
  }
  void interfere() { p.call(2, set, o).write(2, o, "a").ret(2); }
  void look(FunctionId by) { p.call(1, by, o).read(1, o, "a").ret(1); }
  void look_twice(FunctionId by) {
    look(by);
    interfere();
    look(by);
  }
  bool violated(MarathonOptions options = {}) { return !p.findings(std::move(options)).empty(); }
  Program p;
  FunctionId set;
  Program::Object o;
};

TEST_F(Units, ACallBelongsToItself) {
  look_twice(p.method("C::get"));
  EXPECT_FALSE(violated());
}

TEST_F(Units, ACallInsideAnotherBelongsToTheOutermost) {
  const FunctionId get = p.method("C::get"), twice = p.method("C::twice");
  p.call(1, twice, o);
  look_twice(get);
  p.ret(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, ProtectedFunctionsAreUnits) {
  const FunctionId get = p.method("C::get"),
                   twice = p.method("C::twice", Accessibility::kProtected);
  p.call(1, twice, o);
  look_twice(get);
  p.ret(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, PrivateFunctionsAreNot) {
  const FunctionId get = p.method("C::get"), twice = p.method("C::twice", Accessibility::kPrivate);
  p.call(1, twice, o);
  look_twice(get);
  p.ret(1);
  EXPECT_FALSE(violated());
}

// A worker whose whole life is a private function: what it does is its entry's.
TEST_F(Units, PrivateFunctionsOnTheirOwnObjectActForTheirCaller) {
  const FunctionId work = p.method("C::work", Accessibility::kPrivate), entry = p.function("entry");
  p.at(entry).thread_entry = true;
  p.call(1, entry).call(1, work, o).read(1, o, "a");
  interfere();
  p.read(1, o, "a").ret(1).ret(1);
  EXPECT_FALSE(violated());
}

TEST_F(Units, PrivateFunctionsAreUnitsForOtherObjects) {
  const FunctionId work = p.method("D::work", Accessibility::kPrivate), entry = p.function("entry");
  const auto d = p.object("D", {"x"});
  p.at(entry).thread_entry = true;
  p.call(1, entry).call(1, work, d).read(1, o, "a");
  interfere();
  p.read(1, o, "a").ret(1).ret(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, FunctionsOfAnotherObjectAreNot) {
  const FunctionId get = p.method("C::get"), other = p.method("D::f");
  const auto d = p.object("D", {"x"});
  p.call(1, other, d);
  look_twice(get);
  p.ret(1);
  EXPECT_FALSE(violated());
}

TEST_F(Units, ADirectAccessMakesAFunctionAUnit) {
  const FunctionId f = p.function("f");
  p.call(1, f).read(1, o, "a");
  interfere();
  p.read(1, o, "a").ret(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, WhoCallsALockedGetterAccessesDirectly) {
  const FunctionId get = p.method("C::get"), f = p.method("D::f");
  p.at(get).annotations = kLockedAccessor;
  const auto d = p.object("D", {"x"});
  p.call(1, f, d);
  look_twice(get);
  p.ret(1);
  EXPECT_TRUE(violated()) << "D::f is a unit for o";
}

TEST_F(Units, NobodyIsAUnitWhereAThreadEntryCallsALockedGetter) {
  const FunctionId get = p.method("C::get"), entry = p.function("entry");
  p.at(get).annotations = kLockedAccessor;
  p.at(entry).thread_entry = true;
  p.call(1, entry);
  look_twice(get);
  p.ret(1);
  EXPECT_FALSE(violated());
}

TEST_F(Units, UnitforIsNotPassedUp) {
  const FunctionId f = p.function("f"), g = p.function("g");
  p.call(1, g).call(1, f).read(1, o, "a").ret(1);
  interfere();
  p.call(1, f).read(1, o, "a").ret(1).ret(1);
  EXPECT_FALSE(violated()) << "f is a unit for o, g is not";
}

TEST_F(Units, MainAndThreadEntriesAreNoUnits) {
  for (const bool is_main : {true, false}) {
    Program q;
    const FunctionId put = q.method("C::set"), entry = q.function(is_main ? "main" : "work");
    q.at(entry).thread_entry = !is_main;
    const auto x = q.object("C", {"a"});
    q.call(1, entry).read(1, x, "a").call(2, put, x).write(2, x, "a").ret(2).read(1, x, "a");
    EXPECT_TRUE(q.findings().empty());
  }
}

// Without the pass nobody says which function a thread is started with: it is the first.
TEST_F(Units, TheFirstFunctionOfAThreadIsItsEntryWithoutThePass) {
  for (const bool is_first : {true, false}) {
    Program q;
    const FunctionId put = q.method("C::set"), work = q.function("work"),
                     outer = q.function("outer");
    q.at(work).pc = 16;
    q.at(outer).pc = 32;
    const auto x = q.object("C", {"a"});
    if (!is_first) q.call(1, outer);
    q.call(1, work).read(1, x, "a").call(2, put, x).write(2, x, "a").ret(2).read(1, x, "a");
    EXPECT_EQ(q.findings().empty(), is_first);
  }
}

TEST_F(Units, IteratorsActForTheirCaller) {
  const FunctionId f = p.function("f"), next = p.method("C::iterator::next");
  p.call(1, f).call(1, next, p.object("C::iterator", {"at"})).read(1, o, "a").ret(1);
  interfere();
  p.call(1, next).read(1, o, "a").ret(1).ret(1);
  EXPECT_TRUE(violated()) << "f is a unit for what it iterates over";
}

TEST_F(Units, LibraryCodeActsForItsCaller) {
  const FunctionId f = p.function("f"), algorithm = p.function("std::find_if");
  p.call(1, f).call(1, algorithm).read(1, o, "a").ret(1);
  interfere();
  p.call(1, algorithm).read(1, o, "a").ret(1).ret(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, NotAUnitByAnnotationOrRule) {
  const FunctionId get = p.method("C::get"), twice = p.method("C::twice");
  p.call(1, twice, o);
  look_twice(get);
  p.ret(1);
  MarathonOptions options;
  options.rules.not_units = {"C::twice"};
  EXPECT_FALSE(violated(options));
  p.at(twice).annotations = kAnnotatedNotUnit;
  EXPECT_FALSE(violated());
}

TEST_F(Units, AnnotatedFunctionsAreUnitsOnWhateverTheyTouch) {
  const FunctionId get = p.method("C::get"), both = p.function("both");
  p.at(both).annotations = kAnnotatedUnit;
  p.call(1, both);
  look_twice(get);
  p.ret(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, AnnotatedBlocks) {
  const FunctionId get = p.method("C::get");
  p.begin(1);
  look_twice(get);
  p.end(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, AnnotatedBlocksOnAnObject) {
  const FunctionId get = p.method("C::get");
  p.begin(1, o);
  look_twice(get);
  p.end(1);
  EXPECT_TRUE(violated());
}

TEST_F(Units, AnnotatedBlocksOnAnotherObject) {
  const FunctionId get = p.method("C::get");
  p.begin(1, p.object("D", {"x"}));
  look_twice(get);
  p.end(1);
  EXPECT_FALSE(violated());
}

TEST_F(Units, AccessesOutsideEveryUnitAreUnitsOfTheirOwn) {
  p.read(1, o, "a");
  interfere();
  p.read(1, o, "a");
  EXPECT_FALSE(violated());
}

TEST_F(Units, AUnitOnTwoSetsWorksOnTheirUnion) {
  const FunctionId move = p.function("move"), total = p.function("total");
  const auto q = p.object("C", {"a"});
  p.call(1, move).write(1, o, "a").call(2, total).read(2, o, "a").read(2, q, "a").ret(2);
  p.write(1, q, "a").ret(1);
  ASSERT_EQ(p.findings().size(), 1u) << "total() sees o after and q before the move";
}

TEST_F(Units, AJumpLeavesTheUnitsItJumpsOver) {
  const FunctionId f = p.function("f"), left = p.method("C::left");
  p.call(1, f).call(1, left, o).read(1, o, "a").jump(1).ret(1);  // f returns, C::left never does
  interfere();
  look(p.method("C::get"));
  EXPECT_FALSE(violated());
}

}  // namespace
}  // namespace isosan::test
