#include "symbolize/class_layouts.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/shell_word.h"
#include "symbolize/llvm_tool.h"

namespace isosan {
namespace {

bool is_identifier(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// "DW_AT_name  ("x")": what stands between the parentheses, without quotes.
std::optional<std::string_view> attribute(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == line.npos) return std::nullopt;
  const std::size_t open = line.find('(', at + name.size()), close = line.rfind(')');
  if (open == line.npos || close == line.npos || close <= open) return std::nullopt;
  std::string_view value = line.substr(open + 1, close - open - 1);
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  return value;
}

std::uint64_t number(std::string_view text) {
  return ::strtoull(std::string(text).c_str(), nullptr, 0);
}

bool is_class(std::string_view line) {
  return line.find("DW_TAG_class_type") != line.npos ||
         line.find("DW_TAG_structure_type") != line.npos;
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char part[1 << 14];
  for (std::size_t got; (got = ::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, got);
  ::pclose(pipe);
  return text;
}

}  // namespace

const Member* ClassLayout::member_at(std::uint64_t offset) const {
  const auto after = std::ranges::upper_bound(members, offset, {}, &Member::offset);
  return after == members.begin() ? nullptr : &*std::prev(after);
}

// An entry begins with "0x...: DW_TAG_..."; a class stands at the left margin, its children are
// indented. Static members have no place in the object.
std::vector<ClassLayout> parse_class_layouts(std::string_view dump) {
  std::vector<ClassLayout> all;
  enum { kNothing, kClass, kMember } at = kNothing;
  std::string member;
  while (!dump.empty()) {
    const std::size_t end = std::min(dump.find('\n'), dump.size());
    const std::string_view line = dump.substr(0, end);
    dump.remove_prefix(std::min(end + 1, dump.size()));
    if (line.starts_with("0x")) {
      const bool child = line.find(":   ") != line.npos;
      if (!child) at = is_class(line) ? kClass : kNothing;
      if (!child && at == kClass) all.emplace_back();
      if (child && !all.empty()) at = line.find("DW_TAG_member") != line.npos ? kMember : kNothing;
      continue;
    }
    if (at == kNothing) continue;
    if (const auto name = attribute(line, "DW_AT_name")) {
      if (at == kClass) all.back().name = name->substr(0, name->find('<'));
      member = at == kMember ? std::string(*name) : "";
    } else if (const auto size = attribute(line, "DW_AT_byte_size"); size && at == kClass) {
      all.back().size = number(*size);
    } else if (const auto offset = attribute(line, "DW_AT_data_member_location")) {
      if (at == kMember && !member.empty()) all.back().members.push_back({member, number(*offset)});
    }
  }
  for (ClassLayout& one : all) std::ranges::stable_sort(one.members, {}, &Member::offset);
  return all;
}

// llvm-dwarfdump compiles its regular expression anew for each entry: on a large program it needs a
// hundred times as long as for names. So only those that have no layout by their plain name are looked for as
// templates.
std::vector<ClassLayout> class_layouts(const std::string& module_path,
                                       const std::set<std::string>& names) {
  const std::string program = llvm_tool_path("llvm-dwarfdump");
  if (program.empty() || !is_plain_file(module_path)) return {};
  const auto dump = [&](const std::string& options) {
    return parse_class_layouts(output_of(program + options + " --show-children --recurse-depth=1 " +
                                         shell_word(module_path) + " 2>/dev/null"));
  };
  std::string plain, templates;
  for (const std::string& name : names) {
    if (is_identifier(name)) plain += " --name=" + name;
  }
  if (plain.empty()) return {};
  std::vector<ClassLayout> all = dump(plain);
  for (const std::string& name : names) {
    const bool found = std::ranges::find(all, name, &ClassLayout::name) != all.end();
    if (is_identifier(name) && !found) templates += (templates.empty() ? "" : "|") + name;
  }
  if (templates.empty()) return all;
  std::ranges::move(dump(" --regex --name='^(" + templates + ")<.*$'"), std::back_inserter(all));
  return all;
}

}  // namespace isosan
