// assume_atomic, assume_mover, assume_guarded, no_warn.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

using atomizer::FunctionAssumption;
using atomizer::SiteAssumption;

constexpr FunctionId kHelper{7};

// STD text has no word for which function is called: every call is one of kHelper.
Trace with_calls(const std::string& text) {
  Trace trace = trace_of(text);
  for (Event& e : trace.events) {
    if (e.kind == Kind::kCall || e.kind == Kind::kReturn) e.size = index(kHelper);
  }
  return trace;
}

Verdicts assuming(FunctionAssumption assumption, const std::string& text) {
  AtomizerOptions options;
  options.declarations.assume(kHelper, assumption);
  return verdicts_of(with_calls(text), options);
}

const std::string kShareX = "T0|w(x) T1|w(x) T0|w(x) ";

TEST(Declarations, NothingIsAssumedByDefault) {
  EXPECT_EQ(verdicts_of(with_calls(kShareX + "T0|begin(f) T0|call T0|r(x) T0|w(x) T0|return"
                                             " T0|end(f)")),
            Verdicts{"f 5->6"});
}

TEST(Declarations, AssumeMover) {
  EXPECT_EQ(assuming(FunctionAssumption::kMover,
                     kShareX + "T0|begin(f) T0|call T0|r(x) T0|w(x) T0|return"
                               " T0|call T0|r(x) T0|w(x) T0|return T0|end(f)"),
            Verdicts{});
  EXPECT_EQ(assuming(FunctionAssumption::kMover, kShareX + "T0|begin(f) T0|call T0|r(x) T0|return"
                                                           " T0|r(x) T0|r(x) T0|end(f)"),
            Verdicts{"f 7->8"})
      << "what follows is checked again";
}

TEST(Declarations, AssumeMoverStillLearnsLocksets) {
  EXPECT_EQ(assuming(FunctionAssumption::kMover,
                     "T0|w(x) T1|call T1|w(x) T1|return T0|begin(f) T0|w(x) T0|w(x) T0|end(f)"),
            Verdicts{"f 5->6"});
}

TEST(Declarations, AssumeAtomicIsOneNonMover) {
  EXPECT_EQ(assuming(FunctionAssumption::kAtomic,
                     kShareX + "T0|begin(f) T0|call T0|r(x) T0|w(x) T0|return T0|end(f)"),
            Verdicts{});
  EXPECT_EQ(assuming(FunctionAssumption::kAtomic,
                     kShareX + "T0|begin(f) T0|call T0|r(x) T0|w(x) T0|return"
                               " T0|call T0|r(x) T0|w(x) T0|return T0|end(f)"),
            Verdicts{"f 4->8"})
      << "two atomic actions are not one";
}

TEST(Declarations, AssumedCallsNest) {
  EXPECT_EQ(assuming(FunctionAssumption::kMover,
                     kShareX + "T0|begin(f) T0|call T0|call T0|return T0|r(x) T0|w(x) T0|return"
                               " T0|end(f)"),
            Verdicts{});
}

TEST(Declarations, NoWarnFunctionLeavesLocksetsAlone) {
  EXPECT_EQ(assuming(FunctionAssumption::kNoWarn,
                     "T0|w(x) T1|call T1|w(x) T1|return T0|begin(f) T0|w(x) T0|w(x) T0|end(f)"),
            Verdicts{});
}

TEST(Declarations, NoWarnLineLeavesLocksetsAndPhasesAlone) {
  const Trace trace = trace_of(kShareX + "T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  AtomizerOptions options;
  options.declarations.assume(trace.events[5].site, SiteAssumption::kNoWarn);
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
}

TEST(Declarations, NoWarnLinesAreAskedForOnceForEachSite) {
  Trace trace = trace_of(kShareX + "T0|begin(f) T0|r(x) T0|acq(m) T0|w(x) T0|rel(m) T0|end(f)");
  trace.tables.sites.resize(3);
  for (std::size_t i = 0; i < trace.events.size(); ++i) trace.events[i].site = SiteId{1};
  AtomizerOptions options;
  options.tables = &trace.tables;
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"f 4->6"});
  std::vector<SiteId> asked;
  options.declarations.no_warn_where([&](SiteId site) {
    asked.push_back(site);
    return site == SiteId{2};
  });
  trace.events[6].site = SiteId{2};
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
  EXPECT_EQ(asked, (std::vector{SiteId{1}, SiteId{2}}));
}

TEST(Declarations, NoWarnLineStillHoldsItsLock) {
  const Trace trace = trace_of(
      "T0|acq(m) T0|w(x) T0|rel(m) T1|acq(m) T1|w(x) T1|rel(m)"
      " T0|begin(f) T0|r(y) T0|acq(m) T0|w(x) T0|w(x) T0|rel(m) T0|end(f)");
  AtomizerOptions options;
  options.declarations.assume(trace.events[8].site, SiteAssumption::kNoWarn);
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
}

TEST(Declarations, AssumeGuardedByAddress) {
  const Trace trace = trace_of(kShareX + "T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  AtomizerOptions options;
  options.declarations.assume_guarded(address_in(trace, "x"), 8);
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
  options.declarations = {};
  options.declarations.assume_guarded(address_in(trace, "x") + 8, 8);
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"f 4->5"}) << "the neighbour is not x";
}

// As the pass tells of ISOSAN_ASSUME_GUARDED on a field, and on a global.
TEST(Declarations, AssumeGuardedByAnnotation) {
  Trace trace = trace_of(kShareX + "T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  AtomizerOptions options;
  options.tables = &trace.tables;
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"f 4->5"});
  trace.tables.annotations = {{.text = "isosan:assume_guarded", .symbol = "x"}};
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
  trace.tables.annotations = {
      {.text = "isosan:assume_guarded", .class_name = "Pool", .field = "hits_"}};
  for (Site& site : trace.tables.sites) site.class_name = "Pool", site.field = "hits_";
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
  for (Site& site : trace.tables.sites) site.field = "hits_.today.count";
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{}) << "inside of it";
  for (Site& site : trace.tables.sites) site.field = "hits_too";
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"f 4->5"});
}

TEST(Declarations, AssumeGuardedOfAGlobalBySpecFile) {
  Trace trace = trace_of(kShareX + "T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  AtomizerOptions options;
  options.tables = &trace.tables;
  for (Symbol& symbol : trace.tables.symbols) symbol.assume_guarded = symbol.name == "x";
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
}

TEST(Declarations, AssumeGuardedBySite) {
  const Trace trace = trace_of(kShareX + "T0|begin(f) T0|r(x) T0|w(x) T0|end(f)");
  AtomizerOptions options;
  options.declarations.assume(trace.events[4].site, SiteAssumption::kGuarded);
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{});
}

}  // namespace
}  // namespace isosan::test
