// PCD without ICD: the straw man of section 5.4. Every event is logged, as a transaction in an
// imprecise component would be, and at the end all of it is replayed. For comparison: the extra cost
// over doublechecker is what ICD saves.
//
// Law: the findings are velodrome's.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "analysis/doublechecker/transaction_log.h"
#include "analysis/velodrome/velodrome.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/record.h"
#include "event/stat.h"

namespace isosan {

class PcdOnly {
 public:
  using Options = Velodrome::Options;
  using Handles = Velodrome::Handles;

  PcdOnly(FindingSink& out, const Options& options) : out_(out), options_(options) {}

  template <class T>
  requires(Handles::contains<T>) void on(const T& event) { keep(record_of(event), event.where); }
  void on(const Walk<Read>& e) { walk(e); }
  void on(const Walk<Write>& e) { walk(e); }

  void finish();
  Stats stats() const;

 private:
  using LogEntry = icd::LogEntry;

  void keep(const Event& event, const Where& where);
  void append(icd::TransactionLog& log, const LogEntry& entry);
  icd::TransactionLog& log_of(ThreadId thread) {
    while (index(thread) >= logs_.size()) logs_.emplace_back();
    return logs_[index(thread)];
  }
  template <class AnyAccess>
  void walk(const Walk<AnyAccess>& e) {
    const WalkSteps steps{e.first.size, e.count, e.stride};
    if (!LogEntry::fits(steps)) return e.for_each([this](const AnyAccess& access) { on(access); });
    append(log_of(e.first.where.thread),
           LogEntry::of_walk(record_of(e.first), steps, e.first.where.ordinal));
  }

  FindingSink& out_;
  Options options_;
  icd::SpillFile file_;
  std::deque<icd::TransactionLog> logs_;  // by ThreadId
  icd::TransactionLog memory_;            // Allocate and Free, of all threads
  std::uint64_t logged_ = 0, replayed_ = 0;
};
static_assert(Analysis<PcdOnly>);

}  // namespace isosan
