// Accesses of every size, compiled with the pass: what emitted_check_test.cc calls.
#include <cstdint>

#define ACCESS(bits)                                                                     \
  extern "C" std::uint##bits##_t read##bits(const std::uint##bits##_t* p) { return *p; } \
  extern "C" void write##bits(std::uint##bits##_t* p) { *p = 1; }
ACCESS(8)
ACCESS(16)
ACCESS(32)
ACCESS(64)
