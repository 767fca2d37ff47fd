// Dense numbers for elements of a vector; freed numbers are reused.
#pragma once

#include <cstdint>
#include <vector>

namespace isosan {

// A free number, or that of a new element of `all`.
template <class T>
std::uint32_t take_free(std::vector<std::uint32_t>& free, std::vector<T>& all) {
  if (free.empty()) {
    all.emplace_back();
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  const std::uint32_t taken = free.back();
  free.pop_back();
  return taken;
}

}  // namespace isosan
