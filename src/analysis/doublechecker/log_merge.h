// Several logs read in one order: that of the ordinals.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "analysis/doublechecker/transaction_log.h"

namespace isosan::icd {

// Calls take(number of the log, entry) for the entries of all logs, until the first `needed` logs
// are read to their ends.
template <class F>
void merge_logs(std::vector<LogReader>& logs, std::size_t needed, F&& take) {
  using Next = std::pair<std::uint64_t, std::size_t>;  // ordinal, log
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::size_t left = 0;  // of those that are needed
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (logs[i].get() == nullptr) continue;
    next.push({logs[i].get()->ordinal(), i});
    left += i < needed;
  }
  while (left > 0) {
    const std::size_t number = next.top().second;
    LogReader& log = logs[number];
    next.pop();
    // Until another log has the next entry.
    const std::uint64_t until = next.empty() ? ~std::uint64_t{0} : next.top().first;
    for (; log.get() != nullptr && log.get()->ordinal() < until; log.advance())
      take(number, *log.get());
    if (log.get() != nullptr) {
      next.push({log.get()->ordinal(), number});
    } else {
      left -= number < needed;
    }
  }
}

}  // namespace isosan::icd
