// Traces for Retries, and what it leaves of them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "analysis/retries/retries.h"
#include "base/check.h"
#include "oracle/trace_builder.h"

namespace isosan::test {

// All events as Retries hands them on, fed in batches of this size.
inline std::vector<Event> through_retries(const std::vector<Event>& events, std::size_t batch) {
  Retries retries;
  std::vector<Event> result;
  const auto keep = [&](const Retries::Decided& decided) {
    if (decided.events.empty()) return;
    ISOSAN_CHECK(decided.first_ordinal == result.size());
    result.insert(result.end(), decided.events.begin(), decided.events.end());
  };
  for (std::size_t i = 0; i < events.size(); i += batch) {
    keep(retries.take(std::span(events).subspan(i, std::min(batch, events.size() - i)), {}, i));
  }
  keep(retries.finish());
  return result;
}

}  // namespace isosan::test
