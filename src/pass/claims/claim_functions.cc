#include "pass/claims/claim_functions.h"

#include "pass/claims/claim_builder.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// Read-shared words that this thread has logged in this epoch: nothing is to be done.
class Filter : GranuleClaim {
 public:
  using ClaimBuilder::tail_call;
  using GranuleClaim::GranuleClaim;

  void write() {
    continue_if(is_ordered(word_), "ordered");
    continue_if(is_filtered(mask_), "filtered");
    at_.CreateRetVoid();
  }
};

// Words of this thread, or read-shared ones.
class Claim : GranuleClaim {
 public:
  using ClaimBuilder::tail_call;
  using GranuleClaim::GranuleClaim;

  void write() {
    BasicBlock* own = block("own");
    BasicBlock* other = is_write_ ? slow_ : block("other");
    branch(is_own(word_), own, other);
    at_.SetInsertPoint(own);
    Value* position = position_with_room();
    if (size_ == rt::kGranule) append(position);
    claim_own();
    if (size_ != rt::kGranule) append(position);
    at_.CreateRetVoid();
    if (!is_write_) {
      at_.SetInsertPoint(other);
      read_shared_path();
    }
  }

 private:
  void read_shared_path() {
    BasicBlock* ordered = block("ordered");
    branch(is_ordered(word_), ordered, slow_);
    at_.SetInsertPoint(ordered);
    Value* slot = filter_slot(address_);
    Value* entry = filter_entry(address_, mask_);
    append(position_with_room());
    remember_shared_read(slot, entry);
    at_.CreateRetVoid();
  }
};

// Words of another thread whose epoch is covered (rule 3). Only inside regions: outside, an
// incoming dependence may close the epoch.
class Transfer : GranuleClaim {
 public:
  using ClaimBuilder::tail_call;
  using GranuleClaim::GranuleClaim;

  void write() {
    continue_if(is_of_other_thread(word_), "anothers");
    continue_if(is_in_region(), "in_region");
    continue_if(is_covered(word_), "covered");
    Value* position = position_with_room();
    continue_if(exchange_word(word_, fresh(mask_), shadow()), "taken");
    append(position);
    at_.CreateRetVoid();
  }
};

// The ring seems full: perhaps because the open calls are not logged yet. The runtime logs them, and
// that is no safe point, so the word that was checked is still good.
class RoomAsked : ClaimBuilder {
 public:
  explicit RoomAsked(llvm::Function& function) : ClaimBuilder(function, false, 0) {}

  void write(llvm::Function& again, llvm::Function& slow) {
    call_slow_path(at_, "__isosan_make_room", {});
    position_with_room();
    tail_call_with_arguments(at_, function_, again);
    at_.SetInsertPoint(full_);
    at_.CreateBr(slow_);
    at_.SetInsertPoint(slow_);
    tail_call_with_arguments(at_, function_, slow);
  }
};

std::string name_of(const char* step, bool is_write, std::uint64_t size) {
  return std::string("isosan.") + step + (is_write ? "write." : "read.") + std::to_string(size);
}

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

llvm::Function& slow_function(llvm::Module& module, bool is_write, std::uint64_t size) {
  const std::string name = name_of("slow.", is_write, size);
  if (llvm::Function* known = module.getFunction(name)) return *known;
  llvm::Function& function = declare_claim(module, name);
  ClaimBuilder(function, is_write, size).call_runtime();
  return function;
}

llvm::Function& full_function(llvm::Function& again, llvm::Function& slow) {
  llvm::Module& module = *again.getParent();
  llvm::Function& function =
      declare_claim(module, "isosan.full." + again.getName().substr(7).str());
  RoomAsked(function).write(again, slow);
  return function;
}

llvm::Function& block_claim_function(llvm::Module& module) {
  constexpr const char* kName = "isosan.read.block";
  if (llvm::Function* known = module.getFunction(kName)) return *known;
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function& function =
      declare_claim(module, kName, {pointer, llvm::Type::getInt64Ty(module.getContext()), pointer});
  llvm::IRBuilder<> at(BasicBlock::Create(module.getContext(), "", &function));
  call_runtime(at, "__isosan_read_range",
               {function.getArg(0), function.getArg(1), function.getArg(2)});
  at.CreateRetVoid();
  return function;
}

llvm::Function& filter_function(llvm::Function& next, std::uint64_t size) {
  llvm::Module& module = *next.getParent();
  const std::string name = "isosan.shared." + next.getName().substr(7).str();
  if (llvm::Function* known = module.getFunction(name)) return *known;
  llvm::Function& function = declare_claim(module, name);
  Filter filter(function, false, size);
  filter.write();
  filter.tail_call(next);
  return function;
}

llvm::Function& claim_function(llvm::Module& module, bool is_write, std::uint64_t size) {
  const std::string name = name_of("", is_write, size);
  if (llvm::Function* known = module.getFunction(name)) return *known;
  llvm::Function& transfer = declare_claim(module, name_of("transfer.", is_write, size));
  Transfer steps(transfer, is_write, size);
  steps.write();
  llvm::Function& slow = slow_function(module, is_write, size);
  steps.tail_call(slow);
  llvm::Function& function = declare_claim(module, name);
  Claim claim(function, is_write, size);
  claim.write();
  claim.tail_call(transfer, full_function(function, slow));
  return function;
}

}  // namespace isosan::pass
