#include "analysis/atomizer/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace isosan::atomizer {
namespace {

bool is_access(Kind kind) { return kind <= Kind::kAtomicRmw; }
bool is_write(Kind kind) {
  return kind == Kind::kWrite || kind == Kind::kAtomicStore || kind == Kind::kAtomicRmw;
}

struct Verb {
  Kind kind;
  const char* text;  // "it <text> <object>"
};
constexpr Verb kVerbs[] = {
    {Kind::kRead, "reads"},
    {Kind::kWrite, "writes"},
    {Kind::kAtomicLoad, "atomically loads"},
    {Kind::kAtomicStore, "atomically stores"},
    {Kind::kAtomicRmw, "atomically updates"},
    {Kind::kAcquire, "acquires lock"},
    {Kind::kRelease, "releases lock"},
    {Kind::kFork, "starts thread"},
    {Kind::kJoin, "joins thread"},
    {Kind::kBarrierArrive, "arrives at barrier"},
    {Kind::kBarrierDepart, "departs from barrier"},
    {Kind::kSemaphorePost, "posts semaphore"},
    {Kind::kSemaphoreWait, "waits for semaphore"},
    {Kind::kOnceDone, "finishes once"},
    {Kind::kPublish, "publishes"},
    {Kind::kObserve, "observes"},
    {Kind::kCall, "calls a function assumed atomic on"},
};

std::string describe(const Action& action) {
  const auto verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                 [&](const Verb& v) { return v.kind == action.operation; });
  const bool thread = action.operation == Kind::kFork || action.operation == Kind::kJoin;
  const std::string object =
      thread ? fmt::format("{}", action.address) : fmt::format("{:#x}", action.address);
  if (action.in_wait) return fmt::format("waits, which {} {}", verb->text, object);
  return fmt::format("{} {}", verb->text, object);
}

std::string what_could_happen(const Action& commit, const Action& violation) {
  const bool same = commit.address == violation.address;
  if (is_access(commit.operation) && is_access(violation.operation)) {
    if (!same) {
      return "in between, another thread can use both variables and see one of them as it was "
             "before and the other as it is after";
    }
    return is_write(commit.operation)
               ? "in between, another thread can see or overwrite the value just written"
               : "in between, another thread can change the value just read";
  }
  if (commit.operation == Kind::kRelease && violation.operation == Kind::kAcquire && same) {
    return violation.in_wait
               ? "while it waits, other threads can change everything the lock guards"
               : "in between, another thread can take the lock and change what was read or "
                 "written under it";
  }
  if (commit.operation == Kind::kRelease) {
    return "in between, another thread can take the released lock and change what it guards";
  }
  return "in between, another thread can run and see the region half done";
}

FindingTransaction transaction(RegionId region, const Where& begin, bool blamed) {
  return {.thread = begin.thread,
          .region = region,
          .begin = begin,
          .finished = false,
          .blamed = blamed};
}

const char* role_of(HistoryStep step) {
  switch (step) {
    case HistoryStep::kTakenOver:
      return "taken over by a second thread at";
    case HistoryStep::kReadShared:
      return "read by a further thread at";
    case HistoryStep::kShared:
      return "shared since";
    case HistoryStep::kAccessLocksGone:
      return "last common lock lost at";
    case HistoryStep::kWriteLocksGone:
      return "last common lock of its writes lost at";
  }
  return "";
}

}  // namespace

Finding Reporter::window(const OpenRegion& region, const Action& violation) const {
  const Action& commit = region.commit;
  Finding finding;
  finding.analysis = kAnalysisName;
  finding.kind = FindingKind::kNotReducible;
  finding.region = region.region;
  finding.transactions = {transaction(region.region, region.entered, true)};
  finding.steps.push_back(
      {.where = region.entered, .operation = Kind::kBegin, .role = "region entered"});
  add_step(finding, commit, "region commits at");
  add_step(finding, violation, "violation at");
  finding.message =
      fmt::format("the region is not atomic: it {} (there it commits), then {}; {}",
                  describe(commit), describe(violation), what_could_happen(commit, violation));
  add_history(finding, commit);
  if (commit.address != violation.address || !is_access(commit.operation)) {
    add_history(finding, violation);
  }
  return finding;
}

Finding Reporter::race(RegionId region, const Where& entered, const Action& violation) const {
  Finding finding;
  finding.analysis = kAnalysisName;
  finding.kind = FindingKind::kNotReducible;
  finding.region = region;
  finding.transactions = {transaction(region, entered, true)};
  if (region != kNoRegion) {
    finding.steps.push_back(
        {.where = entered, .operation = Kind::kBegin, .role = "region entered"});
  }
  add_step(finding, violation, "violation at");
  finding.message = fmt::format(
      "it {} without a lock that protects it: another thread can use it at the same time",
      describe(violation));
  add_history(finding, violation);
  return finding;
}

void Reporter::add_step(Finding& finding, const Action& action, const char* role) const {
  finding.steps.push_back({.where = action.where,
                           .operation = action.operation,
                           .address = action.address,
                           .size = action.size,
                           .role = role,
                           .locks = addresses(action.held)});
}

// Oldest first. Each step stands in the transaction of its thread; whose region it was is not kept.
void Reporter::add_history(Finding& finding, const Action& action) const {
  std::vector<WitnessId> chain;
  for (WitnessId id = action.history; id != kNoWitness; id = witnesses_.at(id).earlier) {
    chain.push_back(id);
  }
  for (auto id = chain.rbegin(); id != chain.rend(); ++id) {
    const Witness& witness = witnesses_.at(*id);
    finding.transactions.push_back(transaction(kNoRegion, witness.where, false));
    finding.transactions.back().finished = true;
    finding.steps.push_back({.transaction = finding.transactions.size() - 1,
                             .where = witness.where,
                             .operation = witness.operation,
                             .address = action.address,
                             .size = action.size,
                             .role = role_of(witness.step),
                             .locks = addresses(witness.held)});
    finding.notes.push_back(history_note(action, witness));
  }
  if (!is_access(action.operation)) return;
  const LocksetPair candidates = pairs_.at(action.candidates);
  if (candidates.access != kNoLocks || candidates.write != kNoLocks) {
    finding.notes.push_back(fmt::format(
        "{:#x}: held at every access of it: {}; at every write: {}; here: {}", action.address,
        names(candidates.access), names(candidates.write), names(action.held)));
  }
}

std::string Reporter::history_note(const Action& action, const Witness& witness) const {
  const auto thread = index(witness.where.thread);
  const LocksetPair before = pairs_.at(witness.before);
  switch (witness.step) {
    case HistoryStep::kTakenOver:
      return fmt::format("{:#x}: thread {} took it over from its first thread", action.address,
                         thread);
    case HistoryStep::kReadShared:
      return fmt::format("{:#x}: read by several threads since thread {} read it", action.address,
                         thread);
    case HistoryStep::kShared:
      return fmt::format("{:#x}: shared since thread {}'s access, which held {}", action.address,
                         thread, names(witness.held));
    case HistoryStep::kAccessLocksGone:
      return fmt::format(
          "{:#x}: until then {} was held at every access; thread {} accessed it holding {}",
          action.address, names(before.access), thread, names(witness.held));
    case HistoryStep::kWriteLocksGone:
      return fmt::format(
          "{:#x}: until then {} was held at every write; thread {} wrote it holding {}",
          action.address, names(before.write), thread, names(witness.held));
  }
  return {};
}

std::vector<Address> Reporter::addresses(LocksetId set) const {
  std::vector<Address> result;
  for (const LockIndex lock : sets_.members(set)) result.push_back(locks_.address_of(lock));
  return result;
}

std::string Reporter::names(LocksetId set) const {
  if (set == kAllLocks) return "any lock";
  if (set == kNoLocks) return "no lock";
  return fmt::format("{:#x}", fmt::join(addresses(set), ", "));
}

}  // namespace isosan::atomizer
