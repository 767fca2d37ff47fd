// The functions of libc that read and write the program's memory on its behalf: strings, blocks,
// formatted output, sorting. Each logs what it has touched as one range, at the place of the call,
// once the extent is known. Where a function stopped early (strcmp, memchr), the bytes after that
// are not logged.
//
// A call is logged after it is done: in a race with another thread the log may have the two in the
// other order (runtime.md). memcpy, memmove and memset themselves are in memory.cc.
#include <cstdarg>
#include <cstdint>

#include "runtime/front/intercept/copy.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/ownership/access.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

// Such functions are called before start-up and inside it. They must not start the runtime, but
// need the real functions.
Thread* observed_caller() {
  if (real.strlen == nullptr) [[unlikely]]
    resolve_real_functions();
  return observed_if_started();
}

class Accesses {  // what one call has read and written
 public:
  explicit Accesses(std::uint64_t place) : t_(observed_caller()), place_(place) {
    if (!serialized(t_)) return;
    RuntimeScope scope(t_);
    point(*t_);  // the call is one operation
  }
  explicit operator bool() const { return t_ != nullptr; }
  void read(const void* at, std::size_t n) const {
    if (t_ == nullptr || n == 0) return;
    RuntimeScope scope(t_);
    PointsOff points_off(*t_);
    read_range(*t_, address_of(at), n, place_);
  }
  void written(const void* at, std::size_t n) const {
    if (t_ == nullptr || n == 0) return;
    RuntimeScope scope(t_);
    PointsOff points_off(*t_);
    write_range(*t_, address_of(at), n, place_);
  }
  void read_string(const char* s) const {
    if (t_ != nullptr) read(s, real.strlen(s) + 1);
  }
  void written_string(const char* s) const {
    if (t_ != nullptr) written(s, real.strlen(s) + 1);
  }

 private:
  Thread* t_;
  std::uint64_t place_;
};

std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

std::size_t distance(const void* from, const void* to) {
  return static_cast<std::size_t>(static_cast<const char*>(to) - static_cast<const char*>(from));
}

unsigned char lower(char c) {
  return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

enum class Case { kMatters, kDoesNot };

// How many bytes of each string a comparison looks at, at most n.
std::size_t compared(const char* a, const char* b, std::size_t n, Case letters) {
  std::size_t i = 0;
  while (i < n && a[i] != 0 &&
         (letters == Case::kMatters ? a[i] == b[i] : lower(a[i]) == lower(b[i]))) {
    ++i;
  }
  return smaller(i + 1, n);
}

struct Difference {
  std::size_t compared;  // bytes of each block
  int order;             // as memcmp gives it
};
Difference difference(const void* a, const void* b, std::size_t n) {
  const auto* x = static_cast<const unsigned char*>(a);
  const auto* y = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] != y[i]) return {i + 1, x[i] - y[i]};
  }
  return {n, 0};
}

void log_comparison(const Accesses& accesses, const void* a, const void* b, std::size_t n) {
  accesses.read(a, n);
  accesses.read(b, n);
}

constexpr std::size_t kNoLimit = ~std::size_t{0};

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

// <string.h> declares some of these twice: the definitions go by names of their own.
#define LIBC(result, name, parameters)                               \
  ISOSAN_EXPORT result intercepted_##name parameters __asm__(#name); \
  result intercepted_##name parameters

LIBC(std::size_t, strlen, (const char* s)) {
  const Accesses accesses(ISOSAN_CALLER);
  const std::size_t n = real.strlen(s);
  accesses.read(s, n + 1);
  return n;
}
LIBC(std::size_t, strnlen, (const char* s, std::size_t limit)) {
  const Accesses accesses(ISOSAN_CALLER);
  const std::size_t n = real.strnlen(s, limit);
  accesses.read(s, smaller(n + 1, limit));
  return n;
}

#define COMPARES_STRINGS(name, parameters, arguments, limit, letters)                   \
  LIBC(int, name, parameters) {                                                         \
    const Accesses accesses(ISOSAN_CALLER);                                             \
    if (accesses) log_comparison(accesses, a, b, compared(a, b, limit, Case::letters)); \
    return real.name arguments;                                                         \
  }
COMPARES_STRINGS(strcmp, (const char* a, const char* b), (a, b), kNoLimit, kMatters)
COMPARES_STRINGS(strcasecmp, (const char* a, const char* b), (a, b), kNoLimit, kDoesNot)
COMPARES_STRINGS(strncmp, (const char* a, const char* b, std::size_t n), (a, b, n), n, kMatters)
COMPARES_STRINGS(strncasecmp, (const char* a, const char* b, std::size_t n), (a, b, n), n, kDoesNot)

#define COMPARES_BLOCKS(name)                                      \
  LIBC(int, name, (const void* a, const void* b, std::size_t n)) { \
    const Accesses accesses(ISOSAN_CALLER);                        \
    if (!accesses) return real.name(a, b, n);                      \
    const Difference found = difference(a, b, n);                  \
    log_comparison(accesses, a, b, found.compared);                \
    return found.order;                                            \
  }
COMPARES_BLOCKS(memcmp)
COMPARES_BLOCKS(bcmp)

LIBC(void*, memchr, (const void* at, int c, std::size_t n)) {
  const Accesses accesses(ISOSAN_CALLER);
  void* found = real.memchr(at, c, n);
  accesses.read(at, found == nullptr ? n : distance(at, found) + 1);
  return found;
}
LIBC(void*, memrchr, (const void* at, int c, std::size_t n)) {
  const Accesses accesses(ISOSAN_CALLER);
  void* found = real.memrchr(at, c, n);
  const std::size_t skipped = found == nullptr ? 0 : distance(at, found);
  accesses.read(static_cast<const char*>(at) + skipped, n - skipped);
  return found;
}

#define FINDS_IN_STRING(name, type)                                 \
  LIBC(char*, name, (const char* s, type what)) {                   \
    const Accesses accesses(ISOSAN_CALLER);                         \
    char* found = real.name(s, what);                               \
    if (found != nullptr) accesses.read(s, distance(s, found) + 1); \
    if (found == nullptr) accesses.read_string(s);                  \
    return found;                                                   \
  }
FINDS_IN_STRING(strchr, int)
FINDS_IN_STRING(strchrnul, int)
FINDS_IN_STRING(strpbrk, const char*)

LIBC(char*, strrchr, (const char* s, int c)) {
  const Accesses accesses(ISOSAN_CALLER);
  accesses.read_string(s);
  return real.strrchr(s, c);
}
LIBC(char*, strstr, (const char* s, const char* what)) {
  const Accesses accesses(ISOSAN_CALLER);
  char* found = real.strstr(s, what);
  accesses.read_string(what);
  if (found == nullptr) accesses.read_string(s);
  if (found != nullptr && accesses) accesses.read(s, distance(s, found) + real.strlen(what));
  return found;
}

#define SPANS(name)                                           \
  LIBC(std::size_t, name, (const char* s, const char* set)) { \
    const Accesses accesses(ISOSAN_CALLER);                   \
    const std::size_t n = real.name(s, set);                  \
    accesses.read(s, n + 1);                                  \
    accesses.read_string(set);                                \
    return n;                                                 \
  }
SPANS(strspn)
SPANS(strcspn)

// Copies. The checked variants of _FORTIFY_SOURCE know the size of the target: where it is too
// small they end the program.
#define COPIES_STRING(name, parameters, arguments) \
  LIBC(char*, name, parameters) {                  \
    const Accesses accesses(ISOSAN_CALLER);        \
    accesses.read_string(from);                    \
    char* result = real.name arguments;            \
    accesses.written_string(to);                   \
    return result;                                 \
  }
COPIES_STRING(strcpy, (char* to, const char* from), (to, from))
COPIES_STRING(stpcpy, (char* to, const char* from), (to, from))
COPIES_STRING(__strcpy_chk, (char* to, const char* from, std::size_t room), (to, from, room))
COPIES_STRING(__stpcpy_chk, (char* to, const char* from, std::size_t room), (to, from, room))

#define COPIES_AND_PADS(name, parameters, arguments)                          \
  LIBC(char*, name, parameters) {                                             \
    const Accesses accesses(ISOSAN_CALLER);                                   \
    if (accesses) accesses.read(from, smaller(real.strnlen(from, n) + 1, n)); \
    char* result = real.name arguments;                                       \
    accesses.written(to, n);                                                  \
    return result;                                                            \
  }
COPIES_AND_PADS(strncpy, (char* to, const char* from, std::size_t n), (to, from, n))
COPIES_AND_PADS(__strncpy_chk, (char* to, const char* from, std::size_t n, std::size_t room),
                (to, from, n, room))

#define APPENDS(name, parameters, arguments, limit)                                   \
  LIBC(char*, name, parameters) {                                                     \
    const Accesses accesses(ISOSAN_CALLER);                                           \
    const std::size_t old = accesses ? real.strlen(to) : 0;                           \
    accesses.read(to, old + 1);                                                       \
    if (accesses) accesses.read(from, smaller(real.strnlen(from, limit) + 1, limit)); \
    char* result = real.name arguments;                                               \
    accesses.written_string(to + old);                                                \
    return result;                                                                    \
  }
APPENDS(strcat, (char* to, const char* from), (to, from), kNoLimit)
APPENDS(strncat, (char* to, const char* from, std::size_t n), (to, from, n), n)
APPENDS(__strcat_chk, (char* to, const char* from, std::size_t room), (to, from, room), kNoLimit)
APPENDS(__strncat_chk, (char* to, const char* from, std::size_t n, std::size_t room),
        (to, from, n, room), n)

LIBC(char*, strdup, (const char* s)) {
  const Accesses accesses(ISOSAN_CALLER);
  char* copy = real.strdup(s);
  accesses.read_string(s);
  if (copy != nullptr) accesses.written_string(copy);
  return copy;
}
LIBC(char*, strndup, (const char* s, std::size_t limit)) {
  const Accesses accesses(ISOSAN_CALLER);
  char* copy = real.strndup(s, limit);
  if (accesses) accesses.read(s, smaller(real.strnlen(s, limit) + 1, limit));
  if (copy != nullptr) accesses.written_string(copy);
  return copy;
}

LIBC(void*, mempcpy, (void* to, const void* from, std::size_t n)) {
  return static_cast<char*>(observed_copy(to, from, n, ISOSAN_CALLER)) + n;
}
LIBC(void*, __memcpy_chk, (void* to, const void* from, std::size_t n, std::size_t room)) {
  if (n > room) return real.__memcpy_chk(to, from, n, room);
  return observed_copy(to, from, n, ISOSAN_CALLER);
}
LIBC(void*, __memmove_chk, (void* to, const void* from, std::size_t n, std::size_t room)) {
  if (n > room) return real.__memmove_chk(to, from, n, room);
  return observed_copy(to, from, n, ISOSAN_CALLER);
}
LIBC(void*, __mempcpy_chk, (void* to, const void* from, std::size_t n, std::size_t room)) {
  if (n > room) return real.__mempcpy_chk(to, from, n, room);
  return static_cast<char*>(observed_copy(to, from, n, ISOSAN_CALLER)) + n;
}
LIBC(void*, __memset_chk, (void* to, int byte, std::size_t n, std::size_t room)) {
  if (n > room) return real.__memset_chk(to, byte, n, room);
  return observed_fill(to, byte, n, ISOSAN_CALLER);
}

// Formatted output into memory: what is written is logged, what %s reads is not.
#define VARIADIC(name, behind, last, parameters, arguments, room)                     \
  LIBC(int, name, parameters) {                                                       \
    const Accesses accesses(ISOSAN_CALLER);                                           \
    va_list rest;                                                                     \
    va_start(rest, last);                                                             \
    const int n = real.behind arguments;                                              \
    va_end(rest);                                                                     \
    if (n >= 0) accesses.written(to, smaller(static_cast<std::size_t>(n) + 1, room)); \
    return n;                                                                         \
  }
#define TAKES_LIST(name, parameters, arguments, room)                                 \
  LIBC(int, name, parameters) {                                                       \
    const Accesses accesses(ISOSAN_CALLER);                                           \
    const int n = real.name arguments;                                                \
    if (n >= 0) accesses.written(to, smaller(static_cast<std::size_t>(n) + 1, room)); \
    return n;                                                                         \
  }
TAKES_LIST(vsprintf, (char* to, const char* format, va_list rest), (to, format, rest), kNoLimit)
TAKES_LIST(vsnprintf, (char* to, std::size_t size, const char* format, va_list rest),
           (to, size, format, rest), size)
TAKES_LIST(__vsprintf_chk, (char* to, int flag, std::size_t room, const char* format, va_list rest),
           (to, flag, room, format, rest), kNoLimit)
TAKES_LIST(__vsnprintf_chk,
           (char* to, std::size_t size, int flag, std::size_t room, const char* format,
            va_list rest),
           (to, size, flag, room, format, rest), size)
VARIADIC(sprintf, vsprintf, format, (char* to, const char* format, ...), (to, format, rest),
         kNoLimit)
VARIADIC(snprintf, vsnprintf, format, (char* to, std::size_t size, const char* format, ...),
         (to, size, format, rest), size)
VARIADIC(__sprintf_chk, __vsprintf_chk, format,
         (char* to, int flag, std::size_t room, const char* format, ...),
         (to, flag, room, format, rest), kNoLimit)
VARIADIC(__snprintf_chk, __vsnprintf_chk, format,
         (char* to, std::size_t size, int flag, std::size_t room, const char* format, ...),
         (to, size, flag, room, format, rest), size)

// Through a buffer of libc: the program's own memory is logged, the buffer is not.
LIBC(std::size_t, fread, (void* to, std::size_t size, std::size_t n, std::FILE* file)) {
  const Accesses accesses(ISOSAN_CALLER);
  const std::size_t done = real.fread(to, size, n, file);
  accesses.written(to, done * size);
  return done;
}
LIBC(std::size_t, fwrite, (const void* from, std::size_t size, std::size_t n, std::FILE* file)) {
  const Accesses accesses(ISOSAN_CALLER);
  accesses.read(from, n * size);
  return real.fwrite(from, size, n, file);
}
LIBC(int, puts, (const char* s)) {
  const Accesses accesses(ISOSAN_CALLER);
  accesses.read_string(s);
  return real.puts(s);
}
LIBC(int, fputs, (const char* s, std::FILE* file)) {
  const Accesses accesses(ISOSAN_CALLER);
  accesses.read_string(s);
  return real.fputs(s, file);
}
LIBC(char*, fgets, (char* to, int n, std::FILE* file)) {
  const Accesses accesses(ISOSAN_CALLER);
  char* result = real.fgets(to, n, file);
  if (result != nullptr) accesses.written_string(to);
  return result;
}

// The comparisons are the program's own; moving the elements is libc's.
LIBC(void, qsort,
     (void* at, std::size_t count, std::size_t size, int (*order)(const void*, const void*))) {
  const Accesses accesses(ISOSAN_CALLER);
  real.qsort(at, count, size, order);
  accesses.written(at, count * size);
}
