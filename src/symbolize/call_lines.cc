#include "symbolize/call_lines.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "event/library_code.h"
#include "symbolize/callers.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

constexpr int kMostRounds = 12;             // the longest chain of library functions
constexpr std::size_t kMostFunctions = 64;  // looked at for one call

const SourceFrame* frame_of(const std::string& function, const Caller& caller) {
  const auto at = std::ranges::find(caller.frames, function, &SourceFrame::function);
  return at == caller.frames.end() ? nullptr : &*at;
}

bool is_of_library(const Caller& caller) {
  return std::ranges::all_of(caller.frames, [](const SourceFrame& frame) {
    return is_library_code(frame.function, frame.file);
  });
}

enum class Answer { kFound, kUnknown, kAsked };

struct Search {
  Answer answer = Answer::kUnknown;
  const Caller* caller = nullptr;
};

// All calls by which `wanted` reaches one of the functions; found if they are at one line.
Search find_call(std::vector<Entry> functions, const std::string& wanted, CallerTable& table) {
  std::vector<const Caller*> candidates;
  bool asked = false;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions.size() > kMostFunctions) return {};
    const Callers* callers = table.find(functions[i]);
    asked |= callers == nullptr;
    if (callers == nullptr) continue;
    if (!callers->complete) return {};
    for (const Caller& caller : callers->list) {
      if (frame_of(wanted, caller) != nullptr) {
        candidates.push_back(&caller);
      } else if (is_of_library(caller) &&
                 std::ranges::find(functions, caller.function) == functions.end()) {
        functions.push_back(caller.function);
      }
    }
  }
  if (asked) return {Answer::kAsked};
  if (candidates.empty()) return {};
  const SourceFrame& first = *frame_of(wanted, *candidates.front());
  const bool one_line = std::ranges::all_of(candidates, [&](const Caller* other) {
    const SourceFrame& frame = *frame_of(wanted, *other);
    return frame.line == first.line && frame.file == first.file;
  });
  if (!one_line) return {};
  return {Answer::kFound, candidates.front()};
}

// One stack, from the inside to the outside: names_ are the functions inlined at the place that was
// reached and not passed yet, functions_ the copies of the function that they are inlined into.
class StackWalk {
 public:
  StackWalk(const Where& where, CallerTable& table, Tables& tables)
      : where_(where), table_(table), tables_(tables) {}

  // False: questions were asked; to be run again when they are answered.
  bool run() {
    take_site();
    SiteId* call = where_.context == kEmptyStack ? nullptr : &outer_call();
    for (ContextId at = where_.context; at != kEmptyStack; at = node(at).parent) {
      if (is_recorded(node(at).call_site)) return true;
      const Function function = tables_.functions.at(index(node(at).function));
      if (!pass(function.name)) {
        const Search search = find_call(functions_, function.name, table_);
        if (search.answer == Answer::kAsked) return false;
        if (search.answer == Answer::kFound) {
          take_call(*search.caller, function.name, *call);
        } else {
          names_.clear();
          functions_ = table_.entries(function);
        }
      }
      call = &node(at).call_site;
    }
    return true;
  }

 private:
  Context& node(ContextId id) { return tables_.contexts.at(index(id)); }
  SiteId& outer_call() { return tables_.outer_calls[{where_.site, where_.context}]; }
  // By the __tsan_* front.
  bool is_recorded(SiteId site) const {
    return site != kNoSite && tables_.sites.at(index(site)).pc != 0;
  }

  void take_site() {
    for (SiteId at = where_.site; at != kNoSite; at = tables_.sites.at(index(at)).inlined_at) {
      const Function& function = tables_.functions.at(index(tables_.sites[index(at)].function));
      names_.push_back(function.name);
      functions_ = table_.entries(function);
    }
  }

  bool pass(const std::string& name) {
    const auto at = std::ranges::find(names_, name);
    if (at == names_.end()) return false;
    names_.erase(names_.begin(), at + 1);
    return true;
  }

  void take_call(const Caller& caller, const std::string& name, SiteId& call) {
    if (call == kNoSite) call = add_call_site(caller.function.module, caller.frames, tables_);
    names_.clear();
    for (const SourceFrame& frame : caller.frames) names_.push_back(frame.function);
    pass(name);
    functions_ = {caller.function};
  }

  const Where& where_;
  CallerTable& table_;
  Tables& tables_;
  std::vector<std::string> names_;
  std::vector<Entry> functions_;
};

}  // namespace

void resolve_calls(const std::vector<Where>& places, Tables& tables) {
  CallerTable table(tables);
  std::vector<Where> left = places;
  for (int round = 0; round < kMostRounds && !left.empty(); ++round) {
    std::erase_if(left, [&](const Where& where) { return StackWalk(where, table, tables).run(); });
    table.answer_all();
  }
}

}  // namespace isosan
