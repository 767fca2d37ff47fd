#include "pass/checks/check_emitter.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/checks/called_checks.h"
#include "pass/claims/claim_functions.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"
#include "runtime/contract/log_format.h"

namespace isosan::pass {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

constexpr std::uint64_t kMostWideWords = 4;  // larger accesses are ranges

llvm::Constant* word(Builder& at, std::uint64_t value) { return at.getInt64(value); }

llvm::MDNode* weights(Builder& at, std::uint32_t likely, std::uint32_t unlikely) {
  return llvm::MDBuilder(at.getContext()).createBranchWeights(likely, unlikely);
}

// The low bits of an address, if alignment and constant offsets determine them; -1: not known.
int known_offset_in_granule(Value* pointer, const llvm::DataLayout& layout) {
  const llvm::KnownBits bits = llvm::computeKnownBits(pointer, layout);
  const std::uint64_t low = (bits.Zero | bits.One).trunc(3).getZExtValue();
  return low == 7 ? static_cast<int>(bits.One.trunc(3).getZExtValue()) : -1;
}

bool stays_in_granule(const Access& access) {
  return access.length == nullptr && access.size <= 8 && llvm::isPowerOf2_64(access.size) &&
         access.align >= access.size;
}

bool is_whole_granules(const Access& access) {
  return access.length == nullptr && access.size % 8 == 0 && access.size <= 8 * kMostWideWords &&
         access.align >= 8;
}

}  // namespace

bool has_inline_check(const Access& access) {
  return stays_in_granule(access) || is_whole_granules(access);
}

llvm::CallInst* CheckEmitter::emit(const Access& access, llvm::Value* site) {
  Check check{access, site};
  if (access.is_called) return call_check(check);
  const bool in_granule = stays_in_granule(access);
  if (!in_granule && is_whole_granules(access)) return emit_wide(check);
  in_granule ? emit_granule(check) : emit_range(check);
  return nullptr;
}

void CheckEmitter::emit(const Walk& walk, llvm::Constant* site, llvm::Constant* write_site) {
  if (walk.count == nullptr) {
    Access once = walk.access;
    once.instruction = walk.before;
    once.pointer = walk.first;
    once.size = walk.size;
    emit(once, site);
    return;
  }
  Builder at(walk.before);
  at.SetCurrentDebugLocation(walk.access.instruction->getDebugLoc());
  llvm::SmallVector<Value*, 6> arguments = {walk.first, walk.count};
  if (!walk.contiguous) arguments.append({walk.stride, word(at, walk.size)});
  arguments.push_back(site);
  if (write_site != nullptr) arguments.push_back(write_site);
  const char* does = write_site != nullptr ? "update" : walk.access.is_write ? "write" : "read";
  const char* where = walk.contiguous ? "range" : "strided";
  call_runtime(at, (llvm::Twine("__isosan_") + does + "_" + where).str(), arguments);
}

Value* CheckEmitter::shadow_of(Builder& at, Value* address, bool aligned) {
  Value* granule = aligned ? address : at.CreateAnd(address, ~(rt::kGranule - 1));
  return at.CreateIntToPtr(at.CreateXor(granule, rt::kShadowXor), at.getPtrTy(), "isosan.shadow");
}

// Relaxed: another thread may take the word; the compiler must not load it twice or keep it.
Value* CheckEmitter::load_word(Builder& at, Value* shadow) {
  llvm::LoadInst* load =
      at.CreateAlignedLoad(at.getInt64Ty(), shadow, llvm::Align(8), "isosan.word");
  load->setAtomic(llvm::AtomicOrdering::Monotonic);
  return load;
}

Value* CheckEmitter::byte_mask(Builder& at, const Check& check) {
  const std::uint64_t size = check.access.size;
  const std::uint64_t low = size >= 8 ? 0xff : (std::uint64_t{1} << size) - 1;
  if (size >= 8) return word(at, low);
  const int offset =
      known_offset_in_granule(check.access.pointer, at.GetInsertBlock()->getDataLayout());
  if (offset >= 0) return word(at, low << offset);
  return at.CreateShl(word(at, low), at.CreateAnd(check.address, rt::kGranule - 1), "isosan.mask");
}

// write_hits() and read_hits(): the bits in which the word differs from a hit.
Value* CheckEmitter::misses(Builder& at, const Check& check) {
  Value* needed =
      check.access.is_write
          ? at.CreateOr(at.CreateShl(check.mask, rt::kWriteMaskShift), word(at, ~rt::kMasks))
          : at.CreateOr(check.mask, word(at, ~rt::kMasks & ~rt::kWriteBit));
  return at.CreateAnd(at.CreateXor(check.word, check.tag), needed);
}

void CheckEmitter::slow_path(Builder& at, const Check& check) {
  call_slow_path(at, check.access.is_write ? "__isosan_write" : "__isosan_read",
                 {check.access.pointer, word(at, check.access.size), check.site});
  state_.reload_tag(at);
}

void CheckEmitter::emit_granule(Check& check) {
  Builder at(check.access.instruction);
  check.address = at.CreatePtrToInt(check.access.pointer, at.getInt64Ty(), "isosan.address");
  check.word = load_word(at, shadow_of(at, check.address, check.access.size == 8));
  check.tag = state_.tag(at);
  check.mask = byte_mask(at, check);
  Value* missed = at.CreateICmpNE(misses(at, check), word(at, 0), "isosan.missed");
  branch_to_miss(at, missed);
  if (check.access.block.size != 0) claim_block(at, check);
  auto& claim_of = check.access.unbounded_walk ? walk_claim_function : claim_function;
  llvm::Function& claim =
      claim_of(*at.GetInsertBlock()->getModule(), check.access.is_write, check.access.size);
  if (!check.access.is_write) call_filter(at, filter_function(claim, check.access.size), check);
  call_claim(at, claim, check);
}

// Rule 6: read-shared words have a claim function of their own, which needs few registers. Continues
// in the block where the word is exclusive.
void CheckEmitter::call_filter(Builder& at, llvm::Function& filter, const Check& check) {
  llvm::Instruction *shared, *exclusive;
  llvm::SplitBlockAndInsertIfThenElse(at.CreateICmpSGE(check.word, word(at, 0)),
                                      &*at.GetInsertPoint(), &shared, &exclusive);
  at.SetInsertPoint(shared);
  call_claim(at, filter, check);
  at.SetInsertPoint(exclusive);
}

// Claims the whole block where the inline path appends. Continues in the block where it does not.
void CheckEmitter::claim_block(Builder& at, const Check& check) {
  Value* appends = at.CreateICmpNE(state_.field(at, rt::kOffsetOwner, "isosan.owner"),
                                   word(at, rt::kNeverOwner));
  llvm::Instruction *then, *otherwise;
  llvm::SplitBlockAndInsertIfThenElse(appends, &*at.GetInsertPoint(), &then, &otherwise);
  at.SetInsertPoint(then);
  Value* first = at.CreateConstGEP1_64(at.getInt8Ty(), check.access.pointer,
                                       static_cast<std::uint64_t>(check.access.block.from));
  call_claim(at, block_claim_function(*at.GetInsertBlock()->getModule()),
             {first, word(at, check.access.block.size), check.site}, check);
  at.SetInsertPoint(otherwise);
}

// Whole granules, a few of them: one test over all words, one log unit.
llvm::CallInst* CheckEmitter::emit_wide(Check& check) {
  Builder at(check.access.instruction);
  check.address = at.CreatePtrToInt(check.access.pointer, at.getInt64Ty(), "isosan.address");
  check.tag = state_.tag(at);
  check.mask = word(at, 0xff);
  Value* shadow = shadow_of(at, check.address, true);
  Value* any = word(at, 0);
  for (std::uint64_t i = 0; i < check.access.size / rt::kGranule; ++i) {
    check.word = load_word(at, at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), shadow, i));
    any = at.CreateOr(any, misses(at, check));
  }
  branch_to_miss(at, at.CreateICmpNE(any, word(at, 0), "isosan.missed"));
  return call_claim(at,
                    wide_claim_function(*at.GetInsertBlock()->getModule(), check.access.is_write,
                                        check.access.size),
                    check);
}

// Continues in a new block where `missed` holds; the other path joins before the access.
void CheckEmitter::branch_to_miss(Builder& at, Value* missed) {
  at.SetInsertPoint(
      llvm::SplitBlockAndInsertIfThen(missed, &*at.GetInsertPoint(), false, weights(at, 1, 100)));
}

llvm::CallInst* CheckEmitter::call_claim(Builder& at, llvm::Function& claim, const Check& check) {
  return call_claim(at, claim, {check.access.pointer, check.site}, check);
}

llvm::CallInst* CheckEmitter::call_claim(Builder& at, llvm::Function& claim,
                                         llvm::ArrayRef<Value*> arguments, const Check& check) {
  at.SetCurrentDebugLocation(check.access.instruction->getDebugLoc());
  llvm::CallInst* call = at.CreateCall(&claim, arguments);
  call->setCallingConv(claim.getCallingConv());
  state_.reload_tag(at);
  return call;
}

llvm::CallInst* CheckEmitter::call_check(const Check& check) {
  Builder at(check.access.instruction);
  return call_claim(at, check_function(*at.GetInsertBlock()->getModule(), check.access), check);
}

void CheckEmitter::emit_range(const Check& check) {
  Builder at(check.access.instruction);
  if (check.access.length == nullptr && check.access.size <= 16) return slow_path(at, check);
  Value* length = check.access.length != nullptr
                      ? at.CreateZExtOrTrunc(check.access.length, at.getInt64Ty())
                      : word(at, check.access.size);
  call_runtime(at, check.access.is_write ? "__isosan_write_range" : "__isosan_read_range",
               {check.access.pointer, length, check.site});
  state_.reload_tag(at);
}

}  // namespace isosan::pass
