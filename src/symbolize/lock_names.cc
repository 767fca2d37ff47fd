#include "symbolize/lock_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <string>

#include "symbolize/class_layouts.h"

namespace isosan {
namespace {

struct Object {
  ModuleId module{};
  std::string class_name;
  Address begin = 0;
  std::string field;  // of the access that shows it, with its offset
  std::uint32_t offset = 0;

  auto operator<=>(const Object&) const = default;
};

std::string last_name(const std::string& class_name) {
  const std::size_t at = class_name.rfind("::");
  return at == class_name.npos ? class_name : class_name.substr(at + 2);
}

bool has_name(const Tables& tables, Address address) {
  const auto after = std::ranges::upper_bound(tables.symbols, address, {}, &Symbol::address);
  if (after == tables.symbols.begin()) return false;
  const Symbol& symbol = *std::prev(after);
  return symbol.address == address || address - symbol.address < symbol.size;
}

std::set<Address> nameless_locks(const std::vector<Finding>& findings,
                                 const std::vector<Address>& further, const Tables& tables) {
  std::set<Address> locks(further.begin(), further.end());
  for (const Finding& finding : findings) {
    for (const FindingStep& step : finding.steps) {
      locks.insert(step.locks.begin(), step.locks.end());
      if (payload_of(step.operation) == Payload::kLock) locks.insert(step.address);
    }
  }
  std::erase_if(locks, [&](Address lock) { return has_name(tables, lock); });
  return locks;
}

std::set<Object> objects_of(const std::vector<Finding>& findings, const Tables& tables) {
  std::set<Object> objects;
  for (const Finding& finding : findings) {
    for (const FindingStep& step : finding.steps) {
      if (!is_access(step.operation) || index(step.where.site) >= tables.sites.size()) continue;
      const Site& site = tables.sites[index(step.where.site)];
      const bool known = !site.class_name.empty() && !site.field.empty();
      if (!known || index(site.module) >= tables.modules.size()) continue;
      objects.insert({site.module, site.class_name, step.address - site.field_offset, site.field,
                      site.field_offset});
    }
  }
  return objects;
}

// Several classes may have this name: it is one in which the field stands where it was accessed.
bool fits(const ClassLayout& layout, const Object& object) {
  const Member* member = layout.member_at(object.offset);
  return layout.name == last_name(object.class_name) && member != nullptr &&
         (member->name == object.field || object.field.starts_with(member->name + "."));
}

}  // namespace

void name_locks(const std::vector<Finding>& findings, const std::vector<Address>& further,
                Tables& tables) {
  const std::set<Address> locks = nameless_locks(findings, further, tables);
  if (locks.empty()) return;
  const std::set<Object> objects = objects_of(findings, tables);
  std::map<ModuleId, std::set<std::string>> wanted;
  for (const Object& object : objects) wanted[object.module].insert(last_name(object.class_name));
  std::map<Address, std::set<std::string>> names;
  for (const auto& [module, classes] : wanted) {
    const auto layouts = class_layouts(tables.modules[index(module)].path, classes);
    for (const Object& object : objects) {
      for (const ClassLayout& layout : layouts) {
        if (object.module != module || !fits(layout, object)) continue;
        for (auto lock = locks.lower_bound(object.begin);
             lock != locks.end() && *lock - object.begin < layout.size; ++lock) {
          const Member* member = layout.member_at(*lock - object.begin);
          if (member != nullptr) names[*lock].insert(object.class_name + "::" + member->name);
        }
      }
    }
  }
  for (const auto& [lock, called] : names) {
    if (called.size() == 1)
      tables.symbols.push_back({lock, 1, fmt::format("{} ({:#x})", *called.begin(), lock)});
  }
  std::ranges::stable_sort(tables.symbols, {}, &Symbol::address);
}

}  // namespace isosan
