// Who calls a function, with the source lines of the calls.
//
// Model: a question about a function that was not looked at yet is kept; answer_all() answers all
// that are kept with one scan of each module and one call of the symbolizer. So a search over many
// functions asks, answers and starts again until nothing new is asked.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "event/tables.h"
#include "symbolize/elf_file.h"
#include "symbolize/symbolizer.h"

namespace isosan {

struct Entry {  // of a function in a module
  ModuleId module{};
  std::uint64_t address = 0;
  auto operator<=>(const Entry&) const = default;
};

struct Caller {
  Entry function;                   // that makes the call
  std::vector<SourceFrame> frames;  // of the call, innermost first; qualified names
};

struct Callers {
  bool complete = false;  // false: there may be calls that are not listed
  std::vector<Caller> list;
};

class CallerTable {
 public:
  static constexpr std::size_t kMostCalls = 256;  // of one function

  explicit CallerTable(const Tables& tables) : tables_(tables) {}

  // The function's copies in the module, by its linkage name.
  std::vector<Entry> entries(const Function& function);
  const Callers* find(const Entry& function);  // null: asked now
  void answer_all();

 private:
  struct Code {
    std::unique_ptr<ElfFile> file;
    std::multimap<std::string, std::uint64_t> by_name;
    std::set<std::uint64_t> starts;
  };

  Code& code_of(ModuleId module);
  void answer(ModuleId module, const std::set<std::uint64_t>& targets);

  const Tables& tables_;
  std::map<ModuleId, Code> code_;
  std::map<Entry, Callers> known_;
  std::set<Entry> asked_;
};

}  // namespace isosan
