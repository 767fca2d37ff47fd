// The static side of a trace: what the ids in events stand for. Plain data; filled by a reader, the
// symbolizer or a test; read by reports.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "event/accessibility.h"
#include "event/ids.h"
#include "event/kind.h"

namespace isosan {

struct Site {
  FunctionId function{};
  std::string file;  // empty: not known
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  Kind access{};           // Read or Write where it is an access
  std::uint32_t size = 0;  // bytes, where fixed
  std::string class_name;  // the class whose member is accessed, where known
  std::string field;
  std::uint32_t field_offset = 0;
  SiteId inlined_at{};          // the call that was inlined here; kNoSite: none
  bool assume_guarded = false;  // by a spec file: accesses here never conflict
  ModuleId module{};
  std::uint64_t pc = 0;  // module-relative; 0 where the site came from a static table
};

// What the program's own annotations (<isosan/isosan.h>) say about a function, and what the pass
// has read off its body for them; the bits of the pass's records.
enum Annotation : std::uint32_t {
  kAnnotatedAtomic = 1,
  kAnnotatedNotAtomic = 2,
  kAnnotatedDeterministic = 4,
  kAnnotatedAssumeAtomic = 8,
  kAnnotatedAssumeMover = 16,
  kAnnotatedNoWarn = 32,
  kAnnotatedUnit = 64,
  kAnnotatedNotUnit = 128,
  kLockedAccessor = 256,  // found by the pass: one access under a lock, nothing else
  kAnnotatedSplitAtWait = 512,
  // Found by the pass: nothing in it or in its class says that threads share anything
  // (pass/tables/sharing.h).
  kSharesNothing = 1024,
};
inline constexpr std::uint32_t kFoundByPass = kLockedAccessor | kSharesNothing;

struct Function {
  std::string name;  // demangled, qualified, without parameters and template arguments
  std::string linkage_name;
  std::string class_name;  // empty: no member
  std::string file;
  std::uint32_t line = 0;
  Accessibility accessibility = Accessibility::kNone;
  bool external = false;  // external linkage
  bool thread_entry = false;
  bool waits_or_notifies = false;
  bool synchronizes = false;      // takes a lock itself
  std::uint32_t annotations = 0;  // of Annotation
  ModuleId module{};
  std::uint64_t pc = 0;  // module-relative entry
};

struct Region {
  RegionKind kind{};
  std::string name;  // the function's, or the annotation's
  FunctionId function{};
  SiteId site{};
};

struct Class {  // where known: the size of its objects
  std::string name;
  std::uint64_t size = 0;  // a template: several entries of one name with different sizes
};

// What <isosan/isosan.h> says of data: of a field, of a global, or of a function's parameter.
struct DataAnnotation {
  std::string text;        // "isosan:atomic_set:NAME", "isosan:owned", "isosan:unitfor", ...
  std::string class_name;  // of the field; of the parameter: the class it refers to
  std::string field;
  std::string symbol;    // of the global, as in Symbol
  std::string function;  // linkage name of the parameter's function
};

struct Module {
  std::string path;
  std::string build_id;    // hex; empty: none
  std::uint64_t base = 0;  // load bias in the recorded run
  bool instrumented = true;
};

struct Thread {
  std::string birth_path;  // "0", "0.1", "0.1.0": n-th thread that each ancestor started, from 0
  std::string name;
  ThreadId parent{};
};

struct Context {  // node of the calling-context tree
  ContextId parent{};
  FunctionId function{};
  SiteId call_site{};
};

struct Symbol {  // a named piece of memory: a global, or a variable of a textual trace
  Address address = 0;
  std::uint64_t size = 0;
  std::string name;
  bool assume_guarded = false;  // by a spec file: accesses of it never conflict
};

// One rule of the selection of regions that a recording was made for (spec/selection.h).
struct SelectionRule {
  std::string option;  // "--regions", "--atomic", "spec not-atomic", "assume mover", ...
  std::string value;

  bool operator==(const SelectionRule&) const = default;
};

struct Tables {
  std::vector<Site> sites{Site{}};              // index 0: kNoSite
  std::vector<Function> functions{Function{}};  // index 0: kNoFunction
  std::vector<Region> regions{Region{}};        // index 0: kNoRegion
  std::vector<Class> classes;
  std::vector<DataAnnotation> annotations;
  std::vector<Module> modules;
  std::vector<Thread> threads;
  std::vector<Context> contexts{Context{}};  // index 0: kEmptyStack
  // By site and stack: the call in the stack's innermost function that led to a site outside it,
  // through functions that are not on the stack. For reports only; not stored.
  std::map<std::pair<SiteId, ContextId>, SiteId> outer_calls;
  std::vector<Symbol> symbols;           // sorted by address
  std::vector<SelectionRule> selection;  // empty: valid for every selection of regions
};

}  // namespace isosan
