// A reader looks at what a writer changes, all without a lock: torn_reads fields|loop|calls ROUNDS
// PAUSE. The writer writes ROUNDS times, with a loop of PAUSE turns in between; the reader looks
// until it is done, a hundred times for each look at the flag. With `updates` both add one to a
// counter, in two critical sections: updates are lost.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

class Pair {
 public:
  void set(long value) { left_ = right_ = value; }
  bool same() const { return left_ == right_; }

 private:
  long left_ = 0;
  char apart_[120];
  long right_ = 0;
};

class Counter {
 public:
  [[gnu::noinline]] void add() { set(get() + 1); }
  [[gnu::noinline]] long get() {
    const std::lock_guard guard(lock_);
    return value_;
  }

 private:
  [[gnu::noinline]] void set(long value) {
    const std::lock_guard guard(lock_);
    value_ = value;
  }
  std::mutex lock_;
  long value_ = 0;
};

template <int accounts>
class Bank {
 public:
  Bank() : balances_(accounts, 100) {}
  [[gnu::noinline]] void transfer(unsigned from, unsigned to) {
    --balances_[from % accounts];
    spend(20);
    ++balances_[to % accounts];
  }
  [[gnu::noinline]] long balance(int i) const { return balances_[i] * (balances_[i] != 12345); }
  [[gnu::noinline]] bool adds_up() const {
    long sum = 0;
    for (const long each : balances_) sum += each;
    return sum == 100L * accounts;
  }
  [[gnu::noinline]] bool adds_up_by_calls() const {
    long sum = 0;
    for (int i = 0; i < accounts; ++i) sum += balance(i);
    return sum == 100L * accounts;
  }
  static void spend(int turns) {
    for (volatile int i = 0; i < turns; i = i + 1) {
    }
  }

 private:
  std::vector<long> balances_;
};

int main(int, char** arguments) {
  const std::string_view how = arguments[1];
  const int rounds = std::atoi(arguments[2]), pause = std::atoi(arguments[3]);
  Pair pair;
  Bank<64> large;
  Bank<16> small;
  Counter counter;
  std::atomic<bool> done{false};
  long torn = 0, added = 0;
  std::thread reader([&] {
    while (!done.load(std::memory_order_relaxed)) {
      if (how == "updates") {
        counter.add();
        ++added;
        Bank<1>::spend(pause);
        continue;
      }
      for (int i = 0; i < 100; ++i) {
        if (how == "fields") torn += !pair.same();
        if (how == "loop") torn += !large.adds_up();
        if (how == "calls") torn += !small.adds_up_by_calls();
      }
    }
  });
  unsigned random = 1;
  for (int i = 0; i < rounds; ++i) {
    random = random * 1664525 + 1013904223;
    if (how == "updates") counter.add();
    if (how == "fields") pair.set(i);
    if (how == "loop") large.transfer(random >> 8, random >> 16);
    if (how == "calls") small.transfer(random >> 8, random >> 16);
    Bank<1>::spend(pause);
  }
  done = true;
  reader.join();
  if (how == "updates") torn = added + rounds - counter.get();
  std::printf("torn %ld\n", torn);
}
