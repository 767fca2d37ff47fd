#include "oracle/random_trace.h"

#include <map>
#include <ostream>
#include <set>

namespace isosan::test {
namespace {

// Plays intents; holds the state that decides which of them can be.
class Player {
 public:
  void play(const Intent& intent) {
    const int t = intent.thread;
    if (ended_.contains(t) || !leave_barrier(t)) return;
    if (act(t, intent)) started_.insert(t);
  }
  const Trace& trace() const { return out_.trace(); }

 private:
  static constexpr std::size_t kBarrierParties = 2;
  struct Lock {
    std::map<int, int> holders;  // thread: depth
    LockMode mode{};
  };
  struct Barrier {
    std::uint64_t generation = 0;
    std::size_t arrived = 0;
  };
  struct Waiting {
    std::string barrier;
    std::uint64_t generation;
  };

  static std::string name(const char* sort, const Intent& i) {
    return sort + std::to_string(i.object);
  }
  static std::string bytes(const char* sort, const Intent& i) {
    return name(sort, i) + "+" + std::to_string(i.offset) + ":" + std::to_string(i.size);
  }
  static MemoryOrder order(const Intent& i) { return static_cast<MemoryOrder>(i.detail % 6); }
  static bool compares(const Intent& i) { return i.detail >= 6; }

  // A thread at a barrier can do nothing until the others have come.
  bool leave_barrier(int t) {
    const auto waiting = waiting_.find(t);
    if (waiting == waiting_.end()) return true;
    const Waiting& at = waiting->second;
    if (barriers_[at.barrier].generation == at.generation) return false;
    out_.depart(t, at.barrier, at.generation);
    waiting_.erase(waiting);
    return true;
  }

  // Did it happen?
  bool act(int t, const Intent& i) {
    switch (i.what) {
      case Intention::kRead:
        out_.read(t, bytes("x", i));
        return true;
      case Intention::kWrite:
        out_.write(t, bytes("x", i));
        return true;
      case Intention::kBegin:
        return begin(t, i);
      case Intention::kEnd:
        return end(t);
      case Intention::kAcquire:
        return acquire(t, i);
      case Intention::kRelease:
        return release(t, i);
      case Intention::kFork:
        return fork(t, i.object);
      case Intention::kJoin:
        return join(t, i);
      case Intention::kThreadEdge:
        return thread_edge(t);
      case Intention::kAtomicLoad:
        out_.load(t, bytes("a", i), order(i), compares(i));
        return true;
      case Intention::kAtomicStore:
        out_.store(t, bytes("a", i), order(i));
        return true;
      case Intention::kAtomicRmw:
        out_.rmw(t, bytes("a", i), order(i), compares(i));
        return true;
      case Intention::kFence:
        out_.fence(t, order(i));
        return true;
      case Intention::kAllocate:
        out_.allocate(t, bytes("x", i));
        return true;
      case Intention::kFree:
        out_.free(t, bytes("x", i));
        return true;
      case Intention::kBarrier:
        return arrive(t, name("b", i));
      case Intention::kPost:
        out_.sync(Kind::kSemaphorePost, t, name("s", i));
        return true;
      case Intention::kTake:
        out_.sync(Kind::kSemaphoreWait, t, name("s", i));
        return true;
      case Intention::kNotify:
        out_.notify(t, name("c", i));
        notified_.insert(i.object);
        return true;
      case Intention::kWait:
        out_.wait_begin(t, name("c", i));
        out_.wait_end(
            t, name("c", i),
            notified_.contains(i.object) ? WaitOutcome::kNotified : WaitOutcome::kTimedOut);
        return true;
      case Intention::kOnce:
        out_.sync(done_.insert(i.object).second ? Kind::kOnceDone : Kind::kOnceSeen, t,
                  name("o", i));
        return true;
      case Intention::kPublish:
        out_.sync(Kind::kPublish, t, name("p", i));
        return true;
      case Intention::kObserve:
        out_.sync(Kind::kObserve, t, name("p", i));
        return true;
    }
    return false;
  }

  bool begin(int t, const Intent& i) {
    if (open_regions_[t] == 3) return false;
    ++open_regions_[t];
    out_.begin(t, name("f", i), static_cast<RegionKind>(i.detail % 3));
    return true;
  }
  bool end(int t) {
    if (open_regions_[t] == 0) return false;
    --open_regions_[t];
    out_.end(t);
    return true;
  }

  bool acquire(int t, const Intent& i) {
    Lock& lock = locks_[i.object];
    const auto mode = static_cast<LockMode>(i.detail % 2);
    const bool mine = lock.holders.contains(t);
    const bool free = lock.holders.empty();
    const bool shared = mode == LockMode::kShared && lock.mode == LockMode::kShared;
    if (!free && !shared && !(mine && mode == lock.mode)) return false;
    if (mine && lock.holders[t] == 3) return false;
    lock.mode = mode;
    ++lock.holders[t];
    out_.acquire(t, name("l", i), mode);
    return true;
  }
  bool release(int t, const Intent& i) {
    Lock& lock = locks_[i.object];
    const auto held = lock.holders.find(t);
    if (held == lock.holders.end()) return false;
    out_.release(t, name("l", i), lock.mode, i.detail != 0);
    if (--held->second == 0) lock.holders.erase(held);
    return true;
  }

  bool fork(int t, int child) {
    if (child == t || started_.contains(child) || !forked_.insert(child).second) return false;
    out_.fork(t, child);
    return true;
  }
  // Of any other thread, forked or not. With detail 0 it is over with that thread; otherwise it
  // goes on, as in traces whose ends of threads are not known.
  bool join(int t, const Intent& i) {
    if (i.object == t || waiting_.contains(i.object)) return false;
    out_.join(t, i.object);
    if (i.detail == 0) ended_.insert(i.object);
    return true;
  }
  bool thread_edge(int t) {
    if (!started_.contains(t)) {
      out_.thread_start(t);
      return true;
    }
    out_.thread_end(t);
    ended_.insert(t);
    return true;
  }

  bool arrive(int t, const std::string& barrier) {
    Barrier& b = barriers_[barrier];
    out_.arrive(t, barrier, b.generation);
    waiting_[t] = {barrier, b.generation};
    if (++b.arrived == kBarrierParties) b = {b.generation + 1, 0};
    return true;
  }

  TraceBuilder out_;
  std::set<int> started_, ended_, forked_;  // threads
  std::map<int, int> open_regions_;         // by thread
  std::map<int, Lock> locks_;
  std::map<std::string, Barrier> barriers_;
  std::map<int, Waiting> waiting_;
  std::set<int> notified_, done_;
};

}  // namespace

Trace RandomTrace::trace() const {
  Player player;
  for (const Intent& intent : intents) player.play(intent);
  return player.trace();
}

std::ostream& operator<<(std::ostream& out, const RandomTrace& random) {
  return out << "\n" << print_trace(random.trace());
}

}  // namespace isosan::test
