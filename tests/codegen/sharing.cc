// Functions with nothing in them or in their class that threads share are marked (annotations: 1024; 4096 is "compiled with optimisation").
// RUN: %clangxx -g -O1 -S -emit-llvm %s -o - | FileCheck %s
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

void elsewhere();
long elsewhere_too(long);

// A class that holds a lock: its public members are operations, the private ones and constructors are not.
class Account {
 public:
  // CHECK-DAG: @__isosan_function._ZN7AccountC2Ev = {{.*}} i32 5120, i32 {{[0-9]+}} }, section
  Account() : balance_(1), count_(0) { count_ = balance_; }
  // CHECK-DAG: @__isosan_function._ZNK7Account3getEv = {{.*}} i32 4096, i32 {{[0-9]+}} }, section
  long get() const { return balance_ + count_; }
  // CHECK-DAG: @__isosan_function._ZN7Account7depositEl = {{.*}} i32 4096, i32 {{[0-9]+}} }, section
  void deposit(long by) { add(by); }

 private:
  // CHECK-DAG: @__isosan_function._ZN7Account3addEl = {{.*}} i32 5120, i32 {{[0-9]+}} }, section
  void add(long by) { balance_ += by, ++count_; }
  mutable std::mutex mutex_;
  long balance_, count_;
};

// Those of a base, of a member, of a container's elements count; those that a pointer leads to do not.
// CHECK-DAG: @__isosan_function._ZNK7Savings4bothEv = {{.*}} i32 4096, i32 {{[0-9]+}} }, section
struct Savings : Account {
  long a = 0, b = 0;
  long both() const { return a + b; }
};
// CHECK-DAG: @__isosan_function._ZNK4Bank4bothEv = {{.*}} i32 4096, i32 {{[0-9]+}} }, section
struct Bank {
  std::vector<std::unique_ptr<Account>> accounts;
  Account& first() { return *accounts[0]; }
  long a = 0, b = 0;
  long both() const { return a + b; }
};
// CHECK-DAG: @__isosan_function._ZNK7Counter4bothEv = {{.*}} i32 4096, i32 {{[0-9]+}} }, section
struct Counter {
  std::atomic<int> n[2];
  long a = 0, b = 0;
  long both() const { return a + b; }
};
// CHECK-DAG: @__isosan_function._ZNK4View4bothEv = {{.*}} i32 5120, i32 {{[0-9]+}} }, section
struct View {
  Account* account = nullptr;
  long a = 0, b = 0;
  long both() const { return a + b; }
};

// Two operations make a check and an act; one does not. Calls of other files may be operations.
// CHECK-DAG: @__isosan_function._Z3oneR7Account = {{.*}} i32 5120, i32 0 }, section
long one(Account& a) { return a.get() * 2; }
// CHECK-DAG: @__isosan_function._Z3twoR7Account = {{.*}} i32 4096, i32 0 }, section
void two(Account& a) {
  if (a.get() > 1) a.deposit(-1);
}
// CHECK-DAG: @__isosan_function._Z5twiceR7Account = {{.*}} i32 4096, i32 0 }, section
void twice(Account& a) {
  two(a);
  two(a);
}
// CHECK-DAG: @__isosan_function._Z7unknownv = {{.*}} i32 4096, i32 0 }, section
long unknown() {
  elsewhere();
  return elsewhere_too(1);
}
// CHECK-DAG: @__isosan_function._Z7pointedPFlvE = {{.*}} i32 4096, i32 0 }, section
long pointed(long (*f)()) { return f() + f(); }

// Locks and atomics that are no members.
std::mutex mutex;
int flag;
// CHECK-DAG: @__isosan_function._Z5locksRlS_ = {{.*}} i32 4096, i32 0 }, section
void locks(long& a, long& b) {
  std::lock_guard<std::mutex> guard(mutex);
  ++a, ++b;
}
// CHECK-DAG: @__isosan_function._Z5storeRl = {{.*}} i32 4096, i32 0 }, section
void store(long& a) {
  ++a;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
// A guard of the program's own, and who uses it.
struct Guard {
  // CHECK-DAG: @__isosan_function._ZN5GuardC2ER4Lock = {{.*}} i32 4096, i32 {{[0-9]+}} }, section
  explicit Guard(struct Lock& lock);
  ~Guard();
  struct Lock& held;
  int depth = 0;
};
struct Lock {
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  std::mutex mutex_;
};
Guard::Guard(Lock& lock) : held(lock), depth(1) { held.lock(); }
Guard::~Guard() { held.unlock(); }
// CHECK-DAG: @__isosan_function._Z6guardsR4LockRlS1_ = {{.*}} i32 4096, i32 0 }, section
void guards(Lock& lock, long& a, long& b) {
  Guard guard(lock);
  ++a, ++b;
}

// CHECK-DAG: @__isosan_function._Z5plainRlS_ = {{.*}} i32 5120, i32 0 }, section
void plain(long& a, long& b) { ++a, ++b; }

long all(Savings& s, Bank& b, Counter& c, View& v, Account& a) {
  return s.both() + b.both() + c.both() + v.both() + one(b.first()) + Account().get();
}
