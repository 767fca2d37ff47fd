#include "report/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "base/shown.h"
#include "event/library_code.h"

namespace isosan {
namespace {

std::string short_path(const std::string& file) {
  static const std::string folder = [] {
    std::error_code none;
    return std::filesystem::current_path(none).string() + "/";
  }();
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  return folder.size() > 2 && path.starts_with(folder) ? path.substr(folder.size()) : path;
}

}  // namespace

bool is_library(const Place& place) { return is_library_code(place.function, place.file); }

std::string to_string(const Place& place) {
  std::string source = short_path(place.file);
  if (place.line != 0) {
    source = place.file.empty() ? fmt::format("line {}", place.line)
                                : fmt::format("{}:{}", source, place.line);
    if (place.column != 0) source += fmt::format(":{}", place.column);
  }
  if (place.function.empty()) return place.definition ? "a function at " + source : source;
  if (source.empty()) return place.function;
  return place.definition ? fmt::format("{} (defined at {})", place.function, source)
                          : place.function + " " + source;
}

Names::Names(const Tables& tables) : tables_(tables) {
  for (const Thread& thread : tables.threads) ++threads_called_[thread.name];
}

std::string Names::thread(ThreadId id) const {
  const std::string number = fmt::format("T{}", index(id));
  if (index(id) >= tables_.threads.size()) return number;
  const std::string& name = tables_.threads[index(id)].name;
  if (name.empty()) return number;
  return threads_called_.at(name) == 1 ? shown(name) : fmt::format("{}({})", shown(name), number);
}

std::string Names::birth_path(ThreadId id) const {
  return index(id) < tables_.threads.size() ? shown(tables_.threads[index(id)].birth_path) : "";
}

std::string Names::region(RegionId id) const {
  if (id == kNoRegion) return "";
  if (index(id) >= tables_.regions.size()) return fmt::format("region {}", index(id));
  const Region& region = tables_.regions[index(id)];
  if (!region.name.empty()) return shown(region.name);
  const Function* f = function(region.function);
  return f != nullptr ? shown(f->name) : fmt::format("region {}", index(id));
}

std::string Names::region_or_function(const FindingTransaction& transaction) const {
  const std::string name = region(transaction.region);
  return name.empty() ? function_name(transaction.function) : name;
}

std::string Names::transaction(const FindingTransaction& transaction) const {
  const std::string name = region_or_function(transaction);
  return name.empty() ? "thread " + thread(transaction.thread)
                      : fmt::format("{} ({})", name, thread(transaction.thread));
}

std::string Names::operand(const FindingStep& step) const {
  switch (payload_of(step.operation)) {
    case Payload::kThread:
      return thread(static_cast<ThreadId>(step.address));
    case Payload::kNothing:
    case Payload::kOrder:
      return "";
    case Payload::kRegion:
    case Payload::kFunction:
      return step.address == 0 ? "" : location(step.address);
    case Payload::kAccess:
    case Payload::kLock:
    case Payload::kObject:
    case Payload::kOutcome:
    case Payload::kScope:
    case Payload::kGeneration:
    case Payload::kMemory:
      break;
  }
  const std::string name = location(step.address);
  if (index(step.where.site) >= tables_.sites.size()) return name;
  const Site& site = tables_.sites[index(step.where.site)];
  // "Lru::map_ (lru+64)" says more than the library's own name for it.
  const bool told = is_library_code(site.class_name, "") && name.find("::") != name.npos;
  if (site.field.empty() || told) return name;
  const std::string field =
      site.class_name.empty() ? site.field : site.class_name + "::" + site.field;
  return fmt::format("{} ({})", shown(field), name);
}

std::string Names::location(Address address) const {
  const auto after = std::upper_bound(tables_.symbols.begin(), tables_.symbols.end(), address,
                                      [](Address a, const Symbol& s) { return a < s.address; });
  if (after != tables_.symbols.begin()) {
    const Symbol& symbol = *std::prev(after);
    const Address offset = address - symbol.address;
    if (offset == 0) return shown(symbol.name);
    if (offset < symbol.size) return fmt::format("{}+{}", shown(symbol.name), offset);
  }
  return fmt::format("{:#x}", address);
}

std::string Names::with_names(const Finding& finding, const std::string& text) const {
  std::string result;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find("@{", from)) != text.npos;) {
    const std::size_t end = text.find('}', at);
    if (end == text.npos) break;
    result += shown(text.substr(from, at - from));
    result += mentioned(finding, text.substr(at + 2, end - at - 2));
    from = end + 1;
  }
  return result + shown(text.substr(from));
}

std::string Names::mentioned(const Finding& finding, const std::string& what) const {
  const std::uint64_t number = std::strtoull(what.c_str() + what.find(' '), nullptr, 10);
  if (what.starts_with("step ")) return operand(finding.steps.at(number));
  if (what.starts_with("thread ")) return thread(static_cast<ThreadId>(number));
  return location(number);
}

const Function* Names::function(FunctionId id) const {
  if (id == kNoFunction || index(id) >= tables_.functions.size()) return nullptr;
  return &tables_.functions[index(id)];
}

std::string Names::function_name(FunctionId id) const {
  const Function* f = function(id);
  return f != nullptr ? shown(f->name) : "";
}

std::vector<Place> Names::inlined(SiteId id) const {
  std::vector<Place> frames;
  while (id != kNoSite && index(id) < tables_.sites.size()) {
    const Site& site = tables_.sites[index(id)];
    frames.push_back({function_name(site.function), shown(site.file), site.line, site.column});
    id = site.inlined_at;
  }
  return frames;
}

Place Names::place(SiteId id) const {
  const std::vector<Place> frames = inlined(id);
  for (const Place& frame : frames) {
    if (!is_library(frame)) return frame;
  }
  return frames.empty() ? Place{} : frames.front();
}

Place Names::place(const Finding& finding, const FindingStep& step) const {
  const Place at = spot(step.where);
  const bool enters = step.operation == Kind::kBegin && (!at.known() || at.definition);
  return enters ? begin_of(finding.transactions[step.transaction]) : at;
}

Place Names::begin_of(const FindingTransaction& transaction) const {
  const Place begun = place(transaction.begin.site);
  if (const Function* f = function(transaction.function); f != nullptr && !begun.known()) {
    return {shown(f->name), shown(f->file), f->line, 0};
  }
  if (begun.known() || transaction.region == kNoRegion ||
      index(transaction.region) >= tables_.regions.size()) {
    return begun;
  }
  const Region& region = tables_.regions[index(transaction.region)];
  const Place site = place(region.site);
  return site.known() ? site : definition_of(region.function);
}

Place Names::definition_of(FunctionId id) const {
  const Function* f = function(id);
  if (f == nullptr) return {};
  return {.function = shown(f->name),
          .file = shown(f->file),
          .line = f->line,
          .definition = f->line != 0};
}

std::vector<Place> Names::own_stack(const Where& where) const {
  std::vector<Place> frames = stack(where);
  if (!std::ranges::all_of(frames, is_library)) std::erase_if(frames, is_library);
  return frames;
}

Place Names::spot(const Where& where) const {
  const Place at = place(where.site);
  if (at.line != 0 && !is_library(at)) return at;
  const std::vector<Place> frames = own_stack(where);
  return frames.empty() ? at : frames.front();
}

std::vector<Place> Names::stack(const Where& where) const {
  std::vector<Place> frames;
  ContextId context = where.context;
  if (context == kEmptyStack || index(context) >= tables_.contexts.size()) return frames;
  std::vector<Place> inner = inlined(where.site);  // inlined calls are not in the context
  SiteId call = outer_call(where);
  while (context != kEmptyStack) {
    const Context& node = tables_.contexts[index(context)];
    const Function* f = function(node.function);
    const std::string name = f != nullptr ? shown(f->name) : "??";
    if (std::ranges::find(inner, name, &Place::function) == inner.end())
      std::ranges::move(inlined(call), std::back_inserter(inner));
    const auto mine = std::ranges::find(inner, name, &Place::function);
    const bool known = mine != inner.end();
    const auto end = known ? mine + 1 : inner.end();
    frames.insert(frames.end(), inner.begin(), end);
    inner.erase(inner.begin(), end);
    if (!known) frames.push_back(f != nullptr ? definition_of(node.function) : Place{"??"});
    call = node.call_site;
    context = node.parent;
  }
  return frames;
}

SiteId Names::outer_call(const Where& where) const {
  const auto at = tables_.outer_calls.find({where.site, where.context});
  return at == tables_.outer_calls.end() ? kNoSite : at->second;
}

std::string Names::function_of(const FindingStep& step) const {
  const std::vector<Place> frames = own_stack(step.where);
  return frames.empty() ? place(step.where.site).function : frames.front().function;
}

bool Names::blames_region(const Finding& finding) const {
  return finding.subject.empty() && finding.region != kNoRegion &&
         finding.kind != FindingKind::kDataRace;
}

// A function's region has no site of its own (spec/region_stage.h).
bool Names::blames_block(const Finding& finding) const {
  return blames_region(finding) && index(finding.region) < tables_.regions.size() &&
         tables_.regions[index(finding.region)].site != kNoSite;
}

std::string Names::subject(const Finding& finding) const {
  if (blames_region(finding)) return region(finding.region);
  if (!finding.subject.empty()) return shown(finding.subject);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  const auto has_role = [](const FindingStep& step) { return !step.role.empty(); };
  const bool all = std::ranges::none_of(finding.steps, has_role);
  for (const FindingStep& step : finding.steps) {
    if (all || has_role(step)) add(function_of(step));
  }
  if (names.empty()) {
    for (const FindingTransaction& t : finding.transactions) add(region(t.region));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace isosan
