// What functions without a table of ours do to threads: those of the __tsan_* front. Read off the
// calls in the machine code, with the meaning that the pass gives to the same (pass/tables/sharing.h).
//
//   operation  takes or gives up a lock or does something atomic; or is in one scope with such a function,
//              a class as far as one knows, but no constructor or destructor
//   deals      an operation; or has two calls or more of functions that deal, or that nobody knows
//
// Not seen: what was inlined as a function of its own, accessibility, members that are locks.
#pragma once

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "symbolize/elf_file.h"

namespace isosan {

struct CodeTraits {
  bool waits_or_notifies = false;  // waits or starts threads, however deep; or notifies
  bool synchronizes = false;       // takes a lock
  // A thread's body: a function that starts threads takes its address; or a job: no member, takes no
  // lock, and is never called by name.
  bool thread_entry = false;
  bool deals = false;
};

// By the function's address. If nothing in the module deals, everything may.
absl::flat_hash_map<std::uint64_t, CodeTraits> code_traits(const ElfFile& file);

}  // namespace isosan
