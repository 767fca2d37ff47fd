// Lines of source files, for reports and anchors.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace isosan {

// Each file is read once. A line comes without the blanks before it; empty: there is none.
class Sources {
 public:
  std::string line(const std::string& file, std::uint32_t number) {
    const auto [found, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream in(file);
      for (std::string text; std::getline(in, text);) found->second.push_back(text);
    }
    if (number == 0 || number > found->second.size()) return {};
    const std::string& text = found->second[number - 1];
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : text.substr(begin);
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace isosan
