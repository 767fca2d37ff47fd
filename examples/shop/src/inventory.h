// BUG: looks and takes in two steps.
#pragma once

#include <mutex>

namespace shop {

class Inventory {
 public:
  explicit Inventory(int pieces) : stock_(pieces) {}
  bool order();  // takes one piece if there is one
  int stock() const;

 private:
  mutable std::mutex mutex_;
  int stock_;
  int sold_ = 0;
};

}  // namespace shop
