// What the claim functions (claim_functions.cc, walk_claims.cc, wide_claims.cc) share: the thread's
// block, the log append, the slow path. Private to them.
#pragma once

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

class ClaimBuilder {
 public:
  ClaimBuilder(llvm::Function& function, bool is_write, std::uint64_t size);

  // Cases in slow_ go to another one of these functions, those without room to `full`: tail calls
  // where the processor has them, so that no frame is needed before the last one. Call once, last.
  void tail_call(llvm::Function& next, llvm::Function& full);
  void tail_call(llvm::Function& next) { tail_call(next, next); }
  void call_runtime();  // the last

 protected:
  llvm::BasicBlock* block(const char* name);
  llvm::Constant* number(std::uint64_t value) { return at_.getInt64(value); }
  llvm::Value* field(std::size_t offset);
  llvm::Value* field_address(std::size_t offset);
  llvm::LoadInst* log_field(std::size_t offset);  // behind position_with_room()
  void store_field(llvm::Value* value, std::size_t offset);
  void branch(llvm::Value* condition, llvm::BasicBlock* likely, llvm::BasicBlock* unlikely);
  void continue_if(llvm::Value* condition, const char* name);  // in a new block, else in slow_

  llvm::Value* is_own(llvm::Value* word);
  llvm::Value* is_ordered(
      llvm::Value* word);  // read-shared, and this thread is ordered after its writer
  llvm::Value* is_of_other_thread(llvm::Value* word);  // exclusive and not held
  llvm::Value* is_in_region();
  llvm::Value* is_covered(llvm::Value* word);  // this thread's clock covers its owner's epoch
  llvm::Value* claimed(llvm::Value* word, llvm::Value* mask);  // write_claimed(), read_claimed()
  llvm::Value* fresh(llvm::Value* mask);                       // the same for another thread's word
  llvm::Value* load_word(llvm::Value* shadow);
  void store_word(llvm::Value* word, llvm::Value* shadow,
                  llvm::AtomicOrdering order = llvm::AtomicOrdering::Release);
  llvm::Value* exchange_word(llvm::Value* expected, llvm::Value* word, llvm::Value* shadow);

  // Continues in a new block if there is room for one more unit, else in full_.
  llvm::Value* position_with_room();
  void append(llvm::Value* position);

  llvm::Value* filter_slot(llvm::Value* address);
  llvm::Value* filter_entry(llvm::Value* address, llvm::Value* mask);
  // Rule 6, read-shared words with an ordered writer: was this access logged in this epoch?
  llvm::Value* is_filtered(llvm::Value* mask);
  void remember_shared_read(llvm::Value* slot, llvm::Value* entry);

  llvm::Function& function_;
  const bool is_write_;
  const std::uint64_t size_;
  llvm::IRBuilder<> at_;
  llvm::Value* self_;
  llvm::Value* log_ = nullptr;  // the block that accesses are appended to
  llvm::Value* pointer_;
  llvm::Value* site_;
  llvm::Value* address_;
  llvm::Value* tag_;
  llvm::BasicBlock* slow_;
  llvm::BasicBlock* full_ = nullptr;

 private:
  llvm::Value* runtime_field(std::size_t offset);  // a pointer in what ThreadBlock::runtime names
  llvm::Value* with_mask(llvm::Value* word, llvm::Value* mask);
};

// Of 1 to 8 bytes in one granule, with the parameters of claim_function().
class GranuleClaim : public ClaimBuilder {
 public:
  GranuleClaim(llvm::Function& function, bool is_write, std::uint64_t size);

 protected:
  llvm::Value* shadow();

  // Claims the own word, or goes to slow_. Of a whole word a store will do: whoever takes it at that
  // moment races with this access. Other bytes of a part's word may rightly be another thread's.
  void claim_own(llvm::AtomicOrdering order = llvm::AtomicOrdering::Release);

  llvm::Value* const word_;
  llvm::Value* const mask_;

 private:
  llvm::Value* byte_mask();
};

// The function ends with a tail call of another one with the same parameters.
void tail_call_with_arguments(llvm::IRBuilder<>& at, llvm::Function& function,
                              llvm::Function& next);

// Declares a claim function in the module: one copy for the linked module, keeps all registers.
llvm::Function& declare_claim(llvm::Module& module, const std::string& name,
                              llvm::ArrayRef<llvm::Type*> parameters);
// With the parameters of claim_function().
llvm::Function& declare_claim(llvm::Module& module, const std::string& name);

}  // namespace isosan::pass
