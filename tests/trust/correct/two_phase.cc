// Two-phase locking by hand: both locks are taken before the first is given up.
#include <mutex>
#include <thread>

class Stock {
 public:
  void receive(int n) {
    std::lock_guard lock(goods_mutex_);
    goods_ += n;
  }
  bool sell(int price) {
    std::unique_lock goods(goods_mutex_);
    if (goods_ == 0) return false;
    std::unique_lock money(money_mutex_);
    --goods_;
    goods.unlock();
    money_ += price;
    return true;
  }
  int worth(int price) {
    std::scoped_lock lock(goods_mutex_, money_mutex_);
    return goods_ * price + money_;
  }

 private:
  std::mutex goods_mutex_, money_mutex_;
  int goods_ = 0, money_ = 0;
};

int main() {
  Stock stock;
  stock.receive(300);
  auto sell = [&stock] {
    for (int i = 0; i < 150; ++i) stock.sell(2);
  };
  std::thread a(sell), b(sell);
  int wrong = 0;
  for (int i = 0; i < 50; ++i) wrong |= stock.worth(2) != 600;
  a.join();
  b.join();
  return wrong;
}
