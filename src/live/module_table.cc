#include "live/module_table.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "base/input_error.h"
#include "runtime/contract/records.h"
#include "runtime/contract/trampolines.h"
#include "spec/intent.h"
#include "symbolize/names.h"

namespace isosan {
namespace {

template <class Record>
Record record_at(const ElfSection& section, std::uint64_t i) {
  Record record{};
  if (i < section.bytes.size() / sizeof(Record))
    std::memcpy(&record, section.bytes.data() + i * sizeof(Record), sizeof(Record));
  return record;
}

std::string name_from_linkage(const std::string& linkage_name) {
  return qualified_name(demangled(linkage_name));
}

}  // namespace

void ModuleTable::add(const log::ModuleRecord& record) {
  LoadedModule module;
  module.id = static_cast<ModuleId>(tables_.modules.size());
  module.base = record.base;
  module.end = record.end;
  const std::string path(record.path,
                         std::min<std::size_t>(record.path_length, sizeof(record.path)));
  tables_.modules.push_back({path, {}, record.base, record.instrumented != 0});
  try {
    module.file = std::make_unique<ElfFile>(path);
    tables_.modules.back().build_id = module.file->build_id();
    read_functions(module);
    read_classes(module);
    read_annotations(module);
    read_variables(module);
  } catch (const InputError&) {
    // The vdso, a deleted file: places in it stay addresses.
  }
  modules_.push_back(std::move(module));
}

std::string ModuleTable::text(const LoadedModule& module, std::uint64_t field_address,
                              std::int32_t offset) const {
  if (offset == 0) return {};
  return std::string(module.file->text_at_address(
      field_address + static_cast<std::uint64_t>(std::int64_t{offset})));
}

void ModuleTable::read_functions(LoadedModule& module) {
  using rt::FunctionRecord;
  const ElfSection section = module.file->section(rt::kFunctionSection);
  const ElfSection sites = module.file->section(rt::kSiteSection);
  module.functions_begin = section.address;
  module.sites_begin = sites.address;
  module.sites_end = sites.address + sites.bytes.size();
  module.first_function = static_cast<FunctionId>(tables_.functions.size());
  module.function_count = static_cast<std::uint32_t>(section.bytes.size() / sizeof(FunctionRecord));
  for (std::uint32_t i = 0; i < module.function_count; ++i) {
    const auto record = record_at<FunctionRecord>(section, i);
    const std::uint64_t at = section.address + i * sizeof(FunctionRecord);
    Function function;
    function.linkage_name =
        text(module, at + offsetof(FunctionRecord, linkage_name), record.linkage_name);
    function.name = text(module, at + offsetof(FunctionRecord, name), record.name);
    function.class_name =
        text(module, at + offsetof(FunctionRecord, class_name), record.class_name);
    function.file = text(module, at + offsetof(FunctionRecord, file), record.file);
    function.line = record.line;
    function.accessibility = accessibility_of(record.accessibility);
    function.external = (record.attributes & rt::kExternal) != 0;
    function.thread_entry = (record.attributes & rt::kThreadEntry) != 0;
    function.waits_or_notifies = (record.attributes & rt::kWaitsOrNotifies) != 0;
    function.synchronizes = (record.attributes & rt::kSynchronizes) != 0;
    function.annotations = record.annotations;
    note_class(function.class_name, record.class_size);
    function.module = module.id;
    tables_.functions.push_back(std::move(function));
  }
  doubt_sharing(module);
}

// If none of the module's functions but main, entries and those that wait use locks or atomics, all
// of them may deal with what threads share.
void ModuleTable::doubt_sharing(const LoadedModule& module) {
  const auto functions =
      std::span(tables_.functions).subspan(index(module.first_function), module.function_count);
  const auto synchronizes = [](const Function& function) {
    return (function.annotations & kSharesNothing) == 0 && !function.thread_entry &&
           !function.waits_or_notifies && function.name != "main" &&
           not_meant(function) == LeftOut::kNo && !is_library_name(function.name);
  };
  if (std::ranges::any_of(functions, synchronizes)) return;
  for (Function& function : functions) function.annotations &= ~std::uint32_t{kSharesNothing};
}

void ModuleTable::read_classes(const LoadedModule& module) {
  using rt::SiteRecord;
  for (std::uint32_t i = 0; i < module.function_count; ++i) {
    class_names_.insert(tables_.functions[index(module.first_function) + i].class_name);
  }
  const ElfSection section = module.file->section(rt::kSiteSection);
  const std::uint64_t count = section.bytes.size() / sizeof(SiteRecord);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = section.address + i * sizeof(SiteRecord);
    class_names_.insert(text(module, at + offsetof(SiteRecord, class_name),
                             record_at<SiteRecord>(section, i).class_name));
  }
}

// A lambda in a member function, or a member of a nested class: for the class around it, its
// accesses count as those of its caller.
bool ModuleTable::lies_in_a_class(const Function& function) const {
  const std::string_view name = function.name;
  for (std::size_t at = name.find("::"); at != name.npos; at = name.find("::", at + 2)) {
    const std::string_view scope = name.substr(0, at);
    if (scope != function.class_name && class_names_.contains(std::string(scope))) return true;
  }
  return false;
}

void ModuleTable::note_class(const std::string& name, std::uint64_t size) {
  if (name.empty() || size == 0) return;
  if (class_sizes_.emplace(name, size).second) tables_.classes.push_back({name, size});
}

void ModuleTable::read_annotations(const LoadedModule& module) {
  using rt::AnnotationRecord;
  const ElfSection section = module.file->section(rt::kAnnotationSection);
  const std::uint64_t count = section.bytes.size() / sizeof(AnnotationRecord);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto record = record_at<AnnotationRecord>(section, i);
    const std::uint64_t at = section.address + i * sizeof(AnnotationRecord);
    const auto text_of = [&](std::size_t member, std::int32_t offset) {
      return text(module, at + member, offset);
    };
    tables_.annotations.push_back(
        {text_of(offsetof(AnnotationRecord, text), record.text),
         text_of(offsetof(AnnotationRecord, class_name), record.class_name),
         text_of(offsetof(AnnotationRecord, field), record.field),
         demangled(text_of(offsetof(AnnotationRecord, symbol), record.symbol)),
         text_of(offsetof(AnnotationRecord, function), record.function)});
  }
}

void ModuleTable::read_variables(const LoadedModule& module) {
  if (!tables_.modules.back().instrumented) return;
  for (const ElfSymbol& symbol : module.file->symbols(SymbolKind::kObject)) {
    if (symbol.size == 0) continue;
    tables_.symbols.push_back(
        {module.base + symbol.address, symbol.size, demangled(std::string(symbol.name))});
  }
  std::sort(tables_.symbols.begin(), tables_.symbols.end(),
            [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

// Read on demand: most modules never need it.
void ModuleTable::read_function_symbols(LoadedModule& module) {
  if (std::exchange(module.functions_read, true) || module.file == nullptr) return;
  const std::vector<ElfSymbol> functions = module.file->symbols(SymbolKind::kFunction);
  module.symbols.reserve(functions.size());
  for (const ElfSymbol& symbol : functions) {
    module.symbols.push_back(
        {symbol.address, symbol.address + symbol.size, kNoFunction, symbol.global, symbol.name});
  }
  std::sort(module.symbols.begin(), module.symbols.end(),
            [](const SymbolRange& a, const SymbolRange& b) { return a.begin < b.begin; });
  if (module.function_count == 0) module.traits = code_traits(*module.file);
}

void ModuleTable::note_function(LoadedModule& module, const ElfSymbol& symbol) {
  const auto place =
      std::ranges::lower_bound(module.symbols, symbol.address, {}, &SymbolRange::begin);
  if (place != module.symbols.end() && place->begin == symbol.address) return;
  module.symbols.insert(place, {symbol.address, symbol.address + symbol.size, kNoFunction,
                                symbol.global, symbol.name});
}

namespace {

// Regions that make their accesses one transaction (atomic ones, or blocks if only those are
// analysed) end the epoch at their outermost edges. Deterministic regions, where there are
// atomic ones too, end it at every edge, also inside an atomic one. All calls are logged, for the
// stacks.
std::uint8_t flags_of(const FunctionAnswers& answers, const Function& function) {
  constexpr int kAnyway = log::kFunctionLogged | log::kFunctionNested | log::kFunctionCut;
  const RegionRules* rules = answers.rules;
  if (rules == nullptr) return kAnyway;
  const RegionChoice choice = rules->choose(function);
  Function at_worst = function;
  at_worst.thread_entry = at_worst.waits_or_notifies = true;
  const int fixed = rules->choose(at_worst).atomic ? log::kFunctionFixed : 0;
  if (choice.deterministic && !rules->only_deterministic())
    return static_cast<std::uint8_t>(kAnyway | fixed);
  const bool transaction = rules->only_deterministic() ? choice.deterministic : choice.atomic;
  const bool unlogged = transaction && answers.suspects != nullptr &&
                        !answers.suspects->regions.contains(function.name);
  const bool nested = (answers.nested && choice.atomic) || rules->assumptions().covers(function);
  return static_cast<std::uint8_t>(
      log::kFunctionLogged | (transaction ? log::kFunctionRegion | fixed : 0) |
      (unlogged ? log::kFunctionUnlogged : 0) | (nested ? log::kFunctionNested : 0));
}

}  // namespace

std::vector<std::uint8_t> ModuleTable::flags_of_last(const FunctionAnswers& answers) const {
  const LoadedModule& module = modules_.back();
  std::vector<std::uint8_t> flags(module.function_count);
  for (std::uint32_t i = 0; i < module.function_count; ++i) {
    const auto id = static_cast<FunctionId>(index(module.first_function) + i);
    const Function& function = tables_.functions[index(id)];
    flags[i] = answers.is_within_units && answers.is_within_units(tables_, id) &&
                       !lies_in_a_class(function)
                   ? log::kFunctionLogged | log::kFunctionNested | log::kFunctionRegion
                   : flags_of(answers, function);
  }
  return flags;
}

std::vector<log::RegionRange> ModuleTable::region_ranges_of_last(const FunctionAnswers& answers) {
  LoadedModule& module = modules_.back();
  std::vector<log::RegionRange> ranges;
  if (answers.rules == nullptr || answers.suspects != nullptr || answers.is_within_units ||
      answers.nested || answers.rules->only_deterministic()) {
    return ranges;
  }
  read_function_symbols(module);
  for (auto symbol = module.symbols.begin(); symbol != module.symbols.end();) {
    auto next = symbol;
    bool all = true;  // of those that begin here
    bool trampoline = false;
    for (; next != module.symbols.end() && next->begin == symbol->begin; ++next) {
      const Function function = function_of_symbol(module, *next);
      all = all && (flags_of(answers, function) & log::kFunctionRegion) != 0 &&
            !answers.rules->assumptions().covers(function);
      trampoline |= is_trampoline(function);
    }
    if (all) ranges.push_back({symbol->begin, symbol->end});
    if (trampoline) ranges.push_back({symbol->begin, symbol->end | log::kTrampolineBit});
    symbol = next;
  }
  return ranges;
}

ModuleTable::LoadedModule* ModuleTable::module_at(std::uint64_t address) {
  for (LoadedModule& module : modules_) {
    if (address >= module.base && address < module.end) return &module;
  }
  return nullptr;
}

std::string ModuleTable::text_at(std::uint64_t address) {
  const LoadedModule* module = module_at(address);
  if (module == nullptr || module->file == nullptr) return {};
  return std::string(module->file->text_at_address(address - module->base));
}

// Cached: every call of the __tsan_* front needs its site.
SiteId ModuleTable::site(std::uint64_t place) {
  RecentSite& recent = recent_sites_[place / 4 % recent_sites_.size()];
  if (recent.place == place) return recent.id;
  auto found = sites_.find(place);
  if (found == sites_.end()) {
    const SiteId id = make_site(place);  // may ask for the site it was inlined at
    found = sites_.emplace(place, id).first;
  }
  recent = {place, found->second};
  return recent.id;
}

SiteId ModuleTable::make_site(std::uint64_t place) {
  LoadedModule* module = module_at(place);
  if (module == nullptr) return kNoSite;
  const std::uint64_t address = place - module->base;
  if (address >= module->sites_begin && address < module->sites_end)
    return site_of_record(*module, address);
  Site site;
  site.module = module->id;
  site.pc = address;
  site.function = function_of_pc(*module, address);
  tables_.sites.push_back(std::move(site));
  return static_cast<SiteId>(tables_.sites.size() - 1);
}

SiteId ModuleTable::site_of_record(LoadedModule& module, std::uint64_t address) {
  using rt::SiteRecord;
  const std::uint64_t module_base = module.base;
  const ElfSection section = module.file->section(rt::kSiteSection);
  const auto record =
      record_at<SiteRecord>(section, (address - section.address) / sizeof(SiteRecord));
  Site site;
  site.module = module.id;
  site.function = function_of_record(
      module, address + static_cast<std::uint64_t>(std::int64_t{record.function}));
  site.file = text(module, address + offsetof(SiteRecord, file), record.file);
  site.line = record.line;
  site.column = record.column;
  site.access = record.access < kKindCount ? static_cast<Kind>(record.access) : Kind::kRead;
  site.size = record.size;
  site.class_name = text(module, address + offsetof(SiteRecord, class_name), record.class_name);
  site.field = text(module, address + offsetof(SiteRecord, field), record.field);
  site.field_offset = record.field_offset;
  if (record.inlined_at != 0 && inlined_ < kMostInlined) {
    ++inlined_;
    const std::uint64_t field = address + offsetof(SiteRecord, inlined_at);
    site.inlined_at = this->site(module_base + field +
                                 static_cast<std::uint64_t>(std::int64_t{record.inlined_at}));
    --inlined_;
  }
  tables_.sites.push_back(std::move(site));
  return static_cast<SiteId>(tables_.sites.size() - 1);
}

FunctionId ModuleTable::function(std::uint64_t place) {
  const auto [found, inserted] = functions_.try_emplace(place, kNoFunction);
  if (inserted) {
    const FunctionId id = make_function(place);
    found->second = id;
    return id;
  }
  return found->second;
}

FunctionId ModuleTable::make_function(std::uint64_t place) {
  LoadedModule* module = module_at(place);
  if (module == nullptr) return kNoFunction;
  const std::uint64_t address = place - module->base;
  const FunctionId by_record = function_of_record(*module, address);
  return by_record != kNoFunction ? by_record : function_of_pc(*module, address);
}

FunctionId ModuleTable::function_of_record(const LoadedModule& module,
                                           std::uint64_t address) const {
  const std::uint64_t end =
      module.functions_begin + module.function_count * sizeof(rt::FunctionRecord);
  if (address < module.functions_begin || address >= end) return kNoFunction;
  const std::uint64_t i = (address - module.functions_begin) / sizeof(rt::FunctionRecord);
  return static_cast<FunctionId>(index(module.first_function) + i);
}

// An instrumented module has many lookups, another one few.
FunctionId ModuleTable::function_of_pc(LoadedModule& module, std::uint64_t pc) {
  if (module.file == nullptr) return kNoFunction;
  if (tables_.modules[index(module.id)].instrumented) {
    read_function_symbols(module);
  } else if (const auto symbol = module.file->function_before(pc)) {
    note_function(module, *symbol);
  }
  const auto after =
      std::upper_bound(module.symbols.begin(), module.symbols.end(), pc,
                       [](std::uint64_t at, const SymbolRange& s) { return at < s.begin; });
  if (after == module.symbols.begin()) return kNoFunction;
  SymbolRange& symbol = *std::prev(after);
  if (pc > symbol.end)
    return kNoFunction;  // == end: the return address of a call that does not return
  if (symbol.function == kNoFunction) {
    symbol.function = static_cast<FunctionId>(tables_.functions.size());
    tables_.functions.push_back(function_of_symbol(module, symbol));
  }
  return symbol.function;
}

Function ModuleTable::function_of_symbol(const LoadedModule& module, const SymbolRange& symbol) {
  Function function;
  function.linkage_name = std::string(symbol.linkage_name);
  function.name = name_from_linkage(function.linkage_name);
  function.external = symbol.global;
  function.module = module.id;
  function.pc = symbol.begin;
  if (const auto traits = module.traits.find(symbol.begin); traits != module.traits.end()) {
    function.waits_or_notifies = traits->second.waits_or_notifies;
    function.synchronizes = traits->second.synchronizes;
    function.thread_entry = traits->second.thread_entry;
    if (!traits->second.deals) function.annotations |= kSharesNothing;
  }
  return function;
}

}  // namespace isosan
