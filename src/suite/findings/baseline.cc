#include "suite/findings/baseline.h"

#include <algorithm>
#include <iterator>
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

Cause known_in(const std::string& path, const toml::table& entry) {
  for (const auto& [key, node] : entry) {
    const std::string_view name = key.str();
    if (name != "kind" && name != "function" && name != "of" && name != "reason")
      fail_in_toml(path, node.source(), "no line of a known finding: '" + std::string(name) + "'");
  }
  Cause cause{text_in(path, entry, "kind"), text_in(path, entry, "function"),
              text_in(path, entry, "of")};
  if (std::ranges::find(kCauseKinds, cause.kind) == std::end(kCauseKinds))
    fail_in_toml(path, entry.get("kind")->source(), "no kind of finding: '" + cause.kind + "'");
  return cause;
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

std::vector<Cause> read_baseline(const std::string& path) {
  const toml::table root = read_toml(path);
  std::vector<Cause> known;
  for (const auto& [key, node] : root) {
    if (key.str() != "known" || !node.is_array_of_tables())
      fail_in_toml(path, node.source(), "a baseline has [[known]] entries only");
    for (const toml::node& entry : *node.as_array())
      known.push_back(known_in(path, *entry.as_table()));
  }
  return known;
}

std::string baseline_of(const SuiteResult& result) {
  std::vector<Cause> causes = causes_of(result);
  std::ranges::sort(causes);
  std::ostringstream text;
  text << "# Findings of 'isosan test' that are known (--baseline). A 'reason' may be added.\n";
  for (const Cause& cause : causes) {
    text << "\n[[known]]\n"
         << "kind = " << toml::value<std::string>(cause.kind) << "\n"
         << "function = " << toml::value<std::string>(cause.function) << "\n"
         << "of = " << toml::value<std::string>(cause.of) << "\n";
  }
  return text.str();
}

void compare(SuiteResult& result, const std::vector<Cause>& known) {
  for (MergedFinding& one : result.findings) one.is_new = !has(known, one.cause);
  result.gone.clear();
  if (!result.complete) return;
  const std::vector<Cause> found = causes_of(result);
  std::ranges::copy_if(known, std::back_inserter(result.gone),
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
