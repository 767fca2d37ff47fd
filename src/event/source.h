// Where linear events come from: a trace file, the live log, a test's vector.
#pragma once

#include <span>

#include "event/dependence.h"
#include "event/event.h"
#include "event/tables.h"

namespace isosan {

class EventSource {
 public:
  virtual ~EventSource() = default;

  // The next events in linear order; empty at the end of the trace. The span is valid until the
  // next call. Throws InputError where the input is damaged, after everything before the damage was
  // handed out.
  virtual std::span<const Event> next() = 0;

  // Whether dependences() gives the runtime's markers (dependence.h): those in the batch that
  // next() handed out last, in order.
  virtual bool has_dependences() const { return false; }
  virtual std::span<const Dependence> dependences() const { return {}; }

  // May there be walks (event.h) among the events?
  virtual bool keeps_walks() const { return false; }

  // Grows while events are read: ids in events handed out so far are always in it.
  virtual const Tables& tables() const = 0;
};

}  // namespace isosan
