// A ticket lock class used through std::lock_guard.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_.fetch_add(1);
    while (serving_.load() != mine) std::this_thread::yield();
  }
  void unlock() { serving_.fetch_add(1); }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};

class Journal {
 public:
  void add(int entry) {
    std::lock_guard lock(lock_);
    entries_.push_back(entry);
  }
  std::size_t size() {
    std::lock_guard lock(lock_);
    return entries_.size();
  }

 private:
  TicketLock lock_;
  std::vector<int> entries_;
};

int main() {
  Journal journal;
  auto work = [&journal] {
    for (int i = 0; i < 150; ++i) journal.add(i);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  return journal.size() != 300;
}
