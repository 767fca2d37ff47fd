// Where the code of a module calls a function directly, read off its machine code.
//
// x86-64: a call or jump is an opcode and the distance to its target, and lea takes an address the
// same way (x86_instruction.h). aarch64: b and bl hold the distance; adrp and add take the address. The address of a
// function also stands in relocations or, in a program with fixed addresses, in code and data.
//
// Law: where `address_taken` is false, every call of the function within the module is in `calls`.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "symbolize/elf_file.h"

namespace isosan {

struct FoundCalls {
  std::vector<std::uint64_t> calls;  // addresses behind the calls, as return addresses are
  bool address_taken = false;        // it may be called through a pointer, too
  std::vector<std::uint64_t> taken;  // by the code: addresses behind the instructions
};

// By the target's address; every target has an entry.
std::map<std::uint64_t, FoundCalls> find_calls(const ElfFile& file,
                                               const std::set<std::uint64_t>& targets);

}  // namespace isosan
