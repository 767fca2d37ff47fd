// A bank account without a data race and with a bug: every access holds the mutex, and a deposit
// still loses money. `deposit` should be atomic and is not.
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    int old = read();     // teller 1 reads 0 ...
    write(old + amount);  // ... and overwrites what teller 2 has written in between
  }
  int read() {
    std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  void write(int balance) {
    std::lock_guard lock(mutex_);
    balance_ = balance;
  }

  std::mutex mutex_;
  int balance_ = 0;
};

int main() {
  Account account;
  std::thread teller1([&] { account.deposit(10); });
  std::thread teller2([&] { account.deposit(20); });
  teller1.join();
  teller2.join();
  return account.read() == 30 ? 0 : 1;
}
