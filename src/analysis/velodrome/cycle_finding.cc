#include "analysis/velodrome/cycle_finding.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace isosan::velodrome {
namespace {

// What a step does, in the sentence "after its {noun}, another thread {verb} ...".
struct Words {
  const char* noun;
  const char* verb;
};

Words words_of(Kind operation) {
  constexpr struct {
    Kind kind;
    Words words;
  } kWords[] = {{Kind::kRead, {"read", "read"}},
                {Kind::kWrite, {"write", "wrote"}},
                {Kind::kAtomicLoad, {"atomic load", "loaded"}},
                {Kind::kAtomicStore, {"atomic store", "stored to"}},
                {Kind::kAtomicRmw, {"atomic read-modify-write", "modified"}},
                {Kind::kAcquire, {"acquire", "acquired"}},
                {Kind::kRelease, {"release", "released"}},
                {Kind::kFork, {"start of a thread", "started"}},
                {Kind::kJoin, {"join", "joined"}}};
  for (const auto& each : kWords)
    if (each.kind == operation) return each.words;
  return {"synchronization", "synchronized on"};
}

std::string sentence(std::span<const Dependence> cycle) {
  const Dependence& out = cycle.front();
  const Dependence& in = cycle.back();
  const std::string split = std::string("its ") + words_of(out.from.operation()).noun +
                            " and its later " + words_of(in.to.operation()).noun;
  if (cycle.size() == 2 && out.to.ordinal() == in.from.ordinal() && out.reason == EdgeReason::kData)
    return "The region is not atomic: between " + split + " another thread " +
           words_of(out.to.operation()).verb + " the same memory.";
  if (cycle.size() == 2)
    return "The region is not atomic: between " + split +
           " another thread stepped in, after the first and before the second.";
  return "The region is not atomic: between " + split + " came a chain of " +
         std::to_string(cycle.size() - 1) +
         " other threads, after the first and before the second.";
}

std::string broken_off_sentence(std::span<const Dependence> path, bool by_itself) {
  const Dependence& out = path.front();
  const std::string step = std::string("after its ") + words_of(out.from.operation()).noun +
                           ", another thread " + words_of(out.to.operation()).verb +
                           " the same memory.";
  return by_itself
             ? "The program was aborted in the middle of the region: " + step
             : "The program was aborted by a thread that had seen the region half done: " + step;
}

bool is_look(const Dependence& d) {
  return d.reason == EdgeReason::kData && d.from.operation() == Kind::kAtomicLoad &&
         d.to.operation() == Kind::kAtomicStore;
}

bool overlap(const Step& a, const Step& b) {
  return a.detail.address < b.detail.address + b.detail.size &&
         b.detail.address < a.detail.address + a.detail.size;
}

bool is_looks_alone(std::span<const Dependence> cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!is_look(cycle[i])) return false;
    for (const Dependence& other : cycle.first(i))
      if (overlap(cycle[i].from, other.from)) return false;
  }
  return true;
}

bool is_locks_alone(std::span<const Dependence> cycle) {
  return std::ranges::all_of(
      cycle, [](const Dependence& d) { return d.reason == EdgeReason::kSynchronization; });
}

// The region wrote to a pipe, a socket or an eventfd, and the other thread had waited for that.
bool is_by_message(std::span<const Dependence> cycle) {
  const Dependence& out = cycle.front();
  return out.reason == EdgeReason::kSynchronization && out.from.operation() == Kind::kPublish &&
         out.to.operation() == Kind::kSemaphoreWait;
}

bool is_message_alone(std::span<const Dependence> cycle) {
  const Dependence& in = cycle.back();
  return is_by_message(cycle) && (in.reason != EdgeReason::kData || is_atomic(in.to.operation()));
}

// What is hardly ever a bug. The first that fits counts.
struct UnlikelyKind {
  bool (*fits)(std::span<const Dependence> cycle);
  const char* key;
  const char* why;
  const char* note;
};
constexpr UnlikelyKind kUnlikely[] = {
    {is_locks_alone, " locks", "only by the order of locks",
     "Only the order of locks makes this cycle: no memory that both threads use is part of it."},
    {is_looks_alone, " looks", "by looks at atomic variables that were old soon after",
     "Each thread looked at an atomic variable that another thread changed later, and no variable "
     "was changed by both. In a ring of one producer and one consumer that is normal."},
    {is_message_alone, " message", "by a thread to which it had sent a message",
     "The region sent a message through a descriptor, and the other thread had waited for it. Who "
     "calls another thread while it works counts on it to come."},
};

const UnlikelyKind* unlikely_kind(std::span<const Dependence> cycle) {
  const auto* found =
      std::ranges::find_if(kUnlikely, [&](const UnlikelyKind& kind) { return kind.fits(cycle); });
  return found != std::end(kUnlikely) ? found : nullptr;
}

// Read, written by another thread, read again.
bool is_second_look(std::span<const Dependence> cycle) {
  const auto is_read = [](const Step& step) {
    return step.operation() == Kind::kRead || step.operation() == Kind::kAtomicLoad;
  };
  const Dependence &out = cycle.front(), &in = cycle.back();
  return cycle.size() == 2 && out.reason == EdgeReason::kData && in.reason == EdgeReason::kData &&
         out.to.ordinal() == in.from.ordinal() && is_read(out.from) && is_read(in.to);
}

class Builder {
 public:
  // `arrived`: where the step before the first edge is.
  Builder(std::span<const Dependence> way, const Step* arrived, std::string message) {
    finding_.analysis = "velodrome";
    finding_.kind = FindingKind::kAtomicityViolation;
    finding_.region = way.front().from.detail.region;
    finding_.message = std::move(message);
    finding_.key = cycle_key(way);
    for (const Dependence& d : way) {
      if (!arrived->same_transaction(d.from))
        add_edge({*arrived, d.from, EdgeReason::kProgramOrder, d.from.ordinal()});
      add_edge(d);
      arrived = &d.to;
    }
  }
  Finding take() { return std::move(finding_); }

  // finding_.edges lead round: edge i enters the transaction that edge i + 1 leaves.
  void blame_by_cycle() {
    std::size_t blamed = 0;
    for (std::size_t i = 0; i < finding_.edges.size(); ++i) {
      const FindingStep& enters = finding_.steps[finding_.edges[i].to];
      const FindingEdge& next = finding_.edges[(i + 1) % finding_.edges.size()];
      const FindingStep& leaves = finding_.steps[next.from];
      if (leaves.where.ordinal >= since_[i]) continue;
      finding_.transactions[enters.transaction].blamed = true;
      ++blamed;
    }
    if (blamed > 1)
      finding_.notes.push_back(
          "More than one transaction of this cycle went on after another had stepped in; "
          "the one that closed the cycle comes first.");
  }
  void explain(std::span<const Dependence> cycle) {
    if (const UnlikelyKind* kind = unlikely_kind(cycle)) {
      finding_.unlikely = kind->why;
      finding_.notes.push_back(kind->note);
    } else if (is_second_look(cycle)) {
      finding_.notes.push_back(
          "If the region decides anew by its later read (a second look), all is well: say so with "
          "ISOSAN_NOT_ATOMIC or --not-atomic.");
    } else if (is_by_message(cycle)) {
      finding_.notes.push_back(
          "The region sent a message through a descriptor, and the other thread had waited for it. "
          "If the region need not be atomic with the answer, say so with ISOSAN_NOT_ATOMIC or "
          "--not-atomic.");
    }
  }
  void blame_first() {
    finding_.transactions.front().blamed = true;
    finding_.key += " aborted";
    finding_.notes.push_back(
        "No cycle was closed, because the program ended first: this may be why it was aborted.");
  }

 private:
  std::size_t transaction_of(const Step& step) {
    auto& all = finding_.transactions;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].begin.ordinal == step.begin().ordinal) return i;
    all.push_back({.thread = step.where().thread,
                   .region = step.unary() ? kNoRegion : step.detail.region,
                   .begin = step.begin()});
    return all.size() - 1;
  }

  std::size_t step_of(const Step& step) {
    auto& all = finding_.steps;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].where.ordinal == step.ordinal()) return i;
    all.push_back({.transaction = transaction_of(step),
                   .where = step.where(),
                   .operation = step.operation(),
                   .address = step.detail.address,
                   .size = step.detail.size});
    return all.size() - 1;
  }

  void add_edge(const Dependence& d) {
    const std::size_t from_step = step_of(d.from);
    finding_.edges.push_back({from_step, step_of(d.to), d.reason});
    since_.push_back(d.since);
  }

  Finding finding_;
  std::vector<std::uint64_t> since_;  // by edge: the ordinal at which it entered first
};

}  // namespace

std::string cycle_key(std::span<const Dependence> cycle) {
  std::set<std::uint32_t> regions;
  for (const Dependence& d : cycle)
    for (const Step* step : {&d.from, &d.to})
      if (!step->unary()) regions.insert(index(step->detail.region));
  std::string key;
  for (std::uint32_t region : regions) key += (key.empty() ? "" : ",") + std::to_string(region);
  const UnlikelyKind* kind = unlikely_kind(cycle);
  return kind != nullptr ? key + kind->key : key;
}

bool is_unlikely(std::span<const Dependence> cycle) { return unlikely_kind(cycle) != nullptr; }

Finding cycle_finding(std::span<const Dependence> cycle) {
  Builder builder(cycle, &cycle.back().to, sentence(cycle));
  builder.blame_by_cycle();
  builder.explain(cycle);
  return builder.take();
}

Finding broken_off_finding(std::span<const Dependence> path, bool by_itself) {
  Builder builder(path, &path.front().from, broken_off_sentence(path, by_itself));
  builder.blame_first();
  return builder.take();
}

}  // namespace isosan::velodrome
