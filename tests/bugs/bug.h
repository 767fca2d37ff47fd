// What the programs of this folder share: one way to fail, and which of the two versions this is.
// Each file is one program after a bug of the literature; compiled with -DFIXED it is the corrected
// one. A program fails by abort(), by a wrong exit status or by hanging; left alone it hardly ever
// does.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace bug {

#ifdef FIXED
inline constexpr bool kFixed = true;
#else
inline constexpr bool kFixed = false;
#endif

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::abort();
}

}  // namespace bug
