// The URI of a file, as SARIF names files: everything that may not stand in a URI reference is
// percent-encoded.
#pragma once

#include <cctype>
#include <cstdio>
#include <string>
#include <string_view>

namespace isosan {

inline std::string file_uri(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("-._~/+,=@").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(byte));
      uri += code;
    }
  }
  return uri;
}

}  // namespace isosan
