// Futures, promises, async and packaged tasks pass on one value, whoever comes first: verified. To ask
// whether one is ready is to ask the scheduler: found. (Under the __tsan_* front a future is the
// atomics that libstdc++ makes it of, which are like volatiles: singletrack.md.)
//
// REQUIRES: pass
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic '*' -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: timeout 60 %isosan run --analysis singletrack --no-race-free-filter --deterministic '*' -- %t
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t ask 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region main)
#include <future>
#include <memory>

#include "team.h"

OUT_OF_LINE int square(int x) { return x * x; }

OUT_OF_LINE int by_async() {
  auto a = std::async(std::launch::async, square, 3);
  auto b = std::async(std::launch::async, square, 4);
  return a.get() + b.get();
}

OUT_OF_LINE int by_promise() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([promise = std::move(promise)]() mutable { promise.set_value(square(5)); });
  const int value = future.get();
  worker.join();
  return value;
}

OUT_OF_LINE int by_task() {
  std::packaged_task<int(int)> task(square);
  std::shared_future<int> future = task.get_future();
  std::thread worker(std::move(task), 6);
  int seen[2] = {};
  in_team(2, [&](int i) { seen[i] = future.get(); });
  worker.join();
  return seen[0] + seen[1];
}

OUT_OF_LINE long by_shared_owner() {  // whoever is last destroys it
  auto shared = std::make_shared<long>(7);
  long seen[2] = {};
  std::thread first([shared, &seen] { seen[0] = *shared; }), second([shared, &seen] { seen[1] = *shared; });
  shared.reset();
  first.join();
  second.join();
  return seen[0] + seen[1];
}

OUT_OF_LINE int by_asking() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([&] { promise.set_value(square(5)); });
  const int asked = future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  worker.join();
  return future.get() + asked;
}

int main(int argc, char** argv) {
  if (asked(argc, argv, "ask")) return by_asking() < 25;
  return by_async() + by_promise() + by_task() + by_shared_owner() != 25 + 25 + 72 + 14;
}
