#include "symbolize/member_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <string>

#include "event/library_code.h"
#include "symbolize/class_layouts.h"

namespace isosan {
namespace {

struct Object {
  ModuleId module{};
  std::string class_name;
  Address begin = 0;
  std::string field;  // of the access that shows it, with its offset; empty: a call does
  std::uint32_t offset = 0;

  auto operator<=>(const Object&) const = default;
};

std::string last_name(const std::string& class_name) {
  const std::size_t at = class_name.rfind("::");
  return at == class_name.npos ? class_name : class_name.substr(at + 2);
}

const Symbol* symbol_at(const Tables& tables, Address address) {
  const auto after = std::ranges::upper_bound(tables.symbols, address, {}, &Symbol::address);
  if (after == tables.symbols.begin()) return nullptr;
  const Symbol& symbol = *std::prev(after);
  return symbol.address == address || address - symbol.address < symbol.size ? &symbol : nullptr;
}

// "lru+64", "0x7ffc10"
std::string bare_name(const Tables& tables, Address address) {
  const Symbol* symbol = symbol_at(tables, address);
  if (symbol == nullptr) return fmt::format("{:#x}", address);
  if (symbol->address == address) return symbol->name;
  return fmt::format("{}+{}", symbol->name, address - symbol->address);
}

// What has a name that says little: locks without one, and the insides of library types.
class Nameless {
 public:
  explicit Nameless(const Tables& tables) : tables_(tables) {}

  void add_lock(Address lock) {
    if (symbol_at(tables_, lock) == nullptr) all_.insert(lock);
  }
  void add_access(Address address, SiteId id) {
    if (index(id) >= tables_.sites.size()) return;
    const Site& site = tables_.sites[index(id)];
    const Symbol* symbol = symbol_at(tables_, address);
    const bool named = symbol != nullptr && symbol->address == address;
    if (!named && is_library_code(site.class_name, "")) all_.insert(address);
  }
  void add(const FindingStep& step) {
    for (const Address lock : step.locks) add_lock(lock);
    if (payload_of(step.operation) == Payload::kLock) add_lock(step.address);
    if (is_access(step.operation)) add_access(step.address, step.where.site);
  }
  const std::set<Address>& all() const { return all_; }

 private:
  const Tables& tables_;
  std::set<Address> all_;
};

std::set<Object> objects_of(const std::vector<Finding>& findings, const Tables& tables) {
  std::set<Object> objects;
  for (const Finding& finding : findings) {
    for (const FindingStep& step : finding.steps) {
      if (!is_access(step.operation) || index(step.where.site) >= tables.sites.size()) continue;
      const Site& site = tables.sites[index(step.where.site)];
      const bool known =
          !site.class_name.empty() && !site.field.empty() && !is_library_code(site.class_name, "");
      if (!known || index(site.module) >= tables.modules.size()) continue;
      objects.insert({site.module, site.class_name, step.address - site.field_offset, site.field,
                      site.field_offset});
    }
  }
  return objects;
}

// Several classes may have this name: it is one in which the field stands where it was accessed.
bool fits(const ClassLayout& layout, const Object& object) {
  if (layout.name != last_name(object.class_name)) return false;
  if (object.field.empty()) return true;
  const Member* member = layout.member_at(object.offset);
  return member != nullptr &&
         (member->name == object.field || object.field.starts_with(member->name + "."));
}

// Those that may hold one of the addresses.
std::set<Object> objects_of(std::span<const Event> events, const std::set<Address>& inside,
                            const Tables& tables) {
  constexpr Address kLargest = 1 << 16;
  std::set<Object> objects;
  for (const Event& event : events) {
    if (event.kind != Kind::kCall || event.address == 0) continue;
    const auto first = inside.lower_bound(event.address);
    if (first == inside.end() || *first - event.address >= kLargest) continue;
    const Function& function = tables.functions.at(event.size);
    if (function.class_name.empty() || is_library_code(function.class_name, "")) continue;
    if (index(function.module) >= tables.modules.size()) continue;
    objects.insert({function.module, function.class_name, event.address, "", 0});
  }
  return objects;
}

void name_by(const std::set<Object>& objects, const std::set<Address>& nameless, Tables& tables) {
  if (nameless.empty()) return;
  std::map<ModuleId, std::set<std::string>> wanted;
  for (const Object& object : objects) wanted[object.module].insert(last_name(object.class_name));
  std::map<Address, std::set<std::string>> names;
  for (const auto& [module, classes] : wanted) {
    const auto layouts = class_layouts(tables.modules[index(module)].path, classes);
    for (const Object& object : objects) {
      for (const ClassLayout& layout : layouts) {
        if (object.module != module || !fits(layout, object)) continue;
        for (auto at = nameless.lower_bound(object.begin);
             at != nameless.end() && *at - object.begin < layout.size; ++at) {
          const Member* member = layout.member_at(*at - object.begin);
          if (member != nullptr) names[*at].insert(object.class_name + "::" + member->name);
        }
      }
    }
  }
  std::vector<Symbol> symbols;
  for (const auto& [address, called] : names) {
    if (called.size() != 1) continue;
    const std::string text = fmt::format("{} ({})", *called.begin(), bare_name(tables, address));
    symbols.push_back({address, 1, text});
  }
  tables.symbols.insert(tables.symbols.end(), symbols.begin(), symbols.end());
  std::ranges::stable_sort(tables.symbols, {}, &Symbol::address);
}

}  // namespace

void name_members(const std::vector<Finding>& findings, const std::vector<Address>& further,
                  Tables& tables) {
  Nameless nameless(tables);
  for (const Address lock : further) nameless.add_lock(lock);
  for (const Finding& finding : findings) {
    for (const FindingStep& step : finding.steps) nameless.add(step);
  }
  name_by(objects_of(findings, tables), nameless.all(), tables);
}

void name_members(std::span<const Event> events, Tables& tables) {
  Nameless nameless(tables);
  for (const Event& event : events) {
    if (event.kind == Kind::kAcquire) nameless.add_lock(event.address);
    if (is_access(event.kind)) nameless.add_access(event.address, event.site);
  }
  name_by(objects_of(events, nameless.all(), tables), nameless.all(), tables);
}

}  // namespace isosan
