// What a finding of one run says, whichever analysis made it: a view of its JSON (json.md).
//
// Law: no name has an address, a line or a thread number in it, so that the same bug gives the same
// names in every run and in every build. Lines of one finding are compared with each other only.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace isosan::suite {

using Json = nlohmann::ordered_json;

// "shop::Cart::sum_ (0x7ffe)" and "sum+4" without what changes from run to run; empty: no name.
std::string variable_in(const std::string& operand);
// "shop::Cart" of "shop::Cart::add"; empty: the name stands alone.
std::string class_of(const std::string& name);
// The name without what it is in: "add".
std::string last_name(const std::string& name);

// A frame of the program's own code, not of a library's.
bool is_own(const Json& frame);

// The steps of a finding that say what went wrong: those with a role or an edge, or else all.
std::vector<const Json*> telling_steps(const Json& finding);
// Of a hang in which nobody waits for a lock of another: the last thing that a thread did which is
// no join; null: it is no such finding.
const Json* last_before_hang(const Json& finding);
// Named variables that those steps touch.
std::set<std::string> variables_of(const Json& finding);
// The innermost own function that the step happened in; empty: there is none.
std::string function_of(const Json& finding, const Json& step);
// What is blamed, as the telling steps show it. If several transactions are, it is the first.
struct Torn {
  const Json* first = nullptr;  // its first step and its last one; null: there is none, or only one
  const Json* last = nullptr;
  std::vector<const Json*> others;  // steps of other transactions
};
Torn torn(const Json& finding);
// The function that is not atomic: the innermost call that is around both of its steps; empty: they
// are not known.
std::string torn_function(const Json& finding);
// Where a step happened in the program's own code: a place as in the JSON report.
Json own_place(const Json& finding, const Json& step);
// The same in this function: where it calls what the step happened in.
Json place_in(const Json& finding, const Json& step, const std::string& function);

}  // namespace isosan::suite
