// What the fuzz targets share: an input is read to its end, strictly and leniently, and whatever is
// handed out must make sense. What is refused must be refused with an InputError.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "base/input_error.h"
#include "trace/order/event_checks.h"
#include "trace/order/validator.h"
#include "trace/stream/event_text.h"

namespace isosan::fuzz {

inline constexpr std::uint64_t kMaxEvents =
    200'000;  // a range of a few bytes may stand for billions

inline void read_to_end(TraceSource& source) {
  try {
    std::uint64_t events = 0;
    for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
      const Tables& tables = source.tables();
      for (const Event& e : batch) {
        ISOSAN_CHECK(makes_sense(e, tables));
        ISOSAN_CHECK(index(e.thread) < tables.threads.size());
        ISOSAN_CHECK(!names_thread(e.kind) || e.address < tables.threads.size());
      }
      ISOSAN_CHECK(!dump_line(batch.back(), events, tables).empty());
      ISOSAN_CHECK(!source.where(batch.size() - 1).empty());
      events += batch.size();
      if (events > kMaxEvents) break;
    }
  } catch (const InputError&) {
  }
}

// `make(options)` makes a reader of the input; it may throw InputError.
template <class Make>
void read_both_ways(Make&& make) {
  for (const bool lenient : {false, true}) {
    const TraceOptions options{.lenient = lenient};
    try {
      Validator validator(make(options), options);
      read_to_end(validator);
    } catch (const InputError&) {
    }
  }
}

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace isosan::fuzz
