// A wait comes after the posts that it needed in every schedule: verified. Two threads that wait for one
// post, or for one condition, each take what the scheduler gives them: found.
//
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t hand-over 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t two-takers > %t.takers 2>&1
// RUN: FileCheck --check-prefix=TAKERS %s < %t.takers
// TAKERS: semaphore-wait and semaphore-wait in one deterministic block
// TAKERS: the other thread may take the post first
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t either-post > %t.either 2>&1
// RUN: FileCheck --check-prefix=EITHER %s < %t.either
// EITHER: WARNING: IsoSan: conflict inside a deterministic region (region main)
// EITHER-NEXT: read and write in one deterministic block
// EITHER: WARNING: IsoSan: conflict inside a deterministic region (region main)
// EITHER-NEXT: the wait may be served by this post
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t condition > %t.condition 2>&1
// RUN: FileCheck --check-prefix=CONDITION %s < %t.condition
// CONDITION: release and acquire in one deterministic block
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t woken > %t.woken 2>&1
// RUN: FileCheck --check-prefix=WOKEN %s < %t.woken
// WOKEN: {{write and read|read and write}} in one deterministic block
#include <semaphore.h>

#include <condition_variable>
#include <mutex>

#include "steps.h"
#include "team.h"

sem_t posts;
int parts[2], seen;

void hand_over() {  // both posts are needed before parts are read
  in_team(3, [](int id) {
    if (id < 2) {
      parts[id] = id + 1;
      sem_post(&posts);
    } else {
      sem_wait(&posts);
      sem_wait(&posts);
      seen = parts[0] + parts[1];
    }
  });
}

void two_takers() {
  sem_post(&posts);
  sem_post(&posts);
  in_team(2, [](int) { sem_wait(&posts); });
}

void either_post() {  // one post is enough for the first wait; which one is not said: here it is the first
  in_team(3, [](int id) {
    if (id < 2) {
      if (id == 1) await_step(1);
      parts[id] = id + 1;
      sem_post(&posts);
    } else {
      sem_wait(&posts);
      seen = parts[0] + parts[1];
      next_step();
      sem_wait(&posts);
    }
  });
}

void condition() {
  std::mutex mutex;
  std::condition_variable filled;
  int items = 0;
  in_team(3, [&](int id) {
    std::unique_lock lock(mutex);
    if (id == 0) {
      items = 2;
      filled.notify_all();
    } else {
      filled.wait(lock, [&] { return items > 0; });
      --items;
    }
  });
}

void woken() {  // nothing but being woken comes between the write and the read
  std::mutex mutex;
  std::condition_variable filled;
  in_team(2, [&](int id) {
    if (id == 0) {
      await_step(1);
      { const std::lock_guard lock(mutex); }
      seen = 1;
      filled.notify_one();
    } else {
      std::unique_lock lock(mutex);
      next_step();
      filled.wait(lock);
      parts[1] = seen;
    }
  });
}

int main(int argc, char** argv) {
  sem_init(&posts, 0, 0);
  if (asked(argc, argv, "hand-over")) hand_over();
  if (asked(argc, argv, "two-takers")) two_takers();
  if (asked(argc, argv, "either-post")) either_post();
  if (asked(argc, argv, "condition")) condition();
  if (asked(argc, argv, "woken")) woken();
  sem_destroy(&posts);
}
