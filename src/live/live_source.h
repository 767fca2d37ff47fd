// The events of a running program, in linear order, from its log.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "event/source.h"
#include "live/live_log.h"
#include "trace/native/birth_paths.h"
#include "trace/order/linearizer.h"

namespace isosan {

class LiveSource : public EventSource {
 public:
  // As in LiveLog.
  LiveSource(SharedLog& log, LiveLog::HasEnded has_ended, const FunctionAnswers& answers);
  LiveSource(SharedLog& log, Child& child, const FunctionAnswers& answers);

  std::span<const Event> next() override;
  const Tables& tables() const override { return log_.tables(); }
  bool has_dependences() const override { return linearizer_.has_dependences(); }
  std::span<const Dependence> dependences() const override { return linearizer_.dependences(); }
  void enable_dependences() { linearizer_.enable_dependences(); }
  bool keeps_walks() const override { return linearizer_.keeps_walks(); }
  void keep_walks() { linearizer_.keep_walks(); }
  // Called while the program has nothing new to log.
  void while_waiting(std::function<void()> action) { while_waiting_ = std::move(action); }
  // The events end where the program has overwritten its log, and this says so; empty: it has not.
  const std::string& damage() const { return log_.damage(); }

 private:
  bool look();  // true: there were new units
  void accept_batch();
  void await_end();
  void note_thread(const Event& event);

  LiveLog log_;
  Linearizer linearizer_;
  std::vector<Event> batch_;
  BirthPaths births_;
  std::function<void()> while_waiting_;
  bool looked_ = false;
  bool finished_ = false;
  bool invalid_event_ = false;  // the batch ended before an invalid event
};

}  // namespace isosan
