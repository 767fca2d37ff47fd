#include "spec/selection.h"

#include <gtest/gtest.h>

#include "base/input_error.h"
#include "unit/spec/named_function.h"

namespace isosan {
namespace {

using test::named;

TEST(Selection, RulesComeBackAsTheyWere) {
  const RegionRules rules({.atomic = {"a"}, .not_atomic = {"b"}, .deterministic = {"c"}},
                          {.atomic = {"b", "d"}, .not_atomic = {"a"}, .deterministic = {"e"}},
                          Heuristic::kSynch,
                          {.atomic = {"f"},
                           .mover = {"g"},
                           .no_warn = {"h"},
                           .split_at_wait = {"i"},
                           .guarded = {"C::x"}});
  const RegionRules back = rules_of(selection_of(rules));
  EXPECT_EQ(selection_of(back), selection_of(rules));
  EXPECT_EQ(back.heuristic(), Heuristic::kSynch);
  for (const char* name : {"a", "b", "c", "d", "e", "z"}) {
    EXPECT_EQ(back.choose(named(name)).atomic, rules.choose(named(name)).atomic) << name;
    EXPECT_EQ(back.choose(named(name)).deterministic, rules.choose(named(name)).deterministic);
  }
  EXPECT_TRUE(back.assumptions().covers(named("g")));
  EXPECT_EQ(back.assumptions().split_at_wait, std::vector<std::string>{"i"});
  EXPECT_EQ(back.assumptions().guarded, std::vector<std::string>{"C::x"});
}

TEST(Selection, IsTheSameHoweverTheGlobsWereOrdered) {
  const RegionRules rules({.atomic = {"a", "b"}}, {}, {});
  EXPECT_EQ(selection_of(rules), selection_of(RegionRules({.atomic = {"b", "a", "b"}}, {}, {})));
  EXPECT_NE(selection_of(rules), selection_of(RegionRules({}, {.atomic = {"a", "b"}}, {})));
  EXPECT_EQ(selection_text(selection_of(rules)), "--regions annotated, --atomic a, --atomic b");
}

TEST(Selection, TheDefaultIsOneToo) {
  EXPECT_EQ(selection_text(selection_of(RegionRules({}, {}, {}))), "--regions auto");
}

TEST(Selection, WhatIsNotUnderstoodIsAnError) {
  const auto why = [](const std::vector<SelectionRule>& selection) {
    try {
      rules_of(selection);
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(why({{"--regions", "methods"}, {"--moon", "full"}}),
            "the trace was recorded for '--moon', which is not known");
  EXPECT_EQ(why({{"--regions", "moons"}}), "the trace was recorded for regions that are not known");
  EXPECT_THROW(rules_of({{"--atomic", "a"}}), InputError);
}

}  // namespace
}  // namespace isosan
