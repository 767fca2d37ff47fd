#include "pass/code/accesses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "pass/code/noescape.h"

namespace isosan::pass {
namespace {

using llvm::Value;

bool has_tbaa_name(const llvm::Instruction& access, llvm::StringRef name) {
  const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const auto* type = tag != nullptr && tag->getNumOperands() > 1
                         ? llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(1))
                         : nullptr;
  const auto* text = type != nullptr && type->getNumOperands() > 0
                         ? llvm::dyn_cast_or_null<llvm::MDString>(type->getOperand(0))
                         : nullptr;
  return text != nullptr && text->getString() == name;
}

// Without optimisation there is no such name, and only a store is known, by what it stores.
bool touches_vtable_pointer(const llvm::Instruction& access) {
  if (has_tbaa_name(access, "vtable pointer")) return true;
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  if (store == nullptr || !store->getValueOperand()->getType()->isPointerTy()) return false;
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(
      store->getValueOperand()->stripInBoundsConstantOffsets());
  return table != nullptr && table->getName().starts_with("_ZTV");
}

// An entry of a vtable: loaded through the vtable pointer of an object.
bool reads_vtable(const llvm::LoadInst& load) {
  const auto* table =
      llvm::dyn_cast<llvm::LoadInst>(load.getPointerOperand()->stripInBoundsConstantOffsets());
  return table != nullptr && touches_vtable_pointer(*table);
}

bool is_static_guard(const Value* pointer) {
  return llvm::isa<llvm::GlobalVariable>(pointer) && pointer->getName().starts_with("_ZGV");
}

using Escapes = llvm::DenseMap<const Value*, bool>;

bool may_be_shared(const Value* pointer, Escapes& escapes) {
  if (pointer->getType()->getPointerAddressSpace() != 0) return false;
  const Value* object = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
    return !global->isConstant() && !global->getName().starts_with("__llvm_");
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(object))
    return !is_private(*parameter);
  if (!llvm::isa<llvm::AllocaInst>(object)) return true;
  const auto [known, is_new] = escapes.try_emplace(object, false);
  if (is_new) known->second = address_escapes(object);
  return known->second;
}

bool reads_constant(const llvm::LoadInst& load) {
  return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) || touches_vtable_pointer(load) ||
         reads_vtable(load);
}

class Finder {
 public:
  explicit Finder(llvm::Function& function) : layout_(function.getDataLayout()) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) visit(instruction);
  }
  Operations take() { return std::move(found_); }

 private:
  void visit(llvm::Instruction& instruction) {
    if (instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize)) return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      visit_load(*load);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      visit_store(*store);
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
      visit_memory(*intrinsic);
    } else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
      if (may_be_shared(instruction.getOperand(0))) found_.atomics.push_back(&instruction);
    } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
      if (fence->getSyncScopeID() == llvm::SyncScope::System) found_.atomics.push_back(fence);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      visit_by_value(*call);
    }
  }

  void visit_load(llvm::LoadInst& load) {
    Value* pointer = load.getPointerOperand();
    if (is_static_guard(pointer) && load.isAtomic()) {
      found_.guards.push_back(&load);
    } else if (load.isAtomic()) {
      if (may_be_shared(pointer)) found_.atomics.push_back(&load);
    } else if (touches_vtable_pointer(load)) {
      if (may_be_shared(pointer)) found_.vtable_pointers.push_back(&load);
    } else if (!reads_constant(load)) {
      add(load, pointer, load.getType(), load.getAlign(), false);
    }
  }

  void visit_store(llvm::StoreInst& store) {
    if (store.isAtomic()) {
      if (may_be_shared(store.getPointerOperand())) found_.atomics.push_back(&store);
    } else if (touches_vtable_pointer(store)) {
      if (may_be_shared(store.getPointerOperand())) found_.vtable_pointers.push_back(&store);
    } else if (!is_static_guard(store.getPointerOperand())) {
      add(store, store.getPointerOperand(), store.getValueOperand()->getType(), store.getAlign(),
          true);
    }
  }

  void visit_memory(llvm::AnyMemIntrinsic& intrinsic) {
    if (auto* transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(&intrinsic))
      add_range(intrinsic, transfer->getRawSource(), intrinsic.getLength(),
                transfer->getSourceAlign().valueOrOne(), false);
    add_range(intrinsic, intrinsic.getRawDest(), intrinsic.getLength(),
              intrinsic.getDestAlign().valueOrOne(), true);
  }

  void visit_by_value(llvm::CallBase& call) {
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      if (!call.isByValArgument(i)) continue;
      add(call, call.getArgOperand(i), call.getParamByValType(i),
          call.getParamAlign(i).valueOrOne(), false);
    }
  }

  void add(llvm::Instruction& instruction, Value* pointer, llvm::Type* type, llvm::Align align,
           bool is_write) {
    const llvm::TypeSize size = layout_.getTypeStoreSize(type);
    if (size.isScalable() || size.isZero() || !may_be_shared(pointer)) return;
    found_.accesses.push_back(
        {&instruction, pointer, nullptr, size.getFixedValue(), align, is_write});
  }

  void add_range(llvm::Instruction& instruction, Value* pointer, Value* length, llvm::Align align,
                 bool is_write) {
    if (!may_be_shared(pointer)) return;
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(length);
    if (constant != nullptr && constant->isZero()) return;
    found_.accesses.push_back({&instruction, pointer, constant != nullptr ? nullptr : length,
                               constant != nullptr ? constant->getZExtValue() : 0, align,
                               is_write});
  }

  bool may_be_shared(const Value* pointer) {
    return isosan::pass::may_be_shared(pointer, escapes_);
  }

  const llvm::DataLayout& layout_;
  Escapes escapes_;
  Operations found_;
};

}  // namespace

bool is_arithmetic(const llvm::CallBase& call) {
  static const llvm::StringSet<> kNames = {"acos", "asin", "atan", "atan2", "cbrt", "cos",   "cosh",
                                           "exp",  "exp2", "fmod", "hypot", "log",  "log10", "log2",
                                           "pow",  "sin",  "sinh", "sqrt",  "tan",  "tanh"};
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || !call.doesNotThrow()) return false;
  if (!call.getType()->isDoubleTy() && !call.getType()->isFloatTy()) return false;
  llvm::StringRef name = callee->getName();
  if (call.getType()->isFloatTy()) name.consume_back("f");
  return kNames.contains(name);
}

Weight Weigher::of(const llvm::Instruction& instruction) {
  auto access = [&](const Value* pointer) {
    return may_be_shared(pointer, escapes_) ? Weight::kOneAccess : Weight::kNothing;
  };
  if (!instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::CallBase>(instruction))
    return Weight::kNothing;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isAtomic()) return Weight::kOneAccess;
    return reads_constant(*load) ? Weight::kNothing : access(load->getPointerOperand());
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (store->isAtomic()) return Weight::kOneAccess;
    return touches_vtable_pointer(*store) ? Weight::kNothing : access(store->getPointerOperand());
  }
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
    const Weight source = access(transfer->getRawSource());
    const Weight target = access(transfer->getRawDest());
    if (source == Weight::kNothing) return target;
    return target == Weight::kNothing ? source : Weight::kMore;
  }
  if (const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
    return access(set->getRawDest());
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic->isAssumeLikeIntrinsic() || !intrinsic->mayReadOrWriteMemory()
               ? Weight::kNothing
               : Weight::kMore;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call != nullptr && is_arithmetic(*call)) return Weight::kNothing;
  return call != nullptr && !call->isInlineAsm() ? Weight::kCall : Weight::kMore;
}

void mark_nosanitize(Value& value) {
  auto& instruction = llvm::cast<llvm::Instruction>(value);
  instruction.setMetadata(llvm::LLVMContext::MD_nosanitize,
                          llvm::MDNode::get(instruction.getContext(), {}));
}

Operations find_operations(llvm::Function& function) { return Finder(function).take(); }

}  // namespace isosan::pass
