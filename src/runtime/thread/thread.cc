#include "runtime/thread/thread.h"

#include "runtime/platform/os.h"
#include "runtime/platform/patience.h"
#include "runtime/platform/pool.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/thread/safe_point.h"

using isosan::log::ThreadBlock;

namespace isosan::rt {

Mode g_mode;
Options g_options;
void (*g_operation_point)(Thread&, const PendingOperation&) = nullptr;
void (*g_atomic_point)(Thread&, std::uint64_t) = nullptr;
void (*g_noise_point)(Thread&) = nullptr;
void (*g_use_point)(Thread&, std::uint64_t, std::uint64_t) = nullptr;
std::atomic<bool> g_observed{false};
std::uint32_t g_process_id;

// They have no thread, so compiled code must not keep calls there: it never does while walks are open.
constinit ThreadBlock g_unknown_block{.tag = kNeverTag, .owner = kNeverOwner, .open_walks = 1};
constinit ThreadBlock g_ignored_block{.tag = kNeverTag, .owner = kNeverOwner, .open_walks = 1};

// The inline check reads the filter before it knows whether it needs it: these blocks need one too.
void prepare_stand_ins() {
  static std::uint64_t empty_filter[kFilterEntries];
  for (ThreadBlock* block : {&g_unknown_block, &g_ignored_block}) {
    block->filter = reinterpret_cast<std::uint64_t>(empty_filter);
  }
}

}  // namespace isosan::rt

extern "C" {
[[gnu::visibility("default")]] constinit thread_local ThreadBlock* __isosan_self =
    &isosan::rt::g_unknown_block;
}

namespace isosan::rt {
namespace {

SpinLock slot_lock;
Slot* slots[kMaxSlots];
Slot* free_slots;
std::atomic<std::uint32_t> slot_count{0};
const std::atomic<std::uint64_t> covers_nothing[kMaxSlots] = {};

Slot* new_slot() {
  const std::uint32_t index = slot_count.load(std::memory_order_relaxed);
  // No more threads than LogHeader::max_threads have one at a time, and the epochs of all slots
  // together are 3.5e13.
  ISOSAN_CHECK(index < kMaxSlots);
  auto* slot = new (pool_allocate(sizeof(Slot))) Slot;
  slot->index = index;
  slot->clock = static_cast<std::atomic<std::uint64_t>*>(map_pages(kMaxSlots * sizeof(Word)));
  slot->filter = static_cast<std::uint64_t*>(map_pages(kFilterEntries * sizeof(std::uint64_t)));
  slot->walked_rdsh =
      static_cast<std::atomic<std::uint64_t>*>(map_pages(kWalkedPages * sizeof(Word)));
  slots[index] = slot;
  slot_count.store(index + 1, std::memory_order_release);  // order: table
  return slot;
}

// Stacks of open edges are mapped once and reused by later threads: most threads touch one page.
struct EdgeStack {
  EdgeStack* next;
};
EdgeStack* free_edge_stacks;

void* take_edge_stack() {
  SpinGuard guard(slot_lock);
  if (EdgeStack* stack = free_edge_stacks) {
    free_edge_stacks = stack->next;
    return stack;
  }
  return map_pages(kMaxOpenEdges * kOpenEdgeBytes);
}

void give_edge_stack_back(void* stack) {
  SpinGuard guard(slot_lock);
  auto* freed = static_cast<EdgeStack*>(stack);
  freed->next = free_edge_stacks;
  free_edge_stacks = freed;
}

// The filter's keys have only the low bits of the epoch: when those wrap around, old entries are
// cleared.
void next_epoch(Slot& slot) {
  const std::uint64_t epoch = slot.epoch.load(std::memory_order_relaxed) + 1;
  slot.epoch.store(epoch, std::memory_order_release);  // order: epoch
  if ((epoch << kFilterEpochShift) != 0) return;
  for (std::uint64_t i = 0; i < kFilterEntries; ++i) slot.filter[i] = 0;
}

// Does this thread come after all that was done in the slot?
bool comes_after_last_of(const Slot& slot, const Thread* thread) {
  return thread != nullptr && covers(*thread, slot.index, slot.epoch.load() - 1);
}

// A marker makes the next thread come after the last one. Where the mode has no use for such an
// order, the slot is taken only if there is one anyway, or if slots run out.
bool may_be_reused(const Slot& slot, const Thread* parent) {
  if (g_mode.inherits_slots || comes_after_last_of(slot, parent)) return true;
  if (slot_count.load(std::memory_order_relaxed) < kMaxSlots / 2) return false;
  call(g_mode.slot_is_reused);
  return true;
}

// Prefers a slot whose last thread `parent` already comes after: no marker then.
Slot* take_slot(const Thread* parent) {
  SpinGuard guard(slot_lock);
  Slot** best = nullptr;
  int looked = 0;
  for (Slot** at = &free_slots; *at != nullptr && looked < 16; at = &(*at)->next_free, ++looked) {
    if (best == nullptr) best = at;
    if (comes_after_last_of(**at, parent)) {
      best = at;
      break;
    }
  }
  if (best == nullptr || !may_be_reused(**best, parent)) return new_slot();
  Slot* slot = *best;
  *best = slot->next_free;
  return slot;
}

void give_slot_back(Slot* slot) {
  if (slot->epoch.load(std::memory_order_relaxed) >= kLastUsableEpoch) return;  // used up
  SpinGuard guard(slot_lock);
  slot->next_free = free_slots;
  free_slots = slot;
}

// The slot's new incarnation is this thread. Its log comes after that of the last one.
void enter_slot(Thread& t, Slot* slot) {
  ISOSAN_CHECK(slot->block.load(std::memory_order_relaxed) == nullptr);  // no two threads have it
  const bool used = slot->incarnation.load(std::memory_order_relaxed) != 0;
  const std::uint32_t last_thread = slot->thread.load(std::memory_order_relaxed);
  const std::uint64_t last_position = slot->final_position.load(std::memory_order_relaxed);
  if (used) append_marker(t.block, log::Code::kMarker, last_thread, last_position);
  slot->incarnation.fetch_add(1, std::memory_order_acq_rel);  // order: slot
  slot->thread.store(t.id, std::memory_order_relaxed);
  slot->block.store(t.block, std::memory_order_relaxed);
  slot->incarnation.fetch_add(1, std::memory_order_release);  // order: slot
  ISOSAN_CHECK(slot->index < kMaxSlots);                      // kNoSlot owns no word
  t.slot = slot;
  t.published = Word{slot->published.load(std::memory_order_relaxed)} << kEpochShift;
  t.block->filter = reinterpret_cast<std::uint64_t>(slot->filter);
}

// Everything that was done under this slot's name is done and logged.
void leave_slot(Thread& t) {
  close_walks(t.block);
  Slot& slot = *t.slot;
  ISOSAN_CHECK(slot.block.load(std::memory_order_relaxed) == t.block);
  next_epoch(slot);
  slot.incarnation.fetch_add(1, std::memory_order_acq_rel);  // order: slot
  slot.final_position.store(t.block->position, std::memory_order_relaxed);
  const std::uint64_t before = slot.final_rdsh.load(std::memory_order_relaxed);
  const std::uint64_t last = t.block->last_rdsh;
  slot.final_rdsh.store(last > before ? last : before, std::memory_order_relaxed);
  slot.block.store(nullptr, std::memory_order_relaxed);
  slot.tid.store(0, std::memory_order_relaxed);
  slot.incarnation.fetch_add(1, std::memory_order_release);  // order: slot
  slot.status.store(1, std::memory_order_release);           // order: safe point
}

// The epochs of the slot are used up: the thread goes on in another slot.
void change_slot(Thread& t) {
  Slot* old_slot = t.slot;
  Slot* fresh = take_slot(&t);
  const std::uint32_t tid = old_slot->tid.load(std::memory_order_relaxed);
  leave_slot(t);
  enter_slot(t, fresh);
  for (std::uint32_t i = 0; i < slots_in_use(); ++i) {
    raise_clock(t, i, old_slot->clock[i].load(std::memory_order_relaxed));
  }
  raise_clock(t, old_slot->index, kMaxEpoch);
  t.block->last_rdsh = 0;
  for (FencedRead& each : t.shared.fenced) each = {};
  fresh->tid.store(tid, std::memory_order_relaxed);
  fresh->status.store(0, std::memory_order_release);  // order: safe point
  call(g_mode.slot_changed, t, *old_slot);
}

}  // namespace

Slot& slot_at(std::uint32_t index) { return *slots[index]; }
std::uint32_t slots_in_use() { return slot_count.load(std::memory_order_acquire); }  // order: table

bool shared_reads_inline(const Thread& t) { return g_options.reads_shared_inline && t.ignore == 0; }

void refresh_tags(Thread& t) {
  close_walks(t.block);  // an access that continues a walk does not check the tag
  const std::uint64_t epoch = epoch_of(t);
  const std::uint32_t index = t.slot->index;
  const bool never = g_options.every_operation || t.ignore > 0;
  const bool inline_claims = g_options.claims_inline && !never;
  t.block->tag = never ? kNeverTag : make_tag(index, epoch);
  t.block->owner = inline_claims ? make_owner(index) : kNeverOwner;
  t.covered = inline_claims && g_mode.takes_inline ? t.slot->clock : covers_nothing;
  t.block->filter_key = epoch << kFilterEpochShift;
  t.block->rdsh_limit = shared_reads_inline(t) ? t.shared.limit : 0;
}

void bump_epoch_slow(Thread& t) {
  if (epoch_of(t) >= kLastUsableEpoch) change_slot(t);
  next_epoch(*t.slot);
  t.bump_pending = false;
  t.epoch_position = t.block->position;
  refresh_tags(t);
}

Standing standing_of(const Slot& slot) {
  for (Patience patience;; patience.wait()) {
    const std::uint32_t before = slot.incarnation.load(std::memory_order_acquire);  // order: slot
    const std::uint64_t closed = slot.epoch.load(std::memory_order_acquire) - 1;    // order: epoch
    const std::uint32_t thread = slot.thread.load(std::memory_order_relaxed);
    ThreadBlock* block = slot.block.load(std::memory_order_relaxed);
    const std::uint64_t position = block == nullptr
                                       ? slot.final_position.load(std::memory_order_relaxed)
                                       : std::atomic_ref<std::uint64_t>(block->position)
                                             .load(std::memory_order_acquire);  // order: log
    std::atomic_thread_fence(std::memory_order_acquire);                        // order: slot
    if (before % 2 == 0 && slot.incarnation.load(std::memory_order_relaxed) == before) {
      return {thread, position, closed};
    }
  }
}

Thread* create_thread(Thread* parent) {
  ThreadBlock* block = claim_block();
  if (block == nullptr) return nullptr;
  auto* t = new (pool_allocate(sizeof(Thread))) Thread;
  t->block = block;
  log_accesses(*t, g_options.logs_outside);
  t->id = g_log.header->threads_started.fetch_add(1, std::memory_order_relaxed);
  t->shared.seen = static_cast<std::uint64_t*>(pool_allocate(kMaxSlots * sizeof(Word)));
  t->scratch = static_cast<std::uint64_t*>(pool_allocate(kMaxSlots * sizeof(Word)));
  block->thread = t->id;
  block->runtime = reinterpret_cast<std::uint64_t>(t);
  block->rdsh_limit = 0;
  prepare_signals(*t);
  t->calls.edges = static_cast<OpenEdge*>(take_edge_stack());
  publish_block(block);
  enter_slot(*t, take_slot(parent));
  call(g_mode.thread_begins, *t, parent);
  refresh_tags(*t);
  return t;
}

void start_thread(Thread& t) {
  t.slot->tid.store(thread_id(), std::memory_order_relaxed);
  __isosan_self = t.block;
  leave_safe_point(t);
}

void end_thread(Thread& t) {
  __isosan_self = &g_ignored_block;
  ThreadBlock* block = t.block;
  Slot* slot = t.slot;
  call(g_mode.thread_ends, t);
  leave_slot(t);
  block->tag = kNeverTag;
  end_block(block);
  drop_signals(t);
  give_edge_stack_back(t.calls.edges);
  pool_free(t.shared.seen, kMaxSlots * sizeof(Word));
  pool_free(t.scratch, kMaxSlots * sizeof(Word));
  pool_free(&t, sizeof(Thread));
  give_slot_back(slot);
}

void abandon_thread(Thread& t) {
  ThreadBlock* self = __isosan_self;
  end_thread(t);
  __isosan_self = self;
}

}  // namespace isosan::rt
