// A destructor changes which functions virtual calls find: to call one meanwhile is a race, even where a later synchronization
// orders the end of the object. A destructor that finds the pointer of its own class changes nothing.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: %exits 66 %isosan run --analysis fasttrack -- %t base 2>&1 | FileCheck %s
// RUN: %isosan run --analysis fasttrack -- %t derived
// CHECK: data race
#include <semaphore.h>

#include <cstring>
#include <thread>

#include "steps.h"

struct Base {
  Base() { sem_init(&done, 0, 0); }
  virtual ~Base() {
    if (waits) sem_wait(&done);
  }
  virtual int call() { return 1; }
  sem_t done;
  bool waits = true;
};
struct Derived : Base {
  ~Derived() override {
    if (!waits) sem_wait(&done);
  }
  int call() override { return 2; }
};

int main(int, char** arguments) {
  Base* const object = new Derived;
  object->waits = std::strcmp(arguments[1], "base") == 0;
  std::thread caller([=] {
    object->call();
    sem_post(&object->done);
    next_step();
  });
  await_step(1);
  delete object;
  caller.join();
}
