#include "analysis/atomizer/declarations.h"

#include <iterator>

namespace isosan::atomizer {

void Declarations::assume(FunctionId function, FunctionAssumption assumption) {
  functions_[function] = assumption;
}

void Declarations::assume(SiteId site, SiteAssumption assumption) {
  if (index(site) >= sites_.size()) sites_.resize(index(site) + 1, SiteAssumption::kNone);
  sites_[index(site)] = assumption;
  any_site_ = true;
}

void Declarations::learn(const Tables& tables) {
  for (; functions_known_ < tables.functions.size(); ++functions_known_) {
    const std::uint32_t said = tables.functions[functions_known_].annotations;
    const auto function = static_cast<FunctionId>(functions_known_);
    if (said & kAnnotatedNoWarn) {
      assume(function, FunctionAssumption::kNoWarn);
    } else if (said & kAnnotatedAssumeMover) {
      assume(function, FunctionAssumption::kMover);
    } else if (said & kAnnotatedAssumeAtomic) {
      assume(function, FunctionAssumption::kAtomic);
    }
  }
  for (; annotations_known_ < tables.annotations.size(); ++annotations_known_) {
    learn(tables.annotations[annotations_known_], tables);
  }
  if (symbols_known_ != tables.symbols.size()) {
    symbols_known_ = tables.symbols.size();
    for (const Symbol& symbol : tables.symbols) {
      if (symbol.assume_guarded) assume_guarded(symbol.address, symbol.size);
    }
  }
  for (; sites_known_ < tables.sites.size(); ++sites_known_) {
    const Site& site = tables.sites[sites_known_];
    const auto id = static_cast<SiteId>(sites_known_);
    if (is_no_warn_ && is_no_warn_(id)) {
      assume(id, SiteAssumption::kNoWarn);
    } else if (site.assume_guarded || is_guarded_field(site.class_name, site.field)) {
      assume(id, SiteAssumption::kGuarded);
    }
  }
}

// `inner.x` is guarded where `inner` is.
bool Declarations::is_guarded_field(const std::string& class_name, std::string field) const {
  if (guarded_fields_.empty()) return false;
  for (std::size_t end = field.size(); end != field.npos; end = field.rfind('.')) {
    field.resize(end);
    if (guarded_fields_.contains({class_name, field})) return true;
  }
  return false;
}

void Declarations::learn(const DataAnnotation& said, const Tables& tables) {
  if (said.text != "isosan:assume_guarded") return;
  if (!said.field.empty()) {
    guarded_fields_.emplace(said.class_name, said.field);
    sites_known_ = 1;  // a site may be known before its field's annotation: look at all again
  }
  for (const Symbol& symbol : tables.symbols) {
    if (!said.symbol.empty() && symbol.name == said.symbol)
      assume_guarded(symbol.address, symbol.size);
  }
}

void Declarations::assume_guarded(Address address, std::uint64_t size) {
  guarded_[address] = {address + size, 0};
}

void Declarations::protect(Address address, std::uint64_t size, Address lock) {
  protected_[address] = {address + size, lock};
}

std::optional<FunctionAssumption> Declarations::of(FunctionId function) const {
  const auto found = functions_.find(function);
  if (found == functions_.end()) return std::nullopt;
  return found->second;
}

bool Declarations::guarded(Address address, std::uint64_t size) const {
  return overlapping(guarded_, address, size) != nullptr;
}

std::optional<Address> Declarations::protecting(Address address, std::uint64_t size) const {
  const Range* range = overlapping(protected_, address, size);
  if (range == nullptr) return std::nullopt;
  return range->lock;
}

const Declarations::Range* Declarations::overlapping(const Ranges& ranges, Address address,
                                                     std::uint64_t size) {
  const auto after = ranges.lower_bound(address + size);  // the first that starts past the access
  if (after == ranges.begin()) return nullptr;
  const Range& last = std::prev(after)->second;
  return last.end > address ? &last : nullptr;
}

}  // namespace isosan::atomizer
