// Reads the log of a running program.
//
// Model: each look at the log passes on what the threads have published since the last one
// (SharedLog::snapshot), each thread's units in order. Module announcements are answered before the
// look, because the target waits for the answers; ids are given to places as they are resolved. The
// last look comes after the program has ended. However it ended, nothing is added to the log then.
//
// Law: wait() never sleeps while a ring is filling up, and only briefly while the linearizer blocks
// a thread. Otherwise it sleeps for as long as the target is likely to take for a fair part of a
// ring. A look costs two system calls, so looking all the time would cost more than reading the
// log.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "live/child.h"
#include "live/module_table.h"
#include "live/shared_log.h"
#include "spec/region_rules.h"
#include "trace/order/place_resolver.h"

namespace isosan {

class LiveLog {
 public:
  using Take = std::function<void(ThreadId, std::uint64_t position, std::span<const log::LogUnit>)>;
  using HasRoom = std::function<bool(ThreadId)>;

  using HasEnded = std::function<bool()>;  // the program

  // All must outlive it.
  LiveLog(SharedLog& log, HasEnded has_ended, const FunctionAnswers& answers)
      : log_(log), has_ended_(std::move(has_ended)), answers_(answers) {
    tables_.threads.push_back({.birth_path = "0"});
  }
  LiveLog(SharedLog& log, Child& child, const FunctionAnswers& answers)
      : LiveLog(
            log, [&child] { return child.poll().has_value(); }, answers) {}

  // Gives `take` pieces that end with a whole record. Returns the number of units. The units of a
  // thread for which there is no room stay in its ring: the thread itself then waits.
  std::uint64_t look(const Take& take, const HasRoom& has_room);
  bool child_ended() const { return child_ended_; }  // before the last look

  // The log is damaged from here on: nothing more is read, and the program runs on without it.
  void give_up(const std::string& why);
  // Why it was given up, for the user; empty: it was not.
  const std::string& damage() const { return damage_; }

  void wait(bool blocked);

  PlaceResolver& resolver() { return resolver_; }
  Tables& tables() { return tables_; }
  const Tables& tables() const { return tables_; }

 private:
  class Resolver : public PlaceResolver {
   public:
    Resolver(ModuleTable& modules, Tables& tables) : modules_(modules), tables_(tables) {}
    SiteId site_of(std::uint64_t place) override { return modules_.site(place); }
    FunctionId function_of(std::uint64_t place) override { return modules_.function(place); }
    RegionPlace region_of(std::uint64_t place, RegionKind kind, std::uint64_t name) override;

   private:
    ModuleTable& modules_;
    Tables& tables_;
    absl::flat_hash_map<std::pair<std::uint64_t, RegionKind>, RegionPlace> regions_;
  };

  void answer_modules();
  std::uint64_t take_all(const Take& take, const HasRoom& has_room);
  std::uint64_t take_units(const SharedLog::LiveThread& thread, const Take& take);
  void copy(const SharedLog::LiveThread& thread);

  SharedLog& log_;
  const HasEnded has_ended_;
  const FunctionAnswers answers_;
  Tables tables_;
  ModuleTable modules_{tables_};
  Resolver resolver_{modules_, tables_};
  std::uint32_t modules_answered_ = 0;
  std::vector<log::LogUnit>
      units_;  // of the thread that is being read; a copy that the target cannot change
  bool child_ended_ = false;
  std::string damage_;
  std::uint64_t fullest_ = 0;  // units that the last look took from one ring
  bool any_ended_ = false;     // threads, in the last look
  std::uint32_t looks_without_sleep_ =
      0;            // looks in a row without sleep, because a thread was blocked
  long pause_ = 0;  // microseconds slept last
};

}  // namespace isosan
