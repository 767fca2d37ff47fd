#include "suite/findings/baseline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "spec/toml_file.h"

namespace isosan::suite {
namespace {

std::string text_in(const std::string& path, const toml::table& entry, std::string_view key) {
  const toml::node* node = entry.get(key);
  if (node == nullptr || !node->is_string()) {
    fail_in_toml(path, node == nullptr ? entry.source() : node->source(),
                 "a known finding needs '" + std::string(key) + "', a text");
  }
  return node->as_string()->get();
}

Known known_in(const std::string& path, const toml::table& entry) {
  for (const auto& [key, node] : entry) {
    const std::string_view name = key.str();
    if (name != "kind" && name != "function" && name != "of" && name != "reason")
      fail_in_toml(path, node.source(),
                   "unknown key of a known finding: '" + std::string(name) + "'");
  }
  Cause cause{text_in(path, entry, "kind"), text_in(path, entry, "function"),
              text_in(path, entry, "of")};
  if (std::ranges::find(kCauseKinds, cause.kind) == std::end(kCauseKinds))
    fail_in_toml(path, entry.get("kind")->source(), "unknown kind of finding '" + cause.kind + "'");
  return {cause, entry.contains("reason") ? text_in(path, entry, "reason") : ""};
}

std::vector<Cause> causes_of(const std::vector<Known>& known) {
  std::vector<Cause> causes;
  for (const Known& one : known) causes.push_back(one.cause);
  return causes;
}

bool has(const std::vector<Cause>& causes, const Cause& one) {
  return std::ranges::find(causes, one) != causes.end();
}

std::vector<Cause> causes_of(const SuiteResult& result) {
  std::vector<Cause> causes;
  for (const MergedFinding& one : result.findings) causes.push_back(one.cause);
  return causes;
}

}  // namespace

std::vector<Known> read_baseline(const std::string& path) {
  const toml::table root = read_toml(path);
  std::vector<Known> known;
  for (const auto& [key, node] : root) {
    if (key.str() != "known" || !node.is_array_of_tables())
      fail_in_toml(path, node.source(), "a baseline has [[known]] entries only");
    for (const toml::node& entry : *node.as_array())
      known.push_back(known_in(path, *entry.as_table()));
  }
  return known;
}

std::string baseline_of(const SuiteResult& result, const std::vector<Known>& known) {
  std::map<Cause, std::string> reasons;  // of all that is written
  for (const Cause& cause : causes_of(result)) reasons[cause];
  for (const Known& one : known)
    if (result.is_part() || reasons.contains(one.cause)) reasons[one.cause] = one.reason;
  std::ostringstream text;
  text << "# Findings of 'isosan test' that are known (--baseline). A 'reason' may be added.\n";
  for (const auto& [cause, reason] : reasons) {
    text << "\n[[known]]\n"
         << "kind = " << toml::value<std::string>(cause.kind) << "\n"
         << "function = " << toml::value<std::string>(cause.function) << "\n"
         << "of = " << toml::value<std::string>(cause.of) << "\n";
    if (!reason.empty()) text << "reason = " << toml::value<std::string>(reason) << "\n";
  }
  return text.str();
}

void compare(SuiteResult& result, const std::vector<Known>& known) {
  const std::vector<Cause> before = causes_of(known), found = causes_of(result);
  for (MergedFinding& one : result.findings) one.is_new = !has(before, one.cause);
  result.gone.clear();
  if (result.is_part()) return;
  std::ranges::copy_if(before, std::back_inserter(result.gone),
                       [&](const Cause& cause) { return !has(found, cause); });
}

Difference difference(const SuiteResult& before, const SuiteResult& after) {
  const std::vector<Cause> old = causes_of(before), now = causes_of(after);
  Difference difference;
  for (const Cause& cause : old) {
    (has(now, cause) ? difference.stayed : difference.gone).push_back(cause);
  }
  std::ranges::copy_if(now, std::back_inserter(difference.added),
                       [&](const Cause& cause) { return !has(old, cause); });
  return difference;
}

}  // namespace isosan::suite
