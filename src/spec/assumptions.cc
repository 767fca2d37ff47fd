#include "spec/assumptions.h"

#include <algorithm>
#include <iterator>

#include "spec/glob.h"

namespace isosan {
namespace {

using Globs = std::vector<std::string>;

std::string field_name(const Site& site) {
  return site.field.empty() ? std::string() : site.class_name + "::" + site.field;
}

// "FILE:LINE", where FILE is the site's or its last parts.
bool is_at(const Site& site, const std::string& line) {
  const std::string at = site.file + ":" + std::to_string(site.line);
  return !site.file.empty() && (at == line || at.ends_with("/" + line));
}

}  // namespace

bool Assumptions::has_no_warn_line(const Site& site) const {
  return std::ranges::any_of(no_warn_lines,
                             [&](const std::string& line) { return is_at(site, line); });
}

bool Assumptions::covers(const Function& function) const {
  return any_matches(atomic, function.name) || any_matches(mover, function.name) ||
         any_matches(no_warn, function.name);
}

void Assumptions::annotate(Tables& tables, std::size_t first_function,
                           std::size_t first_site) const {
  for (std::size_t i = first_function; i < tables.functions.size(); ++i) {
    Function& function = tables.functions[i];
    if (any_matches(atomic, function.name)) function.annotations |= kAnnotatedAssumeAtomic;
    if (any_matches(mover, function.name)) function.annotations |= kAnnotatedAssumeMover;
    if (any_matches(no_warn, function.name)) function.annotations |= kAnnotatedNoWarn;
    if (any_matches(split_at_wait, function.name)) function.annotations |= kAnnotatedSplitAtWait;
  }
  for (std::size_t i = first_site; i < tables.sites.size(); ++i) {
    const std::string name = field_name(tables.sites[i]);
    if (!name.empty() && any_matches(guarded, name)) tables.sites[i].assume_guarded = true;
  }
}

void Assumptions::annotate(std::vector<Symbol>& globals) const {
  for (Symbol& global : globals) global.assume_guarded = any_matches(guarded, global.name);
}

Globs Assumptions::unmatched_functions(const std::vector<Function>& functions) const {
  Globs result;
  for (const Globs* globs : {&atomic, &mover, &no_warn, &split_at_wait}) {
    std::copy_if(
        globs->begin(), globs->end(), std::back_inserter(result), [&](const std::string& glob) {
          return std::none_of(functions.begin(), functions.end(),
                              [&](const Function& f) { return glob_matches(glob, f.name); });
        });
  }
  return result;
}

std::vector<std::string> Assumptions::unmatched_lines(const Tables& tables) const {
  std::vector<std::string> result;
  std::ranges::copy_if(no_warn_lines, std::back_inserter(result), [&](const std::string& line) {
    return std::ranges::none_of(tables.sites, [&](const Site& site) { return is_at(site, line); });
  });
  return result;
}

Globs Assumptions::unmatched_data(const Tables& tables) const {
  Globs result;
  std::ranges::copy_if(guarded, std::back_inserter(result), [&](const std::string& glob) {
    const auto matches = [&](const std::string& name) { return glob_matches(glob, name); };
    return std::ranges::none_of(tables.sites, matches, field_name) &&
           std::ranges::none_of(tables.symbols, matches, &Symbol::name);
  });
  return result;
}

}  // namespace isosan
