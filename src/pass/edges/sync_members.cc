#include "pass/edges/sync_members.h"

#include <optional>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/claims/runtime_calls.h"
#include "pass/code/names.h"

namespace isosan::pass {
namespace {

using llvm::CallBase;
using llvm::StringRef;
using llvm::Value;

constexpr const char* kSync = "__isosan_sync";

enum class Generation { kNone, kPhase, kToken };  // of a barrier: its current phase, the token's
enum class When { kAlways, kIfTrue };             // the event behind the call; if false: it gave up

struct SyncMember {
  StringRef name;  // qualified, without template arguments
  std::optional<Kind> before;
  std::optional<Kind> after;
  When when = When::kAlways;
  Generation generation = Generation::kNone;
  std::uint8_t detail = 0;
  bool ignored = true;  // operations inside are ignored
};

constexpr auto kOneScope = static_cast<std::uint8_t>(NotifyScope::kOne);
constexpr auto kTimedOut = static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
constexpr auto kAllScope = static_cast<std::uint8_t>(NotifyScope::kAll);

// arrive_and_wait and try_acquire_for call these; other members need no treatment.
const SyncMember kMembers[] = {
    {"std::barrier::arrive", Kind::kBarrierArrive, {}, When::kAlways, Generation::kPhase},
    {"std::barrier::arrive_and_drop", Kind::kBarrierArrive, {}, When::kAlways, Generation::kPhase},
    {"std::barrier::wait", {}, Kind::kBarrierDepart, When::kAlways, Generation::kToken},
    {"std::latch::count_down", Kind::kBarrierArrive, {}},
    {"std::latch::wait", {}, Kind::kBarrierDepart},
    {"std::latch::try_wait", {}, Kind::kBarrierDepart, When::kIfTrue},
    {"std::latch::arrive_and_wait", Kind::kBarrierArrive, Kind::kBarrierDepart},
    {"std::counting_semaphore::release", Kind::kSemaphorePost, {}},
    {"std::counting_semaphore::acquire", {}, Kind::kSemaphoreWait},
    {"std::counting_semaphore::try_acquire", {}, Kind::kSemaphoreWait, When::kIfTrue},
    {"std::counting_semaphore::try_acquire_for", {}, Kind::kSemaphoreWait, When::kIfTrue},
    {"std::counting_semaphore::try_acquire_until", {}, Kind::kSemaphoreWait, When::kIfTrue},
    // Futures. The store is an event, too: a thread that only asks whether the value is ready loads
    // it.
    {"std::__atomic_futex_unsigned::_M_store_notify_all",
     Kind::kPublish,
     {},
     When::kAlways,
     Generation::kNone,
     0,
     /*ignored=*/false},
    {"std::__atomic_futex_unsigned::_M_load_when_equal", {}, Kind::kObserve},
    {"std::__atomic_futex_unsigned::_M_load_when_equal_for", {}, Kind::kObserve, When::kIfTrue},
    {"std::__atomic_futex_unsigned::_M_load_when_equal_until", {}, Kind::kObserve, When::kIfTrue},
    {"std::atomic::notify_one", Kind::kNotify, {}, When::kAlways, Generation::kNone, kOneScope},
    {"std::atomic::notify_all", Kind::kNotify, {}, When::kAlways, Generation::kNone, kAllScope},
    {"std::__atomic_base::notify_one",
     Kind::kNotify,
     {},
     When::kAlways,
     Generation::kNone,
     kOneScope},
    {"std::__atomic_base::notify_all",
     Kind::kNotify,
     {},
     When::kAlways,
     Generation::kNone,
     kAllScope},
    {"std::atomic_flag::notify_one",
     Kind::kNotify,
     {},
     When::kAlways,
     Generation::kNone,
     kOneScope},
    {"std::atomic_flag::notify_all",
     Kind::kNotify,
     {},
     When::kAlways,
     Generation::kNone,
     kAllScope},
};

constexpr StringRef kAtomicWaits[] = {"std::atomic::wait", "std::__atomic_base::wait",
                                      "std::atomic_flag::wait"};
constexpr StringRef kInternals = "std::__tree_barrier::";

const SyncMember* member_called(StringRef name) {
  for (const SyncMember& member : kMembers)
    if (member.name == name) return &member;
  return nullptr;
}

// Runs `insert` right behind a call, on each way out of it.
template <class F>
void behind(CallBase& call, bool also_unwinding, F insert) {
  llvm::SmallVector<llvm::Instruction*, 2> points;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::BasicBlock* normal = invoke->getNormalDest();
    if (normal->getSinglePredecessor() == nullptr)
      normal = llvm::SplitEdge(invoke->getParent(), normal);
    points.push_back(&*normal->getFirstInsertionPt());
    if (also_unwinding) points.push_back(&*invoke->getUnwindDest()->getFirstInsertionPt());
  } else {
    points.push_back(call.getNextNode());
  }
  for (llvm::Instruction* point : points) {
    llvm::IRBuilder<> at(point);
    at.SetCurrentDebugLocation(call.getDebugLoc());
    insert(at);
  }
}

const llvm::DIDerivedType* member_named(const llvm::DIType* type, StringRef name) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr) return nullptr;
  for (const llvm::DINode* element : composite->getElements())
    if (const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
        member != nullptr && member->getName() == name)
      return member;
  return nullptr;
}

// The phase of a libstdc++ barrier, counted in twos, in the tree at `offset` of the object; 0
// without debug info.
Value* phase_in(llvm::IRBuilder<>& at, const llvm::DIType* tree, Value* object,
                std::uint64_t offset) {
  while (const auto* name = llvm::dyn_cast_or_null<llvm::DIDerivedType>(tree))
    tree = name->getBaseType();
  const llvm::DIDerivedType* phase = member_named(tree, "_M_phase");
  if (phase == nullptr) return at.getInt64(0);
  offset += phase->getOffsetInBits() / 8;
  Value* address = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), object, offset);
  llvm::LoadInst* load = at.CreateLoad(at.getInt8Ty(), address);
  load->setAtomic(llvm::AtomicOrdering::Monotonic);
  load->setNoSanitizeMetadata();
  return at.CreateLShr(at.CreateZExt(load, at.getInt64Ty()), 1);
}

Value* current_phase(llvm::IRBuilder<>& at, const CallBase& call) {
  const llvm::DISubprogram* subprogram = call.getCalledFunction()->getSubprogram();
  const llvm::DIDerivedType* tree =
      subprogram != nullptr ? member_named(class_of(*subprogram), "_M_b") : nullptr;
  if (tree == nullptr) return at.getInt64(0);
  return phase_in(at, tree->getBaseType(), call.getArgOperand(0), tree->getOffsetInBits() / 8);
}

Value* generation_of(llvm::IRBuilder<>& at, const SyncMember& member, const CallBase& call) {
  switch (member.generation) {
    case Generation::kNone:
      return at.getInt64(0);
    case Generation::kPhase:
      return current_phase(at, call);
    case Generation::kToken: {
      Value* token = call.arg_size() > 1 ? call.getArgOperand(1) : nullptr;
      if (token == nullptr || !token->getType()->isPointerTy()) return at.getInt64(0);
      llvm::LoadInst* phase = at.CreateLoad(at.getInt8Ty(), token);
      phase->setNoSanitizeMetadata();
      return at.CreateLShr(at.CreateZExt(phase, at.getInt64Ty()), 1);
    }
  }
  return at.getInt64(0);
}

void event(llvm::IRBuilder<>& at, Kind kind, std::uint8_t detail, Value* object,
           Value* generation) {
  call_runtime(at, kSync,
               {at.getInt32(static_cast<std::uint32_t>(kind)), object, at.getInt32(detail),
                generation, llvm::ConstantPointerNull::get(at.getPtrTy())});
}

void ignore_inside(CallBase& call) {
  llvm::IRBuilder<> at(&call);
  call_runtime(at, "__isosan_ignore_begin", {});
  behind(call, true, [](llvm::IRBuilder<>& out) { call_runtime(out, "__isosan_ignore_end", {}); });
}

// The completion function of a barrier runs in the thread that arrived last, when all have, and
// before any departs. The barrier begins with its tree, so `this` is the object of both.
void complete(CallBase& call) {
  llvm::Function& arrive = *call.getFunction();
  const llvm::DISubprogram* subprogram = arrive.getSubprogram();
  llvm::IRBuilder<> at(&call);
  call_runtime(at, "__isosan_ignore_end", {});
  Value* tree = arrive.getArg(0);
  Value* phase = phase_in(at, subprogram != nullptr ? class_of(*subprogram) : nullptr, tree, 0);
  event(at, Kind::kBarrierDepart, 0, tree, phase);
  behind(call, true, [&](llvm::IRBuilder<>& out) {
    event(out, Kind::kBarrierArrive, 0, tree, phase);
    call_runtime(out, "__isosan_ignore_begin", {});
  });
}

void mark(CallBase& call, const SyncMember& member) {
  llvm::IRBuilder<> at(&call);
  Value* object = call.getArgOperand(0);
  Value* generation = generation_of(at, member, call);
  if (member.before) event(at, *member.before, member.detail, object, generation);
  if (!member.ignored) return;
  call_runtime(at, "__isosan_ignore_begin", {});
  behind(call, false, [&](llvm::IRBuilder<>& out) {
    call_runtime(out, "__isosan_ignore_end", {});
    if (!member.after) return;
    if (member.when == When::kIfTrue) {
      Value* succeeded = out.CreateICmpNE(&call, llvm::Constant::getNullValue(call.getType()));
      llvm::Instruction *got = nullptr, *gave_up = nullptr;
      llvm::SplitBlockAndInsertIfThenElse(succeeded, &*out.GetInsertPoint(), &got, &gave_up);
      out.SetInsertPoint(gave_up);
      event(out, Kind::kWaitEnd, kTimedOut, object, out.getInt64(0));
      out.SetInsertPoint(got);
    }
    event(out, *member.after, member.detail, object, generation);
  });
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::IRBuilder<> out(&*invoke->getUnwindDest()->getFirstInsertionPt());
    call_runtime(out, "__isosan_ignore_end", {});
  }
}

llvm::AtomicOrdering order_of_wait(const CallBase& call) {
  const auto* order =
      call.arg_size() > 2 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2)) : nullptr;
  if (order == nullptr) return llvm::AtomicOrdering::SequentiallyConsistent;
  switch (static_cast<MemoryOrder>(order->getZExtValue())) {
    case MemoryOrder::kRelaxed:
      return llvm::AtomicOrdering::Monotonic;
    case MemoryOrder::kConsume:
    case MemoryOrder::kAcquire:
    case MemoryOrder::kRelease:
    case MemoryOrder::kAcqRel:
      return llvm::AtomicOrdering::Acquire;
    case MemoryOrder::kSeqCst:
      break;
  }
  return llvm::AtomicOrdering::SequentiallyConsistent;
}

// A wait is one atomic load: of the value that it saw when it returned.
void mark_atomic_wait(CallBase& call) {
  ignore_inside(call);
  llvm::Type* type = call.arg_size() > 1 ? call.getArgOperand(1)->getType() : nullptr;
  if (type == nullptr || !(type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()))
    return;
  if (type->isIntegerTy(1)) type = llvm::Type::getInt8Ty(call.getContext());
  behind(call, false, [&](llvm::IRBuilder<>& at) {
    at.SetInsertPoint(at.GetInsertPoint()->getNextNode());  // behind ignore_end
    const llvm::DataLayout& layout = call.getDataLayout();
    llvm::LoadInst* load = at.CreateAlignedLoad(type, call.getArgOperand(0),
                                                llvm::Align(layout.getTypeStoreSize(type)));
    load->setAtomic(order_of_wait(call));
  });
}

}  // namespace

void mark_sync_members(llvm::Function& function) {
  const bool internal = StringRef(qualified_name(function)).starts_with(kInternals);
  llvm::SmallVector<CallBase*, 8> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<CallBase>(&instruction)) calls.push_back(call);
  for (CallBase* call : calls) {
    const llvm::Function* callee = call->getCalledFunction();
    if (callee == nullptr || callee->isIntrinsic() || call->arg_empty() || call->isMustTailCall())
      continue;
    const bool library = is_library_code(*callee);
    if (internal && !library && !is_runtime_function(callee) && !function.arg_empty())
      complete(*call);
    if (!library) continue;
    const std::string name = qualified_name(*callee);
    if (const SyncMember* member = member_called(name)) mark(*call, *member);
    if (llvm::is_contained(kAtomicWaits, name)) mark_atomic_wait(*call);
  }
}

void fill_sync_places(llvm::Function& function, SiteTable& sites) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<CallBase>(&instruction);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->getName() != kSync ||
        !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(4)))
      continue;
    const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (kind == nullptr) continue;
    call->setArgOperand(
        4, sites.add({call->getDebugLoc(), static_cast<Kind>(kind->getZExtValue()), 0, {}}));
  }
}

}  // namespace isosan::pass
