#include "cli/options/analysis_options.h"

#include "cli/options/analyses.h"

namespace isosan {
namespace {

struct Switch {
  const char* name;
  bool AtomizerOptions::*refinement;
  const char* help;
  bool MarathonOptions::*split = nullptr;  // the same for units of work
};
constexpr Switch kRefinements[] = {
    {"--no-reentrant", &AtomizerOptions::reentrant_locks, "re-entrant locks are both-movers"},
    {"--no-thread-local-locks", &AtomizerOptions::thread_local_locks,
     "locks of one thread are both-movers"},
    {"--no-thread-local-locks2", &AtomizerOptions::thread_local_locks2,
     "locks handed over once are both-movers"},
    {"--no-protected-locks", &AtomizerOptions::protected_locks,
     "locks always taken under another are both-movers"},
    {"--no-write-protected", &AtomizerOptions::write_protected,
     "reads need only a lock that all writers hold"},
    {"--no-lone-thread", &AtomizerOptions::lone_thread,
     "what a thread does while all others are joined are both-movers"},
    {"--no-lone-regions", &AtomizerOptions::lone_regions,
     "a region entered while there is no other thread is not judged"},
    {"--no-split-at-barrier", &AtomizerOptions::split_at_barrier,
     "a barrier cuts every region in two", &MarathonOptions::split_at_barrier},
    {"--no-ordered-handover", &AtomizerOptions::ordered_handover,
     "what fork, join and barriers hand over is not shared"},
    {"--no-quiet-threads", &AtomizerOptions::quiet_threads,
     "joining a thread that did only both-movers is a both-mover"},
    {"--no-split-at-join", &AtomizerOptions::split_at_join,
     "joining any other thread cuts every region in two", &MarathonOptions::split_at_join},
    {"--no-second-looks", &AtomizerOptions::second_looks,
     "what is looked at again under a lock or by compare-exchange counts from there"},
    {"--no-split-at-fork", &AtomizerOptions::split_at_fork,
     "starting a thread that the region joins cuts it in two", &MarathonOptions::split_at_fork},
    {"--no-innermost", &AtomizerOptions::innermost,
     "a window inside a nested region is told of that one alone"},
    {"--no-back-offs", &AtomizerOptions::back_offs,
     "a lock given up after a lost try for another, with nothing done, did nothing"},
    {"--no-seen-handover", &AtomizerOptions::seen_handover,
     "only what this run's synchronization hands over to a second thread is not shared"},
    {"--no-late-windows", &AtomizerOptions::late_windows,
     "a window at a lock of one thread is reported once another one uses the lock"},
    {"--no-atomic-idioms", &AtomizerOptions::atomic_idioms,
     "rounds of a wait, relaxed counting and reference counts of the library do not count"},
};

void declare_atomizer(CLI::App& parser, AtomizerOptions& options, MarathonOptions& marathon) {
  for (const Switch& each : kRefinements) {
    const char* units = each.split == nullptr ? "" : "; marathon: it ends no unit of work";
    parser.add_flag_callback(
        each.name,
        [&options, &marathon, each] {
          options.*each.refinement = false;
          if (each.split != nullptr) marathon.*each.split = false;
        },
        std::string("atomizer without the refinement: ") + each.help + units);
  }
  parser.add_flag_callback(
      "--atomizer-basic",
      [&options] {
        for (const Switch& each : kRefinements) options.*each.refinement = false;
      },
      "atomizer without any of its refinements");
  parser.add_flag("--relaxed-atomics-move", options.relaxed_atomics_move,
                  "atomizer: relaxed atomic operations are both-movers");
  parser.add_flag("--split-at-wait", options.split_every_wait,
                  "atomizer: a condition wait cuts every region in two");
}

}  // namespace

void AnalysisOptions::declare(CLI::App& parser) {
  names = kDefaultAnalysis;
  parser
      .add_option("--analysis", names,
                  "Analyses, separated by commas (default " + std::string(kDefaultAnalysis) + ")")
      ->type_name("A[,B...]");
  parser.add_flag("--count-retries", count_retries,
                  "velodrome and its like: what a region only tries or looks at again counts, too");
  declare_atomizer(parser, std::get<AtomizerOptions>(own), std::get<MarathonOptions>(own));
  parser.add_flag_callback(
      "--no-race-free-filter", [this] { std::get<SingleTrack::Options>(own).filter = false; },
      "singletrack, fasttrack: look at race-free accesses, too, while the program runs");
  sets.declare(parser);
  parser.add_flag_callback(
      "--no-split-at-wait", [this] { std::get<MarathonOptions>(own).split_at_wait = false; },
      "marathon: a wait for a condition or a semaphore does not end a unit of work");
  parser.footer(analyses_help());
}

}  // namespace isosan
