// Which units use which 512 bytes: most accesses need no look at their locations.
//
// Model: an edge leads only from a live unit, and only between units that use the same bytes. While
// a *block* of memory has been used by one live unit only, or only been read by live units, none of
// these accesses conflicts. They are deferred (deferred.h). If the unit ends before a conflicting
// one comes, which is the usual case, they are never entered at their locations.
//
// Law: if admits() is true, no live unit other than `unit` has used the block in a way that can
// conflict. Before it turns false, enter(u, work) is called for every live unit u that has used the
// block; from then on the block is *in detail*, until only one user is alive.
// Also here: the set of each 4 bytes, so that finding it does not need the location.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/deferred.h"
#include "analysis/marathon/set_model.h"
#include "base/free_list.h"
#include "event/event.h"
#include "event/ids.h"

namespace isosan::marathon {

inline constexpr std::uint64_t kBlockBytes = 512;
constexpr Address block_end(Address address) { return (address / kBlockBytes + 1) * kBlockBytes; }

// Which 4 bytes of a block one unit has read and written: a repetition changes nothing.
class Marks {
 public:
  // Has the unit made such an access to all of these bytes? They lie in the block.
  bool has(Address address, std::uint64_t size, bool write) const {
    if ((address | size) % 4 != 0) return false;
    bool all = true;
    for_each_word(address, size, [&](std::size_t i, std::uint64_t cells) {
      all &= (known(i, write) & cells) == cells;
    });
    return all;
  }
  // Notes the access; true: has() held before.
  bool add(Address address, std::uint64_t size, bool write) {
    if ((address | size) % 4 != 0) return false;
    bool all = true;
    for_each_word(address, size, [&](std::size_t i, std::uint64_t cells) {
      all &= (known(i, write) & cells) == cells;
      (write ? written_ : read_)[i] |= cells;
    });
    return all;
  }

 private:
  std::uint64_t known(std::size_t i, bool write) const {
    return write ? written_[i] : read_[i] | written_[i];
  }
  template <class F>
  static void for_each_word(Address address, std::uint64_t size, F&& f) {
    const std::size_t first = address % kBlockBytes / 4, end = first + size / 4;
    for (std::size_t i = first / 64; i <= (end - 1) / 64; ++i) {
      const std::size_t from = std::max(first, 64 * i) - 64 * i;
      const std::size_t to = std::min(end, 64 * (i + 1)) - 64 * i;
      f(i, ~std::uint64_t{0} >> (64 - (to - from)) << from);
    }
  }

  std::array<std::uint64_t, kBlockBytes / 4 / 64> read_{}, written_{};
};

// What one unit did in a block without a conflict.
struct Work {
  Marks marks;
  Chain deferred = 0;
};

class alignas(64) Block {  // a cache line
 public:
  // The set that all of [address, address + size) is known to be in; kNoSet: unknown, or several.
  SetId set_of(Address address, std::uint64_t size) const {
    if (!sets_) return set_;
    const std::size_t first = cell(address), last = cell(address + size - 1);
    const SetId set = (*sets_)[first];
    for (std::size_t i = first + 1; i <= last; ++i) {
      if ((*sets_)[i] != set) return kNoSet;
    }
    return set;
  }
  // All of [begin, end), which lies in the block, is in this set. Parts of 4-byte cells are left
  // out.
  void assign(Address begin, Address end, SetId set) {
    if (end - begin == kBlockBytes) {
      sets_.reset();
      set_ = set;
      return;
    }
    if (!sets_) {
      sets_ = std::make_unique<Sets>();
      sets_->fill(set_);
    }
    const Address first = (begin + 3) & ~Address{3}, last = end & ~Address{3};
    for (Address at = first; at < last; at += 4) (*sets_)[cell(at)] = set;
  }
  // The set was merged into another one.
  void replace(Address begin, Address end, SetId set, SetId by) {
    if (!sets_) {
      if (set_ == set) set_ = by;
      return;
    }
    for (std::size_t i = cell(begin), last = cell(end - 1); i <= last; ++i) {
      if ((*sets_)[i] == set) (*sets_)[i] = by;
    }
  }

 private:
  friend class Blocks;
  using Sets = std::array<SetId, kBlockBytes / 4>;
  static std::size_t cell(Address address) { return address % kBlockBytes / 4; }

  UnitRef user_;                    // the only one, if several_ is 0
  std::uint32_t several_ : 31 = 0;  // index into lists_; 0: one user at most
  std::uint32_t wrote_ : 1 = 0;     // has user_ written?
  SetId set_ = kNoSet;              // of all bytes, if sets_ is null
  Work work_;                       // of user_
  std::unique_ptr<Sets> sets_;
};
static_assert(sizeof(Block) == 64);

class Blocks {
 public:
  explicit Blocks(const ConflictGraph& graph) : graph_(graph) {}

  Block& at(Address address) {
    const std::uint64_t number = address / kPageBytes;
    CachedPage& cached = cache_[number % kCacheSize];
    if (cached.number != number) [[unlikely]]
      fill(cached, number);
    return cached.blocks[address % kPageBytes / kBlockBytes];
  }

  // Prefetches what an access there will need, if the page is cached.
  void prefetch(Address address) const {
    const std::uint64_t number = address / kPageBytes;
    const CachedPage& cached = cache_[number % kCacheSize];
    if (cached.number != number) return;
    const Block& block = cached.blocks[address % kPageBytes / kBlockBytes];
    if (block.sets_) __builtin_prefetch(&(*block.sets_)[Block::cell(address)]);
  }
  std::size_t live_pages() const { return pages_.size(); }

  template <class Enter>
  bool admits(Block& block, UnitRef unit, bool write, Enter&& enter) {
    if (block.several_ == 0) [[likely]] {
      if (block.user_ == unit) {
        if (write) block.wrote_ = 1;
        return true;
      }
      if (!graph_.alive(block.user_)) {
        block.user_ = unit;
        block.wrote_ = write;
        block.work_ = {};
        return true;
      }
    }
    return admits_another(block, unit, write, enter);
  }

  // Has the unit made such an access there before, with no other unit since?
  bool repeats(const Block& block, UnitRef unit, const Access& e, bool write) const {
    if (block.several_ == 0) [[likely]]
      return block.user_ == unit && block.work_.marks.has(e.address, e.size, write);
    const Users& users = lists_[block.several_];
    if (users.in_detail) return false;
    const auto is_it = [&](const User& user) { return user.unit == unit; };
    const auto user = std::find_if(users.all.begin(), users.all.end(), is_it);
    return user != users.all.end() && user->work.marks.has(e.address, e.size, write);
  }

  // For a unit that was admitted.
  Work& work_of(Block& block, UnitRef unit) {
    if (block.several_ == 0) return block.work_;
    std::vector<User>& users = lists_[block.several_].all;
    return std::find_if(users.begin(), users.end(),
                        [&](const User& user) { return user.unit == unit; })
        ->work;
  }

  // As admits(), for an access that is a unit by itself and ends at once.
  template <class Enter>
  bool admits_single(Block& block, bool write, Enter&& enter) {
    if (block.several_ == 0) {
      if (!graph_.alive(block.user_) || (!write && !block.wrote_)) return true;
      make_several(block);
    }
    return admits_several(block, UnitRef{}, write, enter);
  }
  // The single unit did not end: it stays in the graph. The block is in detail.
  void join(Block& block, UnitRef single, bool write) {
    join(lists_[block.several_], {single, write});
  }

  // The sets of the block's bytes have changed: repeated accesses must be looked at again.
  void forget_marks(Block& block) {
    block.work_.marks = {};
    if (block.several_ == 0) return;
    for (User& user : lists_[block.several_].all) user.work.marks = {};
  }

  // Changes when a unit that a block had admitted may be refused now, or when memory is new.
  std::uint64_t version() const { return version_; }

  bool in_detail(Address address) {
    const std::uint32_t list = at(address).several_;
    return list != 0 && lists_[list].in_detail;
  }

  // New memory: no unit has used these bytes, and their sets are unknown. Calls `forget` with all
  // accesses deferred in their blocks.
  template <class Forget>
  void reset(Address address, std::uint64_t size, Forget&& forget) {
    ++version_;
    for (const Address end = address + size; address < end;) {
      const auto page = pages_.find(address / kPageBytes);
      const Address page_end = (address / kPageBytes + 1) * kPageBytes;
      if (page == pages_.end()) {
        address = page_end;
        continue;
      }
      const Address stop = std::min(end, block_end(address));
      Block& block = at(address);
      if (block.several_ == 0) {
        forget(block.user_, block.work_.deferred);
      } else {
        for (User& user : lists_[block.several_].all) forget(user.unit, user.work.deferred);
      }
      forget_marks(block);
      block.assign(address, stop, kNoSet);
      address = stop;
    }
  }

 private:
  static constexpr std::uint64_t kPageBytes = 64 * kBlockBytes;
  static constexpr std::size_t kCacheSize = 1024;
  static constexpr std::size_t kManyUsers = 16;
  static constexpr std::uint32_t kMostLists = 0x7fff'ffff;
  struct User {
    UnitRef unit;
    bool wrote = false;
    Work work = {};
  };
  struct Users {
    std::vector<User> all;
    bool in_detail = false;  // all their accesses are entered
  };
  struct CachedPage {
    std::uint64_t number = ~std::uint64_t{0};
    Block* blocks = nullptr;
  };

  void fill(CachedPage& cached, std::uint64_t number) {
    std::unique_ptr<Block[]>& blocks = pages_[number];
    if (!blocks) blocks = std::make_unique<Block[]>(kPageBytes / kBlockBytes);
    cached = {number, blocks.get()};
  }

  template <class Enter>
  [[gnu::noinline]] bool admits_another(Block& block, UnitRef unit, bool write, Enter& enter) {
    if (block.several_ == 0) make_several(block);
    return admits_several(block, unit, write, enter);
  }

  void make_several(Block& block) {
    block.several_ = take_free(free_lists_, lists_) & kMostLists;
    Users& users = lists_[block.several_];
    users.in_detail = false;
    users.all.assign({{block.user_, block.wrote_ != 0, block.work_}});
  }

  // `unit` is added to the users; UnitRef{} is not.
  template <class Enter>
  bool admits_several(Block& block, UnitRef unit, bool write, Enter& enter) {
    Users& users = lists_[block.several_];
    bool joined = unit.slot == 0, others_wrote = false;
    std::size_t kept = 0, others = 0;
    for (const User& user : users.all) {
      if (!graph_.alive(user.unit)) continue;
      if (&users.all[kept] != &user) users.all[kept] = user;
      ++kept;
      if (user.unit == unit) {
        users.all[kept - 1].wrote |= write;
        joined = true;
      } else {
        ++others;
        others_wrote |= user.wrote;
      }
    }
    users.all.resize(kept);
    if (!joined) join(users, {unit, write});
    if (others == 0) {
      make_sole(block);
      return true;
    }
    if (users.in_detail) return false;
    if (!others_wrote && !write) return true;
    for (User& user : users.all) enter(user.unit, user.work);
    users.in_detail = true;
    ++version_;
    return false;
  }

  // Twins (conflict_graph.h) are alive equally long: one entry is enough.
  void join(Users& users, const User& user) {
    if (users.all.size() == users.all.capacity() && users.all.size() >= kManyUsers) {
      std::size_t kept = 0;
      for (const User& one : users.all) {
        const auto end = users.all.begin() + static_cast<std::ptrdiff_t>(kept);
        const auto twin = std::find_if(users.all.begin(), end, [&](const User& other) {
          return graph_.same(other.unit, one.unit);
        });
        twin == end ? void(users.all[kept++] = one) : void(twin->wrote |= one.wrote);
      }
      users.all.resize(kept);
      users.all.reserve(2 * kept);
    }
    users.all.push_back(user);
  }

  void make_sole(Block& block) {
    const Users& users = lists_[block.several_];
    const User sole = users.all.empty() ? User{} : users.all.front();
    block.user_ = sole.unit;
    block.wrote_ = sole.wrote;
    block.work_ = users.in_detail ? Work{} : sole.work;
    free_lists_.push_back(block.several_);
    block.several_ = 0;
  }

  const ConflictGraph& graph_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Block[]>> pages_;
  std::array<CachedPage, kCacheSize> cache_{};
  std::vector<Users> lists_ = std::vector<Users>(1);  // list 0 is never used
  std::vector<std::uint32_t> free_lists_;
  std::uint64_t version_ = 0;
};

}  // namespace isosan::marathon
