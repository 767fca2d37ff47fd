// The rules that apply: the user's first, then those of the source's annotations. Tables and
// annotations grow while the program loads modules.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "analysis/marathon/set_rules.h"
#include "event/tables.h"

namespace isosan::marathon {

class RuleBook {
 public:
  RuleBook(const Tables& tables, SetRules rules) : tables_(tables), rules_(std::move(rules)) {}

  const SetRules& rules() {
    if (read_ != tables_.annotations.size()) [[unlikely]]
      read_annotations();
    return rules_;
  }

 private:
  void read_annotations() {
    for (; read_ < tables_.annotations.size(); ++read_) add(tables_.annotations[read_]);
  }

  void add(const DataAnnotation& said) {
    constexpr std::string_view kSet = "isosan:atomic_set:";
    if (said.text.starts_with(kSet)) {
      const std::string name = said.text.substr(kSet.size());
      if (!said.symbol.empty()) rules_.globals.try_emplace(said.symbol, name);
      if (!said.field.empty()) {
        rules_.fields.try_emplace({said.class_name, said.field}, NamedSet{name, false});
      }
    } else if (said.text == "isosan:owned" && !said.class_name.empty()) {
      rules_.owning_classes.insert(said.class_name);
    } else if (said.text == "isosan:unitfor" && !said.class_name.empty()) {
      rules_.unitfor[said.function].insert(said.class_name);
    }
  }

  const Tables& tables_;
  SetRules rules_;
  std::size_t read_ = 0;
};

}  // namespace isosan::marathon
