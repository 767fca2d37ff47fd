#include "analysis/atomizer/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace isosan::atomizer {
namespace {

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

// Describes the action as step `step` of the finding.
std::string describe(const Action& action, std::size_t step) {
  const auto verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                 [&](const Verb& v) { return v.kind == action.operation; });
  return fmt::format("{}{} {}", action.in_wait ? "waits, which " : "", verb->text,
                     mention_step(step));
}

std::string what_could_happen(const Action& commit, const Action& violation) {
  const bool same = commit.address == violation.address;
  if (is_access(commit.operation)) {
    if (is_access(violation.operation) && !same) {
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
  finding.message = fmt::format("the region is not atomic: it {} (there it commits), then {}; {}",
                                describe(commit, 1), describe(violation, 2),
                                what_could_happen(commit, violation));
  add_history(finding, commit, 1);
  if (commit.address != violation.address || !is_access(commit.operation)) {
    add_history(finding, violation, 2);
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
  const std::size_t step = finding.steps.size() - 1;
  finding.message = fmt::format(
      "it {} without a lock that protects it: another thread can use it at the same time",
      describe(violation, step));
  add_history(finding, violation, step);
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

// The transaction of a thread's history steps; a history does not record regions.
std::size_t Reporter::transaction_of(Finding& finding, const Where& where) {
  std::vector<FindingTransaction>& all = finding.transactions;
  const auto known = std::find_if(all.begin(), all.end(), [&](const FindingTransaction& t) {
    return !t.region_known && t.thread == where.thread;
  });
  if (known != all.end()) return static_cast<std::size_t>(known - all.begin());
  all.push_back(transaction(kNoRegion, where, false));
  all.back().finished = true;
  all.back().region_known = false;
  return all.size() - 1;
}

// The lockset history of the step's variable, oldest first.
void Reporter::add_history(Finding& finding, const Action& action, std::size_t step) const {
  std::vector<WitnessId> chain;
  for (WitnessId id = action.history; id != kNoWitness; id = witnesses_.at(id).earlier) {
    chain.push_back(id);
  }
  for (auto id = chain.rbegin(); id != chain.rend(); ++id) {
    const Witness& witness = witnesses_.at(*id);
    finding.steps.push_back({.transaction = transaction_of(finding, witness.where),
                             .where = witness.where,
                             .operation = witness.operation,
                             .address = action.address,
                             .size = action.size,
                             .role = role_of(witness.step),
                             .locks = addresses(witness.held)});
    const std::string note = history_note(witness);
    if (!note.empty()) finding.notes.push_back(mention_step(step) + ": " + note);
  }
  if (!is_access(action.operation)) return;
  const LocksetPair candidates = pairs_.at(action.candidates);
  if (candidates.access == kAllLocks) return;  // no access has narrowed the candidates
  if (candidates.access != kNoLocks || candidates.write != kNoLocks) {
    const std::string writes = candidates.write == kAllLocks
                                   ? "not written since it is shared"
                                   : "at every write: " + names(candidates.write);
    finding.notes.push_back(fmt::format("{}: held at every access of it: {}; {}; here: {}",
                                        mention_step(step), names(candidates.access), writes,
                                        names(action.held)));
  }
}

// Empty if the note of the step before covers this one.
std::string Reporter::history_note(const Witness& witness) const {
  const std::string thread = mention(witness.where.thread);
  const LocksetPair before = pairs_.at(witness.before);
  switch (witness.step) {
    case HistoryStep::kTakenOver:
      return fmt::format("thread {} took it over from its first thread", thread);
    case HistoryStep::kReadShared:
      return fmt::format("read by several threads since thread {} read it", thread);
    case HistoryStep::kShared:
      return fmt::format("shared since thread {}'s access, which held {}", thread,
                         names(witness.held));
    case HistoryStep::kAccessLocksGone:
      if (before.access == kAllLocks) return {};
      return fmt::format("until then {} was held at every access; thread {} accessed it holding {}",
                         names(before.access), thread, names(witness.held));
    case HistoryStep::kWriteLocksGone:
      if (before.write == kAllLocks)
        return fmt::format("its first write since it is shared, by thread {}, held {}", thread,
                           names(witness.held));
      return fmt::format("until then {} was held at every write; thread {} wrote it holding {}",
                         names(before.write), thread, names(witness.held));
  }
  return {};
}

std::vector<Address> Reporter::addresses(LocksetId set) const {
  std::vector<Address> result;
  for (const LockIndex lock : sets_.members(set)) result.push_back(locks_.address_of(lock));
  return result;
}

std::string Reporter::names(LocksetId set) const {
  if (set == kNoLocks) return "no lock";
  std::vector<std::string> result;
  for (const Address lock : addresses(set)) result.push_back(mention(lock));
  return fmt::format("{}", fmt::join(result, ", "));
}

}  // namespace isosan::atomizer
