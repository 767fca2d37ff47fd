#include "spec/assumptions.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Tables tables_with(std::initializer_list<const char*> functions) {
  Tables tables;
  for (const char* name : functions) {
    tables.functions.emplace_back();
    tables.functions.back().name = name;
  }
  Site site;
  site.class_name = "Pool";
  site.field = "hits_";
  tables.sites.push_back(site);
  return tables;
}

TEST(Assumptions, AGlobAnnotatesFunctionsAsTheSourceWould) {
  Tables tables = tables_with({"a::f", "a::g", "b::f"});
  Assumptions{.atomic = {"a::f"}, .mover = {"a::*"}, .no_warn = {"b::*"}, .split_at_wait = {"*::g"}}
      .annotate(tables, 1, 1);
  EXPECT_EQ(tables.functions[1].annotations, kAnnotatedAssumeAtomic | kAnnotatedAssumeMover);
  EXPECT_EQ(tables.functions[2].annotations, kAnnotatedAssumeMover | kAnnotatedSplitAtWait);
  EXPECT_EQ(tables.functions[3].annotations, std::uint32_t{kAnnotatedNoWarn});
}

TEST(Assumptions, WhatTheTablesHadBeforeIsLeftAlone) {
  Tables tables = tables_with({"f", "f"});
  Assumptions{.mover = {"f"}}.annotate(tables, 2, 2);
  EXPECT_EQ(tables.functions[1].annotations, 0u);
  EXPECT_EQ(tables.functions[2].annotations, std::uint32_t{kAnnotatedAssumeMover});
}

TEST(Assumptions, GuardedNamesFields) {
  Tables tables = tables_with({});
  Assumptions{.guarded = {"Pool::hits_"}}.annotate(tables, 1, 1);
  EXPECT_TRUE(tables.sites[1].assume_guarded);
}

TEST(Assumptions, TellWhichGlobsMatchNothing) {
  const Tables tables = tables_with({"f"});
  const Assumptions assumptions{.mover = {"f", "g"}, .guarded = {"Pool::*", "Pool::misses_"}};
  EXPECT_EQ(assumptions.unmatched_functions(tables.functions), std::vector<std::string>{"g"});
  EXPECT_EQ(assumptions.unmatched_data(tables), std::vector<std::string>{"Pool::misses_"});
}

TEST(Assumptions, GuardedNamesGlobals) {
  Tables tables;
  tables.symbols = {{.address = 16, .size = 8, .name = "stats::hits"},
                    {.address = 32, .size = 8, .name = "stats::pool"}};
  const Assumptions assumptions{.guarded = {"stats::h*", "other"}};
  assumptions.annotate(tables.symbols);
  EXPECT_TRUE(tables.symbols[0].assume_guarded);
  EXPECT_FALSE(tables.symbols[1].assume_guarded);
  EXPECT_EQ(assumptions.unmatched_data(tables), std::vector<std::string>{"other"});
}

}  // namespace
}  // namespace isosan
