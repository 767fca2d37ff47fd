// A writer of linear events: one interface for the three formats.
#pragma once

#include <span>

#include "event/source.h"

namespace isosan {

class EventWriter {
 public:
  virtual ~EventWriter() = default;

  // Appends events; `tables` has all the ids in them. Throws InputError where the format cannot
  // express an event, or the file cannot be written.
  virtual void write(std::span<const Event> events, const Tables& tables) = 0;

  // Completes the file. Without it the file is like that of a killed recorder.
  virtual void finish(const Tables& tables) = 0;
};

}  // namespace isosan
