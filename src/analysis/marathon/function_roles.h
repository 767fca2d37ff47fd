// What a function is for marathon, from its name, class, accessibility and annotations; decided
// once per function (4.1).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "analysis/marathon/rule_book.h"
#include "analysis/marathon/set_model.h"
#include "event/tables.h"

namespace isosan::marathon {

struct FunctionRole {
  bool decided = false;
  bool unit_on_object = false;    // public or protected member: a unit of work on its object's set
  bool unit_on_class = false;     // non-private member: a unit of work on its class's static set
  bool unit_on_all = false;       // declared a unit: works on whatever it touches
  bool transparent = false;       // declared not a unit: its accesses count for its caller
  bool accessor = false;          // a getter or setter: its access is its caller's
  bool library = false;           // std:: code: acts on behalf of its caller
  bool uses_its_members = false;  // ... and nothing else outside its object (pass/code/members.h)
  bool own_part = false;          // private member: on its own object it acts for its caller
  bool constructor = false;
  bool destructor = false;
  bool entry = false;  // main, or what a thread is started with
  bool entry_if_first =
      false;  // the pass has not seen it: the first function of a thread is its entry
  NameId class_name{};
  std::uint64_t class_size = 0;
  // Names of sets that it was recently described for as a unit.
  mutable std::array<NameId, 4> described_for{};
  // Has its class static members? As far as the tables have grown.
  bool has_statics(SetModel& model) const {
    if (statics_read != model.symbols()) [[unlikely]] {
      statics_read = model.symbols();
      statics = model.has_statics(class_name);
    }
    return statics;
  }
  mutable std::size_t statics_read = ~std::size_t{0};
  mutable bool statics = false;
  // Names of the sets that it was declared a unit of work on; null: none.
  const absl::flat_hash_set<std::string>* unitfor = nullptr;
};

class FunctionRoles {
 public:
  FunctionRoles(const Tables& tables, RuleBook& book, SetModel& model)
      : tables_(tables), book_(book), model_(model) {}

  const FunctionRole& of(FunctionId function) {
    while (index(function) >= roles_.size()) roles_.emplace_back();
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
  std::deque<FunctionRole> roles_;  // by FunctionId; a deque: frames refer to them
};

// Is every access in a call of it, or further in, part of some unit, whatever its set? No for
// functions that act for their caller, main and thread entries; and for constructors and
// destructors: each of their calls must be logged, because an object begins or ends. Yes for
// private members called from within units; elsewhere the runtime treats them like entries
// (calls/call_stack.cc). (Functions nested in a set's class act for their callers, too; here only
// the sets that the user names are known.)
bool is_within_units(const FunctionRole& role, const Function& function, const SetRules& rules);

// Is a function of this class nested in `outer` (an iterator, a lambda, an inner class)?
bool is_nested_in(const Function& function, std::string_view outer);

}  // namespace isosan::marathon
