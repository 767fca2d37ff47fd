#include "hunt/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hunt/site_key.h"
#include "report/names.h"
#include "symbolize/resolve.h"

namespace isosan {

void Sequences::feed(std::span<const Event> batch) {
  for (const Event& event : batch) {
    if (index(event.thread) >= by_thread_.size()) by_thread_.resize(index(event.thread) + 1);
    Sequence& mine = by_thread_[index(event.thread)];
    if (event.kind == Kind::kThreadEnd) mine.ended = true;
    if (is_operation(event.kind)) mine.operations.push_back({event.site, event.kind});
  }
}

void Sequences::finish(const Tables& tables) {
  tables_ = tables;
  for (std::size_t thread = 0; thread < by_thread_.size(); ++thread) {
    if (thread >= tables.threads.size()) break;
    by_path_[tables.threads[thread].birth_path] = std::move(by_thread_[thread]);
  }
  by_thread_.clear();
  for (const Site& site : tables.sites) keys_.push_back(key_of(site));
}

std::uint64_t Sequences::key(const Operation& operation) const {
  const std::size_t site = index(operation.site);
  return (site < keys_.size() ? keys_[site] : 0) * 31 + static_cast<std::uint64_t>(operation.kind);
}

std::string Sequences::describe(const Sequence& sequence, std::size_t at) const {
  const std::vector<Operation>& all = sequence.operations;
  if (at >= all.size()) return sequence.ended ? "its end" : "nothing more";
  Tables tables = tables_;
  resolve_places({}, {Where{0, {}, all[at].site, {}}}, tables);
  const Place place = Names(tables).place(all[at].site);
  return fmt::format("{}{}", name_of(all[at].kind),
                     place.known() ? " at " + to_string(place) : std::string());
}

const Sequences::Sequence Sequences::kNone;

const Sequences::Sequence& Sequences::of(const std::string& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? kNone : found->second;
}

std::optional<Divergence> Sequences::divergence(const Sequences& other) const {
  std::set<std::string> paths;
  for (const auto& [path, sequence] : by_path_) paths.insert(path);
  for (const auto& [path, sequence] : other.by_path_) paths.insert(path);
  std::optional<Divergence> stopped;
  for (const std::string& path : paths) {
    const Sequence& mine = of(path);
    const Sequence& theirs = other.of(path);
    const auto [here, there] = std::ranges::mismatch(
        mine.operations, theirs.operations,
        [&](const Operation& a, const Operation& b) { return key(a) == other.key(b); });
    const auto at = static_cast<std::size_t>(here - mine.operations.begin());
    const bool over = here == mine.operations.end();
    const bool their_over = there == theirs.operations.end();
    if (over && their_over) continue;
    const Divergence divergence{path, at, describe(mine, at), other.describe(theirs, at)};
    const bool only_stopped = (over && !mine.ended) || (their_over && !theirs.ended);
    if (!only_stopped) return divergence;
    if (!stopped) stopped = divergence;
  }
  return stopped;
}

}  // namespace isosan
