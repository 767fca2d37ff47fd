// Checks for bugs of IsoSan itself. They stay on in release: a wrong verdict is worse than an
// abort.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace isosan {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "isosan: internal error: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace isosan

#define ISOSAN_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::isosan::check_failed(#condition, __FILE__, __LINE__))
