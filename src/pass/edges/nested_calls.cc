#include "pass/edges/nested_calls.h"

#include "llvm/IR/MDBuilder.h"
#include "pass/claims/claim_builder.h"
#include "pass/claims/claim_functions.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"
#include "runtime/contract/nested_calls.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// One of the two functions. The record is its first argument.
class NestedEdge {
 public:
  NestedEdge(llvm::Function& function, llvm::Function& slow)
      : function_(function), at_(block("")), slow_(block("slow")), self_(load_self(at_)) {
    llvm::IRBuilder<> last(slow_);
    tail_call_with_arguments(last, function_, slow);
  }

  void write_enter() {
    continue_if(nests(), "nested");
    Value* region_begins = at_.CreateICmpULT(depth(), regions());
    continue_if(at_.CreateNot(region_begins), "no_edge");
    Value* count = stack_field(rt::kOffsetEdgeCount);
    continue_if(at_.CreateICmpULT(count, number(rt::kMaxOpenEdges)), "room");
    Value* edge = edge_at(count);
    store(at_.CreatePtrToInt(record(), at_.getInt64Ty()), edge, rt::kOffsetEdgePlace);
    store(at_.CreatePtrToInt(function_.getArg(1), at_.getInt64Ty()), edge, rt::kOffsetEdgeAddress);
    store(number(0), edge, rt::kOffsetEdgeFrame);
    store(number(0), edge, rt::kOffsetEdgeFrame + 8);
    store(nested_edge(), edge, rt::kOffsetEdgeKind);
    store(number(0), edge, rt::kOffsetEdgeOfMode);
    store(at_.CreateAdd(count, number(1)), runtime(), rt::kOffsetEdgeCount);
    store(at_.CreateAdd(depth(), regions()), self_, rt::kOffsetRegionDepth);
    hide_room();
    at_.CreateRetVoid();
  }

  void write_exit() {
    continue_if(nests(), "nested");
    Value* region_ends = at_.CreateICmpULT(depth(), at_.CreateShl(regions(), 1));
    continue_if(at_.CreateNot(region_ends), "no_edge");
    Value* last = at_.CreateSub(stack_field(rt::kOffsetEdgeCount), number(1));
    continue_if(at_.CreateICmpULT(last, number(rt::kMaxOpenEdges)), "kept");
    Value* edge = edge_at(last);
    Value* place =
        at_.CreateIntToPtr(load(at_.getInt64Ty(), edge, rt::kOffsetEdgePlace), at_.getPtrTy());
    Value* other = at_.CreateXor(load(at_.getInt32Ty(), edge, rt::kOffsetEdgeKind), nested_edge());
    Value* logged = at_.CreateICmpEQ(other, at_.getInt32(rt::kEdgeLogged));
    Value* nested = at_.CreateOr(at_.CreateICmpEQ(other, at_.getInt32(0)), logged);
    continue_if(at_.CreateAnd(at_.CreateICmpEQ(place, record()), nested), "innermost");
    BasicBlock* in_log = block("logged");
    BasicBlock* not_in_log = block("not_logged");
    at_.CreateCondBr(logged, in_log, not_in_log);
    at_.SetInsertPoint(in_log);
    continue_if(at_.CreateICmpNE(depth(), at_.getInt32(0)), "in_region");
    append_return();
    leave(last);
    at_.SetInsertPoint(not_in_log);
    show_room(edge, last);
    leave(last);
  }

 private:
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(function_.getContext(), name, &function_);
  }
  llvm::Constant* number(std::uint64_t value) { return at_.getInt64(value); }
  Value* record() { return function_.getArg(0); }
  Value* place_in(Value* object, std::size_t offset) {
    return at_.CreateConstInBoundsGEP1_64(at_.getInt8Ty(), object, offset);
  }
  Value* load(llvm::Type* type, Value* object, std::size_t offset) {
    return at_.CreateLoad(type, place_in(object, offset));
  }
  void store(Value* value, Value* object, std::size_t offset) {
    at_.CreateStore(value, place_in(object, offset));
  }
  void continue_if(Value* condition, const char* name) {
    BasicBlock* next = block(name);
    at_.CreateCondBr(condition, next, slow_,
                     llvm::MDBuilder(function_.getContext()).createBranchWeights(100, 1));
    at_.SetInsertPoint(next);
  }

  // The function may be nested, and nobody waits for this thread or for what it has gathered.
  Value* nests() {
    flags_ = load(at_.getInt8Ty(), record(), offsetof(rt::FunctionRecord, flags));
    constexpr std::uint8_t kFirst = log::kFunctionNests;
    constexpr std::uint8_t kCount = log::kFunctionNested - kFirst;
    Value* may = at_.CreateICmpULT(at_.CreateSub(flags_, at_.getInt8(kFirst)), at_.getInt8(kCount));
    auto* poll =
        at_.CreateAlignedLoad(at_.getInt32Ty(), place_in(self_, rt::kOffsetPoll), llvm::Align(4));
    poll->setAtomic(llvm::AtomicOrdering::Monotonic);
    Value* waiting = at_.CreateOr(at_.CreateZExt(poll, at_.getInt64Ty()),
                                  load(at_.getInt64Ty(), self_, rt::kOffsetOpenWalks));
    return at_.CreateAnd(may, at_.CreateICmpEQ(waiting, number(0)));
  }
  Value* depth() { return load(at_.getInt32Ty(), self_, rt::kOffsetRegionDepth); }
  Value* regions() {
    static_assert(log::kFunctionRegion == 2);
    return at_.CreateZExt(at_.CreateAnd(at_.CreateLShr(flags_, 1), 1), at_.getInt32Ty());
  }
  Value* nested_edge() {
    return at_.CreateOr(at_.CreateShl(regions(), 16), at_.getInt32(rt::nested_edge(0)));
  }
  Value* runtime() { return load(at_.getPtrTy(), self_, rt::kOffsetRuntime); }
  Value* stack_field(std::size_t offset) { return load(at_.getInt64Ty(), runtime(), offset); }
  Value* edge_at(Value* index) {
    Value* edges = load(at_.getPtrTy(), runtime(), rt::kOffsetEdges);
    return at_.CreateGEP(at_.getInt8Ty(), edges, at_.CreateMul(index, number(rt::kOpenEdgeBytes)));
  }
  void leave(Value* count) {
    store(count, runtime(), rt::kOffsetEdgeCount);
    store(at_.CreateSub(depth(), regions()), self_, rt::kOffsetRegionDepth);
    at_.CreateRetVoid();
  }

  // The unit is stored before the position, as in claim_builder.cc.
  void append_return() {
    Value* position = load(at_.getInt64Ty(), self_, rt::kOffsetPosition);
    Value* limit = load(at_.getInt64Ty(), self_, rt::kOffsetLimit);
    continue_if(at_.CreateICmpNE(position, limit), "room");
    Value* ring = load(at_.getPtrTy(), self_, rt::kOffsetRing);
    Value* index = at_.CreateAnd(position, load(at_.getInt64Ty(), self_, rt::kOffsetRingMask));
    Value* unit = at_.CreateGEP(llvm::ArrayType::get(at_.getInt64Ty(), 2), ring, index);
    store(number(rt::return_unit(0).word0), unit, 0);
    store(at_.CreatePtrToInt(record(), at_.getInt64Ty()), unit, 8);
    at_.CreateFence(llvm::AtomicOrdering::Release, llvm::SyncScope::SingleThread);
    store(at_.CreateAdd(position, number(1)), self_, rt::kOffsetPosition);
  }

  // If the room is hidden and the call around this one is logged.
  void show_room(Value* edge, Value* last) {
    Value* position = load(at_.getInt64Ty(), self_, rt::kOffsetPosition);
    Value* limit = load(at_.getInt64Ty(), self_, rt::kOffsetLimit);
    Value* room = load(at_.getInt64Ty(), self_, rt::kOffsetRoom);
    Value* hidden =
        at_.CreateAnd(at_.CreateICmpEQ(limit, position), at_.CreateICmpUGT(room, position));
    BasicBlock* look = block("hidden");
    BasicBlock* show = block("show");
    BasicBlock* done = block("shown");
    at_.CreateCondBr(at_.CreateAnd(hidden, at_.CreateICmpNE(last, number(0))), look, done);
    at_.SetInsertPoint(look);
    Value* outer = at_.CreateGEP(at_.getInt8Ty(), edge, at_.getInt64(-rt::kOpenEdgeBytes));
    Value* kind = load(at_.getInt32Ty(), outer, rt::kOffsetEdgeKind);
    Value* logged = at_.CreateICmpNE(at_.CreateAnd(kind, rt::kEdgeLogged), at_.getInt32(0));
    at_.CreateCondBr(logged, show, done);
    at_.SetInsertPoint(show);
    store(room, self_, rt::kOffsetLimit);
    at_.CreateBr(done);
    at_.SetInsertPoint(done);
  }

  void hide_room() {
    Value* position = load(at_.getInt64Ty(), self_, rt::kOffsetPosition);
    Value* limit = load(at_.getInt64Ty(), self_, rt::kOffsetLimit);
    BasicBlock* hide = block("hide");
    BasicBlock* done = block("done");
    at_.CreateCondBr(at_.CreateICmpNE(limit, position), hide, done);
    at_.SetInsertPoint(hide);
    store(limit, self_, rt::kOffsetRoom);
    store(position, self_, rt::kOffsetLimit);
    at_.CreateBr(done);
    at_.SetInsertPoint(done);
  }

  llvm::Function& function_;
  llvm::IRBuilder<> at_;
  BasicBlock* slow_;
  Value* self_;
  Value* flags_ = nullptr;
};

void write_slow(llvm::Function& function, const char* entry_point) {
  llvm::IRBuilder<> at(BasicBlock::Create(function.getContext(), "", &function));
  llvm::SmallVector<Value*, 2> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  call_runtime(at, entry_point, arguments);
  at.CreateRetVoid();
}

void call(llvm::IRBuilder<>& at, const char* name, const char* entry_point,
          void (NestedEdge::*write)(), llvm::ArrayRef<Value*> arguments) {
  llvm::Module& module = *at.GetInsertBlock()->getModule();
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) {
    const llvm::SmallVector<llvm::Type*, 2> parameters(arguments.size(), at.getPtrTy());
    llvm::Function& slow = declare_claim(module, std::string(name) + ".slow", parameters);
    write_slow(slow, entry_point);
    function = &declare_claim(module, name, parameters);
    (NestedEdge(*function, slow).*write)();
  }
  llvm::CallInst* made = at.CreateCall(function, arguments);
  made->setCallingConv(function->getCallingConv());
  made->setDoesNotThrow();
}

}  // namespace

void call_nested_enter(llvm::IRBuilder<>& at, Value* record, Value* object) {
  call(at, "isosan.enter", "__isosan_function_enter", &NestedEdge::write_enter, {record, object});
}

void call_nested_exit(llvm::IRBuilder<>& at, Value* record) {
  call(at, "isosan.exit", "__isosan_function_exit", &NestedEdge::write_exit, {record});
}

}  // namespace isosan::pass
