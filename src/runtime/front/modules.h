// The modules of the process: announced to the reader, which answers with a flag byte for each
// function record; and known to signal handlers by address.
#pragma once

#include <cstdint>

namespace isosan::rt {

enum class ModuleFront : std::uint8_t { kNone, kTsan, kPass, kRuntime };

// Announces what was loaded since the last call, except modules of the pass, which announce
// themselves by their constructor (with their tables).
void announce_loaded_modules();
void announce_pass_module(std::uint64_t functions_begin, std::uint64_t functions_end,
                          std::uint64_t sites_begin, std::uint64_t sites_end);

// Which front instrumented the code at this address. Async-signal-safe.
ModuleFront front_of(std::uint64_t pc);
// What orders the threads of a library that is not instrumented, nobody sees.
inline bool is_of_program(std::uint64_t pc) {
  const ModuleFront front = front_of(pc);
  return front == ModuleFront::kPass || front == ModuleFront::kTsan;
}

}  // namespace isosan::rt
