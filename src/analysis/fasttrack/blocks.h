// What last happened to blocks of memory as a whole: they were allocated or freed.
//
// Model: disjoint blocks, each with one record. A block may be gigabytes that nobody ever touches, so it has no cell per
// granule. A location that is used for the first time since then looks here.
#pragma once

#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/container/btree_map.h"
#include "analysis/fasttrack/history.h"

namespace isosan {

class BlockRecords {
 public:
  // Null: nothing is known.
  const AccessRecord* at(Address address) const {
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return nullptr;
    const Block& block = std::prev(after)->second;
    return address < block.end ? &block.record : nullptr;
  }

  void set(Address address, Address end, const AccessRecord& record) {
    const auto found = blocks_.find(address);
    if (found != blocks_.end() && found->second.end == end) {  // as a rule it is used again
      found->second.record = record;
      return;
    }
    forget(address, end);
    if (address < end) blocks_.insert({address, {end, record}});
  }

  void forget(Address address, Address end) {
    split_at(address);
    split_at(end);
    blocks_.erase(blocks_.lower_bound(address), blocks_.lower_bound(end));
  }

  // f(first address, record) for each block that shares a byte with [address, end).
  template <class F>
  void for_each(Address address, Address end, F&& f) const {
    auto block = blocks_.upper_bound(address);
    if (block != blocks_.begin() && std::prev(block)->second.end > address) --block;
    for (; block != blocks_.end() && block->first < end; ++block)
      f(block->first < address ? address : block->first, block->second.record);
  }

 private:
  struct Block {
    Address end = 0;
    AccessRecord record;
  };

  void split_at(Address address) {
    const auto after = blocks_.lower_bound(address);
    if (after == blocks_.begin()) return;
    Block& block = std::prev(after)->second;
    if (block.end <= address) return;
    const Block rest = block;
    block.end = address;
    blocks_.insert({address, rest});
  }

  absl::btree_map<Address, Block> blocks_;  // by first address
};

}  // namespace isosan
