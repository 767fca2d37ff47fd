// Transfers between two accounts under std::scoped_lock of both.
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  static void transfer(Account& from, Account& to, int amount) {
    std::scoped_lock lock(from.mutex_, to.mutex_);
    from.balance_ -= amount;
    to.balance_ += amount;
  }
  static int sum(Account& a, Account& b) {
    std::scoped_lock lock(a.mutex_, b.mutex_);
    return a.balance_ + b.balance_;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

int main() {
  Account a(1000), b(1000);
  std::thread there([&] {
    for (int i = 0; i < 200; ++i) Account::transfer(a, b, 1);
  });
  std::thread back([&] {
    for (int i = 0; i < 200; ++i) Account::transfer(b, a, 1);
  });
  int wrong = 0;
  for (int i = 0; i < 50; ++i) wrong |= Account::sum(a, b) != 2000;
  there.join();
  back.join();
  return wrong;
}
