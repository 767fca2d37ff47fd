// Claim functions: the path of an access whose check missed, out of line but in the module itself.
//
// Model. `isosan.read.N` and `isosan.write.N` (N bytes) are made once per module, one copy for the
// linked module. They handle cases without another thread: the own-older-epoch path (rule 2) and
// read-shared reads (rule 6), each with its log append. `isosan.shared.*` is called in place of the
// ones for reads where the word is not exclusive: it looks into the filter first. Other cases go on to
// `isosan.transfer.*`, which takes words of others whose epoch is covered (rule 3), and then to
// `isosan.slow.*`, which calls the runtime. `isosan.full.*` is for a ring that
// seems full. On aarch64 these are tail calls, and only the last function needs a frame; the calling
// convention of x86-64 that keeps all registers has none. The functions keep all registers, so a check adds only a branch, and a call in a
// cold block, to the code around it. Inline they would be 30 instructions per access, and the
// optimiser would hoist their invariant parts into the loops around them.
//
// Each of them gets the address and the site only and loads the thread's block and the word anew, once:
// what it decides and stores is made of that word. So a call needs two registers of the code around it.
//
// The formulas are those of runtime/contract/shadow_word.h, the sequence that of fast_path.h.
#pragma once

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

// void(ptr address, ptr site), 1 to 8 bytes.
llvm::Function& claim_function(llvm::Module& module, bool is_write, std::uint64_t size);

// Of a read whose word seemed to be read-shared: `next` is called if the filter does not have it.
llvm::Function& filter_function(llvm::Function& next, std::uint64_t size);

// The same where the accesses of one instruction may be a walk (walk_claims.cc).
llvm::Function& walk_claim_function(llvm::Module& module, bool is_write, std::uint64_t size);

// The same of 16, 24 or 32 bytes: whole granules.
llvm::Function& wide_claim_function(llvm::Module& module, bool is_write, std::uint64_t size);

// void(ptr first, i64 size, ptr site): __isosan_read_range for a cold block of straight code.
llvm::Function& block_claim_function(llvm::Module& module);

// For a claim function that finds no room: asks the runtime for some, then tries again, or gives up.
llvm::Function& full_function(llvm::Function& again, llvm::Function& slow);

// The last in the chain: calls the runtime.
llvm::Function& slow_function(llvm::Module& module, bool is_write, std::uint64_t size);

// What stands for the byte mask in the filter's entry of such an access.
std::uint64_t wide_filter_mask(std::uint64_t size);

// __isosan_self, loaded.
llvm::Value* load_self(llvm::IRBuilder<>& at);

}  // namespace isosan::pass
