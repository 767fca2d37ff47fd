// Atomic operations that the C++ library does for itself: it counts references, and it locks
// std::atomic<std::shared_ptr> by a bit. They are no part of what a region does.
#pragma once

#include <algorithm>
#include <string_view>

namespace isosan {

// Whether atomic operations of this file are such.
inline bool is_bookkeeping(std::string_view file) {
  constexpr std::string_view kHeaders[] = {"/bits/shared_ptr_base.h", "/bits/shared_ptr_atomic.h",
                                           "/ext/atomicity.h", "/__memory/shared_count.h"};
  return std::ranges::any_of(kHeaders, [&](std::string_view end) { return file.ends_with(end); });
}

}  // namespace isosan
