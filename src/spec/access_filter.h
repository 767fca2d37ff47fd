// Which accesses an analysis gets: the stage of doublechecker's second run, and --arrays off.
//
// Model: a second run (DoubleChecker, section 3.1) needs accesses in transactions of suspected
// regions. It needs accesses outside regions only if such accesses were suspected. Everything
// else passes, in particular region edges and synchronization: it is cheap, and orders the
// accesses. The transaction is the outermost open atomic region.
// --arrays off (section 5.4: fields only) leaves out plain accesses that are neither of a known
// field nor of a whole named variable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "event/source.h"
#include "spec/suspects.h"

namespace isosan {

struct AccessFilterOptions {
  std::optional<SuspectedNames> suspects;
  bool arrays = true;

  bool filters() const { return suspects.has_value() || !arrays; }
};

class AccessFilter : public EventSource {
 public:
  AccessFilter(EventSource& source, AccessFilterOptions options)
      : source_(source), options_(std::move(options)) {}

  std::span<const Event> next() override;
  const Tables& tables() const override { return source_.tables(); }
  bool has_dependences() const override { return source_.has_dependences(); }
  bool keeps_walks() const override { return source_.keeps_walks(); }
  std::span<const Dependence> dependences() const override {
    return options_.filters() ? std::span<const Dependence>(dependences_) : source_.dependences();
  }

 private:
  enum class Answer : std::uint8_t { kUnknown, kYes, kNo };
  struct ThreadState {
    std::uint32_t depth = 0;
    bool shown = true;  // accesses of the open transaction
  };

  bool passes(const Event& event);
  bool is_suspect(RegionId region);
  bool is_array(const Event& event);
  bool is_variable(const Event& event) const;
  ThreadState& thread_of(ThreadId thread);

  EventSource& source_;
  const AccessFilterOptions options_;
  std::vector<ThreadState> threads_;
  std::vector<Answer> suspects_;  // by RegionId
  std::vector<Answer> arrays_;    // by SiteId
  std::vector<Event> batch_;
  std::vector<Dependence> dependences_;
};

}  // namespace isosan
