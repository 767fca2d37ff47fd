// SingleTrack's findings: conflicts and cycles. No analysis here.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "analysis/singletrack/singletrack.h"

namespace isosan {
namespace {

// One sentence on what could come out differently, by the later operation.
std::string consequence(Kind before, Kind now) {
  // The log has them in any order.
  if (before == Kind::kOnceDone || now == Kind::kOnceDone)
    return "the other thread's initializer may be the one that runs";
  if ((before == Kind::kWaitEnd) != (now == Kind::kWaitEnd)) {
    return "in another order the try or wait that gave up may get what it was for, or one that got "
           "it may give up";
  }
  if (now == Kind::kAcquire) return "the other thread may take the lock first";
  if (now == Kind::kSemaphoreWait) return "the other thread may take the post first";
  if (now == Kind::kSemaphorePost) {
    return "the wait may be served by this post, and not come after those it came after here";
  }
  if (now == Kind::kBarrierArrive) return "the threads may meet at the barrier in another grouping";
  if (now == Kind::kWaitEnd) return "the other thread may be the one that is woken";
  if (writes(before) && writes(now))
    return "the value of the other write may be the one that stays";
  return "the read may see the value from before the write, or the one after it";
}

std::string place_key(SiteId a, SiteId b, Address address) {
  if (a == kNoSite && b == kNoSite) return "@" + std::to_string(address);
  return std::to_string(std::min(index(a), index(b))) + "-" +
         std::to_string(std::max(index(a), index(b)));
}

std::string join_names(Kind a, Kind b) {
  return std::string(name_of(a)) + " and " + std::string(name_of(b));
}

}  // namespace

void SingleTrack::conflict(const AccessRecord& before, const Operation& now, BlockId innermost) {
  conflict(before, now, innermost,
           join_names(before.kind, now.step.kind) +
               " in one deterministic block, with nothing in the block that orders them: " +
               consequence(before.kind, now.step.kind));
}

// Reported for the innermost block that holds both operations, and for each block around it.
void SingleTrack::conflict(const AccessRecord& before, const Operation& now, BlockId innermost,
                           const std::string& why) {
  ++conflicts_;
  const std::string places = place_key(before.site, now.record.site, now.step.address);
  for (BlockId id = innermost; id != 0; id = blocks_.block(id).parent) {
    const Block& block = blocks_.block(id);
    std::string key = "conflict:" + std::to_string(index(block.region)) + ":" + places;
    if (!out_.is_new("singletrack", key)) continue;
    Finding finding{.analysis = "singletrack",
                    .kind = FindingKind::kConflict,
                    .region = block.region,
                    .key = std::move(key)};
    finding.message = why;
    finding.transactions = {{.thread = block.begin.thread,
                             .region = block.region,
                             .begin = block.begin,
                             .finished = block.over(),
                             .blamed = true}};
    const ThreadId first{before.epoch.thread()}, second = now.step.where.thread;
    const Where where{before.ordinal, first, before.site, before.context};
    finding.steps = {{0, where, before.kind, now.step.address, now.step.size},
                     {0, now.step.where, now.step.kind, now.step.address, now.step.size}};
    add_birth(first, finding);
    if (second != first) add_birth(second, finding);
    out_.report(std::move(finding));
  }
}

// Where the thread was started.
void SingleTrack::add_birth(ThreadId thread, Finding& finding) const {
  const auto birth = births_.find(thread);
  if (birth == births_.end()) return;
  finding.steps.push_back({0, birth->second, Kind::kFork, index(thread), 0});
}

// Blamed are the blocks in which the cycle goes back in time: left by an operation before the
// one by which it was entered. There is at least one.
void SingleTrack::cycle(const TransactionGraph::Cycle& cycle) {
  ++cycles_;
  Finding finding{.analysis = "singletrack", .kind = FindingKind::kNotExternallySerializable};
  std::set<std::uint32_t> blamed;
  const std::size_t n = cycle.size();
  for (std::size_t i = 0; i < n; ++i) {
    const TransactionGraph::Edge& out = cycle[i].out;
    const TransactionGraph::Edge& in = cycle[(i + n - 1) % n].out;
    finding.transactions.push_back(cycle[i].transaction);
    FindingTransaction& transaction = finding.transactions.back();
    transaction.blamed =
        transaction.region != kNoRegion && out.from.where.ordinal < in.to.where.ordinal;
    if (transaction.blamed) blamed.insert(index(transaction.region));
    if (transaction.blamed && finding.region == kNoRegion) finding.region = transaction.region;
    finding.steps.push_back(
        {i, out.from.where, out.from.kind, out.from.address, out.from.size, "", {}});
    finding.steps.push_back(
        {(i + 1) % n, out.to.where, out.to.kind, out.to.address, out.to.size, "", {}});
    finding.edges.push_back({2 * i, 2 * i + 1, out.reason});
  }
  finding.key = "external";
  for (const std::uint32_t region : blamed) finding.key += ":" + std::to_string(region);
  if (!out_.is_new("singletrack", finding.key)) return;
  finding.message =
      "a deterministic block is not isolated: operations from outside come after one of "
      "its operations and before another; what it reads, or leaves behind, may come out "
      "differently";
  out_.report(std::move(finding));
}

}  // namespace isosan
