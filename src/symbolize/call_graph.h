// Which functions of a module call which, read off its machine code: for code that was compiled
// without tables of ours.
//
// Model: a call goes to a function of the module, directly (call_scan.h); to an import, through a stub
// or a slot that the loader fills; or through a pointer. A jump to another function is a call, too.
// A function is what a symbol covers. What was inlined is part of its caller.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symbolize/elf_file.h"

namespace isosan {

struct FoundCall {
  static constexpr std::uint32_t kNowhere = ~0u;
  std::uint32_t callee = kNowhere;  // index of a function of the module
  std::string_view import_name;     // else: linkage name of another module's; empty: a pointer
};

struct CodeFunction {
  std::uint64_t begin = 0, end = 0;  // module-relative
  std::string_view name;             // linkage name, in the file
  bool global = false;
  bool address_taken = false;  // it may be called through a pointer, too
  std::uint32_t callers = 0;   // calls of it in the module
  std::vector<FoundCall> calls;
  std::vector<std::uint32_t> takes;  // functions of the module whose addresses it takes
};

// Sorted by address. The names live as long as the file.
std::vector<CodeFunction> call_graph(const ElfFile& file);

}  // namespace isosan
