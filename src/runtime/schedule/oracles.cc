#include "runtime/schedule/oracles.h"

#include "runtime/platform/pool.h"
#include "runtime/schedule/freed.h"
#include "runtime/schedule/turn.h"

namespace isosan::rt {
namespace {

using log::Broken;

struct Invariant {
  const char* name;
  int (*holds)();
  Invariant* next;
};

log::ScheduleArea* area;  // null: nothing is watched
Invariant* invariants;

void report(std::uint32_t thread, Broken what, std::uint64_t address, std::uint64_t size) {
  if (area->broken != Broken::kNothing) return;
  area->broken = what;
  area->broken_by = thread;
  area->broken_address = address;
  area->broken_size = size;
}

void note_use(Thread& t, std::uint64_t address, std::uint64_t size) {
  if (is_freed(address, size)) report(t.id, Broken::kUseAfterFree, address, size);
}

bool anybody_holds_locks() {
  for (const Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (seat->holds_locks()) return true;
  }
  return false;
}

void set_name(const char* name) {
  std::size_t n = 0;
  for (; name[n] != 0 && n + 1 < sizeof area->broken_invariant; ++n)
    area->broken_invariant[n] = name[n];
}

// What runs inside is no part of the run: nothing of it is counted or logged.
class Unobserved {
 public:
  Unobserved() { __isosan_self = &g_ignored_block; }
  ~Unobserved() { __isosan_self = before_; }
  Unobserved(const Unobserved&) = delete;
  Unobserved& operator=(const Unobserved&) = delete;

 private:
  log::ThreadBlock* const before_ = __isosan_self;
};

}  // namespace

void start_oracles(log::ScheduleArea& shared) {
  area = &shared;
  for (const Invariant* one = invariants; one != nullptr; one = one->next) ++area->invariants;
  if (keeps_freed()) g_use_point = note_use;
}

void stop_oracles() {
  area = nullptr;
  g_use_point = nullptr;
}

bool run_is_broken() { return area != nullptr && area->broken != Broken::kNothing; }

void end_broken_run() { end_run(); }

bool keeps_freed() { return area != nullptr && area->keep_freed != 0; }

void freed_again(Thread& t, std::uint64_t address, std::size_t size) {
  report(t.id, Broken::kDoubleFree, address, size);
  end_run();
}

void add_invariant(const char* name, int (*holds)()) {
  invariants = new (pool_allocate(sizeof(Invariant))) Invariant{name, holds, invariants};
  if (area != nullptr) ++area->invariants;
}

void check_invariants(const Seat& me) {
  if (invariants == nullptr || area == nullptr || area->check_invariants == 0) return;
  if (anybody_holds_locks()) return;
  const Unobserved unobserved;
  for (const Invariant* one = invariants; one != nullptr; one = one->next) {
    if (one->holds() != 0) continue;
    report(path_entry(me.path).thread, Broken::kInvariant, 0, 0);
    set_name(one->name);
    end_run();
  }
}

}  // namespace isosan::rt
