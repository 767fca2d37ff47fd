// The order of a finding's steps, and its diagram.
//
// Model: the steps of a finding, sorted by their place in the linear order; an event that stands
// in several steps is one row. Rows are numbered from 1, and every part of a text report refers to
// steps by these numbers. The diagram has one lane per thread, in the order of appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "event/finding.h"
#include "report/names.h"

namespace isosan {

class Timeline {
 public:
  static constexpr std::size_t kMostLanes = 4;

  Timeline(const Finding& finding, const Names& names);

  // The row of Finding::steps[step], from 1.
  std::size_t row_of(std::size_t step) const { return row_of_step_[step]; }
  // For each row, the first step that stands in it.
  const std::vector<std::size_t>& steps() const { return steps_; }

  // False if the analysis gave the transaction's first step instead of its begin.
  bool begin_is_known(std::size_t transaction) const;

  // Lanes side by side, with the source place to the right; empty for more than kMostLanes
  // threads or no step at all.
  std::string diagram(const std::string& indent) const;

 private:
  struct Line {
    std::string number, text;
    Place place;
    Where where;
  };

  std::vector<Line> lines() const;
  bool is_open(std::size_t transaction, const Line& at) const;

  const Finding& finding_;
  const Names& names_;
  std::vector<std::size_t> steps_;
  std::vector<std::size_t> row_of_step_;
  std::vector<std::uint64_t> last_step_;  // of each transaction: its ordinal
  std::vector<ThreadId> lanes_;           // threads that have a step, in the order of appearance
};

// "read balance", "acquire m", "fork T2".
std::string describe(const FindingStep& step, const Names& names);

// "read bank::Account::balance_ (0x7ffc10)" in at most `width` characters: first only four
// digits of the address stay, then none, then the end of the name. The operation always stays:
// "read ...Account::balance_".
std::string fit(const std::string& text, std::size_t width);

}  // namespace isosan
