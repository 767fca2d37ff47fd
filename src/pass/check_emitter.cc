#include "pass/check_emitter.h"

#include "event/log_format.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/runtime_calls.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::BasicBlock;
using llvm::Value;

constexpr std::uint64_t kMostWideWords = 4;  // larger accesses are ranges

llvm::Constant* word(Builder& at, std::uint64_t value) { return at.getInt64(value); }

llvm::MDNode* weights(Builder& at, std::uint32_t likely, std::uint32_t unlikely) {
  return llvm::MDBuilder(at.getContext()).createBranchWeights(likely, unlikely);
}

// The low bits of an address, where alignment and constant offsets tell them; -1: not known.
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

void CheckEmitter::emit(const Access& access, llvm::Constant* site) {
  Check check{access, site};
  if (stays_in_granule(access))
    emit_granule(check);
  else if (is_whole_granules(access))
    emit_wide(check);
  else
    emit_range(check);
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

Value* CheckEmitter::is_own(Builder& at, const Check& check) {
  Value* owner = state_.field(at, rt::kOffsetOwner, "isosan.owner");
  Value* differs =
      at.CreateAnd(at.CreateXor(check.word, owner), rt::kExclusive | rt::kHeld | rt::kSlotField);
  return at.CreateICmpEQ(differs, word(at, 0));
}

// write_claimed() and read_claimed().
Value* CheckEmitter::claimed(Builder& at, const Check& check) {
  const rt::Word cleared = check.access.is_write ? rt::kMasks : rt::kMasks | rt::kWriteBit;
  Value* other_epoch = at.CreateAnd(at.CreateXor(check.word, check.tag), rt::kEpochField);
  Value* same = at.CreateICmpEQ(other_epoch, word(at, 0));
  Value* base = at.CreateSelect(same, check.word, at.CreateAnd(check.tag, ~cleared));
  Value* logged = at.CreateOr(base, check.mask);
  if (!check.access.is_write) return logged;
  return at.CreateOr(at.CreateOr(logged, at.CreateShl(check.mask, rt::kWriteMaskShift)),
                     rt::kWriteBit);
}

Value* CheckEmitter::has_room(Builder& at, Value* position) {
  return at.CreateICmpNE(position, state_.field(at, rt::kOffsetLimit, "isosan.limit"));
}

// The unit is stored before the position: the reader's membarrier does the rest, so a fence for the
// compiler is enough.
void CheckEmitter::append(Builder& at, const Check& check, Value* position) {
  const auto kind = check.access.is_write ? Kind::kWrite : Kind::kRead;
  const log::LogUnit fixed =
      log::make_unit(log::code_of(kind), 0, 0, static_cast<std::uint8_t>(check.access.size));
  Value* index = at.CreateAnd(position, state_.field(at, rt::kOffsetRingMask, "isosan.ring_mask"));
  Value* ring = at.CreateIntToPtr(state_.field(at, rt::kOffsetRing, "isosan.ring"), at.getPtrTy());
  Value* unit = at.CreateGEP(llvm::ArrayType::get(at.getInt64Ty(), 2), ring, index, "isosan.unit");
  Value* word0 = at.CreateOr(at.CreateAnd(check.address, log::kLow48), fixed.word0);
  at.CreateAlignedStore(word0, unit, llvm::Align(8));
  at.CreateAlignedStore(at.CreatePtrToInt(check.site, at.getInt64Ty()),
                        at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), unit, 1), llvm::Align(8));
  at.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
  state_.store_field(at, at.CreateAdd(position, word(at, 1)), rt::kOffsetPosition);
}

void CheckEmitter::slow_path(Builder& at, const Check& check) {
  call_slow_path(at, check.access.is_write ? "__isosan_write" : "__isosan_read",
                 {check.access.pointer, word(at, check.access.size), check.site});
  state_.reload_tag(at);
}

// Rule 6: a read-shared word whose writer I am ordered after. Logged once per epoch by the filter.
void CheckEmitter::read_shared_path(Builder& at, const Check& check, BasicBlock* done,
                                    BasicBlock* slow) {
  llvm::LLVMContext& context = at.getContext();
  llvm::Function* function = at.GetInsertBlock()->getParent();
  Value* index = at.CreateAnd(at.CreateLShr(check.address, 3), rt::kFilterEntries - 1);
  Value* filter =
      at.CreateIntToPtr(state_.field(at, rt::kOffsetFilter, "isosan.filter"), at.getPtrTy());
  Value* slot = at.CreateGEP(at.getInt64Ty(), filter, index);
  Value* granule = at.CreateLShr(at.CreateAnd(check.address, log::kLow48), 3);
  Value* entry = at.CreateOr(at.CreateOr(granule, at.CreateShl(check.mask, rt::kFilterMaskShift)),
                             state_.field(at, rt::kOffsetFilterKey, "isosan.filter_key"));
  Value* logged =
      at.CreateICmpEQ(at.CreateAlignedLoad(at.getInt64Ty(), slot, llvm::Align(8)), entry);
  auto* miss = BasicBlock::Create(context, "isosan.filter.miss", function, slow);
  auto* add = BasicBlock::Create(context, "isosan.filter.add", function, slow);
  at.CreateCondBr(logged, done, miss, weights(at, 4, 1));
  at.SetInsertPoint(miss);
  Value* position = state_.field(at, rt::kOffsetPosition, "isosan.position");
  at.CreateCondBr(has_room(at, position), add, slow, weights(at, 2000, 1));
  at.SetInsertPoint(add);
  append(at, check, position);
  at.CreateAlignedStore(entry, slot, llvm::Align(8));
  Value* epoch = at.CreateLShr(at.CreateAnd(check.tag, rt::kEpochField), rt::kEpochShift);
  state_.store_field(at, epoch, rt::kOffsetLastRdsh);
  at.CreateBr(done);
}

void CheckEmitter::emit_granule(Check& check) {
  Builder at(check.access.instruction);
  check.address = at.CreatePtrToInt(check.access.pointer, at.getInt64Ty(), "isosan.address");
  check.shadow = shadow_of(at, check.address, check.access.size == 8);
  check.word = load_word(at, check.shadow);
  check.tag = state_.tag(at);
  check.mask = byte_mask(at, check);
  Value* hit = at.CreateICmpEQ(misses(at, check), word(at, 0), "isosan.hit");

  BasicBlock* head = at.GetInsertBlock();
  BasicBlock* done = llvm::SplitBlock(head, check.access.instruction);
  llvm::Function* function = head->getParent();
  auto block = [&](const char* name) {
    return BasicBlock::Create(at.getContext(), name, function, done);
  };
  BasicBlock* miss = block("isosan.miss");
  BasicBlock* own = block("isosan.own");
  BasicBlock* claim = block("isosan.claim");
  BasicBlock* slow = block("isosan.slow");

  head->getTerminator()->eraseFromParent();
  at.SetInsertPoint(head);
  at.CreateCondBr(hit, done, miss, weights(at, 4, 1));
  at.SetInsertPoint(miss);
  if (check.access.is_write) {
    at.CreateCondBr(is_own(at, check), own, slow, weights(at, 2000, 1));
  } else {
    BasicBlock* shared = block("isosan.shared");
    BasicBlock* not_own = block("isosan.not_own");
    at.CreateCondBr(is_own(at, check), own, not_own, weights(at, 4, 1));
    at.SetInsertPoint(not_own);
    Value* ordered = at.CreateICmpULE(at.CreateXor(check.word, rt::kReadShared),
                                      state_.field(at, rt::kOffsetRdshLimit, "isosan.rdsh_limit"));
    at.CreateCondBr(ordered, shared, slow, weights(at, 2000, 1));
    at.SetInsertPoint(shared);
    read_shared_path(at, check, done, slow);
  }
  at.SetInsertPoint(own);
  Value* position = state_.field(at, rt::kOffsetPosition, "isosan.position");
  at.CreateCondBr(has_room(at, position), claim, slow, weights(at, 2000, 1));
  at.SetInsertPoint(claim);
  append(at, check, position);
  at.CreateAlignedStore(claimed(at, check), check.shadow, llvm::Align(8))
      ->setAtomic(llvm::AtomicOrdering::Release);
  at.CreateBr(done);
  at.SetInsertPoint(slow);
  at.SetCurrentDebugLocation(check.access.instruction->getDebugLoc());
  slow_path(at, check);
  at.CreateBr(done);
}

// Whole granules, a few of them: one test over all words; the call takes them together.
void CheckEmitter::emit_wide(Check& check) {
  Builder at(check.access.instruction);
  check.address = at.CreatePtrToInt(check.access.pointer, at.getInt64Ty(), "isosan.address");
  check.tag = state_.tag(at);
  check.mask = word(at, 0xff);
  Value* any = nullptr;
  for (std::uint64_t offset = 0; offset < check.access.size; offset += 8) {
    check.word = load_word(at, shadow_of(at, at.CreateAdd(check.address, word(at, offset)), true));
    Value* miss = misses(at, check);
    any = any == nullptr ? miss : at.CreateOr(any, miss);
  }
  Value* missed = at.CreateICmpNE(any, word(at, 0));
  llvm::Instruction* then =
      llvm::SplitBlockAndInsertIfThen(missed, check.access.instruction, false, weights(at, 1, 4));
  at.SetInsertPoint(then);
  at.SetCurrentDebugLocation(check.access.instruction->getDebugLoc());
  slow_path(at, check);
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
