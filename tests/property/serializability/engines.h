// The engines that decide conflict serializability, as one list of types: a further one is one
// line.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/aerodrome/aerodrome.h"
#include "analysis/atomsanitizer/atomsanitizer.h"
#include "analysis/velodrome/velodrome.h"
#include "oracle/exact_analysis.h"

namespace isosan::test {

// Does every finding hold the whole cycle, or only the dependence that closes it?
enum class Evidence { kCycle, kClosingEdge };

template <class A, Evidence kEvidence>
struct Engine {
  static constexpr Evidence evidence = kEvidence;

  static std::vector<Finding> findings_of(const Trace& trace, bool sync_edges) {
    return test::findings_of<A>(trace, sync_edges);
  }
  static std::optional<std::size_t> first_violation(const Trace& trace, bool sync_edges) {
    return test::first_violation<A>(trace, sync_edges);
  }
};

// Threads lose their slots in the tables from the second one on.
struct AtomSanitizerOfFewSlots : AtomSanitizer {
  struct Options {
    bool sync_edges = true;
  };
  AtomSanitizerOfFewSlots(FindingSink& findings, Options options)
      : AtomSanitizer(findings, {.sync_edges = options.sync_edges, .few_slots = 2}) {}
};

// Looks after every event for what it need not keep, and keeps no more than `kMost` bytes.
template <class A, std::uint64_t kMost = kUnlimited>
struct Collecting : A {
  struct Options {
    bool sync_edges = true;
  };
  static constexpr LocationLimits kLimits{.most = kMost, .first_look = 0, .growth = 0};
  Collecting(FindingSink& findings, Options options)
      : A(findings, {.sync_edges = options.sync_edges, .limits = kLimits}) {}

  void take(std::span<const Event> batch, std::uint64_t first_ordinal) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      feed(static_cast<A&>(*this), batch.subspan(i, 1), first_ordinal + i);
      A::between_batches();
    }
  }
};

using Engines = testing::Types<Engine<Velodrome, Evidence::kCycle>,  //
                               Engine<Aerodrome, Evidence::kClosingEdge>,
                               Engine<AtomSanitizer, Evidence::kClosingEdge>,
                               Engine<AtomSanitizerOfFewSlots, Evidence::kClosingEdge>,
                               Engine<Collecting<Velodrome>, Evidence::kCycle>,
                               Engine<Collecting<Aerodrome>, Evidence::kClosingEdge>,
                               Engine<Collecting<AtomSanitizer>, Evidence::kClosingEdge>>;

}  // namespace isosan::test
