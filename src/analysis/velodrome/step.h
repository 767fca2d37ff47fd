// A step: one event of one transaction, as locations, locks and edges remember it. Velodrome's
// "step" (a node and a timestamp), with all that a finding will want to tell about it.
//
// Model: each thread's history is cut into *segments*, numbered by the ordinal (+ 1) of their first
// event, so that numbers grow along the thread and no two threads share one. A transaction is a
// segment. Unary transactions join the segment before them until a dependence comes in that tells
// them apart (Velodrome's merging); `unary` still tells each of them from the others.
#pragma once

#include <cstdint>

#include "event/event.h"

namespace isosan::velodrome {

struct Step {
  std::uint64_t segment = 0;  // 0: no step
  std::uint64_t ordinal = 0;
  Address address = 0;
  std::uint32_t size = 0;
  std::uint32_t thread_number = 0;  // ThreadId + 1; 0: nobody
  SiteId site{};
  ContextId context{};
  SiteId begin_site{};  // of the transaction, unless unary
  ContextId begin_context{};
  RegionId region{};
  Kind operation{};
  bool unary = true;

  std::uint32_t thread() const { return thread_number; }
  bool is_none() const { return segment == 0; }
  Where where() const { return {ordinal, ThreadId{thread_number - 1}, site, context}; }
  // The transaction's first event; with the thread it is the transaction's identity.
  Where begin() const {
    if (unary) return where();
    return {segment - 1, ThreadId{thread_number - 1}, begin_site, begin_context};
  }
  bool same_transaction(const Step& other) const {
    return begin().ordinal == other.begin().ordinal;
  }
};
static_assert(sizeof(Step) == 56);

}  // namespace isosan::velodrome
