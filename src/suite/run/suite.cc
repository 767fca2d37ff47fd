#include "suite/run/suite.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "base/shard.h"
#include "suite/run/budget.h"
#include "suite/run/memory.h"
#include "suite/run/steps.h"

namespace isosan::suite {
namespace {

using Clock = std::chrono::steady_clock;

// A file name for a test's name.
std::string file_name(const std::string& test) {
  std::string name;
  for (const char c : test) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    name += plain ? c : '_';
  }
  return name.substr(0, 100);
}

// The same whichever tests run beside it.
std::string corpus_of(const TestCase& test, const WorkOptions& options) {
  if (options.corpus.empty()) return {};
  return fmt::format("{}/{}-{:08x}", options.corpus, file_name(test.name),
                     Shard::hash(test.name) >> 32);
}

std::vector<int> own_processors() {
  cpu_set_t own;
  ::sched_getaffinity(0, sizeof own, &own);
  std::vector<int> all;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<std::size_t>(i), &own)) all.push_back(i);
  }
  return all;
}

class Suite {
 public:
  Suite(const std::vector<TestCase>& tests, const WorkOptions& options,
        const std::atomic<bool>& stop, const std::function<void(const SuiteEvent&)>& report)
      : options_(options), stop_(stop), report_(report), steps_(options, stop) {
    std::map<std::string, int> names;
    for (const TestCase& test : tests) {
      std::string name = file_name(test.name);
      if (const int times = ++names[name]; times > 1) name += "-" + std::to_string(times);
      all_.push_back({.test = &test, .file = options.folder + "/" + name});
      all_.back().corpus = corpus_of(test, options);
      all_.back().result.name = test.name;
      all_.back().result.command = test.command;
    }
  }

  SuiteResult run() {
    const auto began = Clock::now();
    std::vector<Progressing*> tests;
    for (Progressing& one : all_) tests.push_back(&one);
    begin_phase(true, tests.size());
    work_off(tests, [&](Progressing& one, int) { watch(one); });
    const std::vector<Progressing*> hunted = worth_hunting();
    for (const Progressing* one : hunted) waiting_ += weight_of(one->result);
    end_ = Clock::now() + options_.budget;
    begin_phase(false, hunted.size());
    work_off(hunted, [&](Progressing& one, int cpu) { hunt(one, cpu); });
    SuiteResult result = this->result();
    result.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    return result;
  }

 private:
  void begin_phase(bool watching, std::size_t tests) {
    watching_ = watching;
    done_ = 0;
    total_ = tests;
    phase_began_ = Clock::now();
  }

  void work_off(const std::vector<Progressing*>& tests,
                const std::function<void(Progressing&, int cpu)>& step) {
    std::atomic<std::size_t> next{0};
    const std::vector<int> processors = own_processors();
    const auto work = [&](unsigned job) {
      const bool several = options_.jobs > 1 && !processors.empty();
      const int cpu = several ? processors[job % processors.size()] : -1;
      for (std::size_t at = next++; at < tests.size() && !stop_; at = next++) {
        try {
          step(*tests[at], cpu);
        } catch (const std::exception& problem) {  // its folder is gone, the disk is full
          tests[at]->result.verdict = Verdict::kError;
          tests[at]->result.note = problem.what();
          tell(Step::kWatched, *tests[at]);
        }
      }
    };
    std::vector<std::thread> workers;
    for (unsigned job = 1; job < options_.jobs; ++job) workers.emplace_back(work, job);
    work(0);
    for (std::thread& worker : workers) worker.join();
  }

  void watch(Progressing& one) {
    std::optional<Progressing> known;
    if (options_.resume) known = recall(*one.test, one.file, options_);
    if (known) {
      one = std::move(*known);
      one.result.unchanged = true;
      return tell(Step::kCached, one);
    }
    steps_.watch(one);
    if (stop_) return;
    const bool ran =
        one.result.verdict == Verdict::kPassed || one.result.verdict == Verdict::kFailed;
    if (ran && weight(one) == 0) remember(one, options_);
    tell(Step::kWatched, one);
  }

  // 0: there is nothing to hunt.
  static unsigned weight(const Progressing& one) {
    return one.test->judged_otherwise ? 0 : weight_of(one.result);
  }

  std::vector<Progressing*> worth_hunting() {
    std::vector<Progressing*> chosen;
    for (Progressing& one : all_) {
      if (!one.hunt_done && weight(one) > 0) chosen.push_back(&one);
    }
    std::ranges::stable_sort(chosen, std::greater{},
                             [](const Progressing* one) { return weight_of(one->result); });
    return chosen;
  }

  void hunt(Progressing& one, int cpu) {
    const std::chrono::seconds share = take_share(one);
    std::optional<Progressing> known;
    if (!options_.again) known = recall(*one.test, one.file, options_);
    if (known && known->result.hunted) {
      one.failures = std::move(known->failures);
      one.result.hunted = one.result.unchanged = true;
      one.result.schedules = known->result.schedules;
      return tell(Step::kCached, one);
    }
    if (Clock::now() >= end_) return tell(Step::kHunted, one);
    steps_.hunt(one, share, cpu);
    if (stop_) return;
    if (one.hunt_done) remember(one, options_);
    tell(Step::kHunted, one);
  }

  std::chrono::seconds take_share(const Progressing& one) {
    const std::lock_guard guard(mutex_);
    const unsigned weight = weight_of(one.result);
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(end_ - Clock::now());
    const std::chrono::seconds share = share_of(left, options_.jobs, weight, waiting_);
    waiting_ -= weight;
    return share;
  }

  void tell(Step step, const Progressing& one) {
    const std::lock_guard guard(mutex_);
    SuiteEvent event{.step = step, .test = &one.result, .failures = {}, .seen = one.seen.size()};
    for (const Sighting& failure : one.failures) event.failures.push_back(failure.failure);
    if (step == Step::kWatched) findings_ += one.seen.size();
    findings_ += one.failures.size();
    event.done = ++done_;
    event.total = total_;
    event.findings = findings_;
    if (watching_ && one.result.contended) ++contended_;
    event.contended = contended_;
    event.left = left();
    report_(event);
  }

  std::chrono::seconds left() const {
    using std::chrono::seconds;
    const auto took = std::chrono::duration_cast<seconds>(Clock::now() - phase_began_);
    if (watching_) return time_left(took, done_, total_, options_.budget, seconds::max());
    return time_left(took, done_, total_, seconds(0), options_.budget - took);
  }

  SuiteResult result() const {
    SuiteResult result;
    std::vector<Sighting> sightings;
    for (const Progressing& one : all_) {
      result.tests.push_back(one.result);
      for (const std::vector<Sighting>* some : {&one.seen, &one.failures})
        sightings.insert(sightings.end(), some->begin(), some->end());
    }
    result.complete = !stop_;
    result.findings = merge(sightings);
    result.sightings = std::move(sightings);
    return result;
  }

  const WorkOptions& options_;
  const std::atomic<bool>& stop_;
  const std::function<void(const SuiteEvent&)>& report_;
  Steps steps_;
  std::vector<Progressing> all_;
  Clock::time_point end_;  // of the budget
  std::mutex mutex_;       // guards what follows
  unsigned waiting_ = 0;   // weight of the tests that are still to be hunted
  std::size_t done_ = 0, total_ = 0, findings_ = 0, contended_ = 0;
  bool watching_ = true;  // the phase
  Clock::time_point phase_began_;
};

}  // namespace

SuiteResult run_suite(const std::vector<TestCase>& tests, const WorkOptions& options,
                      const std::atomic<bool>& stop,
                      const std::function<void(const SuiteEvent&)>& report) {
  return Suite(tests, options, stop, report).run();
}

}  // namespace isosan::suite
