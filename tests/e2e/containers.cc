// Writes inside libstdc++'s out-of-line helpers count: two unlocked inserts into a map or a list race.
// RUN: %cxx %s %steps -o %t
// RUN: not %isosan run --analysis fasttrack --regions annotated -- %t map 2>&1 | FileCheck %s
// RUN: not %isosan run --analysis fasttrack --regions annotated -- %t list 2>&1 | FileCheck %s
// CHECK: data race
#include <cstring>
#include <list>
#include <map>
#include <thread>

#include "steps.h"

std::map<int, int> map;
std::list<int> list;

int main(int, char** argv) {
  const bool use_map = std::strcmp(argv[1], "map") == 0;
  const auto insert = [&](int key) {
    if (use_map) {
      map.emplace(key, key);
    } else {
      list.push_back(key);
    }
  };
  std::thread other([&] {
    await_step(1);
    insert(2);
  });
  insert(1);
  next_step();
  other.join();
}
