#include "live/code_traits.h"

#include <dlfcn.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "event/call_names.h"
#include "spec/intent.h"
#include "symbolize/call_graph.h"
#include "symbolize/names.h"

namespace isosan {
namespace {

constexpr std::string_view kCompilersLibraries[] = {"__tsan_", "GOMP_", "omp_", "__kmpc_"};

std::string name_of(std::string_view linkage_name) {
  // A part that the compiler has split off has a suffix: ".part.0", ".constprop.0", ".cold".
  return qualified_name(demangled(std::string(linkage_name.substr(0, linkage_name.find('.')))));
}

// Of a class, or of a namespace.
std::string_view scope_of(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == name.npos ? std::string_view{} : name.substr(0, at);
}

bool is_structor(std::string_view name) {
  const std::string_view scope = scope_of(name);
  if (scope.empty()) return false;
  const std::string_view last = name.substr(scope.size() + 2);
  const std::size_t at = scope.rfind("::");
  return last.starts_with('~') || last == (at == scope.npos ? scope : scope.substr(at + 2));
}

// The libraries of this process are those that programs use.
bool is_of_c_library(std::string_view linkage_name) {
  for (const std::string_view prefix : kCompilersLibraries)
    if (linkage_name.starts_with(prefix)) return true;
  return dlsym(RTLD_DEFAULT, std::string(linkage_name).c_str()) != nullptr;
}

class ModuleCode {
 public:
  explicit ModuleCode(const ElfFile& file)
      : functions_(call_graph(file)), traits_(functions_.size()), callers_(functions_.size()) {
    names_.reserve(functions_.size());
    for (const CodeFunction& function : functions_) names_.push_back(name_of(function.name));
  }

  absl::flat_hash_map<std::uint64_t, CodeTraits> find() {
    for (std::uint32_t i = 0; i < functions_.size(); ++i) look_at_calls(i);
    mark_waiting();
    mark_scopes();
    mark_jobs();
    while (add_callers()) {
    }
    doubt();
    absl::flat_hash_map<std::uint64_t, CodeTraits> result;
    for (std::uint32_t i = 0; i < functions_.size(); ++i) result[functions_[i].begin] = traits_[i];
    return result;
  }

 private:
  struct Import {
    std::string name;
    bool is_atomic = false;  // an operation of the __tsan_* interface
    bool of_c_library = false;
  };

  const Import& import_of(std::string_view linkage_name) {
    const auto [at, is_new] = imports_.try_emplace(linkage_name);
    if (is_new)
      at->second = {name_of(linkage_name), linkage_name.starts_with("__tsan_atomic"),
                    is_of_c_library(linkage_name)};
    return at->second;
  }

  bool is_library(std::uint32_t i) const {
    return is_library_name(names_[i]) || names_[i].starts_with("__");
  }

  void look_at_calls(std::uint32_t i) {
    CodeTraits& traits = traits_[i];
    for (const FoundCall& call : functions_[i].calls) {
      if (call.callee != FoundCall::kNowhere) callers_[call.callee].push_back(i);
      const bool elsewhere = call.callee == FoundCall::kNowhere;
      if (elsewhere && call.import_name.empty()) continue;
      const std::string& name = elsewhere ? import_of(call.import_name).name : names_[call.callee];
      if (waits(name) || starts_thread(name)) waiting_.push_back(i);
      if (starts_thread(name))
        for (const std::uint32_t started : functions_[i].takes)
          traits_[started].thread_entry = true;
      if (notifies(name)) traits.waits_or_notifies = true;
      if (takes_lock(name)) traits.synchronizes = true;
      if (takes_lock(name) || gives_lock_up(name) || is_atomic_operation(name) ||
          (elsewhere && import_of(call.import_name).is_atomic))
        traits.deals = true;
    }
  }

  void mark_waiting() {
    std::vector<bool> seen(functions_.size());
    while (!waiting_.empty()) {
      const std::uint32_t i = waiting_.back();
      waiting_.pop_back();
      if (seen[i]) continue;
      seen[i] = traits_[i].waits_or_notifies = true;
      waiting_.insert(waiting_.end(), callers_[i].begin(), callers_[i].end());
    }
  }

  void mark_scopes() {
    std::set<std::string_view> scopes;
    for (std::uint32_t i = 0; i < functions_.size(); ++i)
      if (traits_[i].deals && !is_library(i)) scopes.insert(scope_of(names_[i]));
    scopes.erase("");
    for (std::uint32_t i = 0; i < functions_.size(); ++i)
      if (scopes.contains(scope_of(names_[i])) && !is_structor(names_[i])) traits_[i].deals = true;
  }

  void mark_jobs() {
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
      const CodeFunction& function = functions_[i];
      traits_[i].thread_entry |= !function.global && function.address_taken &&
                                 function.callers == 0 && !traits_[i].synchronizes &&
                                 scope_of(names_[i]).empty();
    }
  }

  bool add_callers() {
    bool any = false;
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
      if (traits_[i].deals || is_library(i) || !calls_enough(i)) continue;
      traits_[i].deals = any = true;
    }
    return any;
  }

  // The constructor of a guard calls one operation, and so does its destructor. What was split off
  // a function is a part of it.
  bool calls_enough(std::uint32_t i) {
    int missing = is_structor(names_[i]) ? 1 : 2;
    for (const FoundCall& call : functions_[i].calls) {
      const bool here = call.callee != FoundCall::kNowhere;
      if (here && !traits_[call.callee].deals) continue;
      if (here && names_[call.callee] == names_[i]) return true;
      if (!here && !call.import_name.empty() && import_of(call.import_name).of_c_library) continue;
      if (--missing == 0) return true;
    }
    return false;
  }

  void doubt() {
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
      Function function;
      function.name = names_[i];
      const bool counts = !traits_[i].waits_or_notifies && !traits_[i].thread_entry &&
                          names_[i] != "main" && not_meant(function) == LeftOut::kNo &&
                          !is_library(i);
      if (traits_[i].deals && counts) return;
    }
    for (CodeTraits& traits : traits_) traits.deals = true;
  }

  std::vector<CodeFunction> functions_;
  std::vector<CodeTraits> traits_;
  std::vector<std::vector<std::uint32_t>> callers_;
  std::vector<std::string> names_;  // qualified
  std::vector<std::uint32_t> waiting_;
  absl::flat_hash_map<std::string_view, Import> imports_;  // by linkage name
};

}  // namespace

absl::flat_hash_map<std::uint64_t, CodeTraits> code_traits(const ElfFile& file) {
  return ModuleCode(file).find();
}

}  // namespace isosan
