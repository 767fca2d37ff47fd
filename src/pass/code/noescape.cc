#include "pass/code/noescape.h"

#include <map>
#include <vector>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "pass/code/candidates.h"

namespace isosan::pass {
namespace {

constexpr const char* kNoescape = "isosan-noescape";
constexpr const char* kPrivate = "isosan-private";
constexpr const char* kCopyOf = "isosan-copy-of";
// Limits on copies: they are for helper functions, not for whole programs.
constexpr unsigned kLongestCopied = 100;  // instructions
constexpr std::size_t kMostCopies = 3;    // of one function

using Parameters = std::vector<unsigned>;

bool is_marked(const llvm::Argument& parameter, const char* mark) {
  return parameter.getParent()
      ->getAttributes()
      .getParamAttrs(parameter.getArgNo())
      .hasAttribute(mark);
}

const llvm::Argument* parameter_for(const llvm::Use& use) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  if (call == nullptr || !call->isArgOperand(&use)) return nullptr;
  const llvm::Function* function = known_callee(*call);
  return function != nullptr ? function->getArg(call->getArgOperandNo(&use)) : nullptr;
}

// LLVM counts a volatile access and a comparison as escapes; here they are none.
class EscapeTracker : public llvm::CaptureTracker {
 public:
  void tooManyUses() override { escapes = true; }
  bool captured(const llvm::Use* use) override {
    const llvm::User* user = use->getUser();
    const bool volatile_access = llvm::getLoadStorePointerOperand(user) == use->get();
    const llvm::Argument* parameter = parameter_for(*use);
    escapes |= !volatile_access && !llvm::isa<llvm::ICmpInst>(user) &&
               (parameter == nullptr || !is_noescape(*parameter));
    return escapes;
  }
  bool escapes = false;
};

bool can_be_noescape(const llvm::Argument& parameter) {
  return parameter.getType()->isPointerTy() && !parameter.hasPassPointeeByValueCopyAttr();
}

void mark_noescape(llvm::Module& module) {
  std::vector<llvm::Argument*> noescape;
  const llvm::Attribute mark = llvm::Attribute::get(module.getContext(), kNoescape);
  for (llvm::Function& function : module) {
    if (!may_instrument(function) || function.hasOptNone()) continue;
    for (llvm::Argument& parameter : function.args()) {
      if (!can_be_noescape(parameter)) continue;
      parameter.addAttr(mark);
      noescape.push_back(&parameter);
    }
  }
  for (bool again = true; again;) {
    again = false;
    llvm::erase_if(noescape, [&](llvm::Argument* parameter) {
      if (!address_escapes(parameter)) return false;
      parameter->getParent()->removeParamAttr(parameter->getArgNo(), kNoescape);
      return again = true;
    });
  }
}

// Labels whose address is taken are those of the function itself, in whatever table they are.
bool can_be_copied(const llvm::Function& function) {
  if (function.getInstructionCount() > kLongestCopied) return false;
  for (const llvm::BasicBlock& block : function)
    if (block.hasAddressTaken() ||
        llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block.getTerminator()))
      return false;
  return true;
}

class Copier {
 public:
  explicit Copier(llvm::Module& module) {
    for (llvm::Function& function : module)
      if (may_instrument(function) && !function.hasOptNone()) functions_.push_back(&function);
  }

  void run() {
    for (std::size_t next = 0; next < functions_.size(); ++next) {
      private_.clear();
      for (llvm::Instruction& instruction : llvm::instructions(functions_[next]))
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) redirect(*call);
    }
  }

 private:
  void redirect(llvm::CallBase& call) {
    llvm::Function* callee = known_callee(call);
    if (callee == nullptr || callee->hasFnAttribute(kCopyOf)) return;
    Parameters parameters;
    for (const llvm::Argument& parameter : callee->args()) {
      const unsigned i = parameter.getArgNo();
      if (is_noescape(parameter) && !parameter.use_empty() && is_private(call.getArgOperand(i)))
        parameters.push_back(i);
    }
    if (parameters.empty()) return;
    if (llvm::Function* copy = copy_of(*callee, parameters)) call.setCalledFunction(copy);
  }

  bool is_private(const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
    if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(object))
      return pass::is_private(*parameter);
    if (!llvm::isa<llvm::AllocaInst>(object)) return false;
    const auto [known, is_new] = private_.try_emplace(object, false);
    if (is_new) known->second = !address_escapes(object);
    return known->second;
  }

  // Null: it cannot be copied, or there are too many.
  llvm::Function* copy_of(llvm::Function& function, const Parameters& parameters) {
    auto& copies = copies_[&function];
    const auto known = copies.find(parameters);
    if (known != copies.end()) return known->second;
    if (copies.size() == kMostCopies || !can_be_copied(function)) return nullptr;
    llvm::ValueToValueMapTy values;
    llvm::Function* copy = llvm::CloneFunction(&function, values);
    copy->setName(function.getName() + ".private");
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
    copy->setDSOLocal(true);
    copy->setComdat(nullptr);
    copy->addFnAttr(kCopyOf, function.getName());
    const llvm::Attribute mark = llvm::Attribute::get(function.getContext(), kPrivate);
    for (const unsigned i : parameters) copy->addParamAttr(i, mark);
    functions_.push_back(copy);
    return copies[parameters] = copy;
  }

  std::vector<llvm::Function*> functions_;  // copies behind the others
  std::map<llvm::Function*, std::map<Parameters, llvm::Function*>> copies_;
  llvm::DenseMap<const llvm::Value*, bool> private_;  // locals of the current function
};

}  // namespace

llvm::Function* known_callee(const llvm::CallBase& call) {
  llvm::Function* function = call.getCalledFunction();
  if (function == nullptr || function->getFunctionType() != call.getFunctionType() ||
      !may_instrument(*function) || function->isInterposable() || function->hasOptNone() ||
      function->isVarArg() || function->isPresplitCoroutine())
    return nullptr;
  return function;
}

bool is_noescape(const llvm::Argument& parameter) { return is_marked(parameter, kNoescape); }
bool is_private(const llvm::Argument& parameter) { return is_marked(parameter, kPrivate); }

bool address_escapes(const llvm::Value* object) {
  EscapeTracker tracker;
  llvm::PointerMayBeCaptured(object, &tracker);
  return tracker.escapes;
}

llvm::StringRef original_name(const llvm::Function& function) {
  const llvm::Attribute original = function.getFnAttribute(kCopyOf);
  return original.isValid() ? original.getValueAsString() : function.getName();
}

void make_private_copies(llvm::Module& module) {
  mark_noescape(module);
  Copier(module).run();
}

}  // namespace isosan::pass
