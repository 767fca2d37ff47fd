// Which atomic set a location belongs to: the heuristics of 4.1, for C++ memory.
//
// Model: memory is objects: heap blocks, globals, and objects that a member function was called on.
// An object is part of another if it lies inside it (members by value, bases) or is owned by it.
// All bytes of an object and of what it owns are one atomic set, the set of the outermost owner; a
// global `C::x` belongs to the set of class C. The user's rules (set_rules.h) come first.
//
// Owned: what std:: code allocates for a container belongs to the object that the container lies
// in. What a member function of X allocates is *made* by X; it becomes owned when X's functions use
// it directly, that is, through no unit of its own (adopt()): the paper's "a field of a member",
// inferred from the run. What X was handed and keeps (constructor argument, setter, move) becomes
// owned when X's functions use it directly through a member of X (event/found_by_pass.h), or a
// container that lies in X does, if it is a heap block of nobody else, and did not make X. Their
// sets merge then, and stay merged.
//
// Law: set_at() gives every byte one set; a set once given changes only by merging or dies with its
// memory. Departure: a class's size is known only where the tables have it; an object elsewhere
// than on the heap or in a global reaches as far as its accesses have shown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "analysis/marathon/memory_objects.h"
#include "analysis/marathon/name_pool.h"
#include "analysis/marathon/options.h"
#include "analysis/marathon/rule_book.h"
#include "event/event.h"
#include "event/tables.h"

namespace isosan::marathon {

struct AtomicSet {
  NameId name{};       // the class, the global, or the user's name
  SetId within{};      // of a named set of an object: the object's own set, with the same units
  Address object = 0;  // of an object's set: where that begins
  Where allocated;     // ... and where it was allocated, if on the heap
  bool on_heap = false;
};

// What every access needs to know of its set.
struct SetState {
  SetId merged_into = kNoSet;
  ThreadId first_thread{};
  bool named = false;    // by the user: a unit on it and on others is one unit for each
  bool dead = false;     // its memory is gone, or constructed anew
  bool touched = false;  // accessed at all; ...
  bool shared = false;   // ... by a second thread
};

// A set, and a range around an access that is all in it, for every accessing site.
struct SetRange {
  SetId set = kNoSet;
  Address begin = 0, end = 0;
};

class SetModel {
 public:
  SetModel(const Tables& tables, RuleBook& book) : tables_(tables), book_(book) {}

  const AtomicSet& at(SetId set) const { return sets_[static_cast<std::size_t>(set)]; }
  const SetState& state(SetId set) const { return states_[static_cast<std::size_t>(set)]; }
  const std::string& name_of(SetId set) const { return names_[at(set).name]; }
  SetId find(SetId set) const {  // after merging
    while (state(set).merged_into != kNoSet) set = state(set).merged_into;
    return set;
  }
  bool is_root(SetId set) const {  // current, and not merged
    return set != kNoSet && !state(set).dead && state(set).merged_into == kNoSet;
  }
  // An access to this set from this site adds nothing to the model.
  bool is_settled(SetId set, SiteId site) const {
    return is_root(set) && index(site) < facts_.size() && facts_[index(site)].described == set;
  }
  bool current(SetId set) const {
    return set != kNoSet && !state(set).dead && !state(find(set)).dead;
  }

  NamePool& names() { return names_; }
  std::uint64_t size_of(NameId class_name);  // 0: not known, or not the same for all of that name

  SetRange set_at(const Access& access);
  // For descriptions(): a field of the set is accessed here.
  void describe(SetId set, const Access& access) {
    if (index(access.where.site) < facts_.size() &&
        facts_[index(access.where.site)].described == set) [[likely]] {
      return;
    }
    describe_field(set, access);
  }
  SetId set_of_object(Address object, NameId class_name, std::uint64_t class_size) {
    CachedObject& cached = cache_[(object >> 4) % kCacheSize];
    if (cached.object == object && cached.version == version_ && current(cached.set)) [[likely]] {
      return find(cached.set);
    }
    return look_up(object, class_name, class_size, cached);
  }
  SetId set_of_class(NameId class_name);
  bool has_statics(NameId class_name);
  std::size_t symbols() const { return tables_.symbols.size(); }
  // The named sets across objects that fields of this class belong to.
  std::vector<SetId> sets_across(const std::string& class_name);

  // A new block; `owner`, `maker`: objects on whose behalf, in whose function (0: none).
  void allocate(const MemoryOperation& e, Address owner, Address maker);
  void forget(Address address, std::uint64_t size);
  // A constructor begins on this object: whatever was there before is another one.
  void construct(Address object, NameId class_name, std::uint64_t class_size);
  // `user`'s functions use the set's object directly: if they made it, or reach it through members of
  // `keeper` (0: they do not), which is the user or a part of it, it is owned from now on.
  bool adopt(SetId set, const Access& access, Address keeper, Address user, NameId user_class,
             std::uint64_t class_size);

  // Sets that have merged into others, in order: a caller that keeps SetIds must look them up again
  // after a merge.
  const std::vector<SetId>& merged() const { return merged_; }

  // Notes a use of the set by a thread.
  void touch(SetId set, ThreadId thread);

  void describe_unit(SetId set, const std::string& unit) {
    described_[name_of(set)].units.insert(unit);
  }
  const InferredSets& descriptions() const { return described_; }

 private:
  using Iterator = MemoryObjects::Iterator;

  struct CachedObject {
    Address object = 0;
    SetId set = kNoSet;
    std::uint32_t version = 0;
  };
  struct SiteFacts {  // of a site, read from the tables once
    bool known = false;
    NameId class_name{};
    std::uint32_t field_offset = 0;
    const NamedSet* rule = nullptr;
    NameId described_in{};     // the name of the set that the field was last described for, ...
    SetId described = kNoSet;  // ... and which one that was
  };

  SetId look_up(Address object, NameId class_name, std::uint64_t class_size, CachedObject& cached);
  const Symbol* symbol_around(Address address) const;
  // `known`: the object around the base, as it is.
  Iterator object_for(Address base, std::uint64_t size, NameId class_name, Iterator known);
  Iterator object_for(Address base, std::uint64_t size, NameId class_name) {
    return object_for(base, size, class_name, objects_.around(base));
  }
  Iterator root_of(Iterator object);
  void name(MemoryObject& object, NameId class_name);
  Iterator absorb_inner(Iterator object);  // the same object
  void merge(SetId from, SetId into);
  SiteFacts& facts_of(SiteId site);
  bool is_part_of(Address part, Address root);
  void describe_field(SetId set, const Access& access);
  SetId static_set_around(Address address);
  SetId named_set(const NamedSet& named, Address base, NameId class_name);
  SetId set_across(const std::string& name);
  SetId set_of_root(Iterator object);
  SetId new_set(const AtomicSet& set, bool named = false);
  void kill(SetId set);

  static constexpr std::size_t kCacheSize = 256;

  const Tables& tables_;
  RuleBook& book_;
  NamePool names_;
  std::vector<AtomicSet> sets_ = std::vector<AtomicSet>(1);  // by SetId
  std::vector<SetState> states_ = std::vector<SetState>(1);  // by SetId
  MemoryObjects objects_;
  std::array<CachedObject, kCacheSize> cache_{};  // sets of objects that functions are called on
  std::uint32_t version_ = 1;                     // of what the cache was filled from
  std::vector<SetId> merged_;
  std::vector<SiteFacts> facts_;  // by SiteId
  absl::flat_hash_map<NameId, std::uint64_t> class_sizes_;
  std::size_t classes_read_ = 0;        // how many of the tables' are in class_sizes_
  absl::flat_hash_set<NameId> scopes_;  // of the tables' symbols: "C" where there is "C::x"
  std::size_t symbols_read_ = 0;        // how many symbols scopes_ was made of
  absl::flat_hash_map<NameId, SetId> class_sets_;
  absl::flat_hash_map<Address, SetId> static_members_;  // by symbol; kNoSet: not a static member
  absl::flat_hash_map<std::pair<Address, std::string>, SetId> named_sets_;
  InferredSets described_;
};

}  // namespace isosan::marathon
