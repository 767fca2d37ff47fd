// Predicts schedules that break a region's atomicity, or that deadlock, from one observed run.
//
// Model (Penelope, section 4; predict.md maps its symbols). feed() keeps the run's operations,
// 4 to 6 bytes each. predictions() then goes through the memory that threads share, location by
// location, and finds every cut-point: locksets of e and f disjoint, acquisition histories
// compatible, not ordered by thread creation, join and barriers. schedule() weaves the threads to
// it: region I as observed, region II only the later thread, region III alternating.
//
// Law: a schedule that schedule() returns is lock-valid, respects fork, join, barriers, condition
// waits, semaphores, once and publications as the run showed them, and reaches its cut-point.
// Law: predictions are returned in the order in which they should be tried.
// Not here: whether the program can follow a schedule. Only running it shows that.
//
//   Predictor predictor(stage.tables());
//   while (!(batch = stage.next()).empty()) predictor.feed(batch);
//   for (const Prediction& p : predictor.predictions({})) run(predictor.schedule(p));
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "event/event.h"
#include "event/schedule.h"
#include "event/stat.h"
#include "event/tables.h"
#include "predict/prediction.h"

namespace isosan {

struct PredictLimits {
  std::uint64_t predictions = 1000;  // 0: all
  // How many with the same pattern at the same three places, in other threads, at other
  // locations, under other locks; 0: all.
  std::uint64_t per_place = 16;
};

struct PredictOptions {
  // A whole thread is one region, too, as its entry function would be: with the heuristic
  // "functions", and for traces without functions.
  bool threads_are_regions = true;
  bool reversals = true;  // predict them, too
  bool pairs = true;      // predict them, too
  bool loops = false;     // iterations of loops are regions, too
};

class Predictor {
 public:
  // `tables` are the source's: they grow while events are read and must outlive the predictor.
  explicit Predictor(const Tables& tables, const PredictOptions& options = {});
  ~Predictor();
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  // Events in linear order, regions marked by Begin and End (spec/region_stage.h), every operation
  // included (full mode).
  void feed(std::span<const Event> batch);

  // Most promising first. After the last feed().
  std::vector<Prediction> predictions(const PredictLimits& limits);

  // The whole schedule up to the cut-point; f's thread, or the first of a cycle, goes on.
  Schedule schedule(const Prediction& prediction) const;

  // Counters (predict.md).
  Stats stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isosan
