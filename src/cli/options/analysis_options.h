// The options of check and run for analyses: which ones run, and the options of each.
//
// Options of a single analysis are stored in its own Options; what several
// understand (sync_edges, tables) is copied into each that has a member of that name.
#pragma once

#include <CLI/App.hpp>
#include <concepts>
#include <string>
#include <tuple>

#include "analysis/atomizer/options.h"
#include "analysis/doublechecker/options.h"
#include "analysis/marathon/options.h"
#include "analysis/singletrack/singletrack.h"
#include "base/location_room.h"
#include "cli/options/sets_file.h"
#include "event/tables.h"

namespace isosan {

struct AnalysisOptions {
  std::string names;  // of --analysis; empty: the default
  bool sync_edges = true;
  bool count_retries = false;      // exact analyses: as the papers have it (analysis/retries)
  const Tables* tables = nullptr;  // outlives the analyses
  LocationLimits limits;           // exact analyses
  bool pcd_only = false;           // doublechecker: without its imprecise half
  SetOptions sets;                 // marathon's
  std::tuple<AtomizerOptions, DoubleCheckerOptions, MarathonOptions, SingleTrack::Options> own;

  void declare(CLI::App& parser);

  template <class Options>
  Options of_analysis() const {
    Options options = own_or_default<Options>(own);
    if constexpr (requires { options.sync_edges; }) options.sync_edges = sync_edges;
    if constexpr (requires { options.limits; }) options.limits = limits;
    if constexpr (requires { options.tables; }) options.tables = tables;
    if constexpr (std::same_as<Options, MarathonOptions>) options.rules = sets.rules();
    return options;
  }

 private:
  template <class Options, class... Own>
  static Options own_or_default(const std::tuple<Own...>& own) {
    if constexpr ((std::same_as<Options, Own> || ...)) return std::get<Options>(own);
    return Options{};
  }
};

}  // namespace isosan
