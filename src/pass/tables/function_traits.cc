#include "pass/tables/function_traits.h"

#include "event/call_names.h"
#include "event/found_by_pass.h"
#include "event/tables.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/code/accesses.h"
#include "pass/code/candidates.h"
#include "pass/code/members.h"
#include "pass/code/names.h"
#include "pass/tables/data_annotations.h"
#include "pass/tables/sharing.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

using llvm::Function;
using llvm::StringRef;
using Traits = llvm::DenseMap<const Function*, FunctionTraits>;

constexpr StringRef kLibraryThreadBodies[] = {"std::thread::_State_impl::_M_run"};

struct AnnotationName {
  StringRef text;
  Annotation bit;
};
constexpr AnnotationName kAnnotations[] = {
    {"isosan:atomic", kAnnotatedAtomic},
    {"isosan:not_atomic", kAnnotatedNotAtomic},
    {"isosan:deterministic", kAnnotatedDeterministic},
    {"isosan:assume_atomic", kAnnotatedAssumeAtomic},
    {"isosan:assume_mover", kAnnotatedAssumeMover},
    {"isosan:no_warn", kAnnotatedNoWarn},
    {"isosan:unit", kAnnotatedUnit},
    {"isosan:not_unit", kAnnotatedNotUnit},
    {"isosan:split_at_wait", kAnnotatedSplitAtWait},
};

// What a function does besides acquiring and releasing locks. One access: a getter or setter, as
// a synchronized method of one statement is in Java (Marathon, 4.1).
class BesidesLocking {
 public:
  void add(const llvm::Instruction& instruction, StringRef callee) {
    const bool takes = takes_lock(callee);
    locks_ |= takes;
    if (!takes && !gives_lock_up(callee))
      weight_ += static_cast<unsigned>(weigher_.of(instruction));
  }
  bool one_access() const { return locks_ && weight_ == static_cast<unsigned>(Weight::kOneAccess); }

 private:
  Weigher weigher_;
  unsigned weight_ = 0;
  bool locks_ = false;
};

// Functions that a constant mentions, directly or inside a pointer to member.
void functions_in(const llvm::Value* value, llvm::SmallVectorImpl<const Function*>& found,
                  int depth = 0) {
  constexpr int kDeepest = 4;
  if (const auto* function = llvm::dyn_cast<Function>(value)) found.push_back(function);
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant == nullptr || llvm::isa<Function>(value) || depth > kDeepest) return;
  for (const llvm::Use& operand : constant->operands()) functions_in(operand, found, depth + 1);
}

// The functions handed to a call that starts a thread: as an argument, or stored into a local whose
// address is one (a pointer to member, a reference to a function pointer).
void mark_started(const llvm::CallBase& call, Traits& traits) {
  llvm::SmallVector<const Function*, 4> started;
  for (const llvm::Use& argument : call.args()) {
    functions_in(argument, started);
    const auto* local = llvm::dyn_cast<llvm::AllocaInst>(argument->stripPointerCasts());
    if (local == nullptr) continue;
    for (const llvm::User* user : local->users())
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
        functions_in(store->getValueOperand(), started);
  }
  for (const Function* function : started) traits[function].attributes |= rt::kThreadEntry;
}

// A library function that runs in the new thread: the program's functions that it calls, through
// library code only, are entries (lambdas and functors are called, not passed).
void mark_called(const Function& body, Traits& traits,
                 llvm::SmallPtrSetImpl<const Function*>& seen) {
  if (!seen.insert(&body).second) return;
  for (const llvm::Instruction& instruction : llvm::instructions(body)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->isIntrinsic()) continue;
    if (!is_library_code(*callee))
      traits[callee].attributes |= rt::kThreadEntry;
    else if (!callee->isDeclaration())
      mark_called(*callee, traits, seen);
  }
}

bool writes_only_locals(const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr) return !instruction.mayWriteToMemory();
  return llvm::isa<llvm::AllocaInst>(store->getPointerOperand());
}

// The one function that an entry calls, where it does nothing else.
const Function* forwarded_to(const Function& entry) {
  if (entry.isDeclaration() || entry.size() != 1) return nullptr;
  const Function* only = nullptr;
  for (const llvm::Instruction& instruction : entry.front()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr && !writes_only_locals(instruction)) return nullptr;
    const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (call == nullptr || (callee != nullptr && callee->isIntrinsic())) continue;
    if (callee == nullptr || only != nullptr) return nullptr;
    only = callee;
  }
  return only;
}

// If an entry only calls a private member, that is the thread's body, too: the class could
// have started the thread with it. (A public one is an operation that the thread performs.)
void mark_private_bodies(Traits& traits) {
  llvm::SmallVector<const Function*, 8> bodies;
  for (const auto& [function, known] : traits) {
    if ((known.attributes & rt::kThreadEntry) == 0) continue;
    const Function* body = forwarded_to(*function);
    if (body != nullptr && accessibility_of(body->getSubprogram()) == Accessibility::kPrivate)
      bodies.push_back(body);
  }
  for (const Function* body : bodies) traits[body].attributes |= rt::kThreadEntry;
}

// Is it only handed around, in a variable, a table or as an argument, and never called by name?
bool is_only_handed(const Function& function) {
  const auto calls_it = [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call != nullptr && call->getCalledFunction() == &function;
  };
  return !function.use_empty() && llvm::none_of(function.users(), calls_it);
}

// A job: a function of this file, no member, that is only handed around and takes no lock itself.
// Whoever it was handed to calls it to get something done, as a thread or a pool of threads does.
void mark_jobs(const llvm::Module& module, Traits& traits) {
  for (const Function& function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage()) continue;
    if (accessibility_of(function.getSubprogram()) != Accessibility::kNone) continue;
    if (!is_only_handed(function)) continue;
    std::uint8_t& attributes = traits[&function].attributes;
    if ((attributes & rt::kSynchronizes) == 0) attributes |= rt::kThreadEntry;
  }
}

bool is_called_by_entries_only(const Function& function, const Traits& traits) {
  for (const llvm::User* user : function.users()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call == nullptr || call->getCalledFunction() != &function) return false;
    const auto caller = traits.find(call->getFunction());
    if (caller == traits.end() || (caller->second.attributes & rt::kThreadEntry) == 0) return false;
  }
  return !function.use_empty();
}

bool calls_another(const Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call);
  });
}

// A loop of operations without a result, that only thread entries call or that is never called by
// name (a virtual run()): the thread's body. A public member is an operation all the same.
void mark_looping_bodies(const llvm::Module& module, Traits& traits) {
  for (const Function& function : module) {
    if (function.isDeclaration() || !function.getReturnType()->isVoidTy()) continue;
    if (accessibility_of(function.getSubprogram()) == Accessibility::kPublic) continue;
    if (!is_called_by_entries_only(function, traits) && !is_only_handed(function)) continue;
    if (has_loops(function) && calls_another(function))
      traits[&function].attributes |= rt::kThreadEntry;
  }
}

void read_annotations(const llvm::Module& module, Traits& traits) {
  for (const GlobalAnnotation& annotation : global_annotations(module))
    if (const auto* function = llvm::dyn_cast<Function>(annotation.target))
      for (const AnnotationName& known : kAnnotations)
        if (annotation.text == known.text) traits[function].annotations |= known.bit;
}

// Follows calls inside the module upwards: a function that waits through others waits as well.
void mark_callers(llvm::SmallVector<const Function*, 8> waiting, Traits& traits) {
  llvm::SmallPtrSet<const Function*, 16> seen(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    const Function* function = waiting.pop_back_val();
    traits[function].attributes |= rt::kWaitsOrNotifies;
    for (const llvm::User* user : function->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledFunction() != function) continue;
      if (seen.insert(call->getFunction()).second) waiting.push_back(call->getFunction());
    }
  }
}

// The constructors of std::thread and std::jthread that start one are templates; the others move
// one or make none.
bool only_moves_thread(const Function& callee) {
  const StringRef name = callee.getName();
  const bool constructor = name.contains("threadC1") || name.contains("threadC2");
  return constructor && !name.contains("threadC1I") && !name.contains("threadC2I");
}

// At -O0 all functions are marked but for those that the compiler makes, or always inlines.
bool is_optimised(const Function& function) {
  for (const char* made : {"__clang_", "__cxx_global_", "_GLOBAL_", "__tls_"})
    if (function.getName().starts_with(made)) return false;
  return !function.hasOptNone() && !function.hasFnAttribute(llvm::Attribute::AlwaysInline);
}

}  // namespace

Traits function_traits(llvm::Module& module) {
  Traits traits;
  llvm::DenseMap<const Function*, std::string> names;
  auto name_of = [&](const Function& function) -> StringRef {
    std::string& name = names[&function];
    if (name.empty()) name = qualified_name(function);
    return name;
  };
  llvm::SmallPtrSet<const Function*, 16> seen;
  llvm::SmallVector<const Function*, 8> waiting;
  for (const Function& function : module) {
    if (function.isDeclaration()) continue;
    if (llvm::is_contained(kLibraryThreadBodies, name_of(function)))
      mark_called(function, traits, seen);
    BesidesLocking besides;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      const bool named = callee != nullptr && !callee->isIntrinsic();
      const StringRef name = named ? name_of(*callee) : StringRef();
      besides.add(instruction, name);
      if (!named) continue;
      if (notifies(name)) traits[&function].attributes |= rt::kWaitsOrNotifies;
      if (waits(name)) waiting.push_back(&function);
      if (takes_lock(name)) traits[&function].attributes |= rt::kSynchronizes;
      if (starts_thread(name)) mark_started(*call, traits);
      if (starts_thread(name) && !only_moves_thread(*callee)) waiting.push_back(&function);
    }
    if (besides.one_access() && !has_loops(function))
      traits[&function].annotations |= kLockedAccessor;
    if (uses_its_members(function)) traits[&function].annotations |= kUsesItsMembers;
  }
  mark_jobs(module, traits);
  mark_private_bodies(traits);
  mark_looping_bodies(module, traits);
  mark_callers(waiting, traits);
  const auto dealing = functions_that_deal_with_sharing(module);
  for (const Function& function : module) {
    if (function.isDeclaration()) continue;
    if (!dealing.contains(&function)) traits[&function].annotations |= kSharesNothing;
    if (is_optimised(function)) traits[&function].annotations |= kOptimised;
  }
  read_annotations(module, traits);
  return traits;
}

}  // namespace isosan::pass
