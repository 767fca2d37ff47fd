// Where analyses put their findings: each distinct one once, later ones counted.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/finding.h"

namespace isosan {

class FindingSink {
 public:
  // True if no finding with this analysis and key was reported yet; otherwise counts it again. Ask
  // before building a finding that is expensive to build.
  bool is_new(const std::string& analysis, const std::string& key) {
    const auto found = seen_.find(std::pair{analysis, key});
    if (found == seen_.end()) return true;
    ++findings_[found->second].times;
    return false;
  }

  // A finding that was reported, seen `times` times more: for an analysis that counts by itself.
  void again(const std::string& analysis, const std::string& key, std::uint64_t times) {
    findings_[seen_.at(std::pair{analysis, key})].times += times;
  }

  // Keeps the finding; its (analysis, key) must be new.
  void report(Finding finding) {
    seen_.emplace(std::pair{finding.analysis, finding.key}, findings_.size());
    findings_.push_back(std::move(finding));
  }

  // Replaces a finding that was reported by a better description of it.
  void replace(Finding finding) {
    Finding& known = findings_[seen_.at(std::pair{finding.analysis, finding.key})];
    finding.times = known.times;
    known = std::move(finding);
    ++replaced_;
  }
  // For what is known at the end of the run: calls f(Finding&) for each of the analysis.
  template <class F>
  void complete(const std::string& analysis, F f) {
    for (Finding& finding : findings_) {
      if (finding.analysis == analysis) f(finding);
    }
  }
  std::uint64_t replaced() const { return replaced_; }  // how often replace() was called

  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
  std::uint64_t replaced_ = 0;
  absl::flat_hash_map<std::pair<std::string, std::string>, std::size_t> seen_;
};

}  // namespace isosan
