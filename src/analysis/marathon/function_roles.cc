#include "analysis/marathon/function_roles.h"

#include "event/found_by_pass.h"

namespace isosan::marathon {
namespace {

std::string_view last_component(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

bool is_library(std::string_view name) {
  return name.starts_with("std::") || name.starts_with("__gnu_cxx::");
}

}  // namespace

FunctionRole FunctionRoles::decide(FunctionId id) {
  FunctionRole role{.decided = true};
  if (index(id) >= tables_.functions.size()) return role;
  const Function& function = tables_.functions[index(id)];
  const SetRules& rules = book_.rules();
  role.library = is_library(function.name);
  role.entry = function.thread_entry || function.name == "main";
  role.entry_if_first = function.pc != 0;
  role.class_name = model_.names().id_of(function.class_name);
  role.class_size = model_.size_of(role.class_name);
  const std::string_view own = last_component(function.name);
  const std::string_view of_class = last_component(function.class_name);
  role.constructor = !of_class.empty() && own == of_class && own != "lambda";
  role.destructor = !of_class.empty() && own.starts_with('~');
  role.transparent =
      (function.annotations & kAnnotatedNotUnit) != 0 || rules.not_units.contains(function.name);
  role.unit_on_all = !role.transparent && ((function.annotations & kAnnotatedUnit) != 0 ||
                                           rules.units.contains(function.name));
  role.accessor = !role.unit_on_all && (function.annotations & kLockedAccessor) != 0;
  role.uses_its_members = (function.annotations & kUsesItsMembers) != 0;
  const bool plain_member = !function.class_name.empty() && !role.library && !role.transparent &&
                            !role.accessor && !role.constructor && !role.destructor;
  const bool accessible = function.accessibility == Accessibility::kPublic ||
                          function.accessibility == Accessibility::kProtected;
  role.unit_on_object = plain_member && accessible;
  role.own_part =
      plain_member && function.accessibility == Accessibility::kPrivate && !role.unit_on_all;
  role.unit_on_class = plain_member && function.accessibility != Accessibility::kPrivate;
  for (const std::string& name : {function.name, function.linkage_name}) {
    const auto found = rules.unitfor.find(name);
    if (found != rules.unitfor.end() && !role.transparent && !role.entry)
      role.unitfor = &found->second;
  }
  return role;
}

bool is_within_units(const FunctionRole& role, const Function& function, const SetRules& rules) {
  if (role.library || role.transparent || role.accessor || role.entry || role.constructor ||
      role.destructor) {
    return false;
  }
  for (const auto& [field, set] : rules.fields) {
    if (is_nested_in(function, set.name)) return false;
  }
  for (const auto& [symbol, set] : rules.globals) {
    if (is_nested_in(function, set)) return false;
  }
  return true;
}

bool is_nested_in(const Function& function, std::string_view outer) {
  if (function.class_name == outer) return false;
  const std::string_view name = function.name;
  return name.size() > outer.size() + 2 && name.starts_with(outer) &&
         name.substr(outer.size(), 2) == "::";
}

}  // namespace isosan::marathon
