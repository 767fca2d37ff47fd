// The events of a running program, in linear order, from its shared log.
//
// Model: each look at the log takes what the threads have published (SharedLog::snapshot) into the
// Linearizer and hands out what no marker holds back. Module announcements are answered before the
// log is looked at, because the target waits for them. When the program has ended, whatever is in
// the log is all there is, however it ended: the last look comes after that.
//
// Law: a look never sleeps while a marker holds a thread back or a ring is filling up; otherwise it
// waits for as long as the target is likely to take to produce something worth a look.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/source.h"
#include "live/child.h"
#include "live/module_table.h"
#include "live/shared_log.h"
#include "spec/region_rules.h"
#include "trace/linearizer.h"

namespace isosan {

class LiveSource : public EventSource {
 public:
  // All must outlive the source. `rules` decide which functions the runtime treats as regions;
  // null: what is logged is enough for whatever selection is made of it later.
  LiveSource(SharedLog& log, Child& child, const RegionRules* rules);

  std::span<const Event> next() override;
  const Tables& tables() const override { return tables_; }
  bool tells_dependences() const override { return linearizer_.tells_dependences(); }
  std::span<const Dependence> dependences() const override { return linearizer_.dependences(); }
  void tell_dependences() { linearizer_.tell_dependences(); }
  bool keeps_walks() const override { return linearizer_.keeps_walks(); }
  void keep_walks() { linearizer_.keep_walks(); }

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

  bool look();  // true: something came
  std::uint64_t take(const SharedLog::LiveThread& thread);
  void answer_modules();
  void note_threads();
  Thread& thread_entry(std::uint32_t thread);
  void wait();

  SharedLog& log_;
  Child& child_;
  const RegionRules* rules_;
  Tables tables_;
  ModuleTable modules_{tables_};
  Resolver resolver_{modules_, tables_};
  Linearizer linearizer_;
  std::uint32_t modules_answered_ = 0;
  std::vector<Event> batch_;
  std::vector<std::uint32_t> children_;  // by thread: how many it has started
  bool child_ended_ = false;
  bool finished_ = false;
  bool ring_is_filling_ = false;
  std::uint32_t idle_looks_ = 0;
};

}  // namespace isosan
