#include "inventory.h"

namespace shop {

int Inventory::stock() const {
  const std::lock_guard guard(mutex_);
  return stock_;
}

bool Inventory::order() {
  if (stock() == 0) return false;
  const std::lock_guard guard(mutex_);
  --stock_;
  ++sold_;
  return true;
}

}  // namespace shop
