// A trace that applies the selection of regions it was recorded for, if any, before the first
// event is passed on: the stage behind it uses the rules of `regions`.
#pragma once

#include <utility>

#include "cli/options/region_options.h"
#include "event/source.h"

namespace isosan {

class SettledTrace : public EventSource {
 public:
  // Both must outlive it.
  SettledTrace(EventSource& trace, Regions& regions, RecordingNeeds needs)
      : trace_(trace), regions_(regions), needs_(std::move(needs)) {}

  std::span<const Event> next() override {
    const std::span<const Event> batch = trace_.next();
    if (!settled_) regions_.settle_with_recording(trace_.tables(), needs_);
    settled_ = true;
    return batch;
  }
  const Tables& tables() const override { return trace_.tables(); }
  bool keeps_walks() const override { return trace_.keeps_walks(); }

 private:
  EventSource& trace_;
  Regions& regions_;
  const RecordingNeeds needs_;
  bool settled_ = false;
};

}  // namespace isosan
