// The readers of the shared log: live, drained, and kept as a trace. Whatever the target writes,
// what is handed on makes sense, and the analyses take it. (Not atomsanitizer: it adds to a null
// pointer that it does not use then, and the sanitizer of undefined behaviour minds.)
#include <time.h>

#include "analysis/aerodrome/aerodrome.h"
#include "analysis/atomizer/atomizer.h"
#include "analysis/doublechecker/doublechecker.h"
#include "analysis/fasttrack/fasttrack.h"
#include "analysis/marathon/marathon.h"
#include "analysis/singletrack/singletrack.h"
#include "analysis/velodrome/velodrome.h"
#include "base/check.h"
#include "event/analysis.h"
#include "fuzz/fuzz.h"
#include "fuzz/hostile_log.h"
#include "live/live_source.h"
#include "spec/region_stage.h"
#include "trace/native/trace_writer.h"

namespace isosan::fuzz {
namespace {

constexpr int kStepsPerLook = 8;

SharedLogOptions small_log() {
  return {.max_threads = 4,
          .ring_units = 256,
          .max_modules = 4,
          .flags_bytes = 4096,
          .schedule_bytes = schedule_bytes({})};
}

void check_sense(std::span<const Event> batch, const Tables& tables) {
  for (const Event& e : batch) {
    ISOSAN_CHECK(is_walk(e) || makes_sense(e, tables));
    ISOSAN_CHECK(index(e.thread) < tables.threads.size());
    ISOSAN_CHECK(!names_thread(e.kind) || e.address < tables.threads.size());
  }
}

// An analysis needs memory for every byte that is accessed: a fuzzer would only find that.
std::vector<Event> of_small_memory(std::span<const Event> batch) {
  constexpr std::uint64_t kMostBytes = 1 << 12;
  std::vector<Event> small(batch.begin(), batch.end());
  std::erase_if(small, [](const Event& e) {
    return (is_access(e.kind) && (is_walk(e) || e.size > kMostBytes)) ||
           ((e.kind == Kind::kAllocate || e.kind == Kind::kFree) && e.size > kMostBytes);
  });
  return small;
}

// The target takes some steps before each look.
LiveLog::HasEnded acting(HostileTarget& target) {
  return [&target] {
    for (int i = 0; i < kStepsPerLook && !target.ended(); ++i) target.step();
    return target.ended();
  };
}

void analyse(std::string_view script) {
  SharedLog log(small_log());
  put_schedule(log, {});
  HostileTarget target(log, script);
  const RegionRules rules;
  LiveSource live(log, acting(target), {.rules = &rules});
  RegionStage stage(live, rules);
  FindingSink sink;
  Velodrome velodrome(sink, {});
  Aerodrome aerodrome(sink, {});
  FastTrack fasttrack(sink, {});
  DoubleChecker doublechecker(sink);
  Atomizer atomizer(sink, {.tables = &stage.tables()});
  Marathon marathon(sink, {.tables = &stage.tables()});
  SingleTrack singletrack(sink, {.tables = &stage.tables()});
  std::uint64_t events = 0;
  for (auto batch = stage.next(); !batch.empty() && events < kMaxEvents; batch = stage.next()) {
    check_sense(batch, stage.tables());
    const std::vector<Event> small = of_small_memory(batch);
    const auto feed_all = [&](auto&... analyses) {
      (isosan::feed(analyses, std::span<const Event>(small), events), ...);
    };
    feed_all(velodrome, aerodrome, fasttrack, doublechecker, atomizer, marathon, singletrack);
    events += batch.size();
  }
  const auto finish_all = [](auto&... analyses) { (analyses.finish(), ...); };
  finish_all(velodrome, aerodrome, fasttrack, doublechecker, atomizer, marathon, singletrack);
  const ScheduleOutcome outcome = schedule_outcome(log);
  ISOSAN_CHECK(!outcome.ran_last.empty());
}

void keep(std::string_view script) {
  SharedLog log(small_log());
  HostileTarget target(log, script);
  const RegionRules rules;
  LiveLog live(log, acting(target), {.rules = &rules});
  TraceWriter writer("/dev/null");
  do {
    live.look(
        [&](ThreadId thread, std::uint64_t position, std::span<const log::LogUnit> units) {
          writer.write_units(thread, position, units, live.resolver(), live.tables());
        },
        [](ThreadId) { return true; });
  } while (!live.child_ended());
  writer.finish(live.tables());
}

}  // namespace
}  // namespace isosan::fuzz

// In place of libc's: nobody waits for a target that is a list of bytes.
extern "C" int nanosleep(const timespec*, timespec*) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isosan;
  fuzz::analyse(fuzz::text(data, size));
  fuzz::keep(fuzz::text(data, size));
  return 0;
}
