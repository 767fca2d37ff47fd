// What does not count in a region: accesses that the region itself repeats, because it waits or
// tries again (semantics.md, "Retries").
//
// Model: Retries stands before an exact analysis. It hands on the same events in the same order,
// but an access that does not count has become a relaxed fence, which orders nothing, and a
// read-modify-write that stored what it had read has become a load. A *look* is an atomic load in a
// region. Whether it counts shows only later in the region, so events are held back until every
// look among them is decided: by a later operation of its thread, or by the end of the region.
//
// Laws: events leave in the order in which they came, and none is lost. No more than kMostHeld
// events and one batch are held back; a look that is older than that counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "event/dependence.h"
#include "event/event.h"
#include "event/program_points.h"
#include "event/tables.h"

namespace isosan {

class Retries {
 public:
  static constexpr std::size_t kMostHeld = 1 << 18;
  static constexpr std::size_t kMostLooks = 64;  // of one region; older ones count

  // What is decided by now. Valid until the next call.
  struct Decided {
    std::span<const Event> events;
    std::span<const Dependence> dependences;
    std::uint64_t first_ordinal = 0;
  };

  // Null: nothing is known of sites. The tables outlive this and may grow.
  explicit Retries(const Tables* tables = nullptr) : points_(tables) {}

  Decided take(std::span<const Event> batch, std::span<const Dependence> dependences,
               std::uint64_t first_ordinal);
  Decided finish();  // all the rest

 private:
  struct Look {
    std::uint64_t ordinal = 0;
    Address address = 0;
    std::uint64_t size = 0;
    SiteId point{};
    ContextId context{};
    std::uint64_t effects = 0;  // of the thread, before it; so are the next two
    std::uint64_t reads = 0;
    int held_locks = 0;
    bool is_relaxed = false;
    bool is_step = false;  // of a counter: no look, but a later step can stand for it, too
  };
  struct Thread {
    int depth = 0;  // of atomic regions
    std::uint64_t effects = 0;
    std::uint64_t reads = 0;
    int held_locks = 0;       // more than at the time of a look: some were acquired since
    std::vector<Look> looks;  // that are not decided, oldest first
    bool is_looking = false;  // it is in looking_
  };

  bool is_of_interest(const Event& e);
  void judge(Event& e, std::uint64_t ordinal);
  void follow_looks(Thread& thread, const Event& e, std::uint64_t ordinal);
  void leave_out_round(Thread& thread, const Look& look, std::uint64_t end);
  void add_look(Thread& thread, const Event& e, std::uint64_t ordinal);
  void follow_region_edge(const Event& e);
  void end_region(Thread& thread);
  Thread& thread_of(const Event& e);
  Event& at(std::uint64_t ordinal) { return held_[ordinal - first_]; }

  std::uint64_t oldest_look();
  void forget_looks_before(std::uint64_t ordinal);
  void drop_handed_out();
  Decided hand_out(std::uint64_t until);

  ProgramPoints points_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> looking_;  // threads that have looks, and some that had
  std::vector<Event> held_;
  std::size_t handed_out_ = 0;           // of held_
  std::uint64_t first_ = 0;              // ordinal of held_[0]
  std::vector<Dependence> dependences_;  // not handed out; `before` is an ordinal
  std::vector<Dependence> decided_dependences_;
};

}  // namespace isosan
