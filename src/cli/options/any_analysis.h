// An analysis chosen at run time: one virtual call per batch, none per event.
//
// Model: AnyAnalysis owns an analysis together with the sink of its findings. Wrapped<A> is the
// only implementation; inside feed() the analysis is known to the compiler, as in a Pipeline.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/retries/retries.h"
#include "cli/options/analysis_options.h"
#include "event/analysis.h"
#include "event/dependence.h"
#include "event/finding_sink.h"
#include "event/stat.h"

namespace isosan {

class AnyAnalysis {
 public:
  virtual ~AnyAnalysis() = default;

  virtual void feed(std::span<const Event> batch, std::span<const Dependence> dependences,
                    std::uint64_t first_ordinal) = 0;
  virtual void finish() = 0;                     // the trace has ended
  virtual void aborted_by(ThreadId thread) = 0;  // after finish(): it ended the program
  virtual Stats stats() const = 0;
  // The atomic sets that it inferred; null: it infers none.
  virtual const InferredSets* sets() const = 0;

  const std::vector<Finding>& findings() const { return sink_.findings(); }
  std::uint64_t findings_replaced() const { return sink_.replaced(); }

 protected:
  FindingSink sink_;
};

template <Analysis A>
class Wrapped : public AnyAnalysis {
 public:
  explicit Wrapped(const AnalysisOptions& options)
      : analysis_(sink_, options.of_analysis<typename A::Options>()) {}

  void feed(std::span<const Event> batch, std::span<const Dependence> dependences,
            std::uint64_t first_ordinal) override {
    std::size_t done = 0;
    if constexpr (requires(const Dependence& d) { analysis_.on(d); }) {
      for (const Dependence& dependence : dependences) {
        feed_events(batch.subspan(done, dependence.before - done), first_ordinal + done);
        done = dependence.before;
        analysis_.on(dependence);
      }
    }
    feed_events(batch.subspan(done), first_ordinal + done);
    if constexpr (requires { analysis_.between_batches(); }) analysis_.between_batches();
  }
  void finish() override { analysis_.finish(); }
  void aborted_by(ThreadId thread) override {
    if constexpr (requires { analysis_.aborted_by(thread); }) analysis_.aborted_by(thread);
  }
  Stats stats() const override { return analysis_.stats(); }
  const InferredSets* sets() const override {
    if constexpr (requires { analysis_.sets(); }) {
      return &analysis_.sets();
    } else {
      return nullptr;
    }
  }

 private:
  // An analysis may prefetch for events this far ahead.
  static constexpr std::size_t kAhead = 16;
  void feed_events(std::span<const Event> batch, std::uint64_t first_ordinal) {
    if constexpr (requires { analysis_.prefetch(batch); }) {
      while (batch.size() > kAhead && analysis_.wants_prefetch()) {
        analysis_.prefetch(batch.subspan(kAhead, std::min(kAhead, batch.size() - kAhead)));
        isosan::feed(analysis_, batch.first(kAhead), first_ordinal);
        batch = batch.subspan(kAhead);
        first_ordinal += kAhead;
      }
    }
    isosan::feed(analysis_, batch, first_ordinal);
  }

  A analysis_;
};

// Behind Retries: what a region only tries does not count.
template <Analysis A>
class WithoutRetries final : public Wrapped<A> {
 public:
  explicit WithoutRetries(const AnalysisOptions& options)
      : Wrapped<A>(options), retries_(options.tables) {}

  void feed(std::span<const Event> batch, std::span<const Dependence> dependences,
            std::uint64_t first_ordinal) override {
    feed_decided(retries_.take(batch, dependences, first_ordinal));
  }
  void finish() override {
    feed_decided(retries_.finish());
    Wrapped<A>::finish();
  }

 private:
  void feed_decided(const Retries::Decided& decided) {
    Wrapped<A>::feed(decided.events, decided.dependences, decided.first_ordinal);
  }

  Retries retries_;
};

template <Analysis A>
std::unique_ptr<AnyAnalysis> make_analysis(const AnalysisOptions& options) {
  return std::make_unique<Wrapped<A>>(options);
}

// Of an analysis that decides by cycles.
template <Analysis A>
std::unique_ptr<AnyAnalysis> make_exact(const AnalysisOptions& options) {
  if (options.count_retries) return std::make_unique<Wrapped<A>>(options);
  return std::make_unique<WithoutRetries<A>>(options);
}

}  // namespace isosan
