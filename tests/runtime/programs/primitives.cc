// usage: primitives NAME. Thread A writes x, then uses the primitive; thread B uses it, then reads
// x. The step counter makes A's write come first in every run; whether the tool knows that it is
// ordered is up to the primitive.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "step.h"

namespace {

long x;
bool ready;
std::mutex mutex;
pthread_mutex_t remade = PTHREAD_MUTEX_INITIALIZER, another = PTHREAD_MUTEX_INITIALIZER;
std::recursive_mutex recursive;
std::timed_mutex timed;
std::shared_mutex shared;
std::condition_variable condition;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
std::once_flag once_flag;
sem_t semaphore;
mtx_t c11_mutex;
cnd_t c11_condition;
alignas(8) std::atomic<int> flag;
alignas(8) std::atomic<int> second_flag;  // atomics in one word are one
std::promise<void> promise;

[[gnu::noinline]] void write_x() { x = 1; }
[[gnu::noinline]] void read_x() { asm volatile("" ::"r"(x)); }
void lock_once(pthread_mutex_t* m) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
}
void lock_remade_twice() {
  lock_once(&remade);
  step_done();
  step_wait(2);
  lock_once(&remade);
  read_x();
}
void a_first(void (*publish)()) {
  step_wait(0);
  write_x();
  if (publish) publish();
  step_done();
}
void b_second(void (*observe)()) {
  step_wait(1);
  if (observe) observe();
  read_x();
}

constexpr int kBothDone = 10;

struct Primitive {
  const char* name;
  void (*a)();
  void (*b)();
};

struct Magic {
  Magic() { write_x(); }
};
Magic& magic() {
  static Magic the_one;
  return the_one;
}

const Primitive primitives[] = {
    {"nothing", [] { a_first(nullptr); }, [] { b_second(nullptr); }},
    {"mutex",
     [] {
       a_first([] {
         mutex.lock();
         mutex.unlock();
       });
     },
     [] {
       b_second([] {
         mutex.lock();
         mutex.unlock();
       });
     }},
    {"other-mutex",
     [] {
       a_first([] {
         mutex.lock();
         mutex.unlock();
       });
     },
     [] {
       b_second([] {
         recursive.lock();
         recursive.unlock();
       });
     }},
    {"trylock",
     [] {
       a_first([] {
         mutex.lock();
         mutex.unlock();
       });
     },
     [] {
       b_second([] {
         if (mutex.try_lock()) mutex.unlock();
       });
     }},
    // What B remembers of a mutex is gone with it, though another one got its place.
    {"mutex-made-anew",
     [] {
       step_wait(1);
       pthread_mutex_destroy(&remade);
       lock_once(&another);
       write_x();
       pthread_mutex_init(&remade, nullptr);
       lock_once(&remade);
       step_done();
     },
     lock_remade_twice},
    {"mutex-gone",
     [] {
       step_wait(1);
       write_x();
       lock_once(&remade);
       pthread_mutex_destroy(&remade);
       pthread_mutex_init(&remade, nullptr);
       step_done();
     },
     lock_remade_twice},
    {"recursive",
     [] {
       a_first([] {
         recursive.lock();
         recursive.lock();
         recursive.unlock();
         recursive.unlock();
       });
     },
     [] {
       b_second([] {
         recursive.lock();
         recursive.unlock();
       });
     }},
    {"timed",
     [] {
       a_first([] {
         timed.lock();
         timed.unlock();
       });
     },
     [] {
       b_second([] {
         if (timed.try_lock_for(std::chrono::seconds(9))) timed.unlock();
       });
     }},
    {"shared-after-exclusive",
     [] {
       a_first([] {
         shared.lock();
         shared.unlock();
       });
     },
     [] {
       b_second([] {
         shared.lock_shared();
         shared.unlock_shared();
       });
     }},
    {"exclusive-after-shared",
     [] {
       a_first([] {
         shared.lock_shared();
         shared.unlock_shared();
       });
     },
     [] {
       b_second([] {
         shared.lock();
         shared.unlock();
       });
     }},
    {"shared-after-shared",
     [] {
       a_first([] {
         shared.lock_shared();
         shared.unlock_shared();
       });
     },
     [] {
       b_second([] {
         shared.lock_shared();
         shared.unlock_shared();
       });
     }},
    {"spin",
     [] {
       a_first([] {
         pthread_spin_lock(&spin);
         pthread_spin_unlock(&spin);
       });
     },
     [] {
       b_second([] {
         pthread_spin_lock(&spin);
         pthread_spin_unlock(&spin);
       });
     }},
    {"condition",
     [] {
       write_x();
       std::lock_guard g(mutex);
       ready = true;
       condition.notify_one();
     },
     [] {
       std::unique_lock g(mutex);
       condition.wait(g, [] { return ready; });
       g.unlock();
       read_x();
     }},
    {"condition-timeout", [] { a_first(nullptr); },
     [] {
       b_second([] {
         std::unique_lock g(mutex);
         condition.wait_for(g, std::chrono::microseconds(1));
       });
     }},
    {"barrier",
     [] {
       write_x();
       pthread_barrier_wait(&barrier);
     },
     [] {
       pthread_barrier_wait(&barrier);
       read_x();
     }},
    {"once",
     [] {
       step_wait(0);
       pthread_once(&once, write_x);
       step_done();
     },
     [] { b_second([] { pthread_once(&once, write_x); }); }},
    {"call-once",
     [] {
       step_wait(0);
       std::call_once(once_flag, write_x);
       step_done();
     },
     [] { b_second([] { std::call_once(once_flag, write_x); }); }},
    {"static",
     [] {
       step_wait(0);
       magic();
       step_done();
     },
     [] { b_second([] { magic(); }); }},
    {"semaphore",
     [] {
       write_x();
       sem_post(&semaphore);
     },
     [] {
       sem_wait(&semaphore);
       read_x();
     }},
    {"c11-mutex",
     [] {
       a_first([] {
         mtx_lock(&c11_mutex);
         mtx_unlock(&c11_mutex);
       });
     },
     [] {
       b_second([] {
         mtx_lock(&c11_mutex);
         mtx_unlock(&c11_mutex);
       });
     }},
    {"c11-condition",
     [] {
       write_x();
       mtx_lock(&c11_mutex);
       ready = true;
       cnd_signal(&c11_condition);
       mtx_unlock(&c11_mutex);
     },
     [] {
       mtx_lock(&c11_mutex);
       while (!ready) cnd_wait(&c11_condition, &c11_mutex);
       mtx_unlock(&c11_mutex);
       read_x();
     }},
    {"atomic", [] { a_first([] { flag.store(1, std::memory_order_release); }); },
     [] { b_second([] { (void)flag.load(std::memory_order_acquire); }); }},
    {"atomic-rmw", [] { a_first([] { flag.fetch_add(1); }); },
     [] { b_second([] { flag.fetch_add(1); }); }},
    {"fence",
     [] {
       a_first([] {
         std::atomic_thread_fence(std::memory_order_release);
         flag.store(1, std::memory_order_relaxed);
       });
     },
     [] {
       b_second([] {
         (void)flag.load(std::memory_order_relaxed);
         std::atomic_thread_fence(std::memory_order_acquire);
       });
     }},
    {"other-atomic", [] { a_first([] { flag.store(1); }); },
     [] { b_second([] { (void)second_flag.load(); }); }},
    {"future",
     [] {
       write_x();
       promise.set_value();
     },
     [] {
       promise.get_future().wait();
       read_x();
     }},
};

}  // namespace

int main(int, char** argv) {
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  sem_init(&semaphore, 0, 0);
  mtx_init(&c11_mutex, mtx_plain);
  cnd_init(&c11_condition);
  printf("x=%p\n", static_cast<void*>(&x));
  fflush(stdout);
  for (const Primitive& p : primitives) {
    if (strcmp(p.name, argv[1]) != 0) continue;
    // A stays alive until B is done: B must not come after A because A has ended.
    std::thread a([&] {
      p.a();
      step_wait(kBothDone);
    });
    std::thread b([&] {
      p.b();
      for (int i = 0; i < kBothDone; ++i) step_done();
    });
    a.join();
    b.join();
    return x == 1 ? 0 : 1;
  }
  return 3;
}
