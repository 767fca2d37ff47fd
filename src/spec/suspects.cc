#include "spec/suspects.h"

#include <toml++/toml.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/fresh_file.h"
#include "base/input_error.h"
#include "base/user_error.h"
#include "spec/toml_file.h"

namespace isosan {
namespace {

void read_regions(const std::string& path, const toml::node& node, SuspectedNames& suspects) {
  const toml::array* array = node.as_array();
  if (array == nullptr) fail_in_toml(path, node.source(), "'regions' must be a list of strings");
  for (const toml::node& element : *array) {
    if (!element.is_string()) fail_in_toml(path, element.source(), "'regions' takes strings");
    suspects.regions.insert(element.as_string()->get());
  }
}

std::string text_of(const SuspectedNames& suspects) {
  toml::array regions;
  for (const std::string& name : suspects.regions) regions.push_back(name);
  std::ostringstream text;
  text << "# Suspects of isosan --analysis doublechecker --mode first\n"
       << toml::table{{"runs", static_cast<std::int64_t>(suspects.runs)},
                      {"unary", suspects.unary},
                      {"regions", std::move(regions)}}
       << "\n";
  return text.str();
}

SuspectedNames suspects_so_far(const std::string& path) {
  return std::filesystem::exists(path) ? read_suspects(path) : SuspectedNames{};
}

[[noreturn]] void cannot_write(const std::string& path) {
  throw UserError("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace

void SuspectedNames::merge(const SuspectedNames& other) {
  runs += other.runs;
  unary |= other.unary;
  regions.insert(other.regions.begin(), other.regions.end());
}

SuspectedNames read_suspects(const std::string& path) {
  const toml::table root = read_toml(path);
  if (!root.contains("regions"))
    throw InputError(path + ": is not a suspects file: it has no 'regions'");
  SuspectedNames suspects;
  for (const auto& [key, node] : root) {
    if (key.str() == "regions") {
      read_regions(path, node, suspects);
    } else if (key.str() == "unary") {
      if (!node.is_boolean()) fail_in_toml(path, node.source(), "'unary' must be true or false");
      suspects.unary = node.as_boolean()->get();
    } else if (key.str() == "runs") {
      const std::int64_t runs = node.value_or(std::int64_t{-1});
      if (runs < 0) fail_in_toml(path, node.source(), "'runs' must be a number, 0 or more");
      suspects.runs = static_cast<std::uint64_t>(runs);
    } else {
      fail_in_toml(path, node.source(),
                   "unknown key of a suspects file: '" + std::string(key.str()) + "'");
    }
  }
  return suspects;
}

void check_that_suspects_can_be_added(const std::string& path) {
  suspects_so_far(path);
  if (!FreshFile(path).is_open()) cannot_write(path);
}

SuspectedNames add_to_suspects(const std::string& path, const SuspectedNames& found) {
  SuspectedNames all = suspects_so_far(path);
  all.merge(found);
  FreshFile file(path);
  if (!file.is_open() || !file.complete(text_of(all))) cannot_write(path);
  return all;
}

}  // namespace isosan
