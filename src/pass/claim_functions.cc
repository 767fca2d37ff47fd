#include "pass/claim_functions.h"

#include "pass/claim_builder.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class GranuleClaim : ClaimBuilder {
 public:
  using ClaimBuilder::ClaimBuilder;

  void write() {
    word_ = function_.getArg(2);
    mask_ = byte_mask();
    BasicBlock* own = block("own");
    BasicBlock* other = is_write_ ? slow_ : block("other");
    branch(is_own(word_), own, other);
    at_.SetInsertPoint(own);
    own_path();
    if (!is_write_) {
      at_.SetInsertPoint(other);
      read_shared_path();
    }
    write_slow_path();
  }

 private:
  Value* byte_mask() {
    if (size_ == 8) return number(0xff);
    Value* offset = at_.CreateAnd(address_, rt::kGranule - 1);
    return at_.CreateShl(number((std::uint64_t{1} << size_) - 1), offset);
  }

  void own_path() {
    append(position_with_room());
    Value* granule = at_.CreateAnd(address_, ~(rt::kGranule - 1));
    Value* shadow = at_.CreateIntToPtr(at_.CreateXor(granule, rt::kShadowXor), at_.getPtrTy());
    store_word(claimed(word_, mask_), shadow);
    at_.CreateRetVoid();
  }

  void read_shared_path() {
    BasicBlock* ordered = block("ordered");
    branch(is_ordered(word_), ordered, slow_);
    at_.SetInsertPoint(ordered);
    Value* slot = filter_slot();
    Value* entry = filter_entry(mask_);
    append(position_with_room());
    remember_shared_read(slot, entry);
    at_.CreateRetVoid();
  }

  Value* word_ = nullptr;
  Value* mask_ = nullptr;
};

}  // namespace

Value* load_self(llvm::IRBuilder<>& at) {
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
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function& function =
      declare_claim(module, name, {pointer, pointer, llvm::Type::getInt64Ty(module.getContext())});
  GranuleClaim(function, is_write, size).write();
  return function;
}

}  // namespace isosan::pass
