#include "pass/lone_checks.h"

#include "event/log_format.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/claim_functions.h"
#include "pass/edges.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

bool can_be_asked_for(const Access& access) {
  if (access.is_write || access.length != nullptr) return false;
  const bool in_granule =
      access.size <= 8 && llvm::isPowerOf2_64(access.size) && access.align >= access.size;
  const bool granules =
      access.size % rt::kGranule == 0 && access.size <= 64 && access.align >= rt::kGranule;
  return in_granule || granules;
}

bool is_plain(const Instruction& instruction) {
  return !instruction.isAtomic() && !instruction.isVolatile() && !instruction.mayThrow();
}

Value* load_block(Builder& at) {
  Value* self = load_self(at);
  leave_alone(*self);
  return self;
}

Value* block_field(Builder& at, Value* self, std::size_t offset, const char* name) {
  Value* place = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), self, offset);
  Value* field = at.CreateAlignedLoad(at.getInt64Ty(), place, llvm::Align(8), name);
  leave_alone(*field);
  return field;
}

Value* may_run_unlogged(Builder& at, Value* self, llvm::GlobalVariable& record) {
  Value* rests =
      at.CreateICmpNE(block_field(at, self, rt::kOffsetRests, "isosan.rests"), at.getInt64(0));
  Value* flags = flags_of(at, record);
  leave_alone(*flags);
  constexpr std::uint8_t kAsked = log::kFunctionRegion | log::kFunctionCut | log::kFunctionQuiet;
  Value* is_unit =
      at.CreateICmpEQ(at.CreateAnd(flags, at.getInt8(kAsked)), at.getInt8(log::kFunctionRegion));
  return at.CreateAnd(rests, is_unit);
}

LoneChecks::LoneChecks(Builder& at, Value* self, BasicBlock& otherwise)
    : self_(self),
      owner_(block_field(at, self, rt::kOffsetOwner, "isosan.owner")),
      limit_(block_field(at, self, rt::kOffsetRdshLimit, "isosan.rdsh_limit")),
      otherwise_(otherwise) {}

void LoneChecks::go_on_if(Value* holds, Instruction& before, BasicBlock& otherwise) {
  BasicBlock* block = before.getParent();
  BasicBlock* rest = llvm::SplitBlock(block, &before);
  Builder at(block->getTerminator());
  at.CreateCondBr(holds, rest, &otherwise,
                  llvm::MDBuilder(at.getContext()).createBranchWeights(1000, 1));
  block->getTerminator()->eraseFromParent();
}

Value* LoneChecks::is_mine(Builder& at, Value* word) {
  constexpr rt::Word kOwnership = rt::kExclusive | rt::kHeld | rt::kSlotField;
  return at.CreateICmpEQ(at.CreateAnd(at.CreateXor(word, owner_), kOwnership), at.getInt64(0));
}

// Most words are read-shared: the thread's own are looked at apart.
void LoneChecks::check(Instruction& read, Value* pointer, std::uint64_t size) {
  leave_alone(read);
  Builder at(&read);
  Value* address = at.CreatePtrToInt(pointer, at.getInt64Ty());
  Value* granule = size >= rt::kGranule ? address : at.CreateAnd(address, ~(rt::kGranule - 1));
  Value* shadow = at.CreateIntToPtr(at.CreateXor(granule, rt::kShadowXor), at.getPtrTy());
  llvm::SmallVector<std::pair<Value*, Value*>, 4> words;  // and whether it is ordered
  Value* all = at.getTrue();
  for (std::uint64_t i = 0; i * rt::kGranule < size; ++i) {
    llvm::LoadInst* word = at.CreateAlignedLoad(
        at.getInt64Ty(), at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), shadow, i), llvm::Align(8),
        "isosan.word");
    word->setAtomic(llvm::AtomicOrdering::Monotonic);
    leave_alone(*word);
    words.emplace_back(word, at.CreateICmpULE(at.CreateXor(word, rt::kReadShared), limit_));
    all = at.CreateAnd(all, words.back().second);
  }
  BasicBlock* own = BasicBlock::Create(at.getContext(), "isosan.own", read.getFunction());
  go_on_if(all, read, *own);
  at.SetInsertPoint(own);
  all = at.getTrue();
  for (const auto& [word, ordered] : words)
    all = at.CreateAnd(
        all, words.size() == 1 ? is_mine(at, word) : at.CreateOr(ordered, is_mine(at, word)));
  at.CreateCondBr(all, read.getParent(), &otherwise_);
}

void LoneChecks::go_on_unless_asked(Instruction& before) {
  Builder at(&before);
  Value* place = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), self_, rt::kOffsetPoll);
  llvm::LoadInst* poll =
      at.CreateAlignedLoad(at.getInt32Ty(), place, llvm::Align(4), "isosan.poll");
  poll->setAtomic(llvm::AtomicOrdering::Monotonic);
  leave_alone(*poll);
  go_on_if(at.CreateICmpEQ(poll, at.getInt32(0)), before, otherwise_);
}

void LoneChecks::go_on_while_at_rest(Instruction& before) {
  Builder at(&before);
  Value* rests = block_field(at, self_, rt::kOffsetRests, "isosan.rests");
  // A handler stores it: no optimiser behind us may take it for what it was.
  llvm::cast<llvm::LoadInst>(rests)->setAtomic(llvm::AtomicOrdering::Monotonic);
  go_on_if(at.CreateICmpNE(rests, at.getInt64(0)), before, otherwise_);
}

void LoneChecks::ask_at_back_edges(llvm::ArrayRef<BasicBlock*> blocks) {
  llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 8> edges;
  llvm::FindFunctionBackedges(*otherwise_.getParent(), edges);
  const llvm::SmallPtrSet<const BasicBlock*, 16> headers(blocks.begin(), blocks.end());
  llvm::SmallSetVector<Instruction*, 4> latches;
  for (const auto& [latch, header] : edges)
    if (headers.contains(header)) latches.insert(const_cast<Instruction*>(latch->getTerminator()));
  for (Instruction* latch : latches) {
    leave_alone(*latch);
    go_on_unless_asked(*latch);
  }
}

}  // namespace isosan::pass
