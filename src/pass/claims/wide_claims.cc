// Claim functions of accesses that are two to four whole granules, most of them merged (merge.h).
//
// Each word is checked by itself: this thread's (hit or older epoch), or read-shared and ordered.
// If all words are one of the two, the whole access is one log unit. In every other case the
// runtime is called.
#include "pass/claims/claim_builder.h"
#include "pass/claims/claim_functions.h"
#include "runtime/contract/fast_path.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class WideClaim : ClaimBuilder {
 public:
  using ClaimBuilder::ClaimBuilder;
  using ClaimBuilder::tail_call;

  void write() {
    const std::uint64_t count = size_ / rt::kGranule;
    Value* first = at_.CreateIntToPtr(at_.CreateXor(address_, rt::kShadowXor), at_.getPtrTy());
    for (std::uint64_t i = 0; i < count; ++i) {
      Value* shadow = at_.CreateConstInBoundsGEP1_64(at_.getInt64Ty(), first, i);
      Value* word = load_word(shadow);
      words_.push_back({shadow, word, is_own(word)});
    }
    if (!is_write_) return_if_filtered();
    branch(all_own_or_ordered(), next_block("mine"), slow_);
    at_.SetInsertPoint(next_);
    append(position_with_room());
    if (!is_write_) remember_all();
    for (const Word& word : words_) claim(word);
    at_.CreateRetVoid();
  }

 private:
  struct Word {
    Value* shadow;
    Value* value;
    Value* own;
  };

  BasicBlock* next_block(const char* name) { return next_ = block(name); }

  // The filter is looked up only where a word may be read-shared: it is one more cache line. Of the
  // other words none may miss.
  void return_if_filtered() {
    Value* all = words_.front().value;
    for (const Word& word : words_) all = at_.CreateAnd(all, word.value);
    BasicBlock* shared = block("shared");
    BasicBlock* filtered = block("filtered");
    BasicBlock* claims = block("claims");
    branch(at_.CreateICmpSLT(all, number(0)), claims, shared);
    at_.SetInsertPoint(shared);
    Value* seen = is_filtered(number(wide_filter_mask(size_)));
    for (const Word& word : words_)
      seen = at_.CreateAnd(seen, at_.CreateOr(is_read(word.value), is_ordered(word.value)));
    branch(seen, filtered, claims);
    at_.SetInsertPoint(filtered);
    at_.CreateRetVoid();
    at_.SetInsertPoint(claims);
  }

  // read_hits()
  Value* is_read(Value* word) {
    constexpr rt::Word kNeeded = (~rt::kMasks & ~rt::kWriteBit) | 0xff;
    return at_.CreateICmpEQ(at_.CreateAnd(at_.CreateXor(word, tag_), kNeeded), number(0));
  }

  Value* all_own_or_ordered() {
    Value* all = at_.getTrue();
    for (const Word& word : words_)
      all =
          at_.CreateAnd(all, is_write_ ? word.own : at_.CreateOr(word.own, is_ordered(word.value)));
    return all;
  }

  // The first granule's entry stands for all of them. The others have their own entries, too: a
  // thread that writes to one looks there for its readers.
  void remember_all() {
    remember_shared_read(filter_slot(address_),
                         filter_entry(address_, number(wide_filter_mask(size_))));
    for (std::uint64_t i = 1; i < size_ / rt::kGranule; ++i) {
      Value* address = at_.CreateAdd(address_, number(i * rt::kGranule));
      at_.CreateAlignedStore(filter_entry(address, number(0xff)), filter_slot(address),
                             llvm::Align(8));
    }
  }

  // A read-shared word has no owner: it stays unchanged.
  void claim(const Word& word) {
    if (is_write_) return store_word(claimed(word.value, number(0xff)), word.shadow);
    BasicBlock* mine = block("claim");
    BasicBlock* done = block("claimed");
    at_.CreateCondBr(word.own, mine, done);
    at_.SetInsertPoint(mine);
    store_word(claimed(word.value, number(0xff)), word.shadow);
    at_.CreateBr(done);
    at_.SetInsertPoint(done);
  }

  llvm::SmallVector<Word, 4> words_;
  BasicBlock* next_ = nullptr;
};

}  // namespace

std::uint64_t wide_filter_mask(std::uint64_t size) {
  constexpr std::uint64_t kMasks[] = {0xa5, 0x5a, 0x99};  // no run of bytes looks like these
  return kMasks[size / rt::kGranule - 2];
}

llvm::Function& wide_claim_function(llvm::Module& module, bool is_write, std::uint64_t size) {
  const std::string name = (is_write ? "isosan.write." : "isosan.read.") + std::to_string(size);
  if (llvm::Function* known = module.getFunction(name)) return *known;
  llvm::Function& function = declare_claim(module, name);
  WideClaim claim(function, is_write, size);
  claim.write();
  llvm::Function& slow = slow_function(module, is_write, size);
  claim.tail_call(slow, full_function(function, slow));
  return function;
}

}  // namespace isosan::pass
