// A shared_ptr to settings is fetched twice under the lock: two halves of two versions.
// finds: velodrome doublechecker marathon atomizer
// blames: convert
#include <memory>
#include <mutex>
#include <thread>

#include "steps.h"

struct Rate {
  int buy, sell;
};

class Bank {
 public:
  std::shared_ptr<const Rate> rate() {
    std::lock_guard lock(mutex_);
    return rate_;
  }
  void set(int buy, int sell) {
    auto fresh = std::make_shared<const Rate>(Rate{buy, sell});
    std::lock_guard lock(mutex_);
    rate_ = fresh;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Rate> rate_ = std::make_shared<const Rate>(Rate{1, 2});
};

int convert(Bank& bank) {
  const int buy = bank.rate()->buy;
  let_other_in();
  return bank.rate()->sell - buy;
}

int main() {
  Bank bank;
  std::thread other([&] {
    await_step(1);
    bank.set(11, 12);
    next_step();
  });
  const int spread = convert(bank);
  other.join();
  return spread == 1;
}
