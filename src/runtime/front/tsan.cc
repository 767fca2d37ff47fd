// The __tsan_* ABI: what GCC 12 and clang 14 to 19 emit with -fsanitize=thread. A call stands
// before each access. The access itself runs after the call has returned, so it is remembered as
// pending (coordinate.h); at the next call it is done.
#include "runtime/calls/call_stack.h"
#include "runtime/calls/region_table.h"
#include "runtime/front/checked.h"
#include "runtime/front/intercept/copy.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/ownership/access.h"
#include "runtime/platform/arch.h"

using namespace isosan::rt;
using isosan::Kind;

namespace isosan::rt {

[[gnu::noinline]] void slow_access(std::uint64_t address, std::uint64_t size, std::uint64_t pc,
                                   Need mode) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  mode == Need::kWrite ? slow_write(*t, address, size, pc, Logged::kInWalk)
                       : slow_read(*t, address, size, pc, Logged::kInWalk);
}

namespace {

void range(void* p, std::uint64_t size, std::uint64_t pc, Need mode) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  t->block->pending_address = address_of(p);
  t->block->pending_size = size;
  mode == Need::kWrite ? write_range(*t, address_of(p), size, pc)
                       : read_range(*t, address_of(p), size, pc);
}

// What a counted loop will access (gcc/counted_loops.cc).
void walk(void* first, std::uint64_t count, std::int64_t stride, std::uint64_t size,
          std::uint64_t pc, Need mode) {
  const auto distance = static_cast<std::uint64_t>(stride);
  if (distance == size) return range(first, count * size, pc, mode);
  if (-distance == size) {
    auto* lowest = static_cast<std::byte*>(first) + static_cast<std::int64_t>(count - 1) * stride;
    return range(lowest, count * size, pc, mode);
  }
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  mode == Need::kWrite ? write_strided(*t, address_of(first), count, stride, size, pc)
                       : read_strided(*t, address_of(first), count, stride, size, pc);
}

void ignore(int step) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  poll(*t);
  t->ignore = step > 0 ? t->ignore + 1 : t->ignore > 0 ? t->ignore - 1 : 0;
  refresh_tags(*t);
}

}  // namespace
}  // namespace isosan::rt

// Called last of all by functions that need no frame, so that these return to their callers.
template <std::uint64_t size, Need mode>
[[gnu::noinline]] static void log_and_return(ThreadBlock* block, std::uint64_t address) {
  log_and_mark<size, mode>(block, address, ISOSAN_CALLER);
}
template <std::uint64_t size, Need mode>
[[gnu::noinline]] static void go_on_and_return(ThreadBlock* block, std::uint64_t address) {
  go_on_anew<size, mode>(block, address, ISOSAN_CALLER);
}
template <std::uint64_t size>
[[gnu::noinline]] static void log_shared_and_return(ThreadBlock* block, std::uint64_t address) {
  log_shared_read<size>(block, address, ISOSAN_CALLER);
}
template <std::uint64_t size, Need mode>
[[gnu::noinline]] static void claim_and_return(std::uint64_t address) {
  slow_access(address, size, ISOSAN_CALLER, mode);
}

template <std::uint64_t size, Need mode>
[[gnu::always_inline]] static inline void check_in_leaf(void* p) {
  ThreadBlock* block = __isosan_self;
  switch (what_is_left<size, mode>(block, address_of(p), return_address_of_leaf())) {
    case Left::kNothing:
      return;
    case Left::kGoOn:
      return go_on_and_return<size, mode>(block, address_of(p));
    case Left::kLog:
      return log_and_return<size, mode>(block, address_of(p));
    case Left::kLogShared:
      return log_shared_and_return<size>(block, address_of(p));
    case Left::kClaim:
      return claim_and_return<size, mode>(address_of(p));
  }
}

#define ACCESS(suffix, size, mode) \
  ISOSAN_EXPORT void __tsan_##suffix(void* p) { check_in_leaf<size, Need::mode>(p); }
#define ACCESSES(size)                                            \
  ACCESS(read##size, size, kRead)                                 \
  ACCESS(write##size, size, kWrite)                               \
  ACCESS(volatile_read##size, size, kRead)                        \
  ACCESS(volatile_write##size, size, kWrite)                      \
  ACCESS(unaligned_read##size, size, kRead)                       \
  ACCESS(unaligned_write##size, size, kWrite)                     \
  ACCESS(unaligned_volatile_read##size, size, kRead)              \
  ACCESS(unaligned_volatile_write##size, size, kWrite)            \
  ISOSAN_EXPORT void __tsan_read_write##size(void* p) {           \
    check<size, Need::kRead>(p, ISOSAN_CALLER);                   \
    check<size, Need::kWrite>(p, ISOSAN_CALLER);                  \
  }                                                               \
  ISOSAN_EXPORT void __tsan_unaligned_read_write##size(void* p) { \
    check<size, Need::kRead>(p, ISOSAN_CALLER);                   \
    check<size, Need::kWrite>(p, ISOSAN_CALLER);                  \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

#define ACCESS_PC(name, size, mode)                                \
  ISOSAN_EXPORT void __tsan_##name##size##_pc(void* p, void* pc) { \
    check<size, Need::mode>(p, address_of(pc));                    \
  }
#define ACCESSES_PC(size)      \
  ACCESS_PC(read, size, kRead) \
  ACCESS_PC(write, size, kWrite)
ACCESSES_PC(1)
ACCESSES_PC(2)
ACCESSES_PC(4)
ACCESSES_PC(8)
ACCESSES_PC(16)

ISOSAN_EXPORT void __tsan_read_range(void* p, unsigned long size) {
  range(p, size, ISOSAN_CALLER, Need::kRead);
}
ISOSAN_EXPORT void __tsan_write_range(void* p, unsigned long size) {
  range(p, size, ISOSAN_CALLER, Need::kWrite);
}
ISOSAN_EXPORT void __tsan_read_range_pc(void* p, unsigned long size, void* pc) {
  range(p, size, address_of(pc), Need::kRead);
}
ISOSAN_EXPORT void __tsan_write_range_pc(void* p, unsigned long size, void* pc) {
  range(p, size, address_of(pc), Need::kWrite);
}

// What programs call by hand, for accesses that the compiler would not take for unaligned ones.
#define UNALIGNED(bits)                                                                      \
  ISOSAN_EXPORT std::uint##bits##_t __sanitizer_unaligned_load##bits(const void* p) {        \
    check<bits / 8, Need::kRead>(const_cast<void*>(p), ISOSAN_CALLER);                       \
    std::uint##bits##_t value;                                                               \
    __builtin_memcpy(&value, p, sizeof value);                                               \
    return value;                                                                            \
  }                                                                                          \
  ISOSAN_EXPORT void __sanitizer_unaligned_store##bits(void* p, std::uint##bits##_t value) { \
    check<bits / 8, Need::kWrite>(p, ISOSAN_CALLER);                                         \
    __builtin_memcpy(p, &value, sizeof value);                                               \
  }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)

// Called by code that gcc makes with our plugin. May the accesses of a loop with so many rounds be
// logged before it? As in the pass: where the inline path would append.
ISOSAN_EXPORT int __isosan_whole_loop(unsigned long rounds) {
  constexpr unsigned long kFewestRounds = 4;
  return rounds >= kFewestRounds && __isosan_self->owner != kNeverOwner;
}
ISOSAN_EXPORT void __isosan_loop_reads(void* first, unsigned long count, long stride,
                                       unsigned long size) {
  walk(first, count, stride, size, ISOSAN_CALLER, Need::kRead);
}
ISOSAN_EXPORT void __isosan_loop_writes(void* first, unsigned long count, long stride,
                                        unsigned long size) {
  walk(first, count, stride, size, ISOSAN_CALLER, Need::kWrite);
}

// A constructor that stores the vtable pointer that is there already changes nothing. In full mode
// it still counts as a write: what was there may depend on other threads.
ISOSAN_EXPORT void __tsan_vptr_update(void** vptr, void* value) {
  if (g_options.every_operation || *vptr != value) check<8, Need::kWrite>(vptr, ISOSAN_CALLER);
}
ISOSAN_EXPORT void __tsan_vptr_read(void** vptr) { check<8, Need::kRead>(vptr, ISOSAN_CALLER); }

// The frame is the stack pointer of the function that calls us, the same at its entry and its exit;
// our own frame address would differ by the sizes of the frames of these two.
ISOSAN_EXPORT void __tsan_func_entry(void* caller) {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  const std::uint64_t frame = address_of(__builtin_dwarf_cfa());
  enter_edge(*t, {.place = ISOSAN_CALLER,
                  .address = address_of(caller),
                  .frame = frame,
                  .kind = Kind::kCall,
                  .detail = 1,
                  .closes = is_region_at(ISOSAN_CALLER) ? Closes::kOutermost : Closes::kAlways});
}
ISOSAN_EXPORT void __tsan_func_exit() {
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  leave_frame(*t, address_of(__builtin_dwarf_cfa()), ISOSAN_CALLER);
}

ISOSAN_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t n) {
  return observed_copy(to, from, n, ISOSAN_CALLER);
}
ISOSAN_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t n) {
  return observed_copy(to, from, n, ISOSAN_CALLER);
}
ISOSAN_EXPORT void* __tsan_memset(void* to, int byte, std::size_t n) {
  return observed_fill(to, byte, n, ISOSAN_CALLER);
}

ISOSAN_EXPORT void __tsan_init() { start_runtime(); }
ISOSAN_EXPORT void __tsan_flush_memory() {}
ISOSAN_EXPORT void __tsan_ignore_thread_begin() { ignore(1); }
ISOSAN_EXPORT void __tsan_ignore_thread_end() { ignore(-1); }
