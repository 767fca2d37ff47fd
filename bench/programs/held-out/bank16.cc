// Sixteen threads where the other programs have two: they move money between 64 accounts, each with a lock of its own; now
// and then one locks them all and adds up.
#include <mutex>

#include "../common.h"

class Bank {
 public:
  void transfer(unsigned from, unsigned to, long amount) {  // locks in the order of the accounts
    if (from == to) return;
    const std::lock_guard first(accounts_[from < to ? from : to].mutex);
    const std::lock_guard second(accounts_[from < to ? to : from].mutex);
    if (accounts_[from].balance < amount) return;
    accounts_[from].balance -= amount;
    accounts_[to].balance += amount;
  }
  long total() {
    std::vector<std::unique_lock<std::mutex>> locks;
    long sum = 0;
    for (Account& account : accounts_) {
      locks.emplace_back(account.mutex);
      sum += account.balance;
    }
    return sum;
  }
  static constexpr unsigned kAccounts = 64;
  static constexpr long kStart = 1000;

 private:
  struct Account {
    std::mutex mutex;
    long balance = kStart;
  };
  Account accounts_[kAccounts];
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int threads = 8 * arguments.threads, transfers = 20000 * arguments.scale;
  Bank bank;
  std::vector<int> wrong(static_cast<std::size_t>(threads) * 16);
  in_parallel(threads, [&](int me) {
    Random random(static_cast<std::uint64_t>(me));
    for (int i = 0; i < transfers; ++i) {
      const unsigned from = random.next() % Bank::kAccounts, to = random.next() % Bank::kAccounts;
      bank.transfer(from, to, static_cast<long>(random.next() % 50));
      if (i % 1000 == 0) wrong[static_cast<std::size_t>(me) * 16] += bank.total() != Bank::kAccounts * Bank::kStart;
    }
  });
  int torn = 0;
  for (const int count : wrong) torn += count;
  return finish(torn == 0 && bank.total() == Bank::kAccounts * Bank::kStart, "bank16", static_cast<double>(bank.total()));
}
