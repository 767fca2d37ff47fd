// What a function is for marathon, from its name, class, accessibility and annotations; decided
// once per function (4.1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/marathon/rule_book.h"
#include "analysis/marathon/set_model.h"
#include "event/tables.h"

namespace isosan::marathon {

struct FunctionRole {
  bool decided = false;
  bool unit_on_object = false;  // public or protected member: a unit of work on its object's set
  bool unit_on_class = false;   // non-private member: a unit of work on its class's static set
  bool unit_on_all = false;     // declared a unit: works on whatever it touches
  bool transparent = false;     // declared not a unit: its accesses count for its caller
  bool library = false;         // std:: code: acts on behalf of its caller
  bool constructor = false;
  bool destructor = false;
  bool main = false;
  NameId class_name{};
  std::uint64_t class_size = 0;
  // Names of the sets that it was declared a unit of work on; null: none.
  const absl::flat_hash_set<std::string>* unitfor = nullptr;
};

class FunctionRoles {
 public:
  FunctionRoles(const Tables& tables, RuleBook& book, SetModel& model)
      : tables_(tables), book_(book), model_(model) {}

  const FunctionRole& of(FunctionId function) {
    if (index(function) >= roles_.size()) roles_.resize(index(function) + 1);
    FunctionRole& role = roles_[index(function)];
    if (!role.decided) [[unlikely]]
      role = decide(function);
    return role;
  }

 private:
  FunctionRole decide(FunctionId function);

  const Tables& tables_;
  RuleBook& book_;
  SetModel& model_;
  std::vector<FunctionRole> roles_;  // by FunctionId
};

// Is a function of this class nested in `outer` (an iterator, a lambda, an inner class)?
bool is_nested_in(const Function& function, std::string_view outer);

}  // namespace isosan::marathon
