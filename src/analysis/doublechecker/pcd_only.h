// PCD without ICD (section 5.4): the precise analysis over every transaction instead of those in an
// imprecise component. For comparison: the extra cost over doublechecker is what ICD saves.
#pragma once

#include <utility>

#include "analysis/velodrome/velodrome.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"

namespace isosan {

class PcdOnly {
 public:
  using Options = Velodrome::Options;
  using Handles = Velodrome::Handles;

  PcdOnly(FindingSink& out, const Options& options) : out_(out), precise_(found_, options) {}

  template <class T>
  requires(Handles::contains<T>) void on(const T& event) { precise_.on(event); }

  void finish() {
    precise_.finish();
    for (Finding finding : found_.findings()) {
      finding.analysis = "doublechecker";
      out_.report(std::move(finding));
    }
  }
  Stats stats() const { return precise_.stats(); }

 private:
  FindingSink& out_;
  FindingSink found_;
  Velodrome precise_;
};
static_assert(Analysis<PcdOnly>);

}  // namespace isosan
