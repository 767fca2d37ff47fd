#include "differential/program.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <random>
#include <utility>

#include "differential/objects.h"

namespace isosan::test {
namespace {

struct Bytes {
  std::size_t offset, size;
};
// Inside one granule, across two, whole ones, and a block.
constexpr Bytes kShapesOfAccess[] = {{0, 8}, {0, 4}, {4, 4}, {2, 2},  {6, 2},
                                     {0, 1}, {7, 1}, {6, 4}, {0, 16}, {4, 24}};
constexpr std::size_t kAligned = 7;  // the first ones
constexpr MemoryOrder kOrders[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire,
                                   MemoryOrder::kRelease, MemoryOrder::kAcqRel,
                                   MemoryOrder::kSeqCst};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    threads_.push_back({.live = true});
    granules_ = 1 + pick(3);
    most_threads_ = 2 + static_cast<int>(pick(3));
    length_ = 12 + pick(36);
    rich_ = pick(3) != 0;
  }

  Program generate() {
    fork(0);
    while (program_.steps.size() < length_) one_more();
    close();
    program_.threads = static_cast<int>(threads_.size());
    return std::move(program_);
  }

 private:
  struct ThreadState {
    bool live = false, joined = false;
    int parent = 0;
    std::vector<std::size_t> open;                 // kBegin steps
    std::vector<std::pair<std::size_t, Op>> held;  // object, the operation that took it
    bool waiting = false, at_barrier = false;
    std::size_t wait_mutex = 0, wait_condition = 0;
  };

  std::size_t pick(std::size_t below) { return random_() % below; }
  bool chance(std::size_t percent) { return pick(100) < percent; }

  Step& add(int thread, Op op, std::size_t object = 0) {
    program_.steps.push_back({.thread = thread, .op = op, .object = object});
    return program_.steps.back();
  }

  bool able(int thread) const {
    const ThreadState& t = threads_[static_cast<std::size_t>(thread)];
    return t.live && !t.waiting && !t.at_barrier;
  }
  std::vector<int> able_threads() const {
    std::vector<int> result;
    for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
      if (able(t)) result.push_back(t);
    }
    return result;
  }
  ThreadState& state(int thread) { return threads_[static_cast<std::size_t>(thread)]; }

  void one_more() {
    const std::vector<int> able = able_threads();
    const int thread = able[pick(able.size())];
    const std::size_t what = pick(100);
    if (what < 40) return access(thread);
    if (what < 58) return begin_or_end(thread);
    if (what < 74) return lock(thread);
    if (what < 80 && chance(50)) return fork(thread);
    if (!rich_) return access(thread);
    if (what < 86) return atomic(thread);
    if (what < 90) return semaphore(thread);
    if (what < 93) return wait(thread);
    if (what < 96) return barrier(thread);
    if (what < 98) return once(thread);
    add(thread, Op::kFence).order = kOrders[1 + pick(4)];
  }

  std::size_t cell(std::size_t granule) const { return offsetof(Objects, cells) + 8 * granule; }

  void plain(int thread, std::size_t granule, std::size_t shapes, bool glued) {
    const Bytes& bytes = kShapesOfAccess[pick(shapes)];
    Step& step = add(thread, chance(50) ? Op::kRead : Op::kWrite, cell(granule) + bytes.offset);
    step.size = bytes.size;
    step.glued = glued;
  }

  // A glued access is not to the granule before or next to it: the compiler or the pass would merge
  // them.
  void access(int thread) {
    const bool burst = chance(30);
    plain(thread, pick(granules_), burst ? kAligned : std::size(kShapesOfAccess), false);
    if (burst) plain(thread, granules_ + 1, kAligned, true);
  }

  void atomic(int thread) {
    constexpr Op kOps[] = {Op::kAtomicLoad, Op::kAtomicStore, Op::kAtomicAdd, Op::kFailedExchange};
    const Bytes& bytes = kShapesOfAccess[pick(kAligned)];
    Step& step = add(thread, kOps[pick(4)], cell(pick(granules_)) + bytes.offset);
    step.size = bytes.size;
    if (step.op == Op::kAtomicLoad || step.op == Op::kFailedExchange) {
      step.order = chance(50) ? MemoryOrder::kAcquire : MemoryOrder::kRelaxed;
    } else {
      step.order = chance(50) ? MemoryOrder::kRelease : MemoryOrder::kRelaxed;
    }
    if (chance(30)) step.order = MemoryOrder::kSeqCst;
  }

  void begin_or_end(int thread) {
    std::vector<std::size_t>& open = state(thread).open;
    if (!open.empty() && (open.size() >= 4 || chance(45))) return end(thread);
    if (chance(25)) return leaf(thread);
    begin(thread, static_cast<Shape>(pick(5)));
  }

  void begin(int thread, Shape shape) {
    Step& step = add(thread, Op::kBegin);
    step.shape = shape;
    step.inlined = is_function(shape) && chance(40);
    step.throws = shape == Shape::kAtomicFunction && chance(20);
    state(thread).open.push_back(program_.steps.size() - 1);
  }

  void end(int thread) {
    std::vector<std::size_t>& open = state(thread).open;
    add(thread, Op::kEnd).begin = open.back();
    open.pop_back();
  }

  // A region that calls nobody: all of it is one glued group.
  void leaf(int thread) {
    const std::size_t begin = program_.steps.size();
    Step& step = add(thread, Op::kBegin);
    step.shape = chance(50) ? Shape::kAtomicFunction : Shape::kPlainFunction;
    step.leaf = true;
    step.inlined = chance(40);
    plain(thread, pick(granules_), kAligned, true);
    plain(thread, granules_ + 1, kAligned, true);
    if (chance(50)) plain(thread, granules_ + 3, kAligned, true);
    Step& end = add(thread, Op::kEnd);
    end.begin = begin;
    end.glued = true;
  }

  bool is_free(std::size_t lock) const {
    return std::none_of(threads_.begin(), threads_.end(), [&](const ThreadState& t) {
      return std::any_of(t.held.begin(), t.held.end(),
                         [&](const auto& h) { return h.first == lock; });
    });
  }
  bool only_readers(std::size_t lock) const {
    return std::all_of(threads_.begin(), threads_.end(), [&](const ThreadState& t) {
      return std::all_of(t.held.begin(), t.held.end(), [&](const auto& h) {
        return h.first != lock || h.second == Op::kReadLock;
      });
    });
  }
  bool holds(int thread, std::size_t lock) {
    const auto& held = state(thread).held;
    return std::any_of(held.begin(), held.end(), [&](const auto& h) { return h.first == lock; });
  }

  void take(int thread, Op op, std::size_t lock) {
    add(thread, op, lock);
    state(thread).held.push_back({lock, op});
  }

  void lock(int thread) {
    if (!state(thread).held.empty() && chance(50)) return give_up(thread);
    const std::size_t choice = pick(5);
    constexpr std::size_t kRecursive = offsetof(Objects, recursive), kRw = offsetof(Objects, rw);
    if (choice < 2) {
      const std::size_t mutex = offsetof(Objects, mutexes) + choice * sizeof(pthread_mutex_t);
      if (is_free(mutex)) take(thread, Op::kLock, mutex);
    } else if (choice == 2) {
      if (is_free(kRecursive) || holds(thread, kRecursive)) take(thread, Op::kLock, kRecursive);
    } else if (choice == 3) {
      if (only_readers(kRw) && !holds(thread, kRw)) take(thread, Op::kReadLock, kRw);
    } else if (is_free(kRw)) {
      take(thread, Op::kWriteLock, kRw);
    }
  }

  void give_up(int thread) {
    auto& held = state(thread).held;
    const std::size_t which = pick(held.size());
    const auto [lock, op] = held[which];
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    add(thread,
        op == Op::kLock       ? Op::kUnlock
        : op == Op::kReadLock ? Op::kUnlockShared
                              : Op::kUnlockWriter,
        lock);
    wake_after_unlock(lock);
  }

  void semaphore(int thread) {
    const std::size_t semaphore = offsetof(Objects, semaphore);
    const bool take = posted_ > 0 && chance(60);
    add(thread, take ? Op::kTake : Op::kPost, semaphore);
    posted_ += take ? -1 : 1;
  }

  void once(int thread) { add(thread, Op::kOnce, offsetof(Objects, once)); }

  // One waiter at a time. The notifier takes the mutex first, so that the waiter is really waiting.
  void wait(int thread) {
    if (waiter_ >= 0) return notify(thread);
    if (able_threads().size() < 2) return;
    const std::size_t which = pick(2);
    const std::size_t mutex = offsetof(Objects, mutexes) + which * sizeof(pthread_mutex_t);
    if (!holds(thread, mutex)) {
      if (!is_free(mutex)) return;
      take(thread, Op::kLock, mutex);
    }
    add(thread, Op::kWaitBegin, offsetof(Objects, conditions) + which * sizeof(pthread_cond_t))
        .size = mutex;
    ThreadState& t = state(thread);
    t.waiting = true;
    t.wait_mutex = mutex;
    t.wait_condition = program_.steps.back().object;
    std::erase_if(t.held, [&](const auto& h) { return h.first == mutex; });
    waiter_ = thread;
    notified_ = false;
  }

  void notify(int thread) {
    const std::size_t mutex = state(waiter_).wait_mutex;
    if (notified_) return;
    if (!holds(thread, mutex)) {
      if (!is_free(mutex)) return;
      take(thread, Op::kLock, mutex);
    }
    add(thread, Op::kNotify, state(waiter_).wait_condition);
    notified_ = true;
  }

  void wake_after_unlock(std::size_t mutex) {
    if (waiter_ < 0 || !notified_ || state(waiter_).wait_mutex != mutex) return;
    ThreadState& t = state(waiter_);
    add(waiter_, Op::kWaitEnd, t.wait_condition).size = mutex;
    t.waiting = false;
    t.held.push_back({mutex, Op::kLock});
    waiter_ = -1;
  }

  void barrier(int thread) {
    const std::size_t barrier = offsetof(Objects, barrier);
    if (at_barrier_ < 0) {
      if (able_threads().size() < 2) return;
      add(thread, Op::kArrive, barrier);
      at_barrier_ = thread;
      state(thread).at_barrier = true;
      return;
    }
    add(thread, Op::kArriveLast, barrier);
    add(at_barrier_, Op::kDepart, barrier);
    state(at_barrier_).at_barrier = false;
    at_barrier_ = -1;
  }

  void fork(int thread) {
    if (static_cast<int>(threads_.size()) >= most_threads_) return;
    const int child = static_cast<int>(threads_.size());
    add(thread, Op::kFork, static_cast<std::size_t>(child));
    threads_.push_back({.live = true, .parent = thread});
  }

  // Whoever waits is let go on, locks are given up, regions end, children are joined by their
  // parents.
  void close() {
    if (at_barrier_ >= 0) barrier(able_threads().front());
    while (waiter_ >= 0) finish_wait();
    for (int t = static_cast<int>(threads_.size()) - 1; t >= 0; --t) finish(t);
  }

  void finish_wait() {
    const std::size_t mutex = state(waiter_).wait_mutex;
    for (const int t : able_threads()) {  // whoever has the mutex goes first
      if (holds(t, mutex) && !notified_) notify(t);
      while (waiter_ >= 0 && holds(t, mutex)) give_up(t);
    }
    if (waiter_ < 0) return;
    const int notifier = able_threads().front();
    notify(notifier);
    while (waiter_ >= 0) give_up(notifier);
  }

  void finish(int thread) {
    ThreadState& t = state(thread);
    for (int child = thread + 1; child < static_cast<int>(threads_.size()); ++child) {
      if (state(child).parent != thread || state(child).joined) continue;
      add(thread, Op::kJoin, static_cast<std::size_t>(child));
      state(child).joined = true;
      if (chance(50)) access(thread);
    }
    while (!t.open.empty() || !t.held.empty()) {
      if (t.held.empty() || (!t.open.empty() && chance(50))) {
        end(thread);
      } else {
        give_up(thread);
      }
    }
    t.live = false;
  }

  std::mt19937_64 random_;
  Program program_;
  std::vector<ThreadState> threads_;
  std::size_t granules_ = 1;
  int most_threads_ = 2;
  std::size_t length_ = 0;
  bool rich_ = true;
  int posted_ = 0;
  int waiter_ = -1, at_barrier_ = -1;
  bool notified_ = false;
};

}  // namespace

Program random_program(std::uint64_t seed) { return Generator(seed).generate(); }

}  // namespace isosan::test
