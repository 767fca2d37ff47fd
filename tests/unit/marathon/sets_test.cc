// Which locations are one atomic set. A unit reads a.first, another one writes a.first and
// b.second, the first reads b.second: a cycle iff both belong to a set of the same units.
#include <gtest/gtest.h>

#include "event/found_by_pass.h"
#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

TEST(Sets, AllFieldsOfAnObjectAreOneSet) {
  Program p;
  const FunctionId get = p.method("C::get"), set = p.method("C::set");
  const auto o = p.object("C", {"a", "b"});
  p.call(1, get, o).read(1, o, "a").call(2, set, o).write(2, o, "a").write(2, o, "b").ret(2);
  p.read(1, o, "b").ret(1);
  ASSERT_EQ(p.findings().size(), 1u);
  EXPECT_EQ(p.findings()[0].subject, "C");
}

TEST(Sets, TwoObjectsAreTwoSets) {
  Program p;
  const FunctionId get = p.method("C::get"), set = p.method("C::set");
  const auto o = p.object("C", {"a"}), q = p.object("C", {"a"});
  p.call(1, get, o).read(1, o, "a").ret(1);
  p.call(2, set, o).write(2, o, "a").ret(2).call(2, set, q).write(2, q, "a").ret(2);
  p.call(1, get, q).read(1, q, "a").ret(1);
  EXPECT_TRUE(p.findings().empty());
}

TEST(Sets, MembersByValueArePartOfTheirOwner) {
  Program p;
  const FunctionId f = p.method("Outer::f"), g = p.method("Inner::g");
  const auto outer = p.object("Outer", {"a", "in"});
  const auto inner = p.inside(outer, "in", "Inner", {"b"});
  p.call(1, f, outer).call(1, g, inner).read(1, inner, "b").ret(1);
  p.call(2, f, outer).call(2, g, inner).write(2, inner, "b").ret(2).ret(2);
  p.call(1, g, inner).read(1, inner, "b").ret(1).ret(1);
  EXPECT_EQ(p.findings().size(), 1u) << "both calls of g belong to f";
}

TEST(Sets, MembersByValueOfAnObjectOnAStackNeedTheClassSize) {
  Program p;
  const FunctionId f = p.method("Outer::f"), g = p.method("Inner::g");
  p.tables().classes = {{"Outer", 16}};
  const Program::Object outer{0x7000, "Outer", {"a", "in"}};
  const auto inner = p.inside(outer, "in", "Inner", {"b"});
  p.call(1, f, outer).call(1, g, inner).read(1, inner, "b").ret(1);
  p.call(2, f, outer).call(2, g, inner).write(2, inner, "b").ret(2).ret(2);
  p.call(1, g, inner).read(1, inner, "b").ret(1).ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

// An object on a stack where another one has been, eight bytes of which were used. Its member at
// `field` is then read twice by a unit of the object, and written by another one in between.
std::vector<Finding> used_twice_on_a_used_stack(const std::string& field) {
  Program p;
  const FunctionId make = p.method("Outer::Outer"), f = p.method("Outer::f"),
                   g = p.method("Inner::g");
  p.tables().classes = {{"Outer", 32}};
  const Program::Object outer{0x7000, "Outer", {"a", "b", "c", "d"}}, before{0x7008, "", {"x"}};
  const auto inner = p.inside(outer, field, "Inner", {"v"});
  p.write(1, before, "x").call(1, make, outer).write(1, outer, "a").ret(1);
  p.call(1, f, outer).call(1, g, inner).read(1, inner, "v").ret(1);
  p.call(2, f, outer).call(2, g, inner).write(2, inner, "v").ret(2).ret(2);
  p.call(1, g, inner).read(1, inner, "v").ret(1).ret(1);
  return p.findings();
}

TEST(Sets, AnObjectReachesBeyondWhatLayThereBefore) {
  const std::vector<Finding> findings = used_twice_on_a_used_stack("c");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].subject, "Outer");
}

TEST(Sets, BytesOfAnObjectThatIsGoneBelongToTheNewOne) {
  const std::vector<Finding> findings = used_twice_on_a_used_stack("b");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].subject, "Outer");
}

TEST(Sets, WhatItsOwnerLeftBehindIsASetOfItsOwn) {
  Program p;
  const FunctionId add = p.method("List::add"), use = p.function("use");
  const auto list = p.make(1, "List", {"head"});
  p.call(1, add, list);
  const auto node = p.make(1, "Node", {"value"});
  p.write(1, node, "value").write(1, list, "head").ret(1).free(1, list);
  p.call(1, use).read(1, node, "value").call(2, use).write(2, node, "value").ret(2);
  p.write(1, node, "value").ret(1);
  ASSERT_EQ(p.findings().size(), 1u) << "a lost update";
}

TEST(Sets, StaticMembersAreOneSetPerClass) {
  Program p;
  const FunctionId f = p.method("C::f"), g = p.method("C::g", Accessibility::kProtected);
  const auto a = p.global("C::a"), b = p.global("C::b");
  p.call(1, f).read(1, a, "C::a").call(2, g).write(2, a, "C::a").write(2, b, "C::b").ret(2);
  p.read(1, b, "C::b").ret(1);
  ASSERT_EQ(p.findings().size(), 1u);
  EXPECT_EQ(p.findings()[0].subject, "C (static)");
}

TEST(Sets, GlobalsAreSetsOfTheirOwn) {
  Program p;
  const FunctionId f = p.function("f"), g = p.function("g");
  const auto a = p.global("a"), b = p.global("b");
  p.call(1, f).read(1, a, "a").call(2, g).write(2, a, "a").ret(2).write(1, a, "a").ret(1);
  EXPECT_EQ(p.findings().size(), 1u) << "a lost update in f";
  EXPECT_EQ(p.findings()[0].subject, "a");
}

TEST(Sets, WhatAContainerAllocatesBelongsToTheObjectItLiesIn) {
  Program p;
  const FunctionId add = p.method("Book::add"), push = p.method("std::vector::push_back"),
                   count = p.method("Book::count");
  const auto book = p.object("Book", {"entries", "total"});
  const auto vector = p.inside(book, "entries", "std::vector", {"begin"});
  p.call(2, add, book).call(2, push, vector);
  const auto block = p.make(2, "", {"0", "1"});
  p.write(2, block, "0").ret(2).write(2, book, "total").ret(2);
  p.call(1, count, book).read(1, block, "0");
  p.call(2, add, book).call(2, push, vector).write(2, block, "0").ret(2);
  p.write(2, book, "total").ret(2).read(1, book, "total").ret(1);
  ASSERT_EQ(p.findings().size(), 1u);
  EXPECT_EQ(p.findings()[0].subject, "Book");
}

TEST(Sets, WhatAnObjectMadeAndUsesDirectlyIsOwned) {
  Program p;
  const FunctionId add = p.method("List::add"),
                   find = p.method("List::find", Accessibility::kPrivate),
                   has = p.method("List::has");
  const auto list = p.object("List", {"head"});
  p.call(1, add, list);
  const auto node = p.make(1, "Node", {"value", "next"});
  p.write(1, node, "value").write(1, list, "head").ret(1);
  // has() looks twice, by a private function that is no unit; both looks belong to has().
  p.call(1, has, list).call(1, find, list).read(1, node, "value").ret(1);
  p.call(2, add, list).write(2, node, "value").ret(2);
  p.call(1, find, list).read(1, node, "value").ret(1).ret(1);
  ASSERT_EQ(p.findings().size(), 1u);
  EXPECT_EQ(p.findings()[0].subject, "List");
}

// List::has looks twice at a node, first by a private function; another thread changes the node in between. Somebody else has made it: the list keeps it in
// a member, or gets it as an argument.
enum class Made { kByMain, kTheList };
Program node_from_outside(bool is_kept, Made made = Made::kByMain) {
  Program p;
  const FunctionId make = p.method("Node::make"), look = p.method("Node::look"),
                   find = p.method("List::find", Accessibility::kPrivate),
                   has = p.method("List::has");
  const auto node = p.make(1, "Node", {"value", "next"});
  if (made == Made::kTheList) p.call(1, make, node);
  const auto list = p.make(1, "List", {"head"});
  if (made == Made::kTheList) p.ret(1);
  if (is_kept) p.at(find).annotations = kUsesItsMembers;
  p.call(1, has, list)
      .call(1, find, list)
      .read(1, node, "value")
      .ret(1)
      .call(2, look, node)
      .write(2, node, "value")
      .ret(2);
  p.call(1, look, node).read(1, node, "value").ret(1).ret(1);
  return p;
}

TEST(Sets, WhatAnObjectWasHandedAndKeepsIsOwned) {
  const std::vector<Finding> findings = node_from_outside(true).findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].subject, "List");
}

TEST(Sets, WhatAnObjectWasHandedForOneCallIsNot) {
  EXPECT_TRUE(node_from_outside(false).findings().empty()) << "three units of the node";
}

TEST(Sets, WhoMadeAnObjectIsNoPartOfIt) {
  EXPECT_TRUE(node_from_outside(true, Made::kTheList).findings().empty());
}

TEST(Sets, TheFirstThatKeepsAnObjectOwnsIt) {
  Program p;
  const FunctionId f = p.method("A::f"), g = p.method("B::g");
  p.at(f).annotations = p.at(g).annotations = kUsesItsMembers;
  const auto item = p.make(1, "Item", {"v"});
  const auto a = p.object("A", {"p"}), b = p.object("B", {"p"});
  p.call(1, f, a).read(1, item, "v").ret(1);
  p.call(1, g, b).read(1, item, "v");
  p.call(2, f, a).write(2, item, "v").ret(2).read(1, item, "v").ret(1);
  ASSERT_EQ(p.findings().size(), 1u) << "B::g is a unit for the item, too";
  EXPECT_EQ(p.findings()[0].subject, "A");
}

// Pool::both uses an item of the pool twice; another thread changes it in between.
Program item_of_a_pool_used_twice() {
  Program p;
  const FunctionId make = p.method("Pool::make"), use = p.method("Item::use"),
                   both = p.method("Pool::both");
  const auto pool = p.object("Pool", {"n"});
  p.call(1, make, pool);
  const auto item = p.make(1, "Item", {"v"});
  p.ret(1).call(1, both, pool).call(1, use, item).read(1, item, "v").ret(1);
  p.call(2, use, item).write(2, item, "v").ret(2).call(1, use, item).read(1, item, "v").ret(1);
  p.ret(1);
  return p;
}

TEST(Sets, OwnedByRule) {
  Program p = item_of_a_pool_used_twice();
  EXPECT_TRUE(p.findings().empty()) << "two units of the item";
  MarathonOptions options;
  options.rules.owning_classes = {"Pool"};
  EXPECT_EQ(p.findings(options).size(), 1u) << "one unit of the pool";
}

// f reads a and then b of one object; g writes both in between.
Program both_fields_in_two_units() {
  Program p;
  const FunctionId f = p.method("C::f"), g = p.method("C::g");
  const auto o = p.object("C", {"a", "b"});
  p.call(1, f, o).read(1, o, "a").call(2, g, o).write(2, o, "a").write(2, o, "b").ret(2);
  p.read(1, o, "b").ret(1);
  return p;
}

TEST(Sets, ANamedSetIsApartFromTheRestOfItsObject) {
  Program p = both_fields_in_two_units();
  EXPECT_EQ(p.findings().size(), 1u);
  MarathonOptions apart;
  apart.rules.fields[{"C", "b"}] = {"b alone", false};
  EXPECT_TRUE(p.findings(apart).empty()) << "a and b are two sets, each of them in order";
}

TEST(Sets, ANamedSetHasTheUnitsOfItsObject) {
  Program p;
  const FunctionId f = p.method("C::f"), g = p.method("C::g");
  const auto o = p.object("C", {"a", "b", "c"});
  p.call(1, f, o).read(1, o, "a").call(1, g, o).read(1, o, "b").ret(1);
  p.call(2, g, o).write(2, o, "b").write(2, o, "c").ret(2);
  p.call(1, g, o).read(1, o, "c").ret(1).ret(1);
  MarathonOptions named;
  named.rules.fields[{"C", "b"}] = named.rules.fields[{"C", "c"}] = {"b and c", false};
  ASSERT_EQ(p.findings(named).size(), 1u) << "both calls of g belong to f";
  EXPECT_EQ(p.findings(named)[0].subject, "b and c");
}

TEST(Sets, ANamedSetAcrossObjects) {
  Program p;
  const FunctionId f = p.method("C::f"), g = p.method("D::g"), h = p.method("D::h");
  const auto c = p.object("C", {"a"});
  const auto d = p.object("D", {"b"});
  // f reads c.a itself and d.b by a function of D; in between h changes both.
  p.call(1, f, c).read(1, c, "a");
  p.call(2, h, d).write(2, c, "a").write(2, d, "b").ret(2);
  p.call(1, g, d).read(1, d, "b").ret(1).ret(1);
  EXPECT_TRUE(p.findings().empty()) << "g is a unit of its own on d";
  MarathonOptions across;
  across.rules.fields[{"C", "a"}] = across.rules.fields[{"D", "b"}] = {"total", true};
  ASSERT_EQ(p.findings(across).size(), 1u);
  EXPECT_EQ(p.findings(across)[0].subject, "total");
}

TEST(Sets, AnnotationsNameSetsOfFieldsAndGlobals) {
  Program p = both_fields_in_two_units();
  p.tables().annotations = {{.text = "isosan:atomic_set:apart", .class_name = "C", .field = "b"}};
  EXPECT_TRUE(p.findings().empty());

  Program q;
  const FunctionId f = q.function("f"), g = q.function("g"), h = q.function("h");
  const auto a = q.global("a"), b = q.global("b");
  q.call(1, f).read(1, a, "a").call(2, g).write(2, a, "a").write(2, b, "b").ret(2);
  q.call(1, h).read(1, b, "b").ret(1).ret(1);
  EXPECT_TRUE(q.findings().empty()) << "f is a unit for a, h for b";
  q.tables().annotations = {{.text = "isosan:atomic_set:pair", .symbol = "a"},
                            {.text = "isosan:atomic_set:pair", .symbol = "b"}};
  ASSERT_EQ(q.findings().size(), 1u);
  EXPECT_EQ(q.findings()[0].subject, "pair");
}

TEST(Sets, OwnedByAnnotation) {
  Program p = item_of_a_pool_used_twice();
  p.tables().annotations = {{.text = "isosan:owned", .class_name = "Pool", .field = "items"}};
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST(Sets, UnitforByRuleAndByAnnotation) {
  Program p;
  const FunctionId copy = p.method("List::copy"), size = p.method("Other::size"),
                   at = p.method("Other::at"), add = p.method("Other::add");
  p.at(copy).linkage_name = "_ZN4List4copyER5Other";
  const auto list = p.object("List", {"n"});
  const auto other = p.object("Other", {"n"});
  p.call(1, copy, list).call(1, size, other).read(1, other, "n").ret(1);
  p.call(2, add, other).write(2, other, "n").ret(2);
  p.call(1, at, other).read(1, other, "n").ret(1).write(1, list, "n").ret(1);
  EXPECT_TRUE(p.findings().empty()) << "size and at are units of their own";
  MarathonOptions options;
  options.rules.unitfor["List::copy"] = {"Other"};
  EXPECT_EQ(p.findings(options).size(), 1u);
  p.tables().annotations = {
      {.text = "isosan:unitfor", .class_name = "Other", .function = "_ZN4List4copyER5Other"}};
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST(Sets, AMemberThatWasMetBeforeItsOwnerIsPartOfIt) {
  Program p;
  const FunctionId f = p.method("Outer::f"), g = p.method("Inner::g");
  p.tables().classes = {{"Outer", 16}, {"Inner", 8}};
  const Program::Object outer{0x7000, "Outer", {"a", "in"}};
  const auto inner = p.inside(outer, "in", "Inner", {"b"});
  p.call(1, g, inner).read(1, inner, "b").ret(1);  // before anybody spoke of the outer object
  p.call(1, f, outer).call(1, g, inner).read(1, inner, "b").ret(1);
  p.call(2, f, outer).call(2, g, inner).write(2, inner, "b").ret(2).ret(2);
  p.call(1, g, inner).read(1, inner, "b").ret(1).ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST(Sets, ReusedMemoryIsAnotherObject) {
  Program p;
  const FunctionId f = p.method("C::f"), g = p.method("C::g");
  const auto o = p.make(1, "C", {"a"});
  p.call(1, f, o).read(1, o, "a").free(1, o);
  p.call(2, g, o).write(2, o, "a").ret(2).read(1, o, "a").ret(1);
  EXPECT_TRUE(p.findings().empty());
}

TEST(Sets, ReadingReusedMemoryIsNoRepetition) {
  Program p;
  const FunctionId f = p.method("C::f");
  const auto o = p.object("C", {"a", "b"});
  p.call(1, f, o).read(1, o, "a").call(2, f, o).read(2, o, "a").free(1, o);
  p.read(1, o, "a").write(2, o, "a").write(2, o, "b").read(1, o, "b").ret(1).ret(2);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST(Sets, ConstructorsBeforeSharingDoNotCount) {
  Program p;
  const FunctionId ctor = p.method("C::C"), get = p.method("C::get"), f = p.function("f");
  const auto o = p.make(1, "C", {"a", "b"});
  // f constructs the object, hands it out, and looks at it again.
  p.call(1, f).call(1, ctor, o).write(1, o, "a").write(1, o, "b").ret(1);
  p.call(2, get, o).write(2, o, "a").write(2, o, "b").ret(2).ret(1);
  EXPECT_TRUE(p.findings().empty());
  EXPECT_EQ(p.stat("units"), 1u) << "get() alone";
}

TEST(Sets, AConstructorThatSharesItsObjectCounts) {
  Program p;
  const FunctionId ctor = p.method("C::C"), get = p.method("C::get");
  const auto o = p.make(1, "C", {"a"});
  p.call(1, ctor, o).write(1, o, "a");
  p.call(2, get, o).read(2, o, "a");
  p.write(1, o, "a").read(2, o, "a").ret(2).ret(1);
  EXPECT_EQ(p.findings().size(), 1u) << "get() sees two values";
}

TEST(Sets, DestructorsDoNotCount) {
  Program p;
  const FunctionId dtor = p.method("C::~C"), get = p.method("C::get");
  const auto o = p.make(1, "C", {"a"});
  p.call(2, get, o).read(2, o, "a").call(1, dtor, o).write(1, o, "a").ret(1);
  p.read(2, o, "a").ret(2);
  EXPECT_TRUE(p.findings().empty());
}

TEST(Sets, AreDescribed) {
  Program p;
  const FunctionId f = p.method("C::f");
  const auto o = p.object("C", {"a", "b"});
  p.call(1, f, o).read(1, o, "a").write(1, o, "b").ret(1);
  p.findings();
  ASSERT_TRUE(p.sets().contains("C"));
  EXPECT_EQ(p.sets().at("C").fields, (std::set<std::string>{"C::a", "C::b"}));
  EXPECT_EQ(p.sets().at("C").units, std::set<std::string>{"C::f"});
}

}  // namespace
}  // namespace isosan::test
