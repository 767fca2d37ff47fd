// Failures that only a watched run shows: freed memory that is used or freed again, an invariant.
// Each but `first` needs a switch at one place.
#include <isosan/isosan.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Item {
  std::mutex mutex;
  long uses = 0;
  char text[40] = "";
};

namespace {

std::mutex mutex;
Item* item;
int owners = 2;
long left = 10, right = 0;

Item* find() {
  std::lock_guard guard(mutex);
  return item;
}

void drop() {
  Item* mine = nullptr;
  {
    std::lock_guard guard(mutex);
    std::swap(mine, item);
  }
  delete mine;
}

void use(const std::string& how) {
  Item* mine = find();
  if (mine == nullptr) return;
  if (how == "access") ++mine->uses;
  if (how == "block") std::memset(mine->text, 'x', sizeof mine->text);
  if (how == "lock") std::lock_guard guard(mine->mutex);
}

int count_down() {
  std::lock_guard guard(mutex);
  return --owners;
}
int count() {
  std::lock_guard guard(mutex);
  return owners;
}
void release() {
  count_down();
  if (count() == 0) delete item;
}

void move_one() {
  {
    std::lock_guard guard(mutex);
    --left;
  }
  std::lock_guard guard(mutex);
  ++right;
}

template <class First, class Second>
void run(First first, Second second) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}

}  // namespace

#ifndef NO_INVARIANT
bool all_are_there() { return left + right == 10; }
ISOSAN_INVARIANT(all_are_there);
#endif

int main(int, char** words) {
  const std::string how = words[1];
  item = new Item;
  if (how == "access" || how == "block" || how == "lock") {
    run([&] { use(how); }, drop);
  } else if (how == "again") {
    run(release, release);
  } else if (how == "invariant") {
    run(move_one, move_one);
  } else if (how == "first") {  // in every run
    Item* gone = item;
    drop();
    run([&] { ++gone->uses; }, [] {});
  } else {
    for (int i = 0; i < 100000; ++i) std::make_unique<Item>()->uses = i;  // far more than is kept
    run(find, find);
  }
}
