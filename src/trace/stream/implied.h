// What the formats of RAPID leave implicit: addresses for names, the depth of re-entrant locks, the
// region that an end ends, the parent of a thread.
//
// Model: the i-th variable is the 8 bytes at kVariableBase + 8 i, the i-th lock likewise at
// kLockBase; their names are Symbols. An acquire by the thread that holds the lock already is
// re-entrant. An acquire of a lock that another thread holds, a release of a lock not held and an
// end without a begin change nothing here: the Validator rejects or skips them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan {

inline constexpr Address kVariableBase = 0x10'0000'0000;
inline constexpr Address kLockBase = 0x20'0000'0000;
inline constexpr std::uint64_t kVariableSize = 8;

class Implied {
 public:
  Tables tables;

  ThreadId add_thread(std::string name);
  std::uint32_t add_variable(std::string name);  // number of the variable, from 0
  std::uint32_t add_lock(std::string name);
  SiteId add_site(Site site);
  RegionId add_region(std::string name, SiteId site);
  void publish_symbols();  // makes tables.symbols whole and sorted; call before handing out events

  static Address variable_address(std::uint32_t number) {
    return kVariableBase + kVariableSize * number;
  }
  static Address lock_address(std::uint32_t number) { return kLockBase + kVariableSize * number; }

  // Each gives Event::depth of the acquire or release.
  std::uint16_t acquire(ThreadId thread, std::uint32_t lock) {
    Holder& holder = holders_[lock];
    if (holder.times == 0) holder.thread = thread;
    if (holder.thread != thread) return 0;
    return holder.times++;
  }
  std::uint16_t release(ThreadId thread, std::uint32_t lock) {
    Holder& holder = holders_[lock];
    if (holder.times == 0 || holder.thread != thread) return 0;
    return --holder.times;
  }

  void begin(ThreadId thread, RegionId region) { open_[index(thread)].push_back(region); }
  RegionId end(ThreadId thread) {
    std::vector<RegionId>& open = open_[index(thread)];
    if (open.empty()) return kNoRegion;
    const RegionId region = open.back();
    open.pop_back();
    return region;
  }

  void fork(ThreadId parent, ThreadId child);  // a child numbered before its parent is ill-formed

 private:
  struct Holder {
    ThreadId thread{};
    std::uint16_t times = 0;  // 0: free
  };

  std::vector<Holder> holders_;              // by lock
  std::vector<std::vector<RegionId>> open_;  // by thread: regions begun and not ended
  std::vector<std::uint32_t> children_;      // by thread: how many it has forked
  std::vector<Symbol> new_variables_;        // not yet in tables.symbols
  std::vector<Symbol> new_locks_;
  std::uint32_t variables_ = 0;
  std::uint32_t locks_ = 0;
  std::size_t published_locks_ = 0;  // they stand at the end of tables.symbols
};

}  // namespace isosan
