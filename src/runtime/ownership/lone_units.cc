#include "runtime/ownership/lone_units.h"

#include "runtime/platform/pool.h"

namespace isosan::rt {
namespace {

constexpr std::uint32_t kLongestPause = 32;
constexpr std::uint64_t kPerSlot = kMaxSlots * sizeof(std::uint64_t);

bool is_open(std::uint64_t units) { return units % 2 != 0; }
std::uint64_t units_of(std::uint32_t slot) {
  return slot_at(slot).units.load(std::memory_order_acquire);
}

// Epochs first: what is of closed ones happened before the rest is read. Then what was met: what
// comes in later counts. Then who is open: who ended before it was asked has met by then what it
// ever would.
bool look_at_others(Thread& t) {
  Company& company = t.company;
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i)
    company.epochs[i] = slot_at(i).epoch.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i)
    company.met[i] = slot_at(i).met.load(std::memory_order_acquire);
  bool any = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    company.units[i] = i == t.slot->index ? 0 : units_of(i);
    any |= is_open(company.units[i]);
  }
  for (std::uint32_t i = count; i < kMaxSlots && company.epochs[i] != 0; ++i)
    company.epochs[i] = 0;  // of another look
  return any;
}

enum class Found { kNotYet, kOver, kInVain };

// Have those ended who were open, and did none of them meet one that is still there?
Found look_again(const Thread& t) {
  const Company& company = t.company;
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (company.epochs[i] != 0 && is_open(company.units[i]) && units_of(i) == company.units[i])
      return Found::kNotYet;
  }
  std::uint32_t open = 0, last_open = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index || !is_open(units_of(i))) continue;
    ++open;
    last_open = i;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (company.epochs[i] == 0 || !is_open(company.units[i])) continue;
    const bool met = slot_at(i).met.load(std::memory_order_acquire) != company.met[i];
    if (met && (open > 1 || (open == 1 && last_open != i))) return Found::kInVain;
  }
  return Found::kOver;
}

void make_harmless(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  const std::uint64_t covered = clock_of(t, slot), both = epoch < covered ? epoch : covered;
  std::atomic<std::uint64_t>& harmless = t.company.harmless[slot];
  if (harmless.load(std::memory_order_relaxed) < both)
    harmless.store(both, std::memory_order_relaxed);
}

// Nothing that it did comes after a living unit.
void be_found_alone(Thread& t) {
  t.company.alone = true;
  t.company.has_met = t.company.looking = false;
  if (t.slot->met_many_living.load(std::memory_order_relaxed))
    t.slot->met_many_living.store(false, std::memory_order_relaxed);
}

void be_alone(Thread& t) {
  Company& company = t.company;
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count && company.epochs[i] != 0; ++i)
    make_harmless(t, i, company.epochs[i] - 1);
  be_found_alone(t);
  company.last_pause = 0;
}

// The slot's own epoch first: who sees one sees that a unit had begun before it.
bool has_ended(const Slot& slot, std::uint64_t epoch) {
  if (slot.epoch.load(std::memory_order_acquire) < epoch) return false;
  if (!is_open(slot.units.load(std::memory_order_acquire))) return true;
  return epoch < slot.units_epoch.load(std::memory_order_acquire);
}

void note_living(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  if (has_ended(slot_at(slot), epoch)) return;
  const LivingUnits met{.slot = slot, .units = units_of(slot)};
  if (!is_open(met.units)) return;
  MetLiving* room = nullptr;
  for (MetLiving& each : t.slot->living) {
    const LivingUnits kept = each.units.load(std::memory_order_relaxed);
    if (!is_open(kept.units) || units_of(kept.slot) != kept.units) {
      room = &each;
    } else if (kept.slot == slot) {
      return;
    }
  }
  if (room == nullptr) {
    t.slot->met_many_living.store(true, std::memory_order_relaxed);
  } else {
    room->units.store(met, std::memory_order_relaxed);
    room->by.store(units_of(t.slot->index), std::memory_order_release);
  }
}

// The last epoch of which all units have ended.
std::uint64_t last_ended(const Slot& slot) {
  const std::uint64_t epoch = slot.epoch.load(std::memory_order_acquire);
  if (!is_open(slot.units.load(std::memory_order_acquire))) return epoch - 1;
  const std::uint64_t begun = slot.units_epoch.load(std::memory_order_acquire);
  return (begun < epoch ? begun : epoch) - 1;
}

// Did this slot, in units that have ended, meet a unit of others that lives? `units`: as the first
// `count` slots had them when they were last looked at. Units that began later live, too.
bool has_met_living(const Thread& t, const Slot& slot, const std::uint64_t* units,
                    std::uint32_t count) {
  if (slot.met_many_living.load(std::memory_order_acquire)) return true;
  for (const MetLiving& each : slot.living) {
    const std::uint64_t by = each.by.load(std::memory_order_acquire);
    const LivingUnits met = each.units.load(std::memory_order_acquire);
    const bool lives = is_open(met.units) && (met.slot >= count || met.units >= units[met.slot]);
    const bool counts = &slot == t.slot || !is_open(by) || by != units[slot.index];
    if (lives && counts && met.slot != t.slot->index) return true;
  }
  return false;
}

// No living unit of others comes before anything that has ended: see above. In this order: what has
// ended by now; which slots there are, and who is open; what those have met who are not.
bool is_alone_still(Thread& t) {
  constexpr std::uint32_t kMost = kMaxSlots / 2;
  const std::uint32_t known = slots_in_use();
  if (known > kMost) return false;
  std::uint64_t *ended = t.scratch, *units = t.scratch + kMost;
  for (std::uint32_t i = 0; i < known; ++i) ended[i] = last_ended(slot_at(i));
  const std::uint32_t count = slots_in_use();
  if (count > kMost) return false;
  for (std::uint32_t i = 0; i < count; ++i) units[i] = units_of(i);
  for (std::uint32_t i = 0; i < count; ++i)
    if (has_met_living(t, slot_at(i), units, count)) return false;
  for (std::uint32_t i = 0; i < known; ++i) make_harmless(t, i, ended[i]);
  be_found_alone(t);
  return true;
}

void look_later(Company& company) {
  const std::uint32_t longer = company.last_pause * 2 + 1;
  company.last_pause = longer < kLongestPause ? longer : kLongestPause;
  company.pause = company.last_pause;
}

}  // namespace

void prepare_company(Thread& t) {
  Company& company = t.company;
  company.harmless = static_cast<std::atomic<std::uint64_t>*>(pool_allocate(kPerSlot));
  company.epochs = static_cast<std::uint64_t*>(pool_allocate(kPerSlot));
  company.units = static_cast<std::uint64_t*>(pool_allocate(kPerSlot));
  company.met = static_cast<std::uint64_t*>(pool_allocate(kPerSlot));
  t.withheld.block.runtime = reinterpret_cast<std::uint64_t>(&t);
}

void inherit_company(const Thread& parent, Thread& child) {
  if (!g_log.leaves_out || !parent.company.alone) return;
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i)
    make_harmless(child, i, parent.company.harmless[i].load(std::memory_order_relaxed));
  make_harmless(child, parent.slot->index, epoch_of(parent));
  be_found_alone(child);
}

void leave_company(Thread& t) {
  Company& company = t.company;
  if (company.harmless == nullptr) return;
  if (has_withheld(t)) tell_withheld(t);
  unblock_units(t);
  if (is_open(t.slot->units.load(std::memory_order_relaxed))) advance_units(t, 1);
  pool_free(company.harmless, kPerSlot);
  pool_free(company.epochs, kPerSlot);
  pool_free(company.units, kPerSlot);
  pool_free(company.met, kPerSlot);
}

void block_units(Thread& t) {
  if (!g_log.leaves_out || t.company.open_units == 0 || t.company.blocked) return;
  t.company.blocked = true;
  advance_units(t, 1);
}

void unblock_units(Thread& t) {
  if (!t.company.blocked) return;
  t.company.blocked = false;
  tell_begin_of_units(t);  // before: who sees that units are open sees which ones
  advance_units(t, 1);
}

namespace {

// One step towards being alone, or towards more that is harmless.
void look_around(Thread& t) {
  Company& company = t.company;
  if (company.pause > 0) {
    --company.pause;
    return;
  }
  if (company.looking) {
    switch (look_again(t)) {
      case Found::kNotYet:
        return look_later(company);
      case Found::kOver:
        return be_alone(t);
      case Found::kInVain:
        break;
    }
  }
  company.looking = look_at_others(t);
  if (!company.looking) be_alone(t);
}

}  // namespace

bool is_alone(Thread& t) {
  Company& company = t.company;
  if (g_all_are_told.load(std::memory_order_relaxed)) [[unlikely]]
    return false;
  if (company.has_met && !is_alone_still(t)) look_around(t);
  return company.alone;
}

void note_who_has_ended(Thread& t) {
  if (!g_all_are_told.load(std::memory_order_relaxed)) is_alone_still(t);
}

void meet(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  Company& company = t.company;
  std::atomic<std::uint64_t>& met = t.slot->met;
  met.store(met.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  note_living(t, slot, epoch);
  if (company.alone && is_alone_still(t)) return;
  company.alone = false;
  company.has_met = true;
  if (company.epochs[slot] <= epoch) company.looking = false;
  if (has_withheld(t)) tell_withheld(t);
  if (t.appends == t.block) return;
  t.appends = t.block;
  bump_epoch(t);  // what was not logged is not taken for logged
}

void note_met_all_known_to(Thread& t, const Slot& other, std::uint64_t epoch) {
  if (!g_log.leaves_out) return;
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    note_met(t, i, i == other.index ? epoch : other.clock[i].load(std::memory_order_acquire));
  }
}

bool may_withhold(Thread& t, std::uint64_t function) {
  if (!is_alone(t)) return false;
  WithheldBefore& before = withheld_before(t, function);
  if (before.function != function) before = {.function = function};
  t.withheld.before = &before;
  if (before.pause == 0) return true;
  --before.pause;
  return false;
}

}  // namespace isosan::rt
