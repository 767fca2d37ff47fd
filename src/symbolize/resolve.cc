#include "symbolize/resolve.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "symbolize/call_lines.h"
#include "symbolize/names.h"
#include "symbolize/symbolizer.h"

namespace isosan {
namespace {

void add_site(const Tables& tables, SiteId id, std::set<SiteId>& wanted) {
  const Site& site = tables.sites.at(index(id));
  if (site.pc != 0 && site.line == 0) wanted.insert(id);
}

void add_place(const Tables& tables, const Where& where, std::set<SiteId>& wanted) {
  add_site(tables, where.site, wanted);
  for (ContextId at = where.context; at != kEmptyStack;) {
    const Context& context = tables.contexts.at(index(at));
    add_site(tables, context.call_site, wanted);
    at = context.parent;
  }
}

FunctionId function_named(const std::string& demangled_name, ModuleId module, Tables& tables) {
  Function function;
  function.name = qualified_name(demangled_name);
  function.module = module;
  tables.functions.push_back(std::move(function));
  return static_cast<FunctionId>(tables.functions.size() - 1);
}

// The innermost frame describes the site itself; each further one is the call that was inlined. The
// outermost is in the function of the ELF symbol, which the site has already.
void fill(SiteId id, const std::vector<SourceFrame>& frames, Tables& tables) {
  const ModuleId module = tables.sites[index(id)].module;
  const FunctionId outermost = tables.sites[index(id)].function;
  SiteId at = id;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i > 0) {
      tables.sites.push_back({.module = module});
      const auto caller = static_cast<SiteId>(tables.sites.size() - 1);
      tables.sites[index(at)].inlined_at = caller;
      at = caller;
    }
    const bool inlined = i + 1 < frames.size();
    const FunctionId function =
        inlined ? function_named(frames[i].function, module, tables) : outermost;
    Site& site = tables.sites[index(at)];
    site.file = frames[i].file;
    site.line = frames[i].line;
    site.column = frames[i].column;
    site.function = function;
  }
}

std::vector<Where> all_places(const std::vector<Finding>& findings,
                              const std::vector<Where>& further) {
  std::vector<Where> places = further;
  for (const Finding& finding : findings) {
    for (const FindingStep& step : finding.steps) places.push_back(step.where);
    for (const FindingTransaction& tx : finding.transactions) places.push_back(tx.begin);
  }
  return places;
}

}  // namespace

SiteId add_call_site(ModuleId module, const std::vector<SourceFrame>& frames, Tables& tables) {
  const FunctionId outermost = function_named(frames.back().function, module, tables);
  tables.sites.push_back({.function = outermost, .module = module});
  const auto id = static_cast<SiteId>(tables.sites.size() - 1);
  fill(id, frames, tables);
  return id;
}

void resolve_places(const std::vector<Finding>& findings, const std::vector<Where>& further,
                    Tables& tables) {
  const std::vector<Where> places = all_places(findings, further);
  std::set<SiteId> wanted;
  for (const Where& where : places) add_place(tables, where, wanted);
  std::vector<PcQuery> queries;
  for (const SiteId id : wanted) {
    const Site& site = tables.sites[index(id)];
    // A program counter from the log is a return address: the call is before it.
    queries.push_back({tables.modules.at(index(site.module)).path, site.pc - 1});
  }
  const auto answers = symbolize(queries);
  std::size_t i = 0;
  for (const SiteId id : wanted) fill(id, answers[i++], tables);
  resolve_calls(places, tables);
}

}  // namespace isosan
