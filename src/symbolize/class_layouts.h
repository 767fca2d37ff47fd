// Which member of a class stands at which offset: from DWARF, by llvm-dwarfdump.
//
// A class is asked for by its name without namespaces and template arguments, so that an answer may
// hold several of that name. Where the program or the debug information is missing there is none.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace isosan {

struct Member {
  std::string name;
  std::uint64_t offset = 0;
};

struct ClassLayout {
  std::string name;  // without template arguments
  std::uint64_t size = 0;
  std::vector<Member> members;  // by offset

  const Member* member_at(std::uint64_t offset) const;  // null: none begins there or before
};

// Of the classes in this file, in one call of the program.
std::vector<ClassLayout> class_layouts(const std::string& module_path,
                                       const std::set<std::string>& names);

// What llvm-dwarfdump prints of classes and their children.
std::vector<ClassLayout> parse_class_layouts(std::string_view dump);

}  // namespace isosan
