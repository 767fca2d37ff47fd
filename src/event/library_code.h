// Code of the C++ library, or of ours: a report shows the code that uses it.
#pragma once

#include <string_view>

namespace isosan {

inline bool is_library_code(std::string_view qualified_name, std::string_view file) {
  return qualified_name.starts_with("std::") || qualified_name.starts_with("__g") ||
         qualified_name.starts_with("isosan::region::") ||
         file.find("/include/c++/") != file.npos || file.ends_with("/isosan/isosan.h");
}

}  // namespace isosan
