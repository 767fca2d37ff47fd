// Every synchronization primitive, in three programs each:
//   ordered    publish in one thread, observe in the other: no race
//   unordered  the same accesses in the same real order without the primitive: a race
//   split      a region with two uses of it and the other thread in between: not atomic
// Usage: primitives NAME ordered|unordered|split.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

#include "steps.h"

namespace {

int shared_value;  // what the threads are about

using Clock = std::chrono::steady_clock;
Clock::time_point far_away() { return Clock::now() + std::chrono::hours(1); }

// --- one publish/observe pair per primitive; a lock publishes by being released and observes by being taken ---

std::mutex mutex;
void mutex_use() { std::lock_guard lock(mutex); }
void try_mutex_use() {
  while (!mutex.try_lock()) {
  }
  mutex.unlock();
}
std::recursive_mutex recursive;
void recursive_use() {
  std::lock_guard outer(recursive);
  std::lock_guard inner(recursive);
}
std::timed_mutex timed;
void timed_use() {
  if (timed.try_lock_until(far_away())) timed.unlock();
}
std::shared_mutex rw;
void rw_publish() { std::unique_lock lock(rw); }
void rw_observe() { std::shared_lock lock(rw); }
std::shared_timed_mutex timed_rw;
void timed_rw_publish() {
  if (timed_rw.try_lock_until(far_away())) timed_rw.unlock();
}
void timed_rw_observe() {
  if (timed_rw.try_lock_shared_until(far_away())) timed_rw.unlock_shared();
}
pthread_spinlock_t spin;
void spin_use() {
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
}
mtx_t c11;
void c11_use() {
  mtx_lock(&c11);
  mtx_unlock(&c11);
}

std::condition_variable condition;
std::mutex condition_mutex;
int condition_count;
void condition_publish() {
  {
    std::lock_guard lock(condition_mutex);
    ++condition_count;
  }
  condition.notify_all();
}
void condition_observe() {
  std::unique_lock lock(condition_mutex);
  condition.wait(lock, [] { return condition_count > 0; });
  --condition_count;
}
void condition_timed_observe() {
  std::unique_lock lock(condition_mutex);
  condition.wait_until(lock, far_away(), [] { return condition_count > 0; });
  --condition_count;
}

pthread_barrier_t posix_barrier;
void posix_barrier_use() { pthread_barrier_wait(&posix_barrier); }
std::barrier<> cxx_barrier(2);
void cxx_barrier_use() { cxx_barrier.arrive_and_wait(); }
std::latch latches[2] = {std::latch(1), std::latch(1)};
int latches_published, latches_observed;
void latch_publish() { latches[latches_published++].count_down(); }
void latch_observe() { latches[latches_observed++].wait(); }

sem_t posix_semaphore;
void posix_semaphore_publish() { sem_post(&posix_semaphore); }
void posix_semaphore_observe() {
  while (sem_wait(&posix_semaphore) != 0 && errno == EINTR) {
  }
}
std::counting_semaphore<> cxx_semaphore(0);
void cxx_semaphore_publish() { cxx_semaphore.release(); }
void cxx_semaphore_observe() { cxx_semaphore.acquire(); }

std::atomic<int> flag{0};
int flag_seen;
void atomic_publish() { flag.fetch_add(1, std::memory_order_release); }
void atomic_observe() {
  while (flag.load(std::memory_order_acquire) == flag_seen) {
  }
  ++flag_seen;
}
void atomic_wait_publish() {
  flag.fetch_add(1, std::memory_order_release);
  flag.notify_all();
}
void atomic_wait_observe() { flag.wait(flag_seen++, std::memory_order_acquire); }
void fence_publish() {
  std::atomic_thread_fence(std::memory_order_release);
  flag.fetch_add(1, std::memory_order_relaxed);
}
void fence_observe() {
  while (flag.load(std::memory_order_relaxed) == flag_seen) {
  }
  ++flag_seen;
  std::atomic_thread_fence(std::memory_order_acquire);
}

std::promise<void> promises[2];
int promises_kept, promises_awaited;
void promise_publish() { promises[promises_kept++].set_value(); }
void promise_observe() { promises[promises_awaited++].get_future().wait(); }

std::once_flag once;
void once_use() { std::call_once(once, [] {}); }
pthread_once_t posix_once = PTHREAD_ONCE_INIT;
void nothing() {}
void posix_once_use() { pthread_once(&posix_once, nothing); }
int guarded() {
  static const int value = std::atomic_ref(shared_value).load(std::memory_order_relaxed) + 1;
  return value;
}
void guard_use() { (void)guarded(); }

// Does the primitive itself make the observer wait, or the publisher too?
enum class Order { kBySteps, kByItself, kRendezvous };

struct Primitive {
  const char* name;
  void (*publish)();
  void (*observe)();
  Order order;
};

constexpr Primitive kPrimitives[] = {
    {"mutex", mutex_use, mutex_use, Order::kBySteps},
    {"try_lock", try_mutex_use, try_mutex_use, Order::kBySteps},
    {"recursive_mutex", recursive_use, recursive_use, Order::kBySteps},
    {"timed_mutex", timed_use, timed_use, Order::kBySteps},
    {"shared_mutex", rw_publish, rw_observe, Order::kBySteps},
    {"shared_timed_mutex", timed_rw_publish, timed_rw_observe, Order::kBySteps},
    {"spinlock", spin_use, spin_use, Order::kBySteps},
    {"c11_mutex", c11_use, c11_use, Order::kBySteps},
    {"condition", condition_publish, condition_observe, Order::kByItself},
    {"condition_timed", condition_publish, condition_timed_observe, Order::kByItself},
    {"posix_barrier", posix_barrier_use, posix_barrier_use, Order::kRendezvous},
    {"barrier", cxx_barrier_use, cxx_barrier_use, Order::kRendezvous},
    {"latch", latch_publish, latch_observe, Order::kByItself},
    {"posix_semaphore", posix_semaphore_publish, posix_semaphore_observe, Order::kByItself},
    {"semaphore", cxx_semaphore_publish, cxx_semaphore_observe, Order::kByItself},
    {"atomic", atomic_publish, atomic_observe, Order::kByItself},
    {"atomic_wait", atomic_wait_publish, atomic_wait_observe, Order::kByItself},
    {"fence", fence_publish, fence_observe, Order::kByItself},
    {"promise", promise_publish, promise_observe, Order::kByItself},
    {"call_once", once_use, once_use, Order::kBySteps},
    {"posix_once", posix_once_use, posix_once_use, Order::kBySteps},
    {"static_guard", guard_use, guard_use, Order::kBySteps},
};

// The variants are functions of their own, so that reports and globs can name them.

[[gnu::noinline]] void write_then_publish(const Primitive& p) {
  shared_value = 1;
  p.publish();
  next_step();
}
void observe_then_read(const Primitive& p) {
  if (p.order == Order::kBySteps) await_step(1);
  p.observe();
  std::printf("%d\n", shared_value);
}
void ordered(const Primitive& p) {
  std::thread other([&p] { observe_then_read(p); });
  write_then_publish(p);
  other.join();
}

[[gnu::noinline]] void write_alone() {
  shared_value = 1;
  next_step();
}
[[gnu::noinline]] void read_alone() {
  await_step(1);
  std::printf("%d\n", shared_value);
}
void unordered() {
  std::thread other(read_alone);
  write_alone();
  other.join();
}

// The region writes, lets the other thread in between through the primitive, and reads again.
[[gnu::noinline]] int two_sections(const Primitive& p) {
  shared_value = 1;
  p.publish();
  next_step();
  if (p.order != Order::kRendezvous) await_step(2);
  p.observe();
  return shared_value;
}
[[gnu::noinline]] void in_between(const Primitive& p) {
  if (p.order != Order::kRendezvous) await_step(1);
  p.observe();
  shared_value = 2;
  p.publish();
  next_step();
}
void split(const Primitive& p) {
  std::thread other([&p] { in_between(p); });
  std::printf("%d\n", two_sections(p));
  other.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  mtx_init(&c11, mtx_plain);
  pthread_barrier_init(&posix_barrier, nullptr, 2);
  sem_init(&posix_semaphore, 0, 0);
  for (const Primitive& p : kPrimitives) {
    if (std::strcmp(p.name, argv[1]) != 0) continue;
    if (std::strcmp(argv[2], "ordered") == 0) return ordered(p), 0;
    if (std::strcmp(argv[2], "unordered") == 0) return unordered(), 0;
    if (std::strcmp(argv[2], "split") == 0) return split(p), 0;
  }
  return 2;
}
