// The summary, line by line: what a run that has everything to say prints.
#include <gtest/gtest.h>

#include "report/text.h"

namespace isosan {
namespace {

RunRecord run_of(std::uint64_t threads) {
  RunRecord run;
  run.pid = 7;
  run.threads = threads;
  run.instrumented_modules = {"bank"};
  return run;
}

TEST(Summary, SaysWhatWasLookedAt) {
  RunRecord run = run_of(3);
  run.regions_known = true;
  run.regions_matched = 1;
  run.regions_entered = 1;
  run.left_out = {{"main", "1 main", 1}, {"lambda", "2 lambdas", 2}};
  run.regions_that_waited = {"add"};
  run.blind_modules = {{"libz.so", false}, {"libc.so", true}};
  run.racy_transfers = 2;
  run.folded = {{"Ring::push", "only by looks"}};
  run.notes = {"suppression of region 'f' was not used"};
  EXPECT_EQ(text_footer(run),
            "IsoSan: 1 function is a region, 1 of them entered\n"
            "IsoSan: functions that are no regions: 1 main, 2 lambdas (--explain-regions lists "
            "them)\n"
            "IsoSan: region only until it waited for other threads: add\n"
            "IsoSan: not instrumented, what happens there is not seen: libz.so\n"
            "IsoSan: 2 transfers of memory between threads were not ordered by any "
            "synchronization; --strict records their exact order\n"
            "IsoSan: not atomic, but hardly a bug (--all shows it): Ring::push (only by looks)\n"
            "IsoSan: suppression of region 'f' was not used\n"
            "IsoSan: watched 3 threads in 1 instrumented module\n");
}

TEST(Summary, SaysWhereARunIsWorthLittle) {
  EXPECT_EQ(text_footer(run_of(1)),
            "IsoSan: watched 1 thread in 1 instrumented module\n"
            "IsoSan: only one thread ran: nothing could happen between threads; run it with "
            "more\n");
  RunRecord run = run_of(2);
  run.uncontended = true;
  EXPECT_EQ(text_footer(run),
            "IsoSan: watched 2 threads in 1 instrumented module\n"
            "IsoSan: nothing was contended: no other thread touched what a region used while it "
            "ran; 'isosan hunt' looks for schedules in which one does\n");
}

TEST(Summary, NamesTheProcessesOfARun) {
  RunRecord run = run_of(2);
  run.input = "ctest";
  run.processes.resize(1);
  run.processes[0] = {.number = 1, .pid = 8, .command = "bank_test", .findings = 1, .threads = 3};
  run.processes[0].ended_by = "SIGABRT";
  run.still_running = 1;
  run.unobserved = {9};
  EXPECT_EQ(
      text_footer(run),
      "IsoSan: watched 2 processes:\n"
      "IsoSan:   pid 7, 2 threads, 0 findings: ctest\n"
      "IsoSan:   pid 8, 3 threads, 1 finding, ended by SIGABRT: bank_test\n"
      "IsoSan: still running, and reported when they end: 1 process\n"
      "IsoSan: processes with threads that nobody watched: pid 9 (a child made by fork() is "
      "watched only if it executes a program: run it in the foreground, or as one process)\n");
}

TEST(Summary, OfManyProcessesOnlyThoseWithSomethingToSay) {
  RunRecord run = run_of(2);
  run.input = "ctest";
  run.processes.resize(30);
  for (std::size_t i = 0; i < run.processes.size(); ++i) run.processes[i].pid = 100 + i;
  run.processes[3].error = "offset 9: cut short";
  run.processes[3].command = "bank_test";
  EXPECT_EQ(text_footer(run),
            "IsoSan: watched 31 processes:\n"
            "IsoSan:   pid 103, 0 threads, 0 findings, not read to its end: bank_test\n"
            "IsoSan:   30 more without findings\n");
}

TEST(Summary, EndsWithTheVerdict) {
  RunRecord run = run_of(2);
  EXPECT_EQ(text_summary(run, Colour::kNever), "SUMMARY: IsoSan: 0 findings\n");
  run.ended_by = "SIGTERM";
  run.error = "offset 9: cut short";
  EXPECT_EQ(text_summary(run, Colour::kNever),
            "SUMMARY: IsoSan: 0 findings, up to where the input could not be read; the program "
            "was ended by SIGTERM\n");
}

}  // namespace
}  // namespace isosan
