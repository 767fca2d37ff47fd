// Commons Pool setFactory (Penelope): the factory may only be replaced while no object is out;
// borrowing reads it twice, replacing looks and acts in two steps.
#include <mutex>
#include <thread>

#include "bug.h"

struct Factory {
  int id;
};

class Pool {
 public:
  explicit Pool(Factory* factory) : factory_(factory) {}
  void set_factory(Factory* factory) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (active() > 0) return;
    std::lock_guard guard(mutex_);
    bug::require(active_ == 0, "the factory is replaced only while nothing is lent");
    factory_ = factory;
  }
  int borrow() {
    std::lock_guard guard(mutex_);
    ++active_;
    return factory_->id;
  }
  void give_back() {
    std::lock_guard guard(mutex_);
    --active_;
  }
  int active() {
    std::lock_guard guard(mutex_);
    return active_;
  }

 private:
  std::recursive_mutex mutex_;
  Factory* factory_;
  int active_ = 0;
};

int main() {
  Factory first{1};
  Factory second{2};
  Pool pool(&first);
  bug::Thread borrower([&] {
    if (bug::round() == 0)
      pool.borrow();
    else
      pool.give_back();
  });
  bug::Thread administrator([&] { pool.set_factory(&second); });
  borrower.join();
  administrator.join();
}
