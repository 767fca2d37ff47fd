// Loops of the __tsan_* front, gathered while they run (the pass counts them beforehand): what another thread sees of a loop that is
// under way is in the log before it, and what is left when the program is killed is not lost.
// RUN: %cxx %s %steps -o %t
// RUN: not %isosan run --atomic Store::fill -- %t seen > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not %isosan run --atomic Store::fill -- %t spins 2>&1 | FileCheck %s
// RUN: not %isosan run --atomic Store::fill --analysis aerodrome -- %t seen 2>&1 | FileCheck %s
// RUN: not %isosan run --atomic Store::fill --strict -- %t seen 2>&1 | FileCheck %s
// CHECK: atomicity violation (region Store::fill)
// CHECK: SUMMARY: IsoSan: 1 finding
// RUN: %isosan run --atomic Store::fill -- %t ahead 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: SUMMARY: IsoSan: 0 findings
//
// RUN: %isosan record --no-quiet --atomic Store::fill -o %t.seen.trace -- %t seen
// RUN: not %isosan check %t.seen.trace | FileCheck %s
//
// However the program ends, the log has as many writes.
// RUN: %isosan record --no-quiet --atomic Store::fill -o %t.locked.trace -- %t locked
// RUN: %isosan record --no-quiet --atomic Store::fill -o %t.left.trace -- %t left
// RUN: %exits 137 %isosan record --no-quiet --atomic Store::fill -o %t.killed.trace -- %t killed
// RUN: %isosan trace stat %t.locked.trace | FileCheck --check-prefix=WRITES %s
// RUN: %isosan trace stat %t.left.trace | FileCheck --check-prefix=WRITES %s
// RUN: %isosan trace stat %t.killed.trace | FileCheck --check-prefix=WRITES %s
// WRITES: write events: 30{{[0-9]}}
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "steps.h"

enum class Middle { kOtherLooks, kSpins, kIsLast, kIsLocked, kKills };

class Store {
 public:
  // Every third, so that the elements are told one by one. In the middle no function is called that the tool sees.
  [[gnu::noinline]] int fill(Middle middle) {
    for (int i = 0; i < kCount; ++i) {
      elements_[3 * i] = i;
      if (i != kCount / 2) continue;
      if (middle == Middle::kOtherLooks) next_step(), await_step(2);
      if (middle == Middle::kSpins) next_step(), spin_until_step(2);
      if (middle == Middle::kIsLocked) pthread_mutex_lock(&mutex_);
      if (middle == Middle::kKills) kill(getpid(), SIGKILL);
      if (middle == Middle::kIsLocked || middle == Middle::kIsLast) _exit(0);
    }
    return looks_;
  }
  [[gnu::noinline]] void look_at(int i) { looks_ += elements_[3 * i] != 0; }

  static constexpr int kCount = 600;

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  int elements_[3 * kCount] = {};
  int looks_ = 0;
};

// More than the log has room for: isosan has read what this thread did before, and has to decide by what the other one had told then.
void fill_log() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 50000; ++i) pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
}

int main(int, char** argv) {
  const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
  static Store store;
  if (is("locked")) store.fill(Middle::kIsLocked);
  if (is("left")) store.fill(Middle::kIsLast);
  if (is("killed")) store.fill(Middle::kKills);
  std::thread other([&] {
    [[maybe_unused]] const volatile int looks = store.fill(is("spins") ? Middle::kSpins : Middle::kOtherLooks);
  });
  await_step(1);
  store.look_at(is("ahead") ? 500 : 100);
  fill_log();
  next_step();
  other.join();
}
