#include "spec/region_stage.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

class Given : public EventSource {
 public:
  explicit Given(std::vector<Event> events) : events_(std::move(events)) {}
  std::span<const Event> next() override { return std::exchange(left_, {}); }
  const Tables& tables() const override { return tables_; }
  bool keeps_walks() const override { return walks_; }
  Tables tables_;
  bool walks_ = false;

 private:
  std::vector<Event> events_;
  std::span<const Event> left_{events_};
};

Event call(std::uint32_t function) { return {.kind = Kind::kCall, .size = function}; }
Event leave(std::uint32_t function) { return {.kind = Kind::kReturn, .size = function}; }
const Event kRead{.kind = Kind::kRead, .address = 8, .size = 8};

enum class Nested { kTold, kLeftOut };

std::vector<Event> run(Given& source, const RegionRules& rules, Tables* tables = nullptr,
                       Nested nested = Nested::kTold) {
  for (const char* name : {"f", "g", "main"}) {
    Function function;
    function.name = name;
    source.tables_.functions.push_back(function);
  }
  RegionStage stage(source, rules);
  if (nested == Nested::kLeftOut) stage.leave_out_nested();
  std::vector<Event> result;
  for (auto batch = stage.next(); !batch.empty(); batch = stage.next()) {
    result.insert(result.end(), batch.begin(), batch.end());
  }
  if (tables != nullptr) *tables = stage.tables();
  return result;
}

std::string kinds(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += std::string(name_of(event.kind)) + " ";
  return text;
}

TEST(RegionStage, ACallOfAChosenFunctionBeginsItsRegion) {
  Given source({call(3), kRead, call(1), kRead, leave(1), leave(3)});
  const RegionRules rules({}, {}, {});
  Tables tables;
  const std::vector<Event> events = run(source, rules, &tables);
  EXPECT_EQ(kinds(events), "call read call begin read end return return ");
  EXPECT_EQ(tables.regions.at(events[3].size).name, "f");
}

// Outside, each access of a walk is a transaction of its own.
TEST(RegionStage, AWalkPassesWholeInsideAnAtomicRegionOnly) {
  Event walk = kRead;
  make_walk(walk, {.size = 4, .count = 1500, .stride = 16});
  Given source({walk, call(3), walk, call(1), walk, leave(1), walk, kRead, leave(3)});
  source.walks_ = true;
  const RegionRules rules({}, {}, {});
  const std::vector<Event> events = run(source, rules);
  ASSERT_EQ(events.size(), 3 * 1500 + 8u);
  Event last = kRead;
  last.address += 1499 * 16;
  last.size = 4;
  EXPECT_EQ(events[1499], last);
  EXPECT_EQ(events[1500 + 1 + 1499], last);
  EXPECT_EQ(events[3003], walk);
  EXPECT_EQ(kinds({events.begin() + 3001, events.begin() + 3007}),
            "call begin read end return read ");
  EXPECT_EQ(kinds({events.end() - 2, events.end()}), "read return ");
}

TEST(RegionStage, AWalkPassesWholeEverywhereIfAskedTo) {
  Event walk = kRead;
  make_walk(walk, {.size = 4, .count = 1500, .stride = 16});
  Given source({walk, kRead});
  source.walks_ = true;
  const RegionRules rules({}, {}, {});
  RegionStage stage(source, rules);
  stage.leave_walks_whole();
  const std::span<const Event> events = stage.next();
  EXPECT_EQ((std::vector<Event>{events.begin(), events.end()}), (std::vector<Event>{walk, kRead}));
}

TEST(RegionStage, RegionsOfTheTraceKeepTheirNamesBesideThoseOfFunctions) {
  Given source(
      {call(1), {.kind = Kind::kBegin, .size = 1}, {.kind = Kind::kEnd, .size = 1}, leave(1)});
  source.tables_.regions.push_back({.name = "block"});
  const RegionRules rules({}, {}, {});
  Tables tables;
  const std::vector<Event> events = run(source, rules, &tables);
  EXPECT_EQ(kinds(events), "call begin begin end end return ");
  EXPECT_EQ(tables.regions.at(events[1].size).name, "f");
  EXPECT_EQ(tables.regions.at(events[2].size).name, "block");
}

TEST(RegionStage, AReturnClosesWhatLongjmpLeftOpen) {
  Given source({call(3), call(1), call(2), leave(3)});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules)), "call call begin call begin end return end return return ");
}

// ---- lock scopes ----

Event lock(Address address, std::uint16_t depth = 0) {
  return {.kind = Kind::kAcquire, .depth = depth, .address = address};
}
Event unlock(Address address, std::uint16_t depth = 0) {
  return {.kind = Kind::kRelease, .depth = depth, .address = address};
}
const RegionRules kSynchRules({}, {}, Heuristic::kSynch);

TEST(LockScopes, ReachFromTheAcquireToTheRelease) {
  Given source({call(1), kRead, lock(64), kRead, unlock(64), lock(64), unlock(64), leave(1)});
  Tables tables;
  const std::vector<Event> events = run(source, kSynchRules, &tables);
  EXPECT_EQ(kinds(events),
            "call read begin acquire read release end begin acquire release end return ");
  EXPECT_EQ(tables.regions.at(events[2].size).name, "f");
}

TEST(LockScopes, OfMainAndThreadEntriesAreRegionsToo) {
  Given source({call(3), lock(64), unlock(64), leave(3)});
  EXPECT_EQ(kinds(run(source, kSynchRules)), "call begin acquire release end return ");
}

TEST(LockScopes, ReentrantAcquiresBeginNone) {
  Given source({call(1), lock(64), lock(64, 1), unlock(64, 1), unlock(64), leave(1)});
  EXPECT_EQ(kinds(run(source, kSynchRules)),
            "call begin acquire acquire release release end return ");
}

TEST(LockScopes, HandOverHandEndsBoth) {
  Given source({call(1), lock(64), lock(72), unlock(64), kRead, unlock(72), leave(1)});
  EXPECT_EQ(kinds(run(source, kSynchRules)),
            "call begin acquire begin acquire release end end read release return ");
}

TEST(LockScopes, MayReachFromOneFunctionIntoAnother) {
  Given source({call(1), lock(64), leave(1), call(2), unlock(64), leave(2)});
  EXPECT_EQ(kinds(run(source, kSynchRules)), "call begin acquire return call release end return ");
}

TEST(LockScopes, EndWithTheFunctionThatIsARegion) {
  Given source({call(1), lock(64), leave(1), unlock(64)});
  EXPECT_EQ(kinds(run(source, RegionRules({.atomic = {"f"}}, {}, Heuristic::kSynch))),
            "call begin begin acquire end end return release ");
}

TEST(LockScopes, ARuleLeavesThoseOfAFunctionOut) {
  Given source({call(1), lock(64), unlock(64), leave(1)});
  EXPECT_EQ(kinds(run(source, RegionRules({.not_atomic = {"f"}}, {}, Heuristic::kSynch))),
            "call acquire release return ");
}

TEST(LockScopes, ThreadEndClosesThem) {
  Given source({call(1), lock(64), {.kind = Kind::kThreadEnd}});
  EXPECT_EQ(kinds(run(source, kSynchRules)), "call begin acquire return end thread-end ");
}

TEST(RegionStage, ThreadEndClosesWhatIsOpen) {
  Given source({call(1), {.kind = Kind::kThreadEnd}});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules)), "call begin end return thread-end ");
}

TEST(RegionStage, TheOutermostFunctionOfAThreadIsItsEntryAndNoRegion) {
  Event entry = call(1), inner = call(2);
  entry.thread = inner.thread = ThreadId{1};
  Given source({entry, inner});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules)), "call call begin ");
}

TEST(RegionStage, AFunctionThatAThreadIsStartedWithIsNoRegionFromThereOnWhoeverCallsIt) {
  Event entry = call(1);
  entry.thread = ThreadId{1};
  Given source({call(3), call(1), entry, kRead, leave(1), call(1)});
  Function f, g, main;
  f.name = "f", g.name = "g", main.name = "main";
  f.pc = 100;  // not seen by the pass
  source.tables_.functions = {{}, f, g, main};
  const RegionRules rules({}, {}, {});
  const std::vector<Event> events = run(source, rules);
  EXPECT_EQ(kinds(events), "call call begin end call read return call ");
  EXPECT_EQ(events[3].thread, ThreadId{0});
}

TEST(RegionStage, AFunctionThatIsSeenToWaitIsNoRegionFromThereOn) {
  Given source({call(3), call(1), {.kind = Kind::kWaitBegin}, kRead, leave(1), call(1), leave(1)});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules)), "call call begin end wait-begin read return call return ");
}

TEST(RegionStage, WhatIsNestedInAFunctionsRegionIsLeftOutIfAsked) {
  Given source({call(3), call(1), call(2), kRead, leave(2), kRead, leave(1), call(2), leave(2)});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules, nullptr, Nested::kLeftOut)),
            "call call begin read read end return call begin end return ");
}

TEST(RegionStage, WhatLongjmpLeftOpenInsideIsLeftOutToo) {
  Given source({call(3), call(1), call(2), leave(1), call(2), leave(2)});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules, nullptr, Nested::kLeftOut)),
            "call call begin end return call begin end return ");
}

TEST(RegionStage, CallsOfFunctionsWithoutCertainAnnotationsAreLeftOutIfAsked) {
  Given source({call(3), call(1), call(2), kRead, leave(2), leave(1), leave(3)});
  Function f, g, main;
  f.name = "f", g.name = "g", main.name = "main";
  f.annotations = kAnnotatedAtomic;
  g.annotations = kAnnotatedNoWarn;
  source.tables_.functions = {{}, f, g, main};
  const RegionRules rules({}, {}, {});
  RegionStage stage(source, rules);
  stage.pass_calls_of(kAnnotatedNoWarn | kAnnotatedAssumeMover);
  const std::span<const Event> batch = stage.next();
  EXPECT_EQ(kinds({batch.begin(), batch.end()}), "begin call begin read end return end ");
}

// A block may end in another function than it began in: functions in it keep their regions.
TEST(RegionStage, FunctionsInsideAnAnnotatedBlockAreTold) {
  Given source(
      {{.kind = Kind::kBegin, .size = 1}, call(1), {.kind = Kind::kEnd, .size = 1}, leave(1)});
  source.tables_.regions.push_back({.name = "block"});
  const RegionRules rules({}, {}, {});
  EXPECT_EQ(kinds(run(source, rules, nullptr, Nested::kLeftOut)),
            "begin call begin end end return ");
}

// g, chosen by name, stays a region though a thread is joined in it; f around it does not.
TEST(RegionStage, WhenTheRegionAroundEndsByHeuristicTheNestedOneBegins) {
  Given source(
      {call(3), call(1), call(2), {.kind = Kind::kJoin, .address = 1}, kRead, leave(2), leave(1)});
  RuleSet command_line;
  command_line.atomic = {"g"};
  const RegionRules rules(command_line, {}, Heuristic::kMethods);
  Tables tables;
  const std::vector<Event> events = run(source, rules, &tables, Nested::kLeftOut);
  EXPECT_EQ(kinds(events), "call call begin end begin join read end return return ");
  EXPECT_EQ(tables.regions.at(events[2].size).name, "f");
  EXPECT_EQ(tables.regions.at(events[4].size).name, "g");
}

TEST(RegionStage, AFunctionThatWaitedIsNotCountedAmongTheRegionsEntered) {
  Given source({call(3), call(1), {.kind = Kind::kWaitBegin}, leave(1), call(2), leave(2)});
  Function f, g, main;
  f.name = "f", g.name = "g", main.name = "main";
  source.tables_.functions = {{}, f, g, main};
  const RegionRules rules({}, {}, {});
  RegionStage stage(source, rules);
  while (!stage.next().empty()) {
  }
  EXPECT_EQ(stage.regions_entered(), 1u);  // g
}

TEST(RegionStage, AFunctionNamedAtomicStaysOneThoughItWaits) {
  Given source({call(1), {.kind = Kind::kWaitBegin}, leave(1)});
  const RegionRules rules({.atomic = {"f"}}, {}, {});
  EXPECT_EQ(kinds(run(source, rules)), "call begin wait-begin end return ");
}

}  // namespace
}  // namespace isosan
