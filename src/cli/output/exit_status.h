// Exit statuses of isosan (cli.md).
#pragma once

namespace isosan {

inline constexpr int kExitClean = 0;
inline constexpr int kExitError = 2;  // bad command line, unreadable or damaged input
inline constexpr int kExitFindings = 66;
inline constexpr int kExitLeftSchedule = 69;  // replay: the run could not follow it
inline constexpr int kExitSkipped = 77;       // replay --test: it cannot say anything any more
inline constexpr int kExitNothingSeen = 68;   // nothing of the program was instrumented

}  // namespace isosan
