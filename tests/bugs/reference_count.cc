// A hand-made reference count: the last owner is found by a second look at the counter.
#include <atomic>
#include <thread>

#include "bug.h"

struct Shared {
  std::atomic<int> owners{2};
  std::atomic<int> freed{0};
};

void release(Shared& object) {
  if (bug::kFixed) {
    if (object.owners.fetch_sub(1) == 1) object.freed.fetch_add(1);
    return;
  }
  object.owners.fetch_sub(1);
  if (object.owners.load() == 0) object.freed.fetch_add(1);
}

int main() {
  Shared object;
  bug::Thread first([&] { release(object); });
  bug::Thread second([&] { release(object); });
  first.join();
  second.join();
  bug::require(object.freed.load() == 1, "the object is freed once");
}
