#include "spec/spec_file.h"

#include <toml++/toml.h>

#include <initializer_list>
#include <string_view>
#include <utility>

#include "spec/glob.h"
#include "spec/toml_file.h"

namespace isosan {
namespace {

class SpecReader {
 public:
  explicit SpecReader(const std::string& path) : path_(path) {}

  SpecFile read() {
    toml::table root = read_toml(path_);
    for (const auto& [key, node] : root) read_section(key.str(), node);
    return std::move(spec_);
  }

 private:
  [[noreturn]] void fail(const toml::source_region& where, const std::string& what) const {
    fail_in_toml(path_, where, what);
  }

  void read_section(std::string_view name, const toml::node& node) {
    if (name == "suppress") return read_suppressions(node);
    const toml::table* table = node.as_table();
    if (table == nullptr) fail(node.source(), "'" + std::string(name) + "' must be a table");
    if (name == "atomic") return read_rules(*table, spec_.rules.atomic);
    if (name == "not-atomic") return read_rules(*table, spec_.rules.not_atomic);
    if (name == "deterministic") return read_rules(*table, spec_.rules.deterministic);
    if (name == "assume") {
      return read_lists(*table, {{"atomic", &spec_.assume.atomic},
                                 {"mover", &spec_.assume.mover},
                                 {"no-warn", &spec_.assume.no_warn},
                                 {"no-warn-lines", &spec_.assume.no_warn_lines},
                                 {"split-at-wait", &spec_.assume.split_at_wait},
                                 {"guarded", &spec_.assume.guarded}});
    }
    fail(node.source(), "unknown section '" + std::string(name) + "'");
  }

  // functions = globs; classes = globs whose members are meant.
  void read_rules(const toml::table& table, std::vector<std::string>& globs) {
    std::vector<std::string> classes;
    read_lists(table, {{"functions", &globs}, {"classes", &classes}});
    for (const std::string& name : classes) globs.push_back(name + "::*");
  }

  using Lists = std::initializer_list<std::pair<std::string_view, std::vector<std::string>*>>;
  void read_lists(const toml::table& table, Lists lists) {
    for (const auto& [key, node] : table) {
      std::vector<std::string>* list = nullptr;
      for (const auto& [name, target] : lists) {
        if (key.str() == name) list = target;
      }
      if (list == nullptr) fail(node.source(), "unknown key '" + std::string(key.str()) + "'");
      const toml::array* array = node.as_array();
      if (array == nullptr)
        fail(node.source(), "'" + std::string(key.str()) + "' must be a list of strings");
      for (const toml::node& element : *array) list->push_back(string_of(element, key.str()));
    }
  }

  std::string string_of(const toml::node& node, std::string_view key) const {
    const auto* text = node.as_string();
    if (text == nullptr) fail(node.source(), "'" + std::string(key) + "' takes strings");
    return text->get();
  }

  void read_suppressions(const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node.source(), "write suppressions as [[suppress]]");
    for (const toml::node& element : *array) {
      const toml::table* table = element.as_table();
      if (table == nullptr) fail(element.source(), "write suppressions as [[suppress]]");
      spec_.suppressions.push_back(suppression_of(*table));
    }
  }

  Suppression suppression_of(const toml::table& table) const {
    Suppression result;
    for (const auto& [key, node] : table) {
      std::string* field = key.str() == "region"     ? &result.region
                           : key.str() == "class"    ? &result.class_name
                           : key.str() == "file"     ? &result.file
                           : key.str() == "analysis" ? &result.analysis
                           : key.str() == "reason"   ? &result.reason
                                                     : nullptr;
      if (field == nullptr)
        fail(node.source(), "unknown key '" + std::string(key.str()) + "' in [[suppress]]");
      *field = string_of(node, key.str());
    }
    if (!table.contains("region") && !table.contains("class") && !table.contains("file"))
      fail(table.source(), "[[suppress]] needs a region, a class or a file");
    if (result.reason.empty()) fail(table.source(), "[[suppress]] needs a reason");
    return result;
  }

  const std::string& path_;
  SpecFile spec_;
};

}  // namespace

SpecFile read_spec_file(const std::string& path) { return SpecReader(path).read(); }

std::string name_of(const Suppression& rule) {
  if (rule.region != "*") return "region '" + rule.region + "'";
  if (rule.class_name != "*") return "class '" + rule.class_name + "'";
  return "file '" + rule.file + "'";
}

namespace {

// What a rule is held against.
struct Blamed {
  std::string_view analysis, region, class_name, file;
};

bool matches_file(const std::string& glob, std::string_view file) {
  return glob_matches(glob, file) || glob_matches("*/" + glob, file);
}

bool covers(const Suppression& rule, const Blamed& blamed) {
  return glob_matches(rule.region, blamed.region) && glob_matches(rule.analysis, blamed.analysis) &&
         glob_matches(rule.class_name, blamed.class_name) && matches_file(rule.file, blamed.file);
}

Blamed blamed_of(std::string_view analysis, RegionId id, const Tables& tables) {
  const Region& region = tables.regions.at(index(id));
  const Function& function = tables.functions.at(index(region.function));
  return {analysis, region.name, function.class_name, function.file};
}

}  // namespace

bool covers(const Suppression& rule, const std::string& analysis, RegionId region,
            const Tables& tables) {
  return covers(rule, blamed_of(analysis, region, tables));
}

const Suppression* suppress(std::vector<Suppression>& suppressions, const Finding& finding,
                            const Tables& tables) {
  Blamed blamed = blamed_of(finding.analysis, finding.region, tables);
  if (!finding.subject.empty()) blamed.region = blamed.class_name = finding.subject;
  for (Suppression& rule : suppressions) {
    if (!covers(rule, blamed)) continue;
    ++rule.used;
    return &rule;
  }
  return nullptr;
}

}  // namespace isosan
