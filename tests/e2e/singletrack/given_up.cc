// A try that fails, or a wait that times out, does so because of what another thread has done or not done yet: found, whatever it was for.
// Where fork and join decide it, it is the same in every schedule: verified.
//
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t held 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t try > %t.try 2>&1
// RUN: FileCheck --check-prefix=TRY %s < %t.try
// TRY: {{(acquire|release) and wait-end|wait-end and (acquire|release)}} in one deterministic block
// TRY: the try or wait that gave up may get what it was for
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t timed > %t.timed 2>&1
// RUN: FileCheck --check-prefix=TIMED %s < %t.timed
// TIMED: {{(acquire|release) and wait-end|wait-end and (acquire|release)}} in one deterministic block
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t semaphore > %t.semaphore 2>&1
// RUN: FileCheck --check-prefix=SEMAPHORE %s < %t.semaphore
// SEMAPHORE: {{wait-end and semaphore-post|semaphore-post and wait-end}} in one deterministic block
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t condition > %t.condition 2>&1
// RUN: FileCheck --check-prefix=CONDITION %s < %t.condition
// CONDITION: {{wait-end and notify|notify and wait-end}} in one deterministic block
#include <semaphore.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "steps.h"
#include "team.h"

using namespace std::chrono_literals;

std::timed_mutex mutex;
int tried[2];

void held() {  // by the parent, from before the fork until after the join
  const std::lock_guard lock(mutex);
  in_team(2, [](int id) { tried[id] = mutex.try_lock(); });
}

template <class Try>
void against_holder(Try try_it) {
  in_team(2, [&](int id) {
    if (id == 0) {
      const std::lock_guard lock(mutex);
      next_step();
      await_step(2);
    } else {
      await_step(1);
      tried[0] = try_it();
      next_step();
    }
  });
}

void semaphore() {
  sem_t posts;
  sem_init(&posts, 0, 0);
  in_team(2, [&](int id) {
    if (id == 0) {
      tried[0] = sem_trywait(&posts);
      next_step();
    } else {
      await_step(1);
      sem_post(&posts);
    }
  });
  sem_destroy(&posts);
}

void condition() {  // the one that notifies takes no lock
  std::mutex own;
  std::condition_variable filled;
  in_team(2, [&](int id) {
    if (id == 0) {
      std::unique_lock lock(own);
      tried[0] = filled.wait_for(lock, 1ms) == std::cv_status::timeout;
      next_step();
    } else {
      await_step(1);
      filled.notify_one();
    }
  });
}

int main(int argc, char** argv) {
  if (asked(argc, argv, "held")) held();
  if (asked(argc, argv, "try")) against_holder([] { return mutex.try_lock(); });
  if (asked(argc, argv, "timed")) against_holder([] { return mutex.try_lock_for(1ms); });
  if (asked(argc, argv, "semaphore")) semaphore();
  if (asked(argc, argv, "condition")) condition();
}
