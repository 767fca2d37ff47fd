// Commons Pool (Penelope): borrow asks whether the pool is closed, and takes an object later; a
// close in between has destroyed it.
#include <mutex>
#include <thread>

#include "bug.h"

struct Connection {
  bool open = true;
};

class Pool {
 public:
  Connection* borrow() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (is_closed()) return nullptr;
    return take();
  }
  void close() {
    std::lock_guard guard(mutex_);
    closed_ = true;
    idle_.open = false;
  }
  void reopen() {
    std::lock_guard guard(mutex_);
    closed_ = false;
    idle_.open = true;
  }
  bool is_closed() {
    std::lock_guard guard(mutex_);
    return closed_;
  }

 private:
  Connection* take() {
    std::lock_guard guard(mutex_);
    bug::require(idle_.open, "a pool that is not closed lends open connections");
    return &idle_;
  }

  std::recursive_mutex mutex_;
  Connection idle_;
  bool closed_ = false;
};

int main() {
  Pool pool;
  bug::before_again([&] { pool.reopen(); });
  bug::Thread borrower([&] { pool.borrow(); });
  bug::Thread closer([&] { pool.close(); });
  borrower.join();
  closer.join();
}
