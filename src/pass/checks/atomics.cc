#include "pass/checks/atomics.h"

#include "event/kind.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/claims/runtime_calls.h"

namespace isosan::pass {
namespace {

using llvm::AtomicOrdering;
using llvm::Value;

MemoryOrder order_of(AtomicOrdering ordering) {
  switch (ordering) {
    case AtomicOrdering::NotAtomic:
    case AtomicOrdering::Unordered:
    case AtomicOrdering::Monotonic:
      return MemoryOrder::kRelaxed;
    case AtomicOrdering::Acquire:
      return MemoryOrder::kAcquire;
    case AtomicOrdering::Release:
      return MemoryOrder::kRelease;
    case AtomicOrdering::AcquireRelease:
      return MemoryOrder::kAcqRel;
    case AtomicOrdering::SequentiallyConsistent:
      return MemoryOrder::kSeqCst;
  }
  return MemoryOrder::kSeqCst;
}

struct Operation {
  Value* pointer = nullptr;
  std::uint64_t size = 0;
  Kind kind{};
  MemoryOrder order{};
};

Operation describe(llvm::Instruction& instruction) {
  const llvm::DataLayout& layout = instruction.getDataLayout();
  auto bytes = [&](llvm::Type* type) { return layout.getTypeStoreSize(type).getFixedValue(); };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {load->getPointerOperand(), bytes(load->getType()), Kind::kAtomicLoad,
            order_of(load->getOrdering())};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {store->getPointerOperand(), bytes(store->getValueOperand()->getType()),
            Kind::kAtomicStore, order_of(store->getOrdering())};
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {rmw->getPointerOperand(), bytes(rmw->getValOperand()->getType()), Kind::kAtomicRmw,
            order_of(rmw->getOrdering())};
  auto& exchange = llvm::cast<llvm::AtomicCmpXchgInst>(instruction);
  return {exchange.getPointerOperand(), bytes(exchange.getNewValOperand()->getType()),
          Kind::kAtomicRmw, order_of(exchange.getSuccessOrdering())};
}

// Without optimization even a constant comes from memory. Folded where it is known.
Value* is_one(llvm::IRBuilder<>& at, Value* value) {
  llvm::Type* type = value->getType();
  return at.CreateOr(at.CreateICmpEQ(value, llvm::ConstantInt::get(type, 1)),
                     at.CreateICmpEQ(value, llvm::ConstantInt::getAllOnesValue(type)));
}

// Whether it stored the value that it had read; null: it never does, or nobody knows.
Value* is_unchanged(llvm::IRBuilder<>& at, llvm::AtomicRMWInst& rmw) {
  Value *old = &rmw, *operand = rmw.getValOperand();
  switch (rmw.getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
      return old->getType()->isFloatingPointTy() ? nullptr : at.CreateICmpEQ(old, operand);
    case llvm::AtomicRMWInst::Or:
      return at.CreateICmpEQ(at.CreateOr(old, operand), old);
    case llvm::AtomicRMWInst::And:
      return at.CreateICmpEQ(at.CreateAnd(old, operand), old);
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::Xor:
      if (llvm::isa<llvm::ConstantInt>(operand)) return nullptr;
      return at.CreateICmpEQ(operand, llvm::Constant::getNullValue(operand->getType()));
    default:
      return nullptr;
  }
}

// The order with the marks (kind.h) of a read-modify-write.
Value* marked_order(llvm::IRBuilder<>& at, llvm::AtomicRMWInst& rmw) {
  const auto operation = rmw.getOperation();
  const bool adds = operation == llvm::AtomicRMWInst::Add || operation == llvm::AtomicRMWInst::Sub;
  unsigned known = static_cast<unsigned>(order_of(rmw.getOrdering()));
  if (!rmw.use_empty()) known |= kValueUsed;
  Value* order = at.getInt32(known);
  if (adds)
    order = at.CreateSelect(is_one(at, rmw.getValOperand()), at.getInt32(known | kStep), order);
  Value* unchanged = is_unchanged(at, rmw);
  if (unchanged == nullptr) return order;
  return at.CreateSelect(unchanged, at.getInt32(known | kUnchanged), order);
}

llvm::ConstantInt* number(llvm::IRBuilder<>& at, auto value) {
  return at.getInt32(static_cast<std::uint32_t>(value));
}

}  // namespace

void instrument_atomic(llvm::Instruction& instruction, SiteTable& sites, const FieldNames& fields) {
  llvm::IRBuilder<> at(&instruction);
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    llvm::Constant* site = sites.add({instruction.getDebugLoc(), Kind::kFence, 0, {}});
    call_runtime(at, "__isosan_fence", {number(at, order_of(fence->getOrdering())), site});
    return;
  }
  const Operation operation = describe(instruction);
  llvm::Constant* site = sites.add({instruction.getDebugLoc(), operation.kind, operation.size,
                                    fields.of_access(instruction, *operation.pointer)});
  Value* size = at.getInt64(operation.size);
  const bool writes = operation.kind != Kind::kAtomicLoad;
  call_runtime(at, "__isosan_atomic_begin", {operation.pointer, size, number(at, writes)});
  at.SetInsertPoint(instruction.getNextNode());
  at.SetCurrentDebugLocation(instruction.getDebugLoc());
  Value* kind = number(at, operation.kind);
  Value* order = number(at, operation.order);
  if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) order = marked_order(at, *rmw);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    Value* succeeded = at.CreateExtractValue(exchange, 1);
    const auto order_number = [&](MemoryOrder of_it) {
      return at.getInt32(static_cast<std::uint32_t>(of_it) | kCompareExchange);
    };
    kind = at.CreateSelect(succeeded, kind, number(at, Kind::kAtomicLoad));
    order = at.CreateSelect(succeeded, order_number(operation.order),
                            order_number(order_of(exchange->getFailureOrdering())));
  }
  call_runtime(at, "__isosan_atomic_end", {operation.pointer, size, kind, order, site});
}

void instrument_guard(llvm::LoadInst& guard, SiteTable& sites) {
  llvm::Instruction* behind = guard.getNextNode();
  llvm::IRBuilder<> at(behind);
  Value* done = at.CreateICmpNE(&guard, llvm::Constant::getNullValue(guard.getType()));
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(done, behind, false);
  at.SetInsertPoint(then);
  at.SetCurrentDebugLocation(guard.getDebugLoc());
  llvm::Constant* site = sites.add({guard.getDebugLoc(), Kind::kOnceSeen, 0, {}});
  call_runtime(at, "__isosan_sync",
               {number(at, Kind::kOnceSeen), guard.getPointerOperand(), number(at, 0),
                at.getInt64(0), site});
}

}  // namespace isosan::pass
