// What records tell of functions (attributes: 1 external, 2 thread entry, 4 waits or notifies, 8 takes a lock; annotations: 1024 shares nothing, see sharing.cc, 4096 compiled with optimisation).
// RUN: %clangxx -g -O1 -S -emit-llvm %s -o - | FileCheck %s
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
int shared;

// CHECK-DAG: @__isosan_function._Z5locksv = {{.*}} i8 0, i8 0, i8 9, i8 0, i32 4096, i32 0 }, section
void locks() {
  std::lock_guard<std::mutex> guard(mutex);
  shared++;
}
// A getter or setter that does nothing else under its lock (annotations: 256).
// CHECK-DAG: @__isosan_function._Z3getv = {{.*}} i8 0, i8 0, i8 9, i8 0, i32 4352, i32 0 }, section
int get() {
  std::lock_guard<std::mutex> guard(mutex);
  return shared;
}
// CHECK-DAG: @__isosan_function._Z3seti = {{.*}} i8 0, i8 0, i8 9, i8 0, i32 4352, i32 0 }, section
void set(int value) {
  std::unique_lock lock(mutex);
  shared = value;
}
// CHECK-DAG: @__isosan_function._Z8get_moreb = {{.*}} i8 0, i8 0, i8 9, i8 0, i32 4096, i32 0 }, section
int get_more(bool asks) {
  std::lock_guard<std::mutex> guard(mutex);
  return asks ? get() : shared;
}
// CHECK-DAG: @__isosan_function._Z5waitsv = {{.*}} i8 0, i8 0, i8 13, i8 0, i32 4096, i32 0 }, section
void waits() {
  std::unique_lock<std::mutex> lock(mutex);
  condition.wait(lock);
}
// CHECK-DAG: @__isosan_function._Z5entryi = {{.*}} i8 0, i8 0, i8 3, i8 0, i32 5120, i32 0 }, section
void entry(int n) { shared += n; }
// CHECK-DAG: @__isosan_function._ZN6Worker3runEv = {{.*}} i8 0, i8 1, i8 3, i8 0, i32 5120, i32 1 }, section
struct Worker {
  void run() { shared++; }
};
// Joining threads is waiting, also through others.
// CHECK-DAG: @__isosan_function._Z5joinsv = {{.*}} i8 0, i8 0, i8 5, i8 0, i32 5120, i32 0 }, section
void joins() {
  Worker worker;
  std::thread a(entry, 1);
  std::thread b(&Worker::run, &worker);
  std::thread c([] { locks(); });
  a.join();
  b.join();
  c.join();
}
// CHECK-DAG: @"__isosan_function._ZZ5joinsvENK3$_0clEv" = {{.*}} i8 0, i8 {{[0-9]}}, i8 2, i8 0, i32 5120, i32 1 }, section
// CHECK-DAG: @__isosan_function._Z6callerv = {{.*}} i8 0, i8 0, i8 5, i8 0, i32 5120, i32 0 }, section
void caller() { joins(); }
// CHECK-DAG: @__isosan_function._Z5plainv = {{.*}} i8 0, i8 0, i8 1, i8 0, i32 5120, i32 0 }, section
int plain() { return shared++; }

// A private member that a thread's entry does nothing but call is the thread's body; a public one, or one that is called
// beside something else, is not.
// CHECK-DAG: @__isosan_function._ZN4Pool4workEv = {{.*}} i8 0, i8 3, i8 3, i8 0, i32 5120, i32 1 }, section
// CHECK-DAG: @__isosan_function._ZN4Pool5serveEv = {{.*}} i8 0, i8 1, i8 1, i8 0, i32 5120, i32 1 }, section
// CHECK-DAG: @__isosan_function._ZN4Pool4stepEv = {{.*}} i8 0, i8 3, i8 1, i8 0, i32 5120, i32 1 }, section
class Pool {
 public:
  void start() {
    std::thread([this] { work(); }).detach();
    std::thread([this] { serve(); }).detach();
    std::thread([this] {
      for (int i = 0; i < 3; ++i) step();
    }).detach();
  }
  void serve() { shared++; }

 private:
  void work() { shared++; }
  void step() { shared++; }
};
void pool() {
  static Pool pool;
  pool.start();
}
