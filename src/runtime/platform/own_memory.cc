// The runtime's own memcpy and the like (prelude.h names them): called before anything is resolved, and
// from inside the interceptors of the same name. Built without loop idiom recognition, which would
// turn each into a call of itself.
#include <cstdint>

extern "C" {

[[gnu::visibility("hidden")]] void* memcpy(void* to, const void* from, std::size_t n) {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  for (; n >= 8; n -= 8, t += 8, f += 8) {
    std::uint64_t chunk;
    __builtin_memcpy(&chunk, f, 8);
    __builtin_memcpy(t, &chunk, 8);
  }
  for (std::size_t i = 0; i < n; ++i) t[i] = f[i];
  return to;
}

[[gnu::visibility("hidden")]] void* memmove(void* to, const void* from, std::size_t n) {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  if (t <= f || t >= f + n) return memcpy(to, from, n);
  while (n-- > 0) t[n] = f[n];
  return to;
}

[[gnu::visibility("hidden")]] void* memset(void* to, int byte, std::size_t n) {
  auto* t = static_cast<unsigned char*>(to);
  const std::uint64_t chunk = 0x0101010101010101u * static_cast<unsigned char>(byte);
  for (; n >= 8; n -= 8, t += 8) __builtin_memcpy(t, &chunk, 8);
  for (std::size_t i = 0; i < n; ++i) t[i] = static_cast<unsigned char>(byte);
  return to;
}

[[gnu::visibility("hidden")]] int memcmp(const void* a, const void* b, std::size_t n) {
  const auto* x = static_cast<const unsigned char*>(a);
  const auto* y = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}
}
