#include "pass/edges/edges.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"
#include "pass/claims/runtime_calls.h"
#include "pass/edges/nested_calls.h"
#include "pass/tables/records.h"
#include "runtime/contract/fast_path.h"
#include "runtime/contract/log_format.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

constexpr const char* kEnterTag = "isosan.enter";
constexpr const char* kExitTag = "isosan.exit";
constexpr const char* kWeakTag = "deopt";  // to LLVM it reads all memory and writes none

void insert_edge(llvm::IRBuilder<>& at, const char* tag, llvm::GlobalVariable& record) {
  llvm::Function* marker = llvm::Intrinsic::getDeclaration(at.GetInsertBlock()->getModule(),
                                                           llvm::Intrinsic::sideeffect);
  at.CreateCall(marker, {}, llvm::OperandBundleDef(tag, llvm::ArrayRef<llvm::Value*>(&record)));
}

llvm::DebugLoc location_of(const llvm::Function& function) {
  llvm::DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return {};
  return llvm::DILocation::get(function.getContext(), subprogram->getScopeLine(), 0, subprogram);
}

bool is_cxx(const llvm::Module& module) {
  for (const llvm::DICompileUnit* unit : module.debug_compile_units())
    return llvm::dwarf::isCPlusPlus(
        static_cast<llvm::dwarf::SourceLanguage>(unit->getSourceLanguage()));
  return module.getFunction("__gxx_personality_v0") != nullptr;
}

// The enumerator would take C's personality, and functions of two personalities are not inlined
// into each other.
void choose_personality(llvm::Function& function) {
  if (function.hasPersonalityFn() || !is_cxx(*function.getParent())) return;
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(function.getContext()), true);
  function.setPersonalityFn(llvm::cast<llvm::Constant>(
      function.getParent()->getOrInsertFunction("__gxx_personality_v0", type).getCallee()));
}

bool can_unwind(const llvm::Function& function) {
  if (function.doesNotThrow()) return false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (llvm::isa<llvm::ResumeInst>(instruction) || (call != nullptr && !call->doesNotThrow()))
      return true;
  }
  return false;
}

llvm::Instruction* first_after_allocas(llvm::BasicBlock& entry) {
  for (llvm::Instruction& instruction : entry)
    if (!llvm::isa<llvm::AllocaInst>(instruction) && !instruction.isDebugOrPseudoInst())
      return &instruction;
  return entry.getTerminator();
}

// The argument that is `this`: the first, behind the place for a returned object.
llvm::Value* this_argument(llvm::Function& function, const llvm::DISubprogram& subprogram) {
  const llvm::DISubroutineType* type = subprogram.getType();
  const auto types = type != nullptr ? type->getTypeArray() : llvm::DITypeRefArray();
  const llvm::DIType* first = types && types.size() > 1 ? types[1] : nullptr;
  if (first == nullptr || !first->isObjectPointer()) return nullptr;
  for (llvm::Argument& argument : function.args())
    if (!argument.hasStructRetAttr())
      return argument.getType()->isPointerTy() ? &argument : nullptr;
  return nullptr;
}

// Is the value computed wherever the edge is reached? A simple approximation: it is in the
// same block, or in the entry block, as all local objects are.
bool is_computed_at(const llvm::Value& value, const llvm::Instruction& edge) {
  const auto* made = llvm::dyn_cast<llvm::Instruction>(&value);
  if (made == nullptr) return true;
  if (made->getParent() == edge.getParent()) return made->comesBefore(&edge);
  return made->getParent()->isEntryBlock() && !made->isTerminator();
}

// `this` at an edge: the argument if the function was not inlined; if it was, what
// debug info says of its `this` after the edge. Null if neither is known.
llvm::Value* object_at(llvm::IntrinsicInst& edge) {
  llvm::Function& function = *edge.getFunction();
  const llvm::DILocation* location = edge.getDebugLoc().get();
  const llvm::DISubprogram* subprogram =
      location != nullptr ? location->getScope()->getSubprogram() : nullptr;
  if (subprogram == nullptr ||
      !llvm::isa_and_nonnull<llvm::DICompositeType>(subprogram->getScope()))
    return nullptr;
  constexpr int kFarthest = 16;
  int steps = 0;
  for (llvm::Instruction* i = &edge; i != nullptr && steps < kFarthest;
       i = i->getNextNode(), ++steps) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(i->getDbgRecordRange())) {
      const llvm::DILocalVariable* variable = record.getVariable();
      if (!variable->isObjectPointer() || variable->getScope()->getSubprogram() != subprogram)
        continue;
      if (!record.isDbgValue() || record.getExpression()->getNumElements() != 0) continue;
      llvm::Value* value =
          record.getNumVariableLocationOps() == 1 ? record.getVariableLocationOp(0) : nullptr;
      if (value != nullptr && value->getType()->isPointerTy() && is_computed_at(*value, edge) &&
          !llvm::isa<llvm::UndefValue>(value))
        return value;
    }
  }
  return location->getInlinedAt() == nullptr ? this_argument(function, *subprogram) : nullptr;
}

void call_edge(llvm::IRBuilder<>& at, const Edge& edge, llvm::Value* object) {
  if (edge.kind == EdgeKind::kEnter) {
    call_nested_enter(at, edge.record, object);
  } else {
    call_nested_exit(at, edge.record);
  }
}

llvm::Instruction* split_before(const Edge& edge, llvm::Value* chosen) {
  return llvm::SplitBlockAndInsertIfThen(
      chosen, edge.call, false,
      llvm::MDBuilder(edge.call->getContext()).createUnlikelyBranchWeights());
}

llvm::Value* object_of(const Edge& edge) {
  llvm::Value* object = edge.kind == EdgeKind::kEnter ? object_at(*edge.call) : nullptr;
  if (object != nullptr) return object;
  return llvm::ConstantPointerNull::get(llvm::PointerType::get(edge.call->getContext(), 0));
}

// Replaces an edge by `if (chosen) call`.
void replace(const Edge& edge, llvm::Value* chosen, ThreadState& state) {
  llvm::Value* object = object_of(edge);
  llvm::IRBuilder<> at(split_before(edge, chosen));
  at.SetCurrentDebugLocation(edge.call->getDebugLoc());
  call_edge(at, edge, object);
  state.reload_tag(at);
  edge.call->eraseFromParent();
}

}  // namespace

llvm::Value* flags_of(llvm::IRBuilder<>& at, llvm::GlobalVariable& record) {
  llvm::Type* byte = at.getInt8Ty();
  constexpr std::size_t kOffset = offsetof(rt::FunctionRecord, flags);
  return at.CreateLoad(byte, at.CreateConstInBoundsGEP1_64(byte, &record, kOffset), "isosan.flags");
}

Edge edge_of(llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::sideeffect) return {};
  auto record = [](const llvm::OperandBundleUse& bundle) {
    return llvm::cast<llvm::GlobalVariable>(bundle.Inputs[0].get());
  };
  if (auto bundle = call->getOperandBundle(kEnterTag))
    return {EdgeKind::kEnter, call, record(*bundle)};
  if (auto bundle = call->getOperandBundle(kExitTag))
    return {EdgeKind::kExit, call, record(*bundle)};
  auto bundle = call->getOperandBundle(kWeakTag);
  if (!bundle || bundle->Inputs.size() != 2) return {};
  const bool enters = llvm::cast<llvm::ConstantInt>(bundle->Inputs[1].get())->isZero();
  return {enters ? EdgeKind::kEnter : EdgeKind::kExit, call, record(*bundle)};
}

bool is_weak(const Edge& edge) { return edge.call->getOperandBundle(kWeakTag).has_value(); }

bool weaken_inner_edges(llvm::Function& function) {
  const llvm::GlobalVariable* own =
      function.getParent()->getNamedGlobal(("__isosan_function." + function.getName()).str());
  constexpr auto kNoRegion = rt::kNoEdges | rt::kThreadEntry | rt::kWaitsOrNotifies;
  if (own == nullptr || (attributes_of(*own) & kNoRegion) != 0 || function.getName() == "main")
    return false;
  llvm::SmallVector<Edge, 8> strong;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const Edge edge = edge_of(instruction);
        edge.call != nullptr && edge.record != own && !is_weak(edge))
      strong.push_back(edge);
  for (const Edge& edge : strong) {
    llvm::IRBuilder<> at(edge.call);
    llvm::Value* inputs[] = {edge.record, at.getInt8(edge.kind == EdgeKind::kEnter ? 0 : 1)};
    at.CreateCall(edge.call->getCalledFunction(), {},
                  llvm::OperandBundleDef(kWeakTag, llvm::ArrayRef<llvm::Value*>(inputs)));
    edge.call->eraseFromParent();
  }
  return !strong.empty();
}

void insert_edges(llvm::Function& function, llvm::GlobalVariable& record) {
  const llvm::DebugLoc location = location_of(function);
  const bool unwinds = can_unwind(function);
  if (unwinds) choose_personality(function);
  llvm::EscapeEnumerator escapes(function, "isosan.unwind", unwinds);
  while (llvm::IRBuilder<>* at = escapes.Next()) {
    if (!at->getCurrentDebugLocation()) at->SetCurrentDebugLocation(location);
    insert_edge(*at, kExitTag, record);
  }
  llvm::IRBuilder<> at(first_after_allocas(function.getEntryBlock()));
  at.SetCurrentDebugLocation(location);
  insert_edge(at, kEnterTag, record);
}

void insert_resyncs(llvm::Function& function) {
  llvm::SmallVector<llvm::CallBase*, 2> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice))
      calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    llvm::IRBuilder<> at(call);
    llvm::Type* i64 = at.getInt64Ty();
    auto* slot = new llvm::AllocaInst(i64, 0, "isosan.depth",
                                      function.getEntryBlock().getFirstInsertionPt());
    at.CreateStore(call_runtime(at, "__isosan_call_depth", {}, i64), slot, /*isVolatile=*/true);
    llvm::Instruction* behind = call->getNextNode();
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call))
      behind = &*invoke->getNormalDest()->getFirstInsertionPt();
    at.SetInsertPoint(behind);
    at.SetCurrentDebugLocation(call->getDebugLoc());
    call_runtime(at, "__isosan_unwind_to", {at.CreateLoad(i64, slot, /*isVolatile=*/true)});
  }
}

llvm::Value* logs_leaf(llvm::IRBuilder<>& at, llvm::Value* flags, llvm::Value* region_depth) {
  // A leaf that is no region is not logged: its sites say in which function they are.
  constexpr std::uint8_t kForStacks = log::kFunctionLogged | log::kFunctionNests;
  llvm::Value* wanted =
      at.CreateICmpNE(at.CreateAnd(flags, at.getInt8(~kForStacks)), at.getInt8(0));
  llvm::Value* nested_too = at.CreateICmpUGE(flags, at.getInt8(log::kFunctionNested));
  llvm::Value* outermost = at.CreateICmpEQ(region_depth, at.getInt32(0));
  return at.CreateAnd(wanted, at.CreateOr(nested_too, outermost), "isosan.logged");
}

void expand_leaf(const LeafRegion& region, ThreadState& state) {
  llvm::IRBuilder<> at(region.enter.call);
  llvm::GlobalVariable* record = region.enter.record;
  llvm::Value* flags = flags_of(at, *record);
  llvm::Value* logged = logs_leaf(at, flags, state.region_depth(at));
  replace(region.enter, logged, state);
  for (llvm::IntrinsicInst* exit : region.exits)
    replace({EdgeKind::kExit, exit, record}, logged, state);
}

void expand_edges(llvm::Function& function, ThreadState& state) {
  llvm::SmallVector<Edge, 8> edges;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const Edge edge = edge_of(instruction); edge.call != nullptr) edges.push_back(edge);
  for (const Edge& edge : edges) {
    llvm::IRBuilder<> at(edge.call);
    replace(edge, at.CreateICmpNE(flags_of(at, *edge.record), at.getInt8(0)), state);
  }
}

}  // namespace isosan::pass
