#include "cli/options/sets_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <set>
#include <sstream>
#include <string_view>

#include "base/user_error.h"
#include "cli/options/analyses.h"
#include "cli/options/report_file.h"
#include "spec/toml_file.h"

namespace isosan {
namespace {

constexpr std::string_view kPreface =
    R"(# What marathon took for atomic sets and units of work. Edit it and give it back with --sets-from FILE.
#
# owned    Classes whose objects own all that their member functions allocate.
# [[set]]  Fields that belong together. One that is `inferred` only tells: delete that line, and the fields
#          (and globals) listed form a set apart from the rest of their object, one for each object, or with
#          across-objects = true one for all.
# [units]  true     as inferred
#          false    no unit of work: its accesses count for its caller
#          "all"    a unit of work on whatever it touches
#          ["Set"]  a unit of work on every set of these names (an object's set has its class's name)
)";

class SetsReader {
 public:
  explicit SetsReader(const std::string& path) : path_(path) {}

  marathon::SetRules read() {
    const toml::table root = read_toml(path_);
    for (const auto& [key, node] : root) {
      if (key.str() == "owned") {
        for (std::string& name : strings(node, "owned")) rules_.owning_classes.insert(name);
      } else if (key.str() == "set") {
        read_sets(node);
      } else if (key.str() == "units") {
        read_units(node);
      } else {
        fail(node, fmt::format("unknown section '{}'", key.str()));
      }
    }
    return std::move(rules_);
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    fail_in_toml(path_, node.source(), what);
  }

  std::vector<std::string> strings(const toml::node& node, std::string_view key) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node, fmt::format("'{}' must be a list of strings", key));
    std::vector<std::string> list;
    for (const toml::node& element : *array) {
      if (!element.is_string()) fail(element, fmt::format("'{}' takes strings", key));
      list.push_back(element.as_string()->get());
    }
    return list;
  }

  bool truth(const toml::node& node, std::string_view key) const {
    if (!node.is_boolean()) fail(node, fmt::format("'{}' is true or false", key));
    return node.as_boolean()->get();
  }

  void read_sets(const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node, "write sets as [[set]]");
    for (const toml::node& element : *array) {
      if (!element.is_table()) fail(element, "write sets as [[set]]");
      read_set(*element.as_table());
    }
  }

  void read_set(const toml::table& table) {
    marathon::NamedSet set;
    std::vector<std::string> fields;
    bool inferred = false;
    for (const auto& [key, node] : table) {
      if (key.str() == "name" && node.is_string()) {
        set.name = node.as_string()->get();
      } else if (key.str() == "fields") {
        fields = strings(node, "fields");
      } else if (key.str() == "inferred") {
        inferred = truth(node, "inferred");
      } else if (key.str() == "across-objects") {
        set.across_objects = truth(node, "across-objects");
      } else {
        fail(node, fmt::format("unknown key '{}' in [[set]]", key.str()));
      }
    }
    if (inferred) return;
    if (set.name.empty()) fail(table, "[[set]] needs a name");
    for (const std::string& field : fields) {
      rules_.globals[field] = set.name;
      const std::size_t at = field.rfind("::");
      if (at != std::string::npos) rules_.fields[{field.substr(0, at), field.substr(at + 2)}] = set;
    }
  }

  void read_units(const toml::node& node) {
    if (!node.is_table()) fail(node, "'units' must be a table");
    for (const auto& [key, value] : *node.as_table()) {
      const std::string name(key.str());
      if (value.is_boolean()) {
        if (!value.as_boolean()->get()) rules_.not_units.insert(name);
      } else if (value.is_string() && value.as_string()->get() == "all") {
        rules_.units.insert(name);
      } else if (value.is_array()) {
        for (std::string& set : strings(value, name)) rules_.unitfor[name].insert(set);
      } else {
        fail(value, fmt::format("'{}' is true, false, \"all\" or a list of sets", name));
      }
    }
  }

  const std::string& path_;
  marathon::SetRules rules_;
};

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

std::string list_of(const std::set<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(quoted(name));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

void SetOptions::declare(CLI::App& parser) {
  parser.add_option("--sets", print_to, "Write the atomic sets and units that marathon inferred")
      ->type_name("FILE");
  declare_reading(parser);
}

void SetOptions::declare_reading(CLI::App& parser) {
  parser
      .add_option("--sets-from", read_from,
                  "Atomic sets and units for marathon (docs/analyses/marathon.md)")
      ->type_name("FILE");
}

void SetOptions::refuse_without_marathon(const std::string& analyses) const {
  if ((print_to.empty() && read_from.empty()) || needs_of(analyses).some.units) return;
  throw UserError("--sets and --sets-from are for marathon: add --analysis marathon");
}

marathon::SetRules read_sets_file(const std::string& path) { return SetsReader(path).read(); }

marathon::SetRules SetOptions::rules() const {
  return read_from.empty() ? marathon::SetRules{} : read_sets_file(read_from);
}

std::string sets_file(const InferredSets& sets) {
  std::string text(kPreface);
  text += "\nowned = []\n";
  std::set<std::string> units;
  for (const auto& [name, set] : sets) {
    units.insert(set.units.begin(), set.units.end());
    if (name.empty() || set.fields.empty()) continue;
    text += fmt::format("\n[[set]]\nname = {}\ninferred = true\nfields = {}\n", quoted(name),
                        list_of(set.fields));
    if (!set.units.empty()) text += fmt::format("# units: {}\n", fmt::join(set.units, ", "));
  }
  text += "\n[units]\n";
  for (const std::string& unit : units) text += fmt::format("{} = true\n", quoted(unit));
  return text;
}

void write_sets_file(const SetOptions& options, const InferredSets* sets) {
  if (options.print_to.empty() || sets == nullptr) return;
  write_report(options.print_to, sets_file(*sets));
}

}  // namespace isosan
