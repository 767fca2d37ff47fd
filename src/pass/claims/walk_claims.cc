// Claim functions for accesses that may continue a walk
// (loops/unbounded_walks.h).
//
// An access that continues an open walk (runtime/log/walks.h) is counted there and not logged; its
// word changes as it would otherwise. All other accesses go to the runtime, those that open a walk
// included. Where walks are not opened, they go to the ordinary claim functions.
#include "pass/claims/claim_builder.h"
#include "pass/claims/claim_functions.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"
#include "runtime/contract/log_walk.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class WalkClaim : GranuleClaim {
 public:
  using ClaimBuilder::tail_call;
  using GranuleClaim::GranuleClaim;

  void write() {
    BasicBlock* next = block("next");
    BasicBlock* own = block("own");
    BasicBlock* other = is_write_ ? slow_ : block("other");
    walk_ = walk_of_site();
    branch(comes_next(), next, slow_);
    at_.SetInsertPoint(next);
    branch(is_own(word_), own, other);
    at_.SetInsertPoint(own);
    // Nothing of an open walk is in the log, so the store need not be a release.
    claim_own(llvm::AtomicOrdering::Monotonic);
    continue_walk();
    if (is_write_) return;
    BasicBlock* ordered = block("ordered");
    at_.SetInsertPoint(other);
    branch(is_ordered(word_), ordered, slow_);
    at_.SetInsertPoint(ordered);
    remember_shared_read(filter_slot(address_), filter_entry(address_, mask_));
    continue_walk();
  }

 private:
  // walk_at()
  Value* walk_of_site() {
    place_ = at_.CreatePtrToInt(site_, at_.getInt64Ty());
    Value* hash = at_.CreateLShr(at_.CreateXor(place_, at_.CreateLShr(place_, 4)), 2);
    return at_.CreateGEP(llvm::ArrayType::get(at_.getInt8Ty(), sizeof(log::Walk)),
                         field_address(rt::kOffsetWalks), at_.CreateAnd(hash, log::kWalks - 1));
  }
  Value* walk_field(std::size_t offset) {
    return at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), walk_, offset);
  }
  Value* load(llvm::Type* type, std::size_t offset) {
    return at_.CreateLoad(type, walk_field(offset));
  }

  Value* comes_next() {
    Value* place = is_write_ ? at_.CreateOr(place_, log::kWalkWrites) : place_;
    Value* same = at_.CreateXor(load(at_.getInt64Ty(), offsetof(log::Walk, place)), place);
    Value* expected = at_.CreateXor(load(at_.getInt64Ty(), offsetof(log::Walk, next)), address_);
    return at_.CreateICmpEQ(at_.CreateOr(same, expected), number(0));
  }

  // The count is stored first, as in runtime/log/walks.h.
  void continue_walk() {
    Value* count = load(at_.getInt32Ty(), offsetof(log::Walk, count));
    at_.CreateStore(at_.CreateAdd(count, at_.getInt32(1)), walk_field(offsetof(log::Walk, count)));
    at_.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
    Value* stride = load(at_.getInt32Ty(), offsetof(log::Walk, stride));
    at_.CreateStore(at_.CreateAdd(address_, at_.CreateSExt(stride, at_.getInt64Ty())),
                    walk_field(offsetof(log::Walk, next)));
    at_.CreateRetVoid();
  }

  Value* place_ = nullptr;
  Value* walk_ = nullptr;
};

// Accesses that do not continue a walk.
class Rest : ClaimBuilder {
 public:
  using ClaimBuilder::ClaimBuilder;
  using ClaimBuilder::tail_call;

  void write() {
    BasicBlock* gathers = block("gathers");
    branch(at_.CreateICmpNE(field(rt::kOffsetGathers), number(0)), gathers, slow_);
    at_.SetInsertPoint(gathers);
    call_slow_path(at_, is_write_ ? "__isosan_write_anew" : "__isosan_read_anew",
                   {pointer_, number(size_), site_});
    at_.CreateRetVoid();
  }
};

}  // namespace

llvm::Function& walk_claim_function(llvm::Module& module, bool is_write, std::uint64_t size) {
  const std::string suffix = (is_write ? "write." : "read.") + std::to_string(size);
  const std::string name = "isosan.walk." + suffix;
  if (llvm::Function* known = module.getFunction(name)) return *known;
  llvm::Function& rest = declare_claim(module, "isosan.anew." + suffix);
  Rest steps(rest, is_write, size);
  steps.write();
  steps.tail_call(claim_function(module, is_write, size));
  llvm::Function& function = declare_claim(module, name);
  WalkClaim claim(function, is_write, size);
  claim.write();
  claim.tail_call(rest);
  return function;
}

}  // namespace isosan::pass
