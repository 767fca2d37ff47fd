// The objects that memory consists of, by address (set_model.h). They do not overlap.
//
// Model: a tree of pointers, so that its nodes are small; the objects stand in a pool. Inserting or
// erasing invalidates iterators, but not references to other objects.
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <vector>

#include "absl/container/btree_map.h"
#include "analysis/marathon/name_pool.h"
#include "event/event.h"

namespace isosan::marathon {

enum class SetId : std::uint32_t {};
inline constexpr SetId kNoSet{0};

struct MemoryObject {
  Address end = 0;
  Address owner = 0;  // where the owning object begins; 0: none
  Address maker = 0;
  SetId set = kNoSet;
  NameId class_name{};
  Where allocated;
  bool on_heap = false;
  bool cached = false;  // SetModel::cache_ has a set found through it
};

class MemoryObjects {
 public:
  using Tree = absl::btree_map<Address, MemoryObject*>;  // by first byte
  using Iterator = Tree::iterator;

  Iterator end() { return tree_.end(); }
  Iterator find(Address begin) { return tree_.find(begin); }
  Iterator at_or_after(Address begin) { return tree_.lower_bound(begin); }
  Iterator around(Address address) {
    const auto after = tree_.upper_bound(address);
    if (after == tree_.begin()) return tree_.end();
    const auto object = std::prev(after);
    return address < object->second->end ? object : tree_.end();
  }

  Iterator put(Address begin, const MemoryObject& object) {
    const auto [place, is_new] = tree_.try_emplace(begin, nullptr);
    if (is_new) place->second = take();
    *place->second = object;
    return place;
  }
  Iterator erase(Iterator object) {
    free_.push_back(object->second);
    return tree_.erase(object);
  }

 private:
  MemoryObject* take() {
    if (free_.empty()) return &all_.emplace_back();
    MemoryObject* const object = free_.back();
    free_.pop_back();
    return object;
  }

  Tree tree_;
  std::deque<MemoryObject> all_;
  std::vector<MemoryObject*> free_;  // of all_
};

}  // namespace isosan::marathon
