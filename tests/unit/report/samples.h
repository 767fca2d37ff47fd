// Findings as analyses make them, built by hand: a bank account whose deposit is torn.
#pragma once

#include "event/finding.h"
#include "event/tables.h"

namespace isosan::samples {

inline constexpr Address kBalance = 0x1000, kMutex = 0x2000;

// Two threads; deposit (bank.cc:10..12) and audit (bank.cc:20); one stack main > deposit.
inline Tables bank_tables() {
  Tables tables;
  tables.threads = {
      {"0", "", ThreadId{0}}, {"0.0", "", ThreadId{0}}, {"0.1", "auditor", ThreadId{0}}};
  tables.functions.push_back({.name = "Account::deposit"});
  tables.functions.push_back({.name = "audit"});
  tables.functions.push_back({.name = "main"});
  tables.sites.push_back({.function = FunctionId{1}, .file = "bank.cc", .line = 10});
  tables.sites.push_back({.function = FunctionId{1}, .file = "bank.cc", .line = 11, .column = 7});
  tables.sites.push_back({.function = FunctionId{1}, .file = "bank.cc", .line = 12});
  tables.sites.push_back({.function = FunctionId{2}, .file = "bank.cc", .line = 20});
  tables.sites.push_back({.function = FunctionId{3}, .file = "bank.cc", .line = 30});
  tables.regions.push_back({RegionKind::kAtomic, "Account::deposit", FunctionId{1}, SiteId{1}});
  tables.contexts.push_back({kEmptyStack, FunctionId{3}, kNoSite});
  tables.contexts.push_back({ContextId{1}, FunctionId{1}, SiteId{5}});
  tables.symbols = {{kBalance, 8, "balance"}, {kMutex, 40, "mutex"}};
  return tables;
}

// T1 reads the balance, the auditor writes it, T1 writes it: steps as two per edge, one event
// twice.
inline Finding torn_deposit() {
  const ThreadId depositor{1}, auditor{2};
  Finding finding{.analysis = "velodrome", .kind = FindingKind::kAtomicityViolation};
  finding.region = RegionId{1};
  finding.transactions = {
      {depositor, RegionId{1}, {4, depositor, SiteId{1}, ContextId{2}}, false, true},
      {auditor, kNoRegion, {6, auditor, SiteId{4}, kEmptyStack}, true, false}};
  const Where read{5, depositor, SiteId{2}, ContextId{2}};
  const Where foreign{6, auditor, SiteId{4}, kEmptyStack};
  const Where write{7, depositor, SiteId{3}, ContextId{2}};
  finding.steps = {{1, foreign, Kind::kWrite, kBalance, 8, "", {}},
                   {0, write, Kind::kWrite, kBalance, 8, "", {}},
                   {0, read, Kind::kRead, kBalance, 8, "", {}},
                   {1, foreign, Kind::kWrite, kBalance, 8, "", {}}};
  finding.edges = {{0, 1, EdgeReason::kData}, {2, 3, EdgeReason::kData}};
  return finding;
}

// Atomizer's three places: no edge, no second thread.
inline Finding window_in_deposit() {
  const ThreadId depositor{1};
  Finding finding{.analysis = "atomizer", .kind = FindingKind::kNotReducible};
  finding.region = RegionId{1};
  finding.message = "Account::deposit acquires a lock after it has released one.";
  finding.transactions = {
      {depositor, RegionId{1}, {4, depositor, SiteId{1}, ContextId{2}}, false, true}};
  finding.steps = {
      {0, {4, depositor, SiteId{1}, ContextId{2}}, Kind::kBegin, 0, 0, "region entered", {}},
      {0,
       {5, depositor, SiteId{2}, ContextId{2}},
       Kind::kRelease,
       kMutex,
       0,
       "region commits at",
       {kMutex}},
      {0, {7, depositor, SiteId{3}, ContextId{2}}, Kind::kAcquire, kMutex, 0, "violation at", {}}};
  finding.notes = {"assume_mover silences a place that is known to be harmless"};
  return finding;
}

inline Finding race() {
  Finding finding{.analysis = "fasttrack", .kind = FindingKind::kDataRace};
  finding.transactions = {{ThreadId{1}}, {ThreadId{2}}};
  finding.steps = {
      {0, {5, ThreadId{1}, SiteId{2}, ContextId{2}}, Kind::kRead, kBalance + 4, 4, "previous", {}},
      {1, {6, ThreadId{2}, SiteId{4}, kEmptyStack}, Kind::kWrite, kBalance, 8, "current", {}}};
  finding.times = 3;
  return finding;
}

}  // namespace isosan::samples
