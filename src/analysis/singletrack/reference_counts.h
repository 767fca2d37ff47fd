// Which program points count references: std::shared_ptr's own.
//
// Taking and giving up a reference commute, and what the last owner does (destroy) is the same
// whoever that is. As volatiles they would be a conflict in every block that hands a shared_ptr to
// a thread: every promise and packaged_task does. So they are no conflict; they order as their
// memory order says (who destroys comes after all other owners). Known by the names of libstdc++'s
// functions, inlined or not. Not among them: weak_ptr::lock, whose answer may differ from schedule
// to schedule. use_count() is not looked at.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/tables.h"

namespace isosan {

class ReferenceCounts {
 public:
  explicit ReferenceCounts(const Tables* tables) : tables_(tables) {}

  bool counts(SiteId site) {
    if (tables_ == nullptr || site == kNoSite) return false;
    if (index(site) >= known_.size()) known_.resize(index(site) + 1, Answer::kUnknown);
    Answer& answer = known_[index(site)];
    if (answer == Answer::kUnknown) answer = look_up(site) ? Answer::kYes : Answer::kNo;
    return answer == Answer::kYes;
  }

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };

  bool look_up(SiteId site) const {
    bool found = false;
    for (; site != kNoSite && index(site) < tables_->sites.size();
         site = tables_->sites[index(site)].inlined_at) {
      const Site& here = tables_->sites[index(site)];
      const std::string_view name = tables_->functions.at(index(here.function)).name;
      if (name.starts_with("std::_Sp_counted_base::_M_add_ref_lock")) return false;
      found = found || name.starts_with("std::_Sp_counted_base::") ||
              name.starts_with("__gnu_cxx::__exchange_and_add") ||
              name.starts_with("__gnu_cxx::__atomic_add");
    }
    return found;
  }

  const Tables* tables_;
  std::vector<Answer> known_;  // by SiteId
};

}  // namespace isosan
