// The entry points of the pass (fast_path.h).
#include "runtime/calls/call_stack.h"
#include "runtime/contract/fast_path.h"
#include "runtime/front/checked.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/front/modules.h"
#include "runtime/ownership/access.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/schedule/oracles.h"
#include "runtime/schedule/schedule.h"
#include "runtime/sync/atomic.h"
#include "runtime/sync/sync.h"

using namespace isosan::rt;
using isosan::Kind;

namespace isosan::rt {
namespace {

const FunctionRecord& record_at(const void* record) {
  return *static_cast<const FunctionRecord*>(record);
}

Closes closes_of(std::uint8_t flags) {
  if ((flags & isosan::log::kFunctionCut) != 0) return Closes::kAlways;
  if ((flags & isosan::log::kFunctionRegion) == 0) return Closes::kNever;
  return (flags & isosan::log::kFunctionUnlogged) != 0 ? Closes::kUnlogged : Closes::kOutermost;
}

void enter_block(Thread& t, OpenEdge edge, std::uint32_t kind) {
  edge.kind = Kind::kBegin;
  edge.detail = static_cast<std::uint8_t>(kind);
  const bool atomic = static_cast<isosan::RegionKind>(kind) == isosan::RegionKind::kAtomic;
  edge.closes = atomic && g_mode.blocks_are_regions ? Closes::kOutermost : Closes::kAlways;
  enter_edge(t, edge);
}

template <Need mode>
void check_claimed(const void* p, std::uint64_t size, std::uint64_t place) {
  switch (size) {
    case 1:
      return check<1, mode>(p, place);
    case 2:
      return check<2, mode>(p, place);
    case 4:
      return check<4, mode>(p, place);
    default:
      return check<8, mode>(p, place);
  }
}

constinit thread_local HeldWords held_words [[gnu::tls_model("initial-exec")]];

}  // namespace
}  // namespace isosan::rt

extern "C" {

void isosan_read_slow(void* address, std::uint64_t size, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    slow_read(*t, address_of(address), size, address_of(place));
  }
}

void isosan_write_slow(void* address, std::uint64_t size, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    slow_write(*t, address_of(address), size, address_of(place));
  }
}

void isosan_read_anew_slow(void* address, std::uint64_t size, const void* place) {
  check_claimed<Need::kRead>(address, size, address_of(place));
}

void isosan_write_anew_slow(void* address, std::uint64_t size, const void* place) {
  check_claimed<Need::kWrite>(address, size, address_of(place));
}

void isosan_make_room_slow() {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    log_calls_if_room(*t);
  }
}

void isosan_poll_slow() {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    poll(*t);
  }
}
}

ISOSAN_EXPORT void __isosan_read_range(void* address, std::uint64_t size, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    read_range(*t, address_of(address), size, address_of(place));
  }
}

ISOSAN_EXPORT void __isosan_write_range(void* address, std::uint64_t size, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    write_range(*t, address_of(address), size, address_of(place));
  }
}

ISOSAN_EXPORT void __isosan_read_strided(void* first, std::uint64_t count, std::int64_t stride,
                                         std::uint64_t size, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    read_strided(*t, address_of(first), count, stride, size, address_of(place));
  }
}

ISOSAN_EXPORT void __isosan_write_strided(void* first, std::uint64_t count, std::int64_t stride,
                                          std::uint64_t size, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    write_strided(*t, address_of(first), count, stride, size, address_of(place));
  }
}

ISOSAN_EXPORT void __isosan_update_range(void* address, std::uint64_t size, const void* read_place,
                                         const void* write_place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    update_range(*t, address_of(address), size, address_of(read_place), address_of(write_place));
  }
}

ISOSAN_EXPORT void __isosan_update_strided(void* first, std::uint64_t count, std::int64_t stride,
                                           std::uint64_t size, const void* read_place,
                                           const void* write_place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    update_strided(*t, address_of(first), count, stride, size, address_of(read_place),
                   address_of(write_place));
  }
}

ISOSAN_EXPORT void __isosan_atomic_begin(void* address, std::uint64_t size, std::uint32_t writes) {
  Thread* t = current();
  if (t == nullptr) return;
  ++t->in_runtime;  // until __isosan_atomic_end: no signal handler in between
  if (writes == 0 && begin_shared_load(*t, held_words, address_of(address), size)) return;
  hold_words(*t, held_words, address_of(address), size, writes != 0);
}

ISOSAN_EXPORT void __isosan_atomic_end(void*, std::uint64_t, std::uint32_t kind,
                                       std::uint32_t order, const void* place) {
  Thread* t = current();
  if (t == nullptr) return;
  finish_atomic(*t, held_words, static_cast<Kind>(kind), static_cast<std::uint8_t>(order),
                address_of(place));
  --t->in_runtime;
}

ISOSAN_EXPORT void __isosan_fence(std::uint32_t order, const void* place) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    log_fence(*t, static_cast<std::uint8_t>(order), address_of(place));
  }
}

ISOSAN_EXPORT void __isosan_function_enter(const void* record, const void* object) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    enter_function(*t, address_of(record), address_of(object), closes_of(record_at(record).flags));
  }
}

ISOSAN_EXPORT void __isosan_function_exit(const void* record) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    leave_function(*t, address_of(record));
  }
}

ISOSAN_EXPORT void __isosan_region_begin(const void* site, const void* object, std::uint32_t kind) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    enter_block(*t, {.place = address_of(site), .address = address_of(object)}, kind);
  }
}

ISOSAN_EXPORT void __isosan_region_end(const void* site, const void*, std::uint32_t kind) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    leave_block(*t, address_of(site), static_cast<std::uint8_t>(kind));
  }
}

ISOSAN_EXPORT void __isosan_block_begin(const char* name, const void* object, std::uint32_t kind) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    enter_block(*t,
                {.place = ISOSAN_CALLER, .address = address_of(object), .name = address_of(name)},
                kind);
  }
}

ISOSAN_EXPORT void __isosan_block_end(const char*, const void*, std::uint32_t kind) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    leave_block(*t, 0, static_cast<std::uint8_t>(kind));
  }
}

ISOSAN_EXPORT void __isosan_invariant(const char* name, int (*holds)()) {
  add_invariant(name, holds);
}

ISOSAN_EXPORT void __isosan_last_release(const void* record, const void* lock) {
  if (g_mode.last_release == nullptr) return;
  if (Thread* t = current()) g_mode.last_release(*t, address_of(record), address_of(lock));
}

ISOSAN_EXPORT std::uint64_t __isosan_call_depth() {
  Thread* t = current();
  return t == nullptr ? 0 : open_edges(*t);
}

ISOSAN_EXPORT void __isosan_unwind_to(std::uint64_t depth) {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    unwind_to(*t, depth);
  }
}

ISOSAN_EXPORT void __isosan_sync(std::uint32_t kind, const void* object, std::uint32_t detail,
                                 std::uint64_t value, const void* place) {
  Thread* t = current();
  if (t == nullptr) return;
  // What gives up inside of another operation, as a try of a wait does, goes on there.
  if (static_cast<Kind>(kind) != Kind::kWaitEnd || t->ignore == 0) {
    RuntimeScope scope(t);
    sync_event(*t, {static_cast<Kind>(kind), address_of(object), address_of(place),
                    static_cast<std::uint8_t>(detail), 0, value});
  }
}

ISOSAN_EXPORT void __isosan_ignore_begin() {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    poll(*t);
    if (t->ignore == 0) point(*t);  // before the operation whose inside is ignored
    if (t->ignore++ == 0) refresh_tags(*t);
  }
}

ISOSAN_EXPORT void __isosan_ignore_end() {
  if (Thread* t = current()) {
    RuntimeScope scope(t);
    poll(*t);
    if (t->ignore > 0 && --t->ignore == 0) refresh_tags(*t);
  }
}

ISOSAN_EXPORT void __isosan_module(void* functions_begin, void* functions_end,
                                   const void* sites_begin, const void* sites_end) {
  Thread* t = observed();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  BlockedScope blocked(t);
  announce_pass_module(address_of(functions_begin), address_of(functions_end),
                       address_of(sites_begin), address_of(sites_end));
}
