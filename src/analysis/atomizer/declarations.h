// What the user declares instead of having it inferred: the annotations of section 4 of the paper.
//
//   assume_atomic f    a call of f is one atomic action (a non-mover); nothing inside it is checked
//   assume_mover f     a call of f is a both-mover; nothing inside it is checked
//   assume_guarded x   accesses of x are both-movers, whatever the locksets say
//   no_warn            neither locksets nor phases look at this line (or at this function's body)
//   P(x) = m           Fig. 8 only: x is protected by m (RaceRule::kDeclared)
//
// Plain data keyed by the ids of events. The readers of the spec file and of annotations fill it,
// also while tables grow (Atomizer::declarations()).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "event/ids.h"
#include "event/tables.h"

namespace isosan::atomizer {

enum class FunctionAssumption : std::uint8_t { kAtomic, kMover, kNoWarn };
enum class SiteAssumption : std::uint8_t { kNone, kGuarded, kNoWarn };

class Declarations {
 public:
  void assume(FunctionId function, FunctionAssumption assumption);
  void assume(SiteId site, SiteAssumption assumption);
  // Adds what the tables declare of functions, sites and data, for entries that are new since the
  // last call.
  void learn(const Tables& tables);
  // Sites for which this is true are no_warn; learn() asks once for each.
  void no_warn_where(std::function<bool(SiteId)> is_no_warn) {
    is_no_warn_ = std::move(is_no_warn);
  }
  std::uint32_t sites_known() const { return sites_known_; }
  std::uint32_t functions_known() const { return functions_known_; }
  void assume_guarded(Address address, std::uint64_t size);
  void protect(Address address, std::uint64_t size, Address lock);  // P(x) = m

  bool any_function() const { return !functions_.empty(); }
  bool any_access() const { return any_site_ || !guarded_.empty(); }

  std::optional<FunctionAssumption> of(FunctionId function) const;
  SiteAssumption of(SiteId site) const {
    return index(site) < sites_.size() ? sites_[index(site)] : SiteAssumption::kNone;
  }
  bool guarded(Address address, std::uint64_t size) const;
  std::optional<Address> protecting(Address address, std::uint64_t size) const;  // P(x)

 private:
  struct Range {
    Address end;
    Address lock;  // of protect(); unused in guarded_
  };
  using Ranges = absl::btree_map<Address, Range>;  // by first byte; ranges do not overlap
  void learn(const DataAnnotation& said, const Tables& tables);
  bool is_guarded_field(const std::string& class_name, std::string field) const;
  static const Range* overlapping(const Ranges& ranges, Address address, std::uint64_t size);

  absl::flat_hash_map<FunctionId, FunctionAssumption> functions_;
  std::vector<SiteAssumption> sites_;  // by SiteId
  std::function<bool(SiteId)> is_no_warn_;
  bool any_site_ = false;
  std::uint32_t sites_known_ = 1;  // 0 is no site and no function
  std::uint32_t functions_known_ = 1;
  std::size_t annotations_known_ = 0;
  std::size_t symbols_known_ = 0;
  absl::flat_hash_set<std::pair<std::string, std::string>> guarded_fields_;  // class, field
  Ranges guarded_;
  Ranges protected_;
};

}  // namespace isosan::atomizer
