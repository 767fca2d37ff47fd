#include "analysis/doublechecker/pcd_only.h"

#include <utility>

#include "analysis/doublechecker/log_merge.h"
#include "analysis/doublechecker/replay.h"

namespace isosan {
namespace {

constexpr std::size_t kInMemory = 1 << 16;  // entries of a log; more are spilled

}  // namespace

void PcdOnly::keep(const Event& event, const Where& where) {
  LogEntry entry = LogEntry::of(event, where.ordinal);
  if (payload_of(event.kind) != Payload::kMemory) return append(log_of(where.thread), entry);
  entry.context = static_cast<ContextId>(index(where.thread));  // the log is of all threads
  append(memory_, entry);
}

void PcdOnly::append(icd::TransactionLog& log, const LogEntry& entry) {
  log.append(entry);
  ++logged_;
  if (log.in_memory() >= kInMemory) log.spill(file_);
}

void PcdOnly::finish() {
  std::vector<icd::LogReader> readers;
  const std::size_t buffered = icd::LogReader::buffered_by_each_of(logs_.size() + 1);
  for (std::size_t i = 0; i < logs_.size(); ++i)
    readers.emplace_back(logs_[i], ThreadId{static_cast<std::uint32_t>(i)}, file_, buffered);
  readers.emplace_back(memory_, ThreadId{}, file_, buffered);
  icd::Replay replay(logs_.size(), options_);
  icd::merge_logs(readers, readers.size(), [&](std::size_t number, const LogEntry& entry) {
    ++replayed_;
    Event event = entry.event(readers[number].thread());
    if (number < logs_.size()) return replay.take(number, event, entry.ordinal());
    event.thread = static_cast<ThreadId>(index(event.context));
    event.context = kEmptyStack;
    replay.take(event, entry.ordinal());
  });
  for (Finding& finding : replay.findings()) {
    finding.analysis = "doublechecker";
    finding.executions = {};  // of the replayed part only
    out_.report(std::move(finding));
  }
}

Stats PcdOnly::stats() const {
  return {{"logged_events", logged_},
          {"log_bytes", logged_ * sizeof(LogEntry)},
          {"spilled_bytes", file_.written()},
          {"pcd_events", replayed_},
          {"pcd_percent", logged_ == 0 ? 0 : 100 * replayed_ / logged_}};
}

}  // namespace isosan
