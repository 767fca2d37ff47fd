#include "pass/lone_functions.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "pass/borrowed.h"
#include "pass/candidates.h"
#include "pass/edges.h"
#include "pass/leaf_regions.h"
#include "pass/lone_checks.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

constexpr const char* kLone = "isosan-lone";
constexpr unsigned kLongest = 1000;  // instructions

using Functions = llvm::SmallSetVector<Function*, 8>;

// Locals that nobody else sees: another run of the function has others.
class Locals {
 public:
  bool written_by(const Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return has(store->getPointerOperand());
    if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      return has(memory->getRawDest());
    return false;
  }

 private:
  bool has(const Value* pointer) {
    const Value* object = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
    if (!llvm::isa<llvm::AllocaInst>(object)) return false;
    const auto [known, is_new] = known_.try_emplace(object, false);
    if (is_new) known->second = !address_escapes(object);
    return known->second;
  }

  llvm::DenseMap<const Value*, bool> known_;
};

bool is_edge(const Instruction& instruction) {
  return edge_of(const_cast<Instruction&>(instruction)).call != nullptr;
}

// Does an instruction of a function that only reads leave no trace? Of calls of functions that are
// known it is left open.
bool leaves_no_trace(const Instruction& instruction, Locals& locals) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (is_edge(instruction) || is_arithmetic(*call) || known_callee(*call) != nullptr) return true;
    if (intrinsic == nullptr || !is_plain(instruction)) return false;
    return intrinsic->isAssumeLikeIntrinsic() || intrinsic->doesNotAccessMemory() ||
           locals.written_by(instruction);
  }
  if (!is_plain(instruction)) return false;
  return !instruction.mayWriteToMemory() || locals.written_by(instruction);
}

// All that is reached if nobody throws: what only reads, and is called by such alone, does not.
llvm::SmallSetVector<BasicBlock*, 32> usual_blocks(Function& function) {
  llvm::SmallSetVector<BasicBlock*, 32> blocks;
  blocks.insert(&function.getEntryBlock());
  for (std::size_t next = 0; next < blocks.size(); ++next)
    for (BasicBlock* successor : llvm::successors(blocks[next]))
      if (!successor->isEHPad()) blocks.insert(successor);
  return blocks;
}

bool reads_only(Function& function) {
  Locals locals;
  const auto blocks = usual_blocks(function);
  for (const BasicBlock* block : blocks)
    for (const Instruction& instruction : *block)
      if (!leaves_no_trace(instruction, locals)) return false;
  return llvm::all_of(find_operations(function).accesses, [&](const Access& access) {
    return !blocks.contains(access.instruction->getParent()) || can_be_asked_for(access);
  });
}

template <class F>
void for_each_known_call(Function& function, F each) {
  for (BasicBlock* block : usual_blocks(function))
    for (Instruction& instruction : *block)
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (Function* callee = known_callee(*call)) each(*call, *callee);
}

// The greatest set of functions that only read and call each other alone.
Functions find_readers(llvm::Module& module) {
  Functions readers;
  for (Function& function : module)
    if (may_instrument(function) && !function.hasOptNone() && !function.isVarArg() &&
        !function.isPresplitCoroutine() && function.getInstructionCount() <= kLongest &&
        reads_only(function))
      readers.insert(&function);
  for (bool again = true; again;) {
    again = readers.remove_if([&](Function* function) {
      bool closed = true;
      for_each_known_call(*function, [&](llvm::CallBase&, Function& callee) {
        closed &= readers.contains(&callee);
      });
      return !closed;
    });
  }
  return readers;
}

// The edge at which the function itself begins to be a region; null if it has none, or if it is a
// leaf.
llvm::IntrinsicInst* entry_of(Function& function) {
  llvm::IntrinsicInst* entry = nullptr;
  for (Instruction& instruction : function.getEntryBlock())
    if (const Edge edge = edge_of(instruction);
        edge.call != nullptr && edge.kind == EdgeKind::kEnter && !is_weak(edge)) {
      entry = edge.call;
      break;
    }
  if (entry == nullptr) return nullptr;
  llvm::DominatorTree tree(function);
  const auto leaves = find_leaf_regions(function, tree);
  const bool leaf =
      llvm::any_of(leaves, [&](const LeafRegion& each) { return each.enter.call == entry; });
  return leaf ? nullptr : entry;
}

class Copier {
 public:
  // The copy of a function, and of all that it calls.
  Function& copy_of(Function& function) {
    Function*& copy = copies_[&function];
    if (copy != nullptr) return *copy;
    llvm::ValueToValueMapTy values;
    Function& made = *(copy = llvm::CloneFunction(&function, values));
    made.setName(function.getName() + ".lone");
    made.setLinkage(llvm::GlobalValue::InternalLinkage);
    made.setVisibility(llvm::GlobalValue::DefaultVisibility);
    made.setDSOLocal(true);
    made.setComdat(nullptr);
    made.addFnAttr(kLone);
    made.setDoesNotThrow();
    made.removeFnAttr(llvm::Attribute::Memory);
    made.removeFnAttr(llvm::Attribute::Speculatable);
    made.removeRetAttrs(llvm::AttributeFuncs::getUBImplyingAttributes());
    fill(made);
    return made;
  }

 private:
  void fill(Function& copy) {
    for (BasicBlock* block : usual_blocks(copy))
      if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block->getTerminator()))
        llvm::changeToCall(invoke);
    llvm::removeUnreachableBlocks(copy);
    llvm::SmallVector<llvm::CallBase*, 4> calls;
    for_each_known_call(copy, [&](llvm::CallBase& call, Function&) { calls.push_back(&call); });
    const std::vector<Access> reads = find_operations(copy).accesses;
    llvm::SmallVector<BasicBlock*, 16> blocks;
    for (BasicBlock& block : copy) blocks.push_back(&block);
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(copy)))
      if (is_edge(instruction)) instruction.eraseFromParent();
    Instruction& first = *copy.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    Builder at(&first);
    Value* self = load_block(at);
    LoneChecks checks(at, self, give_up(copy, self));
    for (const Access& read : reads) checks.check(*read.instruction, read.pointer, read.size);
    for (llvm::CallBase* call : calls) {
      call->setCalledFunction(&copy_of(*call->getCalledFunction()));
      call->removeFnAttr(llvm::Attribute::Memory);
      call->removeRetAttrs(llvm::AttributeFuncs::getUBImplyingAttributes());
      checks.go_on_while_at_rest(*call->getNextNode());
    }
    checks.ask_at_back_edges(blocks);
    checks.go_on_unless_asked(first);
  }

  static BasicBlock& give_up(Function& copy, Value* self) {
    BasicBlock* block = BasicBlock::Create(copy.getContext(), "isosan.give_up", &copy);
    Builder at(block);
    Value* place = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), self, rt::kOffsetRests);
    leave_alone(*at.CreateAlignedStore(at.getInt64(0), place, llvm::Align(8)));
    llvm::Type* type = copy.getReturnType();
    if (type->isVoidTy()) {
      at.CreateRetVoid();
    } else {
      at.CreateRet(llvm::Constant::getNullValue(type));
    }
    return *block;
  }

  llvm::DenseMap<Function*, Function*> copies_;
};

// Before the edge: runs the copy, and returns what it does, where the thread is and stays at rest.
void ask_copy_first(Function& function, llvm::IntrinsicInst& entry, Function& copy) {
  llvm::GlobalVariable& record = *edge_of(entry).record;
  BasicBlock* before = entry.getParent();
  BasicBlock* rest = llvm::SplitBlock(before, &entry);
  BasicBlock* lone = BasicBlock::Create(function.getContext(), "isosan.lone", &function, rest);
  BasicBlock* done = BasicBlock::Create(function.getContext(), "isosan.lone.done", &function, rest);
  Builder at(before->getTerminator());
  at.SetCurrentDebugLocation(entry.getDebugLoc());
  Value* self = load_block(at);
  at.CreateCondBr(may_run_unlogged(at, self, record), lone, rest);
  before->getTerminator()->eraseFromParent();
  at.SetInsertPoint(lone);
  llvm::SmallVector<Value*, 8> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  llvm::CallInst* call = at.CreateCall(&copy, arguments);
  call->setCallingConv(copy.getCallingConv());
  call->setAttributes(copy.getAttributes().removeFnAttributes(copy.getContext()));
  call->setDoesNotThrow();
  Value* rests = block_field(at, self, rt::kOffsetRests, "isosan.rests");
  at.CreateCondBr(at.CreateICmpNE(rests, at.getInt64(0)), done, rest);
  at.SetInsertPoint(done);
  if (function.getReturnType()->isVoidTy()) {
    at.CreateRetVoid();
  } else {
    at.CreateRet(call);
  }
}

}  // namespace

bool is_lone_copy(const Function& function) { return function.hasFnAttribute(kLone); }

void make_lone_functions(llvm::Module& module) {
  const Functions readers = find_readers(module);
  Copier copier;
  for (Function* function : readers) {
    llvm::IntrinsicInst* entry = entry_of(*function);
    if (entry == nullptr) continue;
    ask_copy_first(*function, *entry, copier.copy_of(*function));
  }
}

}  // namespace isosan::pass
