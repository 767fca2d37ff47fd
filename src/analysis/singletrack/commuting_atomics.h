// Atomic operations that commute, recognized by the function that makes them.
//
// Reference counts of std::shared_ptr: taking and giving up a reference commute, and the last
// owner's action (destroy) is the same for every owner. As volatiles they would be a conflict in
// every block that hands a shared_ptr to a thread, as every promise and packaged_task does.
// Recognized by the names of libstdc++'s functions, inlined or not. Not included: weak_ptr::lock,
// whose result may differ from schedule to schedule. use_count() is not checked. Reductions of
// OpenMP: the parts are combined by read-modify-writes in the outlined body of the construct (gcc
// `f._omp_fn.N`, clang `f.omp_outlined`). `omp atomic` compiles to the same; so does, for gcc, a
// std::atomic inlined there. Both are no conflict; they order as their memory order says. Where the
// program uses the value that it read (`omp atomic capture`), the order of the parts shows: that is
// no part of a reduction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan {

class CommutingAtomics {
 public:
  explicit CommutingAtomics(const Tables* tables) : tables_(tables) {}

  bool counts_references(const Where& where) {
    if (tables_ == nullptr || where.site == kNoSite) return false;
    return remembered(counting_, index(where.site),
                      [&] { return site_counts_references(where.site); });
  }
  bool combines(const AtomicRmw& e) {
    if (tables_ == nullptr || e.value_used) return false;
    const Where& where = e.where;
    return remembered(outlined_, index(where.context),
                      [&] { return is_outlined(where.context); }) &&
           !is_of_another_function(where.site);
  }

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };
  using Answers = std::vector<Answer>;

  template <class Ask>
  static bool remembered(Answers& known, std::uint32_t i, Ask ask) {
    if (i >= known.size()) known.resize(i + std::size_t{1}, Answer::kUnknown);
    if (known[i] == Answer::kUnknown) known[i] = ask() ? Answer::kYes : Answer::kNo;
    return known[i] == Answer::kYes;
  }

  bool site_counts_references(SiteId site) const {
    bool found = false;
    for (; site != kNoSite && index(site) < tables_->sites.size();
         site = tables_->sites[index(site)].inlined_at) {
      const std::string_view name = function_of(site).name;
      if (name.starts_with("std::_Sp_counted_base::_M_add_ref_lock")) return false;
      found = found || name.starts_with("std::_Sp_counted_base::") ||
              name.starts_with("__gnu_cxx::__exchange_and_add") ||
              name.starts_with("__gnu_cxx::__atomic_add");
    }
    return found;
  }

  // Is the innermost function the body of a parallel construct?
  bool is_outlined(ContextId context) const {
    if (index(context) >= tables_->contexts.size()) return false;
    return is_outlined(tables_->functions.at(index(tables_->contexts[index(context)].function)));
  }
  static bool is_outlined(const Function& function) {
    const auto has = [&](std::string_view part) {
      return function.name.find(part) != std::string::npos ||
             function.linkage_name.find(part) != std::string::npos;
    };
    return has("._omp_fn.") || has(".omp_outlined");
  }
  // Inlined into the body; only known with the pass.
  bool is_of_another_function(SiteId site) const {
    if (index(site) >= tables_->sites.size()) return false;
    const Function& function = function_of(site);
    return !function.name.empty() && function.name.starts_with("std::");
  }
  const Function& function_of(SiteId site) const {
    return tables_->functions.at(index(tables_->sites[index(site)].function));
  }

  const Tables* tables_;
  Answers counting_;  // by SiteId
  Answers outlined_;  // by ContextId
};

}  // namespace isosan
