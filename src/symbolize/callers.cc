#include "symbolize/callers.h"

#include <iterator>
#include <utility>

#include "base/input_error.h"
#include "symbolize/call_scan.h"
#include "symbolize/llvm_tool.h"
#include "symbolize/names.h"

namespace isosan {

CallerTable::Code& CallerTable::code_of(ModuleId module) {
  const auto [at, is_new] = code_.try_emplace(module);
  Code& code = at->second;
  if (!is_new || index(module) >= tables_.modules.size()) return code;
  const std::string& path = tables_.modules[index(module)].path;
  if (!is_plain_file(path)) return code;
  try {
    code.file = std::make_unique<ElfFile>(path);
  } catch (const InputError&) {
    return code;
  }
  for (const ElfSymbol& symbol : code.file->symbols(SymbolKind::kFunction)) {
    // A copy that the compiler made has a suffix: ".private", ".constprop.0".
    code.by_name.emplace(symbol.name.substr(0, symbol.name.find('.')), symbol.address);
    code.starts.insert(symbol.address);
  }
  return code;
}

std::vector<Entry> CallerTable::entries(const Function& function) {
  std::vector<Entry> result;
  if (function.linkage_name.empty()) return result;
  const auto [begin, end] = code_of(function.module).by_name.equal_range(function.linkage_name);
  for (auto at = begin; at != end; ++at) result.push_back({function.module, at->second});
  return result;
}

const Callers* CallerTable::find(const Entry& function) {
  const auto at = known_.find(function);
  if (at != known_.end()) return &at->second;
  asked_.insert(function);
  return nullptr;
}

void CallerTable::answer_all() {
  std::map<ModuleId, std::set<std::uint64_t>> targets;
  for (const Entry& one : std::exchange(asked_, {})) targets[one.module].insert(one.address);
  for (const auto& [module, addresses] : targets) answer(module, addresses);
}

void CallerTable::answer(ModuleId module, const std::set<std::uint64_t>& targets) {
  for (const std::uint64_t target : targets) known_[{module, target}];
  const Code& code = code_of(module);
  if (!code.file) return;
  std::vector<PcQuery> queries;
  const auto found = find_calls(*code.file, targets);
  for (const auto& [target, calls] : found) {
    if (calls.address_taken || calls.calls.size() > kMostCalls) continue;
    known_[{module, target}].complete = true;
    for (const std::uint64_t behind : calls.calls)
      queries.push_back({tables_.modules[index(module)].path, behind - 1});
  }
  const auto answers = symbolize(queries);
  std::size_t next = 0;
  for (const auto& [target, calls] : found) {
    Callers& callers = known_[{module, target}];
    if (!callers.complete) continue;
    for (const std::uint64_t behind : calls.calls) {
      Caller caller{.frames = answers[next++]};
      for (SourceFrame& frame : caller.frames) frame.function = qualified_name(frame.function);
      const auto after = code.starts.upper_bound(behind - 1);
      if (after != code.starts.begin()) caller.function = {module, *std::prev(after)};
      callers.list.push_back(std::move(caller));
    }
  }
}

}  // namespace isosan
