// Producers fill batches of 256 orders and hand them over; consumers book them and give the empty batches back.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "../common.h"

struct Order {
  int article, amount;
};
using Batch = std::vector<Order>;

class Channel {
 public:
  void put(Batch batch) {
    const std::lock_guard lock(mutex_);
    batches_.push_back(std::move(batch));
    filled_.notify_one();
  }
  Batch take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !batches_.empty(); });
    Batch batch = std::move(batches_.front());
    batches_.pop_front();
    return batch;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Batch> batches_;
};

class Stock {
 public:
  void book(const Batch& batch) {
    for (const Order& order : batch) sold_[order.article] += order.amount;
  }
  long value() const {
    long sum = 0;
    for (int i = 0; i < kArticles; ++i) sum += sold_[i] * (i + 1);
    return sum;
  }
  static constexpr int kArticles = 1000;

 private:
  long sold_[kArticles] = {};
};

class Shop {
 public:
  explicit Shop(int seed) : random_(static_cast<std::uint64_t>(seed)) {}
  void fill(Batch& batch) {
    batch.clear();
    for (int k = 0; k < 256; ++k) {
      const Order order{static_cast<int>(random_.next() % Stock::kArticles), static_cast<int>(random_.next() % 9)};
      value_ += static_cast<long>(order.amount) * (order.article + 1);
      batch.push_back(order);
    }
  }
  long value() const { return value_; }

 private:
  Random random_;
  long value_ = 0;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int pairs = (arguments.threads + 1) / 2, batches = 3000 * arguments.scale;
  Channel empty, full;
  for (int i = 0; i < 8 * pairs; ++i) empty.put({});
  std::vector<Shop> shops;
  for (int i = 0; i < pairs; ++i) shops.emplace_back(i);
  std::vector<Stock> stocks(static_cast<std::size_t>(pairs));
  in_parallel(2 * pairs, [&](int me) {
    const bool produces = me % 2 == 0;
    for (int i = 0; i < batches; ++i) {
      Batch batch = (produces ? empty : full).take();
      if (produces) shops[me / 2].fill(batch);
      else stocks[me / 2].book(batch);
      (produces ? full : empty).put(std::move(batch));
    }
  });
  long ordered = 0, sold = 0;
  for (const Shop& shop : shops) ordered += shop.value();
  for (const Stock& stock : stocks) sold += stock.value();
  return finish(ordered == sold, "batches", static_cast<double>(sold));
}
