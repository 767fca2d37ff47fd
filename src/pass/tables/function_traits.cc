#include "pass/tables/function_traits.h"

#include "event/tables.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/code/accesses.h"
#include "pass/code/candidates.h"
#include "pass/code/names.h"
#include "pass/tables/data_annotations.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

using llvm::Function;
using llvm::StringRef;
using Traits = llvm::DenseMap<const Function*, FunctionTraits>;

struct NamePattern {
  StringRef name;
  bool prefix;  // else the whole name
};

constexpr NamePattern kWaitOrNotify[] = {
    {"pthread_cond_wait", false},
    {"pthread_cond_timedwait", false},
    {"pthread_cond_clockwait", false},
    {"pthread_cond_signal", false},
    {"pthread_cond_broadcast", false},
    {"pthread_barrier_wait", false},
    {"cnd_wait", false},
    {"cnd_timedwait", false},
    {"cnd_signal", false},
    {"cnd_broadcast", false},
    {"sem_wait", false},
    {"sem_timedwait", false},
    {"sem_clockwait", false},
    {"sem_post", false},
    {"std::condition_variable::wait", true},
    {"std::condition_variable::notify", true},
    {"std::condition_variable_any::wait", true},
    {"std::condition_variable_any::notify", true},
    {"std::_V2::condition_variable_any::wait", true},
    {"std::_V2::condition_variable_any::notify", true},
    {"std::barrier::", true},
    {"std::latch::", true},
    {"std::counting_semaphore::", true},
    {"std::__semaphore_impl::", true},
    {"std::atomic::wait", true},
    {"std::atomic::notify", true},
    {"std::__atomic_base::wait", true},
    {"std::__atomic_base::notify", true},
};

constexpr NamePattern kTakesLock[] = {
    {"pthread_mutex_lock", false},
    {"pthread_mutex_trylock", false},
    {"pthread_mutex_timedlock", false},
    {"pthread_mutex_clocklock", false},
    {"pthread_rwlock_rdlock", false},
    {"pthread_rwlock_wrlock", false},
    {"pthread_rwlock_tryrdlock", false},
    {"pthread_rwlock_trywrlock", false},
    {"pthread_spin_lock", false},
    {"pthread_spin_trylock", false},
    {"mtx_lock", false},
    {"mtx_trylock", false},
    {"mtx_timedlock", false},
    {"std::mutex::lock", false},
    {"std::mutex::try_lock", false},
    {"std::recursive_mutex::lock", false},
    {"std::recursive_mutex::try_lock", false},
    {"std::timed_mutex::", true},
    {"std::recursive_timed_mutex::", true},
    {"std::shared_mutex::lock", true},
    {"std::shared_mutex::try_lock", true},
    {"std::shared_timed_mutex::", true},
    {"std::lock_guard::lock_guard", false},
    {"std::unique_lock::unique_lock", false},
    {"std::unique_lock::lock", false},
    {"std::scoped_lock::scoped_lock", false},
    {"std::shared_lock::shared_lock", false},
    {"std::shared_lock::lock", false},
    {"std::lock", false},
    {"std::try_lock", false},
};

constexpr NamePattern kGivesLockUp[] = {
    {"pthread_mutex_unlock", false},
    {"pthread_rwlock_unlock", false},
    {"pthread_spin_unlock", false},
    {"mtx_unlock", false},
    {"std::mutex::unlock", false},
    {"std::recursive_mutex::unlock", false},
    {"std::shared_mutex::unlock", true},
    {"std::lock_guard::~lock_guard", false},
    {"std::unique_lock::~unique_lock", false},
    {"std::unique_lock::unlock", false},
    {"std::scoped_lock::~scoped_lock", false},
    {"std::shared_lock::~shared_lock", false},
    {"std::shared_lock::unlock", false},
};

constexpr NamePattern kStartsThread[] = {
    {"pthread_create", false},        {"thrd_create", false}, {"std::thread::thread", false},
    {"std::jthread::jthread", false}, {"std::async", false},
};

// Waits for another thread's end, for another process or for time to pass: neither such a function
// nor one that calls it can be atomic.
constexpr NamePattern kBlocks[] = {
    {"pthread_join", false},
    {"pthread_timedjoin_np", false},
    {"pthread_clockjoin_np", false},
    {"pthread_tryjoin_np", false},
    {"thrd_join", false},
    {"std::thread::join", false},
    {"std::jthread::join", false},
    {"std::jthread::~jthread", false},
    {"accept", false},
    {"accept4", false},
    {"poll", false},
    {"ppoll", false},
    {"select", false},
    {"pselect", false},
    {"epoll_wait", false},
    {"epoll_pwait", false},
    {"sigwait", false},
    {"sigwaitinfo", false},
    {"sigtimedwait", false},
    {"sigsuspend", false},
    {"pause", false},
    {"wait", false},
    {"waitpid", false},
    {"wait4", false},
    {"sleep", false},
    {"usleep", false},
    {"nanosleep", false},
    {"clock_nanosleep", false},
    {"thrd_sleep", false},
    {"std::this_thread::sleep_for", false},
    {"std::this_thread::sleep_until", false},
};

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

template <std::size_t n>
bool matches(StringRef name, const NamePattern (&patterns)[n]) {
  for (const NamePattern& pattern : patterns)
    if (pattern.prefix ? name.starts_with(pattern.name) : name == pattern.name) return true;
  return false;
}

// What a function does besides acquiring and releasing locks. One access: a getter or setter, as
// a synchronized method of one statement is in Java (Marathon, 4.1).
class BesidesLocking {
 public:
  void add(const llvm::Instruction& instruction, StringRef callee) {
    const bool takes = matches(callee, kTakesLock);
    locks_ |= takes;
    if (!takes && !matches(callee, kGivesLockUp))
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

// A loop of operations that only thread entries call, without a result: the thread's body. A public
// member is an operation all the same.
void mark_looping_bodies(const llvm::Module& module, Traits& traits) {
  for (const Function& function : module) {
    if (function.isDeclaration() || !function.getReturnType()->isVoidTy()) continue;
    if (accessibility_of(function.getSubprogram()) == Accessibility::kPublic) continue;
    if (!is_called_by_entries_only(function, traits)) continue;
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

// Follows calls inside the module upwards: a function that joins threads through others waits as
// well.
void mark_callers(llvm::SmallVector<const Function*, 8> joining, Traits& traits) {
  llvm::SmallPtrSet<const Function*, 16> seen(joining.begin(), joining.end());
  while (!joining.empty()) {
    const Function* function = joining.pop_back_val();
    traits[function].attributes |= rt::kWaitsOrNotifies;
    for (const llvm::User* user : function->users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledFunction() != function) continue;
      if (seen.insert(call->getFunction()).second) joining.push_back(call->getFunction());
    }
  }
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
  llvm::SmallVector<const Function*, 8> joining;
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
      if (matches(name, kWaitOrNotify)) traits[&function].attributes |= rt::kWaitsOrNotifies;
      if (matches(name, kBlocks)) joining.push_back(&function);
      if (matches(name, kTakesLock)) traits[&function].attributes |= rt::kSynchronizes;
      if (matches(name, kStartsThread)) mark_started(*call, traits);
    }
    if (besides.one_access() && !has_loops(function))
      traits[&function].annotations |= kLockedAccessor;
  }
  mark_private_bodies(traits);
  mark_looping_bodies(module, traits);
  mark_callers(joining, traits);
  read_annotations(module, traits);
  return traits;
}

}  // namespace isosan::pass
