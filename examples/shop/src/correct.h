// As many classes that do the same right. IsoSan must say nothing of them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>

namespace shop {

// Looks and takes in one step.
class Shelf {
 public:
  explicit Shelf(int pieces) : stock_(pieces) {}
  bool take() {
    const std::lock_guard guard(mutex_);
    if (stock_ == 0) return false;
    --stock_;
    return true;
  }
  int stock() const {
    const std::lock_guard guard(mutex_);
    return stock_;
  }

 private:
  mutable std::mutex mutex_;
  int stock_;
};

// Changes the sum under one hold of the lock.
class CashRegister {
 public:
  void pay(int amount) {
    const std::lock_guard guard(mutex_);
    sum_ += amount;
  }
  int sum() const {
    const std::lock_guard guard(mutex_);
    return sum_;
  }

 private:
  mutable std::mutex mutex_;
  int sum_ = 0;
};

// Readers and writers: name and price change together.
class Catalog {
 public:
  void set(const std::string& name, int price) {
    const std::unique_lock guard(mutex_);
    prices_[name] = price;
    ++edition_;
  }
  int price(const std::string& name) const {
    const std::shared_lock guard(mutex_);
    const auto found = prices_.find(name);
    return found == prices_.end() ? 0 : found->second;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, int> prices_;
  int edition_ = 0;
};

// Locks both accounts at once.
class Vault {
 public:
  void move(int from, int to, int amount) {
    const std::scoped_lock both(boxes_[from].mutex, boxes_[to].mutex);
    boxes_[from].sum -= amount;
    boxes_[to].sum += amount;
  }
  int total() {
    const std::scoped_lock both(boxes_[0].mutex, boxes_[1].mutex);
    return boxes_[0].sum + boxes_[1].sum;
  }

 private:
  struct Box {
    std::mutex mutex;
    int sum = 100;
  };
  Box boxes_[2];
};

// Looks again after each wait.
class Deliveries {
 public:
  void push(int delivery) {
    const std::lock_guard guard(mutex_);
    deliveries_[size_++] = delivery;
    pushed_.notify_all();
  }
  int pop() {
    std::unique_lock lock(mutex_);
    while (size_ == 0) pushed_.wait(lock);
    return deliveries_[--size_];
  }

 private:
  std::mutex mutex_;
  std::condition_variable pushed_;
  int deliveries_[8] = {};
  int size_ = 0;
};

// Looks a second time under the lock.
class Rates {
 public:
  int rate() {
    if (loads_.load(std::memory_order_acquire) == 0) load();
    return rate_;
  }
  int loads() const { return loads_.load(); }

 private:
  void load() {
    const std::lock_guard guard(mutex_);
    if (loads_.load() != 0) return;
    rate_ = 7;
    loads_.fetch_add(1, std::memory_order_release);
  }

  std::mutex mutex_;
  std::atomic<int> loads_{0};
  int rate_ = 0;
};

// One compare-exchange.
class Voucher {
 public:
  bool redeem() {
    bool fresh = false;
    return used_.compare_exchange_strong(fresh, true);
  }

 private:
  std::atomic<bool> used_{false};
};

// One atomic operation.
class Visitors {
 public:
  int enter() { return count_.fetch_add(1) + 1; }
  int count() const { return count_.load(); }

 private:
  std::atomic<int> count_{0};
};

}  // namespace shop
