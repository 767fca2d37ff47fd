#include "analysis/atomizer/lockset_pairs.h"

#include "base/check.h"

namespace isosan::atomizer {

LocksetPairs::LocksetPairs(LocksetTable& sets, bool write_protected)
    : sets_(sets), write_protected_(write_protected) {
  ISOSAN_CHECK(intern({}) == kAnyLock);
}

PairStep LocksetPairs::compute_read(PairId pair, LocksetId held) {
  LocksetPair now = at(pair);
  now.access = sets_.intersection(now.access, held);
  const LocksetId protecting = write_protected_ ? sets_.intersection(now.write, held) : now.access;
  return {intern(now), protecting != kNoLocks};
}

PairStep LocksetPairs::compute_write(PairId pair, LocksetId held) {
  LocksetPair now = at(pair);
  now.access = sets_.intersection(now.access, held);
  if (write_protected_) now.write = sets_.intersection(now.write, held);
  return {intern(now), now.access != kNoLocks};
}

PairId LocksetPairs::intern(LocksetPair pair) {
  const std::uint64_t key =
      static_cast<std::uint64_t>(pair.access) << 32 | static_cast<std::uint64_t>(pair.write);
  const auto [place, is_new] = ids_.try_emplace(key, static_cast<PairId>(pairs_.size()));
  if (is_new) pairs_.push_back(pair);
  ISOSAN_CHECK(pairs_.size() < (1u << 28));  // Location packs the id
  return place->second;
}

}  // namespace isosan::atomizer
