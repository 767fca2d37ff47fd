#include "pass/claim_functions.h"

#include "event/log_format.h"
#include "llvm/IR/MDBuilder.h"
#include "pass/runtime_calls.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::BasicBlock;
using llvm::Value;

class Writer {
 public:
  Writer(llvm::Function& function, bool is_write, std::uint64_t size)
      : function_(function), is_write_(is_write), size_(size), at_(block("")) {}

  void write() {
    self_ = load_self(at_);
    pointer_ = function_.getArg(0);
    site_ = function_.getArg(1);
    word_ = function_.getArg(2);
    address_ = at_.CreatePtrToInt(pointer_, at_.getInt64Ty());
    mask_ = byte_mask();
    tag_ = field(rt::kOffsetTag);
    slow_ = block("slow");
    BasicBlock* own = block("own");
    BasicBlock* other = is_write_ ? slow_ : block("other");
    branch(is_own(), own, other);
    at_.SetInsertPoint(own);
    own_path();
    if (!is_write_) {
      at_.SetInsertPoint(other);
      read_shared_path();
    }
    at_.SetInsertPoint(slow_);
    slow_path();
  }

 private:
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(function_.getContext(), name, &function_);
  }
  llvm::Constant* number(std::uint64_t value) { return at_.getInt64(value); }
  Value* field_address(std::size_t offset) {
    return at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), self_, offset);
  }
  Value* field(std::size_t offset) {
    return at_.CreateAlignedLoad(at_.getInt64Ty(), field_address(offset), llvm::Align(8));
  }
  void store_field(Value* value, std::size_t offset) {
    at_.CreateAlignedStore(value, field_address(offset), llvm::Align(8));
  }
  void branch(Value* condition, BasicBlock* likely, BasicBlock* unlikely) {
    at_.CreateCondBr(condition, likely, unlikely,
                     llvm::MDBuilder(function_.getContext()).createBranchWeights(100, 1));
  }

  Value* byte_mask() {
    if (size_ == 8) return number(0xff);
    return at_.CreateShl(number((std::uint64_t{1} << size_) - 1),
                         at_.CreateAnd(address_, rt::kGranule - 1));
  }

  Value* is_own() {
    Value* differs = at_.CreateAnd(at_.CreateXor(word_, field(rt::kOffsetOwner)),
                                   rt::kExclusive | rt::kHeld | rt::kSlotField);
    return at_.CreateICmpEQ(differs, number(0));
  }

  // write_claimed() and read_claimed().
  Value* claimed() {
    const rt::Word cleared = is_write_ ? rt::kMasks : rt::kMasks | rt::kWriteBit;
    Value* other_epoch = at_.CreateAnd(at_.CreateXor(word_, tag_), rt::kEpochField);
    Value* base = at_.CreateSelect(at_.CreateICmpEQ(other_epoch, number(0)), word_,
                                   at_.CreateAnd(tag_, ~cleared));
    Value* logged = at_.CreateOr(base, mask_);
    if (!is_write_) return logged;
    return at_.CreateOr(at_.CreateOr(logged, at_.CreateShl(mask_, rt::kWriteMaskShift)),
                        rt::kWriteBit);
  }

  // Goes on in a new block if there is room for one more unit; that block's insertion point is set.
  Value* position_with_room() {
    Value* position = field(rt::kOffsetPosition);
    BasicBlock* room = block("room");
    branch(at_.CreateICmpNE(position, field(rt::kOffsetLimit)), room, slow_);
    at_.SetInsertPoint(room);
    return position;
  }

  // The unit is stored before the position: the reader's membarrier does the rest, so a fence for
  // the compiler is enough.
  void append(Value* position) {
    const Kind kind = is_write_ ? Kind::kWrite : Kind::kRead;
    const log::LogUnit fixed =
        log::make_unit(log::code_of(kind), 0, 0, static_cast<std::uint8_t>(size_));
    Value* index = at_.CreateAnd(position, field(rt::kOffsetRingMask));
    Value* ring = at_.CreateIntToPtr(field(rt::kOffsetRing), at_.getPtrTy());
    Value* unit = at_.CreateGEP(llvm::ArrayType::get(at_.getInt64Ty(), 2), ring, index);
    at_.CreateAlignedStore(at_.CreateOr(at_.CreateAnd(address_, log::kLow48), fixed.word0), unit,
                           llvm::Align(8));
    at_.CreateAlignedStore(at_.CreatePtrToInt(site_, at_.getInt64Ty()),
                           at_.CreateConstInBoundsGEP1_64(at_.getInt64Ty(), unit, 1),
                           llvm::Align(8));
    at_.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
    store_field(at_.CreateAdd(position, number(1)), rt::kOffsetPosition);
  }

  void own_path() {
    append(position_with_room());
    Value* granule = at_.CreateXor(at_.CreateAnd(address_, ~(rt::kGranule - 1)), rt::kShadowXor);
    Value* shadow = at_.CreateIntToPtr(granule, at_.getPtrTy());
    at_.CreateAlignedStore(claimed(), shadow, llvm::Align(8))
        ->setAtomic(llvm::AtomicOrdering::Release);
    at_.CreateRetVoid();
  }

  void read_shared_path() {
    BasicBlock* ordered = block("ordered");
    branch(at_.CreateICmpULE(at_.CreateXor(word_, rt::kReadShared), field(rt::kOffsetRdshLimit)),
           ordered, slow_);
    at_.SetInsertPoint(ordered);
    Value* filter = at_.CreateIntToPtr(field(rt::kOffsetFilter), at_.getPtrTy());
    Value* slot = at_.CreateGEP(at_.getInt64Ty(), filter,
                                at_.CreateAnd(at_.CreateLShr(address_, 3), rt::kFilterEntries - 1));
    Value* granule = at_.CreateLShr(at_.CreateAnd(address_, log::kLow48), 3);
    Value* entry = at_.CreateOr(at_.CreateOr(granule, at_.CreateShl(mask_, rt::kFilterMaskShift)),
                                field(rt::kOffsetFilterKey));
    BasicBlock* hit = block("filtered");
    BasicBlock* miss = block("unfiltered");
    branch(at_.CreateICmpEQ(at_.CreateAlignedLoad(at_.getInt64Ty(), slot, llvm::Align(8)), entry),
           hit, miss);
    at_.SetInsertPoint(hit);
    at_.CreateRetVoid();
    at_.SetInsertPoint(miss);
    append(position_with_room());
    at_.CreateAlignedStore(entry, slot, llvm::Align(8));
    store_field(at_.CreateLShr(at_.CreateAnd(tag_, rt::kEpochField), rt::kEpochShift),
                rt::kOffsetLastRdsh);
    at_.CreateRetVoid();
  }

  void slow_path() {
    call_slow_path(at_, is_write_ ? "__isosan_write" : "__isosan_read",
                   {pointer_, number(size_), site_});
    at_.CreateRetVoid();
  }

  llvm::Function& function_;
  const bool is_write_;
  const std::uint64_t size_;
  Builder at_;
  Value* self_ = nullptr;
  Value* pointer_ = nullptr;
  Value* site_ = nullptr;
  Value* word_ = nullptr;
  Value* address_ = nullptr;
  Value* mask_ = nullptr;
  Value* tag_ = nullptr;
  BasicBlock* slow_ = nullptr;
};

}  // namespace

Value* load_self(Builder& at) {
  constexpr const char* kName = "__isosan_self";
  llvm::Module& module = *at.GetInsertBlock()->getModule();
  llvm::GlobalVariable* variable = module.getNamedGlobal(kName);
  if (variable == nullptr)
    variable =
        new llvm::GlobalVariable(module, at.getPtrTy(), false, llvm::GlobalValue::ExternalLinkage,
                                 nullptr, kName, nullptr, llvm::GlobalValue::InitialExecTLSModel);
  return at.CreateLoad(at.getPtrTy(), at.CreateThreadLocalAddress(variable), "isosan.self");
}

llvm::Function& claim_function(llvm::Module& module, bool is_write, std::uint64_t size) {
  const std::string name = (is_write ? "isosan.write." : "isosan.read.") + std::to_string(size);
  if (llvm::Function* known = module.getFunction(name)) return *known;
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, pointer, llvm::Type::getInt64Ty(context)}, false);
  llvm::Function* function = llvm::Function::createWithDefaultAttr(
      type, llvm::GlobalValue::LinkOnceODRLinkage, 0, name, &module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->setComdat(module.getOrInsertComdat(name));
  function->setCallingConv(llvm::CallingConv::PreserveAll);
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::NoInline);
  Writer(*function, is_write, size).write();
  return *function;
}

}  // namespace isosan::pass
