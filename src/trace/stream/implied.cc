#include "trace/stream/implied.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace isosan {

namespace {
template <class T>
std::uint32_t append(std::vector<T>& table, T entry) {
  table.push_back(std::move(entry));
  return static_cast<std::uint32_t>(table.size() - 1);
}

void move_to_end(std::vector<Symbol>& from, std::vector<Symbol>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}
}  // namespace

ThreadId Implied::add_thread(std::string name) {
  open_.emplace_back();
  children_.push_back(0);
  const bool first = tables.threads.empty();
  return ThreadId{
      append(tables.threads, Thread{.birth_path = first ? "0" : "", .name = std::move(name)})};
}

std::uint32_t Implied::add_variable(std::string name) {
  new_variables_.push_back({variable_address(variables_), kVariableSize, std::move(name)});
  return variables_++;
}

std::uint32_t Implied::add_lock(std::string name) {
  holders_.emplace_back();
  new_locks_.push_back({lock_address(locks_), kVariableSize, std::move(name)});
  return locks_++;
}

SiteId Implied::add_site(Site site) { return SiteId{append(tables.sites, std::move(site))}; }

RegionId Implied::add_region(std::string name, SiteId site) {
  return RegionId{append(tables.regions, Region{.kind = RegionKind::kAtomic,
                                                .name = std::move(name),
                                                .function = kNoFunction,
                                                .site = site})};
}

void Implied::publish_symbols() {
  std::vector<Symbol>& symbols = tables.symbols;
  if (!new_variables_.empty()) {
    const auto first_lock = symbols.end() - static_cast<std::ptrdiff_t>(published_locks_);
    std::vector<Symbol> locks(std::make_move_iterator(first_lock),
                              std::make_move_iterator(symbols.end()));
    symbols.erase(first_lock, symbols.end());
    move_to_end(new_variables_, symbols);
    move_to_end(locks, symbols);
  }
  published_locks_ += new_locks_.size();
  move_to_end(new_locks_, symbols);
}

void Implied::fork(ThreadId parent, ThreadId child) {
  const std::string& parent_path = tables.threads[index(parent)].birth_path;
  Thread& thread = tables.threads[index(child)];
  if (!thread.birth_path.empty() || child <= parent) return;
  thread.parent = parent;
  const std::uint32_t number = children_[index(parent)]++;
  if (!parent_path.empty()) thread.birth_path = fmt::format("{}.{}", parent_path, number);
}

}  // namespace isosan
