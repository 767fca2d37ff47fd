#include "analysis/atomizer/lockset_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"

namespace isosan::atomizer {
namespace {

template <class A, class B>
std::uint64_t key_of(A a, B b) {
  return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
}

}  // namespace

LocksetTable::LocksetTable() {
  ISOSAN_CHECK(intern({}) == kNoLocks);
  sets_.push_back(nullptr);  // kAllLocks has no members to look at
}

const Lockset& LocksetTable::members(LocksetId set) const {
  ISOSAN_CHECK(set != kAllLocks);
  return *sets_[static_cast<std::size_t>(set)];
}

LocksetId LocksetTable::with(LocksetId set, LockIndex lock) {
  return with_.of(key_of(set, lock), [&] {
    Lockset bigger = members(set);
    const auto place = std::lower_bound(bigger.begin(), bigger.end(), lock);
    if (place == bigger.end() || *place != lock) bigger.insert(place, lock);
    return intern(std::move(bigger));
  });
}

LocksetId LocksetTable::without(LocksetId set, LockIndex lock) {
  return without_.of(key_of(set, lock), [&] {
    Lockset smaller = members(set);
    smaller.erase(std::remove(smaller.begin(), smaller.end(), lock), smaller.end());
    return intern(std::move(smaller));
  });
}

LocksetId LocksetTable::intersection(LocksetId a, LocksetId b) {
  if (a == b || b == kAllLocks) return a;
  if (a == kAllLocks) return b;
  if (a == kNoLocks || b == kNoLocks) return kNoLocks;
  if (b < a) std::swap(a, b);
  return intersections_.of(key_of(a, b), [&] {
    Lockset common;
    const Lockset &left = members(a), &right = members(b);
    std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                          std::back_inserter(common));
    return intern(std::move(common));
  });
}

LocksetId LocksetTable::intern(Lockset set) {
  const auto [place, is_new] =
      ids_.try_emplace(std::move(set), static_cast<LocksetId>(sets_.size()));
  if (is_new) sets_.push_back(&place->first);
  return place->second;
}

}  // namespace isosan::atomizer
