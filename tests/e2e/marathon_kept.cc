// What an object was handed and keeps belongs to it: a constructor argument, what a setter got, what was moved into it. add() looks by size() and adds
// after another add() has; both looks are of one unit of the owner. What is only an argument of each call is not owned: size() is a unit of its own.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t constructor 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis marathon -- %t setter 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis marathon -- %t move 2>&1 | FileCheck %s
// RUN: timeout 60 %isosan run --analysis marathon -- %t argument
//
// Every way to run marathon finds it.
// RUN: not timeout 60 %isosan run --analysis marathon --strict -- %t setter 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis marathon --sets %t.toml -- %t setter 2>&1 | FileCheck %s
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t setter
// RUN: not %isosan check --analysis marathon %t.trace 2>&1 | FileCheck %s
// RUN: timeout 60 %isosan record -o %t.trace -- %t setter
// RUN: not %isosan check --analysis marathon %t.trace 2>&1 | FileCheck %s
// CHECK: atomic-set violation (Set)
// CHECK: Set::add (thread 1) before Set::add (thread 2) before Set::add (thread 1)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "steps.h"

struct Map {
  int n = 0;
  int first = 0;
};

class Set {
 public:
  Set() = default;
  explicit Set(Map* map) : map_(map) {}
  void keep(Map* map) { map_ = map; }
  void keep(std::unique_ptr<Map> map) {
    moved_ = std::move(map);
    map_ = nullptr;
  }
  [[gnu::noinline]] void add(bool slow) {
    const int n = size();
    wait_if(slow);
    const std::lock_guard lock(mutex_);
    (moved_ ? moved_->n : map_->n) = n + 1;
  }
  [[gnu::noinline]] void add_to(Map* map, bool slow) {
    const int n = size(map);
    wait_if(slow);
    const std::lock_guard lock(mutex_);
    map->n += n - n + 1;
  }

 private:
  static void wait_if(bool slow) {
    if (!slow) return;
    next_step();
    await_step(2);
  }
  [[gnu::noinline]] int size() {
    const std::lock_guard lock(mutex_);
    return moved_ ? moved_->n - moved_->first : map_->n - map_->first;
  }
  [[gnu::noinline]] int size(Map* map) {
    const std::lock_guard lock(mutex_);
    return map->n - map->first;
  }
  std::mutex mutex_;
  Map* map_ = nullptr;
  std::unique_ptr<Map> moved_;
};

int main(int, char** argv) {
  const std::string_view how = argv[1];
  const auto map = new Map;
  Set given(map), empty;
  Set& set = how == "constructor" ? given : empty;
  if (how == "setter") set.keep(map);
  if (how == "move") set.keep(std::unique_ptr<Map>(map));
  const auto add = [&](bool slow) { how == "argument" ? set.add_to(map, slow) : set.add(slow); };
  std::thread first([&] { add(true); });
  std::thread second([&] {
    await_step(1);
    add(false);
    next_step();
  });
  first.join();
  second.join();
}
