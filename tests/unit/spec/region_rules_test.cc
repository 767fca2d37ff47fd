#include "spec/region_rules.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/input_error.h"
#include "spec/spec_file.h"
#include "unit/spec/named_function.h"

namespace isosan {
namespace {

using test::named;

TEST(RegionRules, TheDefaultLeavesOutWhatDrivesOthers) {
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(rules.heuristic(), Heuristic::kAuto);
  const auto why = [&](const char* name) { return rules.why_not_atomic(named(name)); };
  EXPECT_EQ(why("Account::deposit"), LeftOut::kNo);
  EXPECT_EQ(why("main"), LeftOut::kMain);
  EXPECT_EQ(why("std::sort"), LeftOut::kLibrary);
  EXPECT_EQ(why("serve::lambda"), LeftOut::kLambda);
  EXPECT_EQ(why("serve::lambda::~(lambda at serve.cc:29:26)"), LeftOut::kLambda);
  EXPECT_EQ(why("lambda"), LeftOut::kLambda);
  EXPECT_EQ(why("Client::mylambda"), LeftOut::kNo);
  EXPECT_EQ(why("Queue_Keeps_Test::TestBody"), LeftOut::kTest);
  EXPECT_EQ(why("CATCH2_INTERNAL_TEST_0"), LeftOut::kTest);
  EXPECT_EQ(why("DOCTEST_ANON_FUNC_2"), LeftOut::kTest);
  EXPECT_EQ(why("keeps_order::test_method"), LeftOut::kTest);
  EXPECT_EQ(why("main.omp_outlined"), LeftOut::kOpenMp);
  EXPECT_EQ(why("main._omp_fn.0"), LeftOut::kOpenMp);
  EXPECT_EQ(why("_GLOBAL__sub_I_bank.cc"), LeftOut::kInitializer);
  Function header = named("boost::lockfree::stack::push");
  header.file = "/usr/include/boost/lockfree/stack.hpp";
  EXPECT_EQ(rules.why_not_atomic(header), LeftOut::kSystemHeader);
  Function alone = named("Matrix::at");
  alone.annotations = kSharesNothing;
  EXPECT_EQ(rules.why_not_atomic(alone), LeftOut::kSharesNothing);
  EXPECT_EQ(RegionRules({}, {}, Heuristic::kMethods).why_not_atomic(alone), LeftOut::kNo);
  EXPECT_EQ(RegionRules({}, {}, Heuristic::kBroad).why_not_atomic(alone), LeftOut::kNo);
  Function annotated = named("serve::lambda");
  annotated.annotations = kAnnotatedAtomic;
  EXPECT_EQ(rules.why_not_atomic(annotated), LeftOut::kNo) << "who says so comes first";
  EXPECT_EQ(RegionRules({.not_atomic = {"f"}}, {}, {}).why_not_atomic(named("f")),
            LeftOut::kByRule);
}

TEST(RegionRules, MethodsLeaveOutMainEntriesAndWaiters) {
  const RegionRules rules({}, {}, Heuristic::kMethods);
  EXPECT_TRUE(rules.choose(named("serve::lambda")).atomic);
  EXPECT_TRUE(rules.choose(named("f")).atomic);
  EXPECT_FALSE(rules.choose(named("main")).atomic);
  Function entry = named("worker");
  entry.thread_entry = true;
  EXPECT_FALSE(rules.choose(entry).atomic);
  Function waiter = named("pop");
  waiter.waits_or_notifies = true;
  EXPECT_FALSE(rules.choose(waiter).atomic);
}

TEST(RegionRules, NamingARegionMeansThatOnlyNamedOnesCount) {
  const RegionRules rules({.atomic = {"Account::*"}}, {}, {});
  EXPECT_TRUE(rules.choose(named("Account::deposit")).atomic);
  EXPECT_FALSE(rules.choose(named("f")).atomic);
  EXPECT_EQ(rules.heuristic(), Heuristic::kAnnotated);
}

TEST(RegionRules, NotAtomicOnlySubtracts) {
  const RegionRules rules({.not_atomic = {"f"}}, {}, {});
  EXPECT_FALSE(rules.choose(named("f")).atomic);
  EXPECT_TRUE(rules.choose(named("g")).atomic);
}

TEST(RegionRules, CommandLineBeforeSpecBeforeAnnotationBeforeHeuristic) {
  Function annotated = named("f");
  annotated.annotations = kAnnotatedNotAtomic;
  EXPECT_FALSE(RegionRules({}, {}, {}).choose(annotated).atomic);
  EXPECT_TRUE(RegionRules({}, {.atomic = {"f"}}, {}).choose(annotated).atomic);
  EXPECT_FALSE(RegionRules({.not_atomic = {"f"}}, {.atomic = {"f"}}, {}).choose(annotated).atomic);
}

TEST(RegionRules, FunctionsTakesMainEntriesAndWaitersButNotTheLibrary) {
  const RegionRules rules({}, {}, Heuristic::kFunctions);
  Function entry = named("main");
  entry.thread_entry = true;
  entry.waits_or_notifies = true;
  EXPECT_TRUE(rules.choose(entry).atomic);
  EXPECT_FALSE(rules.choose(named("std::sort")).atomic);
}

TEST(RegionRules, TheLibrarysThreadLayerIsTheLibrarys) {
  EXPECT_TRUE(is_library_name("std::mutex::lock"));
  EXPECT_TRUE(is_library_name("__gthread_mutex_lock"));
  EXPECT_FALSE(is_library_name("gthread_mutex_lock"));
}

TEST(RegionRules, ExportSynchTakesPublicMembersAndLockScopes) {
  const RegionRules rules({}, {}, Heuristic::kExportSynch);
  Function member = named("A::f");
  member.external = true;
  member.accessibility = Accessibility::kPublic;
  EXPECT_TRUE(rules.choose(member).atomic);
  member.accessibility = Accessibility::kPrivate;
  EXPECT_FALSE(rules.choose(member).atomic);
  EXPECT_TRUE(rules.scopes_in(member));
}

TEST(RegionRules, SynchTakesLockScopesAlone) {
  const RegionRules rules({.not_atomic = {"g"}}, {}, Heuristic::kSynch);
  Function member = named("A::f");
  member.external = true;
  EXPECT_FALSE(rules.choose(member).atomic);
  EXPECT_TRUE(rules.scopes_in(member));
  EXPECT_TRUE(rules.scopes_in(named("main")));
  EXPECT_FALSE(rules.scopes_in(named("g")));
  EXPECT_FALSE(RegionRules({}, {}, Heuristic::kMethods).scopes_in(member));
}

TEST(RegionRules, TellsGlobsThatMatchNothing) {
  const RegionRules rules({.atomic = {"f", "nope*"}}, {}, {});
  EXPECT_EQ(rules.unmatched({named("f")}), std::vector<std::string>{"nope*"});
}

std::string write_spec(const std::string& text) {
  const std::string path = testing::TempDir() + "/spec.toml";
  std::ofstream(path) << text;
  return path;
}

TEST(SpecFile, ReadsRulesAssumptionsAndSuppressions) {
  const SpecFile spec = read_spec_file(
      write_spec("[atomic]\nfunctions = ['f']\nclasses = ['Pool']\n[assume]\nmover = ['log']\n"
                 "[[suppress]]\nregion = 'g'\nreason = 'known'\n"));
  EXPECT_EQ(spec.rules.atomic, (std::vector<std::string>{"f", "Pool::*"}));
  EXPECT_EQ(spec.assume.mover, std::vector<std::string>{"log"});
  EXPECT_EQ(spec.suppressions.at(0).analysis, "*");
}

void expect_refused(const std::string& text, const std::string& line_and_what) {
  const std::string path = write_spec(text);
  try {
    read_spec_file(path);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), path + ":" + line_and_what);
  }
}

TEST(SpecFile, RefusesWhatItDoesNotUnderstandWithItsLine) {
  expect_refused("[atomc]\n", "1: unknown section 'atomc'");
  expect_refused("[atomic]\nfunction = ['f']\n", "2: unknown key 'function'");
  expect_refused("[atomic]\nfunctions = 'f'\n", "2: 'functions' must be a list of strings");
  expect_refused("[[suppress]]\nregion = 'f'\n", "1: [[suppress]] needs a reason");
  expect_refused("[[suppress]]\nreason = 'known'\n",
                 "1: [[suppress]] needs a region, a class or a file");
}

TEST(SpecFile, SuppressionsCountTheirUse) {
  Tables tables;
  tables.regions.push_back({.name = "Pool::close"});
  std::vector<Suppression> rules{{.region = "Pool::*", .analysis = "velodrome", .reason = "known"}};
  Finding finding;
  finding.region = RegionId{1};
  finding.analysis = "aerodrome";
  EXPECT_EQ(suppress(rules, finding, tables), nullptr);
  finding.analysis = "velodrome";
  EXPECT_NE(suppress(rules, finding, tables), nullptr);
  EXPECT_EQ(rules[0].used, 1u);
}

TEST(SpecFile, SuppressionsByClassAndFile) {
  Tables tables;
  tables.functions.push_back(
      {.name = "Pool::close", .class_name = "Pool", .file = "/src/lib/pool.cc"});
  tables.regions.push_back({.name = "Pool::close", .function = FunctionId{1}});
  Finding finding;
  finding.region = RegionId{1};
  finding.analysis = "velodrome";
  const auto suppresses = [&](Suppression rule) {
    std::vector<Suppression> rules{std::move(rule)};
    return suppress(rules, finding, tables) != nullptr;
  };
  EXPECT_TRUE(suppresses({.class_name = "Pool"}));
  EXPECT_FALSE(suppresses({.class_name = "Poo"}));
  for (const char* file : {"pool.cc", "lib/*", "/src/*", "*.cc"})
    EXPECT_TRUE(suppresses({.file = file})) << file;
  for (const char* file : {"ool.cc", "src/pool.cc", "*.h"})
    EXPECT_FALSE(suppresses({.file = file})) << file;
  EXPECT_FALSE(suppresses({.class_name = "Pool", .file = "*.h"})) << "all have to match";
  finding.subject = "Cache";
  EXPECT_TRUE(suppresses({.class_name = "Cache"}));
}

}  // namespace
}  // namespace isosan
