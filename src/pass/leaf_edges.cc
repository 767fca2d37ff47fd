#include "pass/leaf_edges.h"

#include "event/log_format.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "pass/claim_builder.h"
#include "pass/claim_functions.h"
#include "pass/runtime_calls.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class LeafEdge {
 public:
  LeafEdge(llvm::Function& function, llvm::Function& slow)
      : function_(function),
        at_(block("")),
        record_(at_.CreatePtrToInt(function.getArg(0), at_.getInt64Ty())),
        self_(load_self(at_)),
        slow_(block("slow")) {
    llvm::IRBuilder<> on(slow_);
    hand_arguments_on(on, function, slow);
    runtime_ = field(self_, rt::kOffsetRuntime, at_.getPtrTy());
    go_on_if(at_.CreateIsNotNull(runtime_));  // none: a child that a signal handler has forked
  }

  void enter() {
    Value* address = at_.CreatePtrToInt(function_.getArg(1), at_.getInt64Ty());
    constexpr std::uint8_t kAsked = log::kFunctionRegion | log::kFunctionCut | log::kFunctionQuiet;
    Value* flags = field(function_.getArg(0), offsetof(rt::FunctionRecord, flags), at_.getInt8Ty());
    go_on_if(at_.CreateICmpEQ(at_.CreateAnd(flags, at_.getInt8(kAsked)),
                              at_.getInt8(log::kFunctionRegion)));
    go_on_if(at_.CreateICmpNE(field(runtime_, rt::kOffsetWithholds), number(0)));
    go_on_if(at_.CreateICmpEQ(field(runtime_, rt::kOffsetOpenLeaf), number(0)));
    go_on_if(
        at_.CreateICmpNE(field(self_, rt::kOffsetRegionDepth, at_.getInt32Ty()), at_.getInt32(0)));
    go_on_if_nobody_asks();
    find_room();
    append(Kind::kCall, address);
    store(record_, runtime_, rt::kOffsetOpenLeaf);
    at_.CreateRetVoid();
  }

  // A leaf in which nothing was logged is taken back.
  void exit() {
    go_on_if(at_.CreateICmpNE(field(runtime_, rt::kOffsetWithholds), number(0)));
    go_on_if(at_.CreateICmpEQ(field(runtime_, rt::kOffsetOpenLeaf), record_));
    go_on_if_nobody_asks();
    find_room();
    Value* before = at_.CreateSub(position_, number(1));
    Value* code = at_.CreateAnd(at_.CreateLShr(field(unit_at(before), 0), 48), number(0xff));
    BasicBlock* empty = block("empty");
    BasicBlock* told = block("told");
    branch(at_.CreateICmpNE(code, number(log::code_of(Kind::kCall))), told, empty);
    at_.SetInsertPoint(empty);
    store(before, log_, rt::kOffsetPosition);
    store(number(0), runtime_, rt::kOffsetOpenLeaf);
    at_.CreateRetVoid();
    at_.SetInsertPoint(told);
    Value* epoch = next_epoch();
    append(Kind::kReturn, number(0));
    store(number(0), runtime_, rt::kOffsetOpenLeaf);
    begin(epoch);
    at_.CreateRetVoid();
  }

 private:
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(function_.getContext(), name, &function_);
  }
  llvm::Constant* number(std::uint64_t value) { return at_.getInt64(value); }
  Value* place(Value* base, std::size_t offset) {
    return at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), base, offset);
  }
  llvm::LoadInst* field(Value* base, std::size_t offset, llvm::Type* type = nullptr) {
    return at_.CreateLoad(type != nullptr ? type : at_.getInt64Ty(), place(base, offset));
  }
  void store(Value* value, Value* base, std::size_t offset) {
    at_.CreateStore(value, place(base, offset));
  }
  void branch(Value* condition, BasicBlock* likely, BasicBlock* unlikely) {
    at_.CreateCondBr(condition, likely, unlikely,
                     llvm::MDBuilder(function_.getContext()).createBranchWeights(100, 1));
  }
  void go_on_if(Value* condition) {
    BasicBlock* next = block("go_on");
    branch(condition, next, slow_);
    at_.SetInsertPoint(next);
  }
  void go_on_if_nobody_asks() {
    llvm::LoadInst* poll = field(self_, rt::kOffsetPoll, at_.getInt32Ty());
    poll->setAlignment(llvm::Align(4));
    poll->setAtomic(llvm::AtomicOrdering::Monotonic);
    go_on_if(at_.CreateICmpEQ(poll, at_.getInt32(0)));
  }

  // In the buffer of what is withheld, which never goes round.
  void find_room() {
    log_ = field(runtime_, rt::kOffsetAppends, at_.getPtrTy());
    llvm::LoadInst* position = field(log_, rt::kOffsetPosition);
    position->setAlignment(llvm::Align(8));
    position->setAtomic(llvm::AtomicOrdering::Monotonic);  // as in ClaimBuilder
    position_ = position;
    go_on_if(at_.CreateICmpNE(position_, field(log_, rt::kOffsetLimit)));
    ring_ = at_.CreateIntToPtr(field(log_, rt::kOffsetRing), at_.getPtrTy());
  }
  Value* unit_at(Value* position) {
    return at_.CreateGEP(llvm::ArrayType::get(at_.getInt64Ty(), 2), ring_, position);
  }
  void append(Kind kind, Value* address) {
    const log::LogUnit fixed = log::make_unit(log::code_of(kind), 0, 0);
    Value* unit = unit_at(position_);
    store(at_.CreateOr(at_.CreateAnd(address, log::kLow48), fixed.word0), unit, 0);
    store(record_, unit, 8);
    at_.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
    store(at_.CreateAdd(position_, number(1)), log_, rt::kOffsetPosition);
    at_.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
  }

  // begin_next_epoch(). Where epochs, or those of the filter's keys, come to their end, and where
  // tags match nothing, it is the runtime's.
  Value* next_epoch() {
    constexpr std::uint64_t kRound = ~std::uint64_t{0} >> rt::kFilterEpochShift;
    constexpr std::uint64_t kNearTheEnd = 32;
    tag_ = field(self_, rt::kOffsetTag);
    Value* last = at_.CreateLShr(at_.CreateAnd(tag_, rt::kEpochField), rt::kEpochShift);
    Value* epoch = at_.CreateAdd(last, number(1));
    Value* in_round = at_.CreateAnd(at_.CreateAdd(epoch, number(kNearTheEnd)), kRound);
    go_on_if(at_.CreateICmpUGE(in_round, number(2 * kNearTheEnd)));
    go_on_if(at_.CreateICmpNE(tag_, number(rt::kNeverTag)));
    return epoch;
  }
  void begin(Value* epoch) {
    Value* shared = field(runtime_, rt::kOffsetSlotEpoch, at_.getPtrTy());
    at_.CreateAlignedStore(epoch, shared, llvm::Align(8))->setAtomic(llvm::AtomicOrdering::Release);
    store(at_.CreateShl(epoch, rt::kFilterEpochShift), self_, rt::kOffsetFilterKey);
    store(at_.CreateAdd(tag_, number(std::uint64_t{1} << rt::kEpochShift)), self_, rt::kOffsetTag);
  }

  llvm::Function& function_;
  llvm::IRBuilder<> at_;
  Value* record_;
  Value* self_;
  BasicBlock* slow_;
  Value* runtime_ = nullptr;
  Value* log_ = nullptr;
  Value* position_ = nullptr;
  Value* ring_ = nullptr;
  Value* tag_ = nullptr;
};

// The last: calls the runtime.
llvm::Function& slow_edge(llvm::Module& module, const char* name, const char* entry_point,
                          unsigned parameters) {
  if (llvm::Function* known = module.getFunction(name)) return *known;
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  const llvm::SmallVector<llvm::Type*, 3> types(parameters, pointer);
  llvm::Function& function = declare_claim(module, name, types);
  llvm::IRBuilder<> at(BasicBlock::Create(module.getContext(), "", &function));
  llvm::SmallVector<Value*, 2> arguments;
  for (unsigned i = 0; i < parameters; ++i) arguments.push_back(function.getArg(i));
  call_runtime(at, entry_point, arguments);
  at.CreateRetVoid();
  return function;
}

}  // namespace

llvm::Function& leaf_enter_function(llvm::Module& module) {
  constexpr const char* kName = "isosan.leaf.enter";
  if (llvm::Function* known = module.getFunction(kName)) return *known;
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function& slow = slow_edge(module, "isosan.leaf.enter.slow", "__isosan_function_enter", 2);
  llvm::Function& function = declare_claim(module, kName, {pointer, pointer});
  LeafEdge(function, slow).enter();
  return function;
}

llvm::Function& leaf_exit_function(llvm::Module& module) {
  constexpr const char* kName = "isosan.leaf.exit";
  if (llvm::Function* known = module.getFunction(kName)) return *known;
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function& slow = slow_edge(module, "isosan.leaf.exit.slow", "__isosan_function_exit", 1);
  llvm::Function& function = declare_claim(module, kName, {pointer});
  LeafEdge(function, slow).exit();
  return function;
}

}  // namespace isosan::pass
