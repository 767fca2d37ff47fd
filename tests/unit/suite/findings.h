// Findings of one run as the JSON reports have them, for tests of what is made of them.
#pragma once

#include <string>
#include <vector>

#include "suite/findings/merge.h"

namespace isosan::suite {

constexpr int kOuterLine = 100;  // where the outermost function calls the others

struct Step {
  int thread = 1;
  std::string operation = "read";
  std::string operand;
  std::vector<std::string> functions;  // innermost first
  int line = 1;
  std::string role;
};

// The first thread's transaction is blamed. Steps without roles have an edge from each to the next.
inline Json finding(const std::string& analysis, const std::string& kind,
                    const std::vector<Step>& steps, bool blames = true) {
  Json json{
      {"analysis", analysis},
      {"kind", kind},
      {"region", ""},
      {"message", "why"},
      {"times", 1},
      {"threads", Json::array()},
      {"edges", Json::array()},
      {"notes", Json::array()},
      {"stacks", Json::array()},
      {"transactions", {{{"thread", 1}, {"blamed", blames}}, {{"thread", 2}, {"blamed", false}}}},
      {"steps", Json::array()}};
  for (const Step& step : steps) {
    Json stack = Json::array();
    for (const std::string& function : step.functions) {
      const bool outermost = stack.size() > 0 && stack.size() + 1 == step.functions.size();
      stack.push_back({{"function", function},
                       {"file", "/src/shop.cc"},
                       {"line", outermost ? kOuterLine : step.line}});
    }
    Json one{{"thread", step.thread},       {"transaction", step.thread == 1 ? 0 : 1},
             {"operation", step.operation}, {"operand", step.operand},
             {"place", stack.front()},      {"stack", json["stacks"].size()}};
    if (!step.role.empty()) one["role"] = step.role;
    json["stacks"].push_back(stack);
    json["steps"].push_back(one);
  }
  for (std::size_t i = 1; i < steps.size() && steps[0].role.empty(); ++i)
    json["edges"].push_back({{"from", i - 1}, {"to", i}, {"reason", "data"}});
  return json;
}

// order() of class Inventory is torn apart.
inline Json inventory_cycle(int line = 7, const std::string& address = "0x10") {
  const std::string stock = "shop::Inventory::stock_ (" + address + ")";
  return finding("velodrome", "atomicity-violation",
                 {{1,
                   "read",
                   stock,
                   {"shop::Inventory::stock", "shop::Inventory::order", "main::lambda"},
                   line},
                  {2, "write", stock, {"shop::Inventory::order", "main::lambda"}, line + 6},
                  {1, "write", stock, {"shop::Inventory::order", "main::lambda"}, line + 6}});
}

// What hunt says of the same, where it knows no more than that the test fails.
inline Json failure(const std::string& text = "exit status 1") {
  Json json = finding("hunt", "atomicity-violation",
                      {{1, "fork", "T2", {"std::thread::thread", "test_body"}, 3}}, false);
  json["failure"] = {{"text", text}, {"errors", ""}, {"output", "x.cc:3: Failure\n  one\n\nmore"}};
  return json;
}

inline Sighting failed(const std::string& test, const std::vector<Json>& explanations,
                       const Json& own = failure()) {
  return {test, own, explanations, "exit status 1", "/s/" + test + ".schedule", "isosan replay x"};
}
inline Sighting seen(const std::string& test, const Json& own) {
  return {test, own, {}, "", "", ""};
}

}  // namespace isosan::suite
