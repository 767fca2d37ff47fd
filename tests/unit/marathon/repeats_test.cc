// What a unit repeats is passed over, as long as it is the same unit, the same set, and nobody came
// between (blocks.h).
#include <gtest/gtest.h>

#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

class Repeats : public testing::Test {
 protected:
  static std::vector<std::string> cells() {  // four blocks
    std::vector<std::string> names;
    for (int i = 0; i < 256; ++i) names.push_back(std::to_string(i));
    return names;
  }

  Program p;
  const FunctionId f = p.method("C::f");
  const Program::Object array = p.object("C", cells());
};

TEST_F(Repeats, OfAnEarlierUnitAreAccessesOfTheNext) {
  p.call(2, f, array).write(2, array, "200");
  p.call(1, f, array).read(1, array, "200").read(1, array, "0");
  const Event read = p.events().back();
  p.ret(1).call(1, f, array).again(read, array, "0");
  p.call(3, f, array).write(3, array, "0").write(3, array, "100").ret(3);
  p.read(1, array, "100").ret(1).ret(2);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(Repeats, AfterSomebodyElseAreNone) {
  p.call(1, f, array).read(1, array, "0");
  const Event read = p.events().back();
  p.call(2, f, array).write(2, array, "0").ret(2).again(read, array, "0").ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(Repeats, OfAnObjectThatWasConstructedAnewAreNone) {
  const FunctionId c = p.method("D::D"), g = p.function("g");
  const Program::Object o{0x7f000000, "D", {"a", "b"}};
  p.call(1, g).read(1, o, "a");
  const Event read = p.events().back();
  p.call(1, c, o).ret(1).again(read, o, "a");
  p.call(2, g).write(2, o, "a").write(2, o, "b").ret(2);
  p.read(1, o, "b").ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(Repeats, ByAnotherNameAreDescribed) {
  const auto outer = p.object("Outer", {"a", "in"});
  const auto inner = p.inside(outer, "in", "Inner", {"b"});
  p.call(1, p.method("Outer::f"), outer).read(1, outer, "in").read(1, inner, "b").ret(1);
  p.findings();
  EXPECT_TRUE(p.sets().at("Outer").fields.contains("Outer::in"));
  EXPECT_TRUE(p.sets().at("Outer").fields.contains("Inner::b"));
}

// Objects of class X make one of class M, which is theirs as soon as they use it directly.
class RepeatsInMergedSets : public Repeats {
 protected:
  void SetUp() override {
    p.call(1, of_x, x);
    m = p.make(1, "M", cells());
    p.ret(1);
  }
  void merge() { p.call(2, of_x, x).read(2, m, "100").ret(2); }

  const FunctionId of_x = p.method("X::w"), of_m = p.method("M::g");
  const Program::Object x = p.object("X", cells()), other = p.object("Z", {"z"});
  Program::Object m;
};

TEST_F(RepeatsInMergedSets, AreOfTheUnitFurtherOut) {
  p.call(1, of_x, x).call(1, of_m, m).read(1, m, "0");
  const Event read = p.events().back();
  p.again(read, m, "1");
  merge();
  p.again(read, m, "0").read(1, other, "z").again(read, m, "1");
  p.call(3, of_x, x).write(3, m, "1").write(3, m, "7").ret(3);
  p.ret(1).read(1, m, "7").ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(RepeatsInMergedSets, AreOfTheUnitFurtherOutInTheSetThatStays) {
  p.call(1, of_m, m).call(1, of_x, x).read(1, x, "0");
  const Event read = p.events().back();
  merge();
  p.read(1, other, "z").again(read, x, "0");
  p.call(3, of_x, x).write(3, x, "0").write(3, x, "1").ret(3);
  p.ret(1).read(1, x, "1").ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

}  // namespace
}  // namespace isosan::test
