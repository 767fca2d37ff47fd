#include "pass/claims/claim_builder.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "pass/claims/claim_functions.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"
#include "runtime/contract/log_format.h"

namespace isosan::pass {

using llvm::BasicBlock;
using llvm::Value;

ClaimBuilder::ClaimBuilder(llvm::Function& function, bool is_write, std::uint64_t size)
    : function_(function), is_write_(is_write), size_(size), at_(block("")) {
  pointer_ = function_.getArg(0);
  site_ = function_.getArg(1);
  self_ = load_self(at_);
  tag_ = field(rt::kOffsetTag);
  address_ = at_.CreatePtrToInt(pointer_, at_.getInt64Ty());
  slow_ = block("slow");
}

BasicBlock* ClaimBuilder::block(const char* name) {
  return BasicBlock::Create(function_.getContext(), name, &function_);
}

Value* ClaimBuilder::field_address(std::size_t offset) {
  return at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), self_, offset);
}

Value* ClaimBuilder::field(std::size_t offset) {
  return at_.CreateAlignedLoad(at_.getInt64Ty(), field_address(offset), llvm::Align(8));
}

llvm::LoadInst* ClaimBuilder::log_field(std::size_t offset) {
  return at_.CreateAlignedLoad(at_.getInt64Ty(),
                               at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), log_, offset),
                               llvm::Align(8));
}

void ClaimBuilder::store_field(Value* value, std::size_t offset) {
  at_.CreateAlignedStore(value, field_address(offset), llvm::Align(8));
}

void ClaimBuilder::continue_if(Value* condition, const char* name) {
  BasicBlock* next = block(name);
  branch(condition, next, slow_);
  at_.SetInsertPoint(next);
}

void ClaimBuilder::branch(Value* condition, BasicBlock* likely, BasicBlock* unlikely) {
  at_.CreateCondBr(condition, likely, unlikely,
                   llvm::MDBuilder(function_.getContext()).createBranchWeights(100, 1));
}

Value* ClaimBuilder::is_own(Value* word) {
  constexpr rt::Word kOwnership = rt::kExclusive | rt::kHeld | rt::kSlotField;
  return at_.CreateICmpEQ(at_.CreateAnd(at_.CreateXor(word, field(rt::kOffsetOwner)), kOwnership),
                          number(0));
}

Value* ClaimBuilder::is_ordered(Value* word) {
  return at_.CreateICmpULE(at_.CreateXor(word, rt::kReadShared), field(rt::kOffsetRdshLimit));
}

Value* ClaimBuilder::is_of_other_thread(Value* word) {
  Value* free =
      at_.CreateICmpEQ(at_.CreateAnd(word, rt::kExclusive | rt::kHeld), number(rt::kExclusive));
  return at_.CreateAnd(free, at_.CreateNot(is_own(word)));
}

Value* ClaimBuilder::is_in_region() {
  Value* depth = at_.CreateAlignedLoad(at_.getInt32Ty(), field_address(rt::kOffsetRegionDepth),
                                       llvm::Align(4));
  return at_.CreateICmpNE(depth, at_.getInt32(0));
}

Value* ClaimBuilder::runtime_field(std::size_t offset) {
  Value* runtime = at_.CreateIntToPtr(field(rt::kOffsetRuntime), at_.getPtrTy());
  Value* place = at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), runtime, offset);
  return at_.CreateAlignedLoad(at_.getPtrTy(), place, llvm::Align(8));
}

Value* ClaimBuilder::is_covered(Value* word) {
  Value* slot = at_.CreateLShr(at_.CreateAnd(word, rt::kSlotField), rt::kSlotShift);
  Value* entry = at_.CreateGEP(at_.getInt64Ty(), runtime_field(rt::kOffsetCovered), slot);
  Value* epoch = at_.CreateLShr(at_.CreateAnd(word, rt::kEpochField), rt::kEpochShift);
  return at_.CreateICmpUGE(at_.CreateAlignedLoad(at_.getInt64Ty(), entry, llvm::Align(8)), epoch);
}

Value* ClaimBuilder::fresh(Value* mask) {
  if (is_write_) return with_mask(at_.CreateAnd(tag_, ~rt::kMasks), mask);
  Value* emptied = at_.CreateAnd(tag_, ~(rt::kMasks | rt::kWriteBit));
  return with_mask(at_.CreateOr(emptied, rt::kClean), mask);
}

Value* ClaimBuilder::claimed(Value* word, Value* mask) {
  const rt::Word cleared = is_write_ ? rt::kMasks : rt::kMasks | rt::kWriteBit;
  Value* other_epoch = at_.CreateAnd(at_.CreateXor(word, tag_), rt::kEpochField);
  Value* same = at_.CreateICmpEQ(other_epoch, number(0));
  Value* was_read = at_.CreateICmpEQ(at_.CreateAnd(word, rt::kWriteBit), number(0));
  constexpr rt::Word kReadFlags = rt::kClean | rt::kSettled;
  Value* kept = word;
  Value* emptied = at_.CreateAnd(tag_, ~cleared);
  if (is_write_) {
    kept = at_.CreateSelect(was_read, at_.CreateAnd(word, ~kReadFlags), word);
  } else {
    Value* flags = at_.CreateSelect(was_read, at_.CreateAnd(word, kReadFlags), number(0));
    Value* published = at_.CreatePtrToInt(runtime_field(rt::kOffsetPublished), at_.getInt64Ty());
    Value* settled = at_.CreateICmpULE(at_.CreateAnd(word, rt::kEpochField), published);
    flags = at_.CreateOr(flags, at_.CreateSelect(settled, number(rt::kSettled), number(0)));
    emptied = at_.CreateOr(emptied, flags);
  }
  return with_mask(at_.CreateSelect(same, kept, emptied), mask);
}

Value* ClaimBuilder::with_mask(Value* word, Value* mask) {
  Value* logged = at_.CreateOr(word, mask);
  if (!is_write_) return logged;
  return at_.CreateOr(at_.CreateOr(logged, at_.CreateShl(mask, rt::kWriteMaskShift)),
                      rt::kWriteBit);
}

Value* ClaimBuilder::exchange_word(Value* expected, Value* word, Value* shadow) {
  llvm::AtomicCmpXchgInst* exchange = at_.CreateAtomicCmpXchg(
      shadow, expected, word, llvm::Align(8), llvm::AtomicOrdering::AcquireRelease,
      llvm::AtomicOrdering::Monotonic);
  return at_.CreateExtractValue(exchange, 1);
}

// Once in each function: what it stores is made of what it found (rule 2).
Value* ClaimBuilder::load_word(Value* shadow) {
  llvm::LoadInst* word = at_.CreateAlignedLoad(at_.getInt64Ty(), shadow, llvm::Align(8));
  word->setAtomic(llvm::AtomicOrdering::Monotonic);
  return word;
}

void ClaimBuilder::store_word(Value* word, Value* shadow, llvm::AtomicOrdering order) {
  at_.CreateAlignedStore(word, shadow, llvm::Align(8))->setAtomic(order);
}

Value* ClaimBuilder::position_with_room() {
  log_ = runtime_field(rt::kOffsetAppends);
  // Not loaded as a pair with the limit: that load would wait for the store of the last append.
  llvm::LoadInst* position = log_field(rt::kOffsetPosition);
  position->setAtomic(llvm::AtomicOrdering::Monotonic);
  BasicBlock* room = block("room");
  if (full_ == nullptr) full_ = block("full");
  branch(at_.CreateICmpNE(position, log_field(rt::kOffsetLimit)), room, full_);
  at_.SetInsertPoint(room);
  return position;
}

// The unit is stored before the position: the reader's membarrier does the rest, so a fence for the
// compiler is enough.
void ClaimBuilder::append(Value* position) {
  const Kind kind = is_write_ ? Kind::kWrite : Kind::kRead;
  const log::LogUnit fixed =
      log::make_unit(log::code_of(kind), 0, 0, static_cast<std::uint8_t>(size_));
  Value* ring_mask = log_field(rt::kOffsetRingMask);
  Value* ring = at_.CreateIntToPtr(log_field(rt::kOffsetRing), at_.getPtrTy());
  const auto unit_at = [&](Value* at_position) {
    return at_.CreateGEP(llvm::ArrayType::get(at_.getInt64Ty(), 2), ring,
                         at_.CreateAnd(at_position, ring_mask));
  };
  Value* ahead = unit_at(at_.CreateAdd(position, number(rt::kPrefetchUnits)));
  at_.CreateIntrinsic(llvm::Intrinsic::prefetch, {at_.getPtrTy()},
                      {ahead, at_.getInt32(1), at_.getInt32(3), at_.getInt32(1)});
  Value* unit = unit_at(position);
  at_.CreateAlignedStore(at_.CreateOr(at_.CreateAnd(address_, log::kLow48), fixed.word0), unit,
                         llvm::Align(8));
  Value* second = at_.CreateConstInBoundsGEP1_64(at_.getInt64Ty(), unit, 1);
  at_.CreateAlignedStore(at_.CreatePtrToInt(site_, at_.getInt64Ty()), second, llvm::Align(8));
  at_.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
  at_.CreateAlignedStore(at_.CreateAdd(position, number(1)), log_, llvm::Align(8));
  static_assert(rt::kOffsetPosition == 0);
}

Value* ClaimBuilder::filter_slot(Value* address) {
  Value* filter = at_.CreateIntToPtr(field(rt::kOffsetFilter), at_.getPtrTy());
  return at_.CreateGEP(at_.getInt64Ty(), filter,
                       at_.CreateAnd(at_.CreateLShr(address, 3), rt::kFilterEntries - 1));
}

Value* ClaimBuilder::filter_entry(Value* address, Value* mask) {
  Value* granule = at_.CreateLShr(at_.CreateAnd(address, log::kLow48), rt::kFilterGranuleShift);
  return at_.CreateOr(at_.CreateOr(granule, at_.CreateShl(mask, rt::kFilterMaskShift)),
                      field(rt::kOffsetFilterKey));
}

Value* ClaimBuilder::is_filtered(Value* mask) {
  Value* entry = at_.CreateAlignedLoad(at_.getInt64Ty(), filter_slot(address_), llvm::Align(8));
  Value* wanted = filter_entry(address_, mask);
  if (size_ >= rt::kGranule) return at_.CreateICmpEQ(entry, wanted);
  Value* needed = at_.CreateOr(at_.CreateShl(mask, rt::kFilterMaskShift), ~rt::kFilterMaskField);
  return at_.CreateICmpEQ(at_.CreateAnd(at_.CreateXor(entry, wanted), needed), number(0));
}

void ClaimBuilder::remember_shared_read(Value* slot, Value* entry) {
  if (size_ == 2 || size_ == 4) {
    Value* kept = at_.CreateAlignedLoad(at_.getInt64Ty(), slot, llvm::Align(8));
    Value* others = at_.CreateAnd(at_.CreateXor(kept, entry), ~rt::kFilterMaskField);
    entry = at_.CreateSelect(at_.CreateICmpEQ(others, number(0)), at_.CreateOr(kept, entry), entry);
  }
  at_.CreateAlignedStore(entry, slot, llvm::Align(8));
  store_field(at_.CreateLShr(at_.CreateAnd(tag_, rt::kEpochField), rt::kEpochShift),
              rt::kOffsetLastRdsh);
}

void ClaimBuilder::tail_call(llvm::Function& next, llvm::Function& full) {
  at_.SetInsertPoint(slow_);
  tail_call_with_arguments(at_, function_, next);
  if (full_ == nullptr) return;
  at_.SetInsertPoint(full_);
  tail_call_with_arguments(at_, function_, full);
}

void ClaimBuilder::call_runtime() {
  at_.CreateBr(slow_);
  at_.SetInsertPoint(slow_);
  call_slow_path(at_, is_write_ ? "__isosan_write" : "__isosan_read",
                 {pointer_, number(size_), site_});
  at_.CreateRetVoid();
}

GranuleClaim::GranuleClaim(llvm::Function& function, bool is_write, std::uint64_t size)
    : ClaimBuilder(function, is_write, size), word_(load_word(shadow())), mask_(byte_mask()) {}

Value* GranuleClaim::shadow() {
  Value* granule = at_.CreateAnd(address_, ~(rt::kGranule - 1));
  return at_.CreateIntToPtr(at_.CreateXor(granule, rt::kShadowXor), at_.getPtrTy());
}

void GranuleClaim::claim_own(llvm::AtomicOrdering order) {
  Value* next = claimed(word_, mask_);
  if (size_ == rt::kGranule) return store_word(next, shadow(), order);
  BasicBlock* exchanged = block("exchanged");
  branch(exchange_word(word_, next, shadow()), exchanged, slow_);
  at_.SetInsertPoint(exchanged);
}

Value* GranuleClaim::byte_mask() {
  if (size_ == 8) return number(0xff);
  Value* offset = at_.CreateAnd(address_, rt::kGranule - 1);
  return at_.CreateShl(number((std::uint64_t{1} << size_) - 1), offset);
}

void tail_call_with_arguments(llvm::IRBuilder<>& at, llvm::Function& function,
                              llvm::Function& next) {
  llvm::SmallVector<Value*, 5> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  llvm::CallInst* call = at.CreateCall(&next, arguments);
  call->setCallingConv(next.getCallingConv());
  call->setTailCall();
  at.CreateRetVoid();
}

llvm::Function& declare_claim(llvm::Module& module, const std::string& name) {
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  return declare_claim(module, name, {pointer, pointer});
}

llvm::Function& declare_claim(llvm::Module& module, const std::string& name,
                              llvm::ArrayRef<llvm::Type*> parameters) {
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), parameters, false);
  llvm::Function* function = llvm::Function::createWithDefaultAttr(
      type, llvm::GlobalValue::LinkOnceODRLinkage, 0, name, &module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->setComdat(module.getOrInsertComdat(name));
  function->setCallingConv(llvm::CallingConv::PreserveAll);
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::NoInline);
  // An outline atomics helper would need a frame.
  if (llvm::Triple(module.getTargetTriple()).isAArch64())
    function->addFnAttr("target-features", "-outline-atomics");
  return *function;
}

}  // namespace isosan::pass
