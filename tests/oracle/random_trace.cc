#include "oracle/random_trace.h"

#include <map>
#include <ostream>
#include <random>
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
        out_.load(t, bytes("a", i), order(i));
        return true;
      case Intention::kAtomicStore:
        out_.store(t, bytes("a", i), order(i));
        return true;
      case Intention::kAtomicRmw:
        out_.rmw(t, bytes("a", i), order(i));
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
    out_.release(t, name("l", i), lock.mode);
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

using Random = std::minstd_rand;

int below(Random& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// What one trace is made of; drawn once per trace, so that traces differ in kind and not only in
// order.
struct Recipe {
  int threads, variables, locks;
  bool byte_ranges, odd_regions;
  bool guarded;                 // nearly all accesses under one lock: few races
  std::vector<Intention> menu;  // an intention as often as its weight
};

Recipe draw_recipe(Random& random, const RandomTraceOptions& options) {
  Recipe r{.threads = 2 + below(random, options.max_threads - 1),
           .variables = 1 + below(random, options.max_variables),
           .locks = 1 + below(random, 3),
           .byte_ranges = options.byte_ranges && below(random, 3) == 0,
           .odd_regions = options.region_kinds && below(random, 8) == 0,
           .guarded = below(random, 3) == 0};
  const auto add = [&](Intention what, int weight) { r.menu.insert(r.menu.end(), weight, what); };
  add(Intention::kRead, 10);
  add(Intention::kWrite, 8);
  add(Intention::kBegin, 3 + below(random, 4));
  add(Intention::kEnd, below(random, 6));
  const int locking = below(random, 3) * 2;
  add(Intention::kAcquire, locking);
  add(Intention::kRelease, locking + locking / 2);
  const int threading = below(random, 3);
  add(Intention::kFork, threading);
  add(Intention::kJoin, threading);
  add(Intention::kThreadEdge, threading / 2);
  if (options.atomics && below(random, 3) == 0) {
    add(Intention::kAtomicLoad, 3);
    add(Intention::kAtomicStore, 2);
    add(Intention::kAtomicRmw, 2);
    add(Intention::kFence, 1);
  }
  if (options.memory_reuse && below(random, 4) == 0) {
    add(Intention::kAllocate, 1);
    add(Intention::kFree, 1);
  }
  if (options.rare_sync && below(random, 4) == 0)
    for (Intention what :
         {Intention::kBarrier, Intention::kPost, Intention::kTake, Intention::kNotify,
          Intention::kWait, Intention::kOnce, Intention::kPublish, Intention::kObserve})
      add(what, below(random, 3));
  return r;
}

int objects_of(Intention what, const Recipe& r) {
  switch (what) {
    case Intention::kRead:
    case Intention::kWrite:
    case Intention::kAllocate:
    case Intention::kFree:
      return r.variables;
    case Intention::kAcquire:
    case Intention::kRelease:
      return r.locks;
    case Intention::kFork:
    case Intention::kJoin:
      return r.threads;
    case Intention::kBegin:
      return 4;
    case Intention::kAtomicLoad:
    case Intention::kAtomicStore:
    case Intention::kAtomicRmw:
      return 2;
    case Intention::kEnd:
    case Intention::kThreadEdge:
    case Intention::kFence:
    case Intention::kBarrier:
    case Intention::kPost:
    case Intention::kTake:
    case Intention::kNotify:
    case Intention::kWait:
    case Intention::kOnce:
    case Intention::kPublish:
    case Intention::kObserve:
      return 1;
  }
  return 1;
}

std::uint8_t draw_detail(Intention what, const Recipe& r, Random& random) {
  switch (what) {
    case Intention::kBegin:
      return static_cast<std::uint8_t>(r.odd_regions ? below(random, 3) : 0);
    case Intention::kAcquire:
    case Intention::kJoin:
      return static_cast<std::uint8_t>(below(random, 3) == 0);
    case Intention::kAtomicLoad:
    case Intention::kAtomicStore:
    case Intention::kAtomicRmw:
    case Intention::kFence:
      return static_cast<std::uint8_t>(below(random, 6));
    case Intention::kRead:
    case Intention::kWrite:
    case Intention::kEnd:
    case Intention::kRelease:
    case Intention::kFork:
    case Intention::kThreadEdge:
    case Intention::kAllocate:
    case Intention::kFree:
    case Intention::kBarrier:
    case Intention::kPost:
    case Intention::kTake:
    case Intention::kNotify:
    case Intention::kWait:
    case Intention::kOnce:
    case Intention::kPublish:
    case Intention::kObserve:
      return 0;
  }
  return 0;
}

Intent draw_intent(const Recipe& r, Random& random) {
  Intent i;
  i.what = r.menu[static_cast<std::size_t>(below(random, static_cast<int>(r.menu.size())))];
  i.thread = static_cast<std::uint8_t>(below(random, r.threads));
  i.object = static_cast<std::uint8_t>(below(random, objects_of(i.what, r)));
  i.detail = draw_detail(i.what, r, random);
  const bool plain = i.what == Intention::kRead || i.what == Intention::kWrite ||
                     i.what == Intention::kAllocate || i.what == Intention::kFree;
  if (plain && r.byte_ranges) {
    constexpr std::uint8_t kSizes[] = {1, 2, 3, 4, 8, 12, 16};
    i.offset = static_cast<std::uint8_t>(below(random, 12));
    i.size = kSizes[below(random, 7)];
  }
  return i;
}

std::vector<Intent> draw_intents(Random& random, const RandomTraceOptions& options) {
  const Recipe recipe = draw_recipe(random, options);
  std::vector<Intent> intents;
  const auto length = static_cast<std::size_t>(8 + below(random, options.max_intents - 7));
  while (intents.size() < length) {
    const Intent intent = draw_intent(recipe, random);
    const bool access = intent.what == Intention::kRead || intent.what == Intention::kWrite;
    const bool guarded = recipe.guarded && access && below(random, 16) != 0;
    if (guarded) intents.push_back({.what = Intention::kAcquire, .thread = intent.thread});
    intents.push_back(intent);
    if (guarded) intents.push_back({.what = Intention::kRelease, .thread = intent.thread});
  }
  return intents;
}

// The same intent with one thing about it simpler.
rc::Seq<Intent> simpler(const Intent& intent) {
  std::vector<Intent> result;
  const auto offer = [&](Intent changed) {
    if (!(changed == intent)) result.push_back(changed);
  };
  for (std::uint8_t object = 0; object < intent.object; ++object) {
    Intent changed = intent;
    changed.object = object;
    offer(changed);
  }
  for (std::uint8_t thread = 0; thread < intent.thread; ++thread) {
    Intent changed = intent;
    changed.thread = thread;
    offer(changed);
  }
  Intent changed = intent;
  changed.offset = 0;
  changed.size = 8;
  offer(changed);
  changed = intent;
  changed.detail = 0;
  offer(changed);
  return rc::seq::fromContainer(std::move(result));
}

rc::Seq<RandomTrace> simpler_traces(const RandomTrace& random) {
  const auto wrap = [](std::vector<Intent> intents) { return RandomTrace{std::move(intents)}; };
  return rc::seq::map(rc::seq::concat(rc::shrink::removeChunks(random.intents),
                                      rc::shrink::eachElement(random.intents, simpler)),
                      wrap);
}

}  // namespace

Trace RandomTrace::trace() const {
  Player player;
  for (const Intent& intent : intents) player.play(intent);
  return player.trace();
}

std::ostream& operator<<(std::ostream& out, const RandomTrace& random) {
  return out << "\n" << print_trace(random.trace());
}

rc::Gen<RandomTrace> random_traces(const RandomTraceOptions& options) {
  return [options](const rc::Random& source, int /*size*/) {
    Random random(static_cast<Random::result_type>(rc::Random(source).next()));
    return rc::shrinkable::shrinkRecur(RandomTrace{draw_intents(random, options)}, simpler_traces);
  };
}

}  // namespace isosan::test
