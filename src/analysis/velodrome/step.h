// A step: one event of one transaction, as locations, locks and edges keep it. Velodrome's
// "step" (a node and a timestamp), with what a finding needs of it.
//
// Model: each thread's history is cut into *segments*, numbered by the ordinal (+ 1) of their first
// event, so that numbers grow along the thread and no two threads share one. A transaction is a
// segment. A unary transaction belongs to the segment before it, until an incoming dependence
// separates them (Velodrome's merging); unary() still distinguishes each of them.
#pragma once

#include <cstdint>

#include "event/event.h"

namespace isosan::velodrome {

// What only findings read.
struct StepDetail {
  std::uint64_t event = 0;  // ordinal (56 bits), unary (bit 7), operation
  Address address = 0;
  std::uint32_t size = 0;
  SiteId site{};
  ContextId context{};
  RegionId region{};  // this and what follows: of the transaction, unless unary
  SiteId begin_site{};
  ContextId begin_context{};

  static constexpr std::uint64_t kUnary = 0x80;
  static std::uint64_t event_of(std::uint64_t ordinal, Kind operation, bool unary) {
    return ordinal << 8 | (unary ? kUnary : 0) | static_cast<std::uint64_t>(operation);
  }
};
static_assert(sizeof(StepDetail) == 40 && kKindCount < StepDetail::kUnary);

struct Step {
  std::uint64_t segment = 0;  // 0: no step
  std::uint32_t number = 0;   // of the thread: ThreadId + 1; 0: none
  StepDetail detail;

  std::uint32_t thread() const { return number; }
  bool is_none() const { return segment == 0; }
  std::uint64_t ordinal() const { return detail.event >> 8; }
  bool unary() const { return (detail.event & StepDetail::kUnary) != 0; }
  Kind operation() const { return static_cast<Kind>(detail.event & (StepDetail::kUnary - 1)); }
  Where where() const { return {ordinal(), ThreadId{number - 1}, detail.site, detail.context}; }
  // The transaction's first event; its ordinal is the transaction's identity.
  Where begin() const {
    if (unary()) return where();
    return {segment - 1, ThreadId{number - 1}, detail.begin_site, detail.begin_context};
  }
  bool same_transaction(const Step& other) const {
    return begin().ordinal == other.begin().ordinal;
  }
};

}  // namespace isosan::velodrome
