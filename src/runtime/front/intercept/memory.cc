// malloc and the like, mappings, and the block copies that compilers leave as calls. Behind malloc is
// __libc_malloc: no look-up, so it works from the first instruction on. operator new and delete
// come through here.
#include "runtime/ownership/memory.h"

#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>

#include <cstdarg>
#include <cstring>

#include "runtime/front/intercept/copy.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/ownership/access.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/freed.h"
#include "runtime/schedule/oracles.h"
#include "runtime/schedule/schedule.h"
#include "runtime/shadow/shadow.h"

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* __libc_valloc(std::size_t);
void* __libc_pvalloc(std::size_t);
}

namespace isosan::rt {
namespace {

void* allocated(void* p, std::uint64_t place) {
  Thread* t = p == nullptr ? nullptr : observed_if_started();
  if (t == nullptr) return p;
  RuntimeScope scope(t);
  memory_allocated(*t, address_of(p), malloc_usable_size(p), MemoryOrigin::kHeap, place);
  return p;
}

// In a scheduled run: the memory is not used again for a while.
void keep_or_free(void* p) {
  if (!keep_freed(p, malloc_usable_size(p))) __libc_free(p);
  while (void* oldest = oldest_beyond_limit()) __libc_free(oldest);
}

void release(void* p, std::uint64_t place) {
  if (p == nullptr) return;
  if (Thread* t = observed_if_started()) {
    RuntimeScope scope(t);
    const std::uint64_t size = malloc_usable_size(p);
    const bool again = keeps_freed() && is_freed(address_of(p), 1);
    memory_freed(*t, address_of(p), size, MemoryOrigin::kHeap, place);
    if (again) freed_again(*t, address_of(p), size);
    if (keeps_freed()) return keep_or_free(p);
  }
  __libc_free(p);
}

void* resize(void* p, std::size_t n, std::uint64_t place) {
  if (p == nullptr) return allocated(__libc_malloc(n), place);
  if (observed_if_started() == nullptr) return __libc_realloc(p, n);
  const std::size_t old = malloc_usable_size(p);
  if (n <= old && n >= old / 2 && n != 0) return p;
  if (n == 0) {
    release(p, place);
    return nullptr;
  }
  void* q = allocated(__libc_malloc(n), place);
  if (q == nullptr) return nullptr;
  copy_bytes(q, p, n < old ? n : old);
  release(p, place);
  return q;
}

// Memory without room for its shadow is no memory: a program that maps until it gets no more goes on.
void* refused(void* result, std::size_t n) {
  real.munmap(result, n);
  errno = ENOMEM;
  return MAP_FAILED;
}

void* mapped(void* result, std::size_t n, std::uint64_t place) {
  Thread* t = result == MAP_FAILED ? nullptr : observed();
  if (t == nullptr) return result;
  RuntimeScope scope(t);
  if (!map_shadow_of(address_of(result), n)) return refused(result, n);
  memory_allocated(*t, address_of(result), (n + 4095) & ~std::size_t{4095}, MemoryOrigin::kMapping,
                   place);
  return result;
}

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t n) {
  if (real.memmove != nullptr) {
    real.memmove(to, from, n);
  } else {
    memmove(to, from, n);
  }
}

void* observed_copy(void* to, const void* from, std::size_t n, std::uint64_t place) {
  Thread* t = observed_if_started();
  if (t == nullptr || n == 0) {
    copy_bytes(to, from, n);
    return to;
  }
  RuntimeScope scope(t);
  read_range(*t, address_of(from), n, place);
  {
    PointsOff points_off(*t);  // both happen in the copy
    write_range(*t, address_of(to), n, place);
  }
  copy_bytes(to, from, n);
  return to;
}

void* observed_fill(void* to, int byte, std::size_t n, std::uint64_t place) {
  Thread* t = observed_if_started();
  RuntimeScope scope(t);
  if (t != nullptr && n > 0) write_range(*t, address_of(to), n, place);
  return real.memset != nullptr ? real.memset(to, byte, n) : memset(to, byte, n);
}

}  // namespace isosan::rt

using namespace isosan::rt;
using isosan::MemoryOrigin;

ISOSAN_EXPORT void* malloc(std::size_t n) { return allocated(__libc_malloc(n), ISOSAN_CALLER); }
ISOSAN_EXPORT void free(void* p) { release(p, ISOSAN_CALLER); }
ISOSAN_EXPORT void cfree(void* p) { release(p, ISOSAN_CALLER); }
ISOSAN_EXPORT void* calloc(std::size_t count, std::size_t n) {
  return allocated(__libc_calloc(count, n), ISOSAN_CALLER);
}
ISOSAN_EXPORT void* realloc(void* p, std::size_t n) { return resize(p, n, ISOSAN_CALLER); }
ISOSAN_EXPORT void* reallocarray(void* p, std::size_t count, std::size_t n) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, n, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return resize(p, bytes, ISOSAN_CALLER);
}
ISOSAN_EXPORT void* memalign(std::size_t alignment, std::size_t n) {
  return allocated(__libc_memalign(alignment, n), ISOSAN_CALLER);
}
ISOSAN_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t n) {
  return allocated(__libc_memalign(alignment, n), ISOSAN_CALLER);
}
ISOSAN_EXPORT int posix_memalign(void** result, std::size_t alignment, std::size_t n) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  const int error = errno;
  void* p = __libc_memalign(alignment, n);
  errno = error;
  if (p == nullptr) return ENOMEM;
  *result = allocated(p, ISOSAN_CALLER);
  return 0;
}
ISOSAN_EXPORT void* valloc(std::size_t n) { return allocated(__libc_valloc(n), ISOSAN_CALLER); }
ISOSAN_EXPORT void* pvalloc(std::size_t n) { return allocated(__libc_pvalloc(n), ISOSAN_CALLER); }

ISOSAN_EXPORT void* mmap(void* at, std::size_t n, int protection, int flags, int fd,
                         off_t offset) noexcept {
  observed();  // so that the real one is known
  return mapped(real.mmap(at, n, protection, flags, fd, offset), n, ISOSAN_CALLER);
}
ISOSAN_EXPORT void* mmap64(void* at, std::size_t n, int protection, int flags, int fd,
                           off64_t offset) noexcept {
  observed();
  return mapped(real.mmap64(at, n, protection, flags, fd, offset), n, ISOSAN_CALLER);
}
ISOSAN_EXPORT int munmap(void* at, std::size_t n) noexcept {
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    memory_freed(*t, address_of(at), (n + 4095) & ~std::size_t{4095}, MemoryOrigin::kMapping,
                 ISOSAN_CALLER);
  }
  return real.munmap(at, n);
}
// Moves the bytes without an access: freed where they were, allocated where they are.
ISOSAN_EXPORT void* mremap(void* at, std::size_t old, std::size_t n, int flags, ...) noexcept {
  va_list rest;
  va_start(rest, flags);
  void* to = (flags & MREMAP_FIXED) != 0 ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    memory_freed(*t, address_of(at), old, MemoryOrigin::kMapping, ISOSAN_CALLER);
  }
  void* moved = remap(at, old, n, flags, to);
  // There is no way back: the bytes are no longer where they were.
  if (moved != MAP_FAILED && !map_shadow_of(address_of(moved), n)) die_without_shadow();
  return mapped(moved, n, ISOSAN_CALLER);
}

ISOSAN_EXPORT void* intercepted_memcpy(void* to, const void* from, std::size_t n) __asm__("memcpy");
ISOSAN_EXPORT void* intercepted_memmove(void* to, const void* from,
                                        std::size_t n) __asm__("memmove");
ISOSAN_EXPORT void* intercepted_memset(void* to, int byte, std::size_t n) __asm__("memset");

void* intercepted_memcpy(void* to, const void* from, std::size_t n) {
  return observed_copy(to, from, n, ISOSAN_CALLER);
}
void* intercepted_memmove(void* to, const void* from, std::size_t n) {
  return observed_copy(to, from, n, ISOSAN_CALLER);
}
void* intercepted_memset(void* to, int byte, std::size_t n) {
  return observed_fill(to, byte, n, ISOSAN_CALLER);
}
