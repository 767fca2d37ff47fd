// Schedules as text: one line each for the version, the program, the steps and what follows them.
//
//   isosan schedule 1
//   steps 2                        how many there are; may be left out
//   build 3f2a...                  the build id of an instrumented module; one line each
//   note lost update of account.cc:12
//   first-after 0.1                which thread goes first after the last step
//   run 0 until 12                 only thread 0, until it is about to execute its operation 12
//   run 0.1 until 5 +1             ... and passes one more point at which it could stop
//     before 1 acquire m_          where that is in the source: the first acquire of m_ there,
//     in 2 Account::set            two lines behind the beginning of this function,
//     source std::lock_guard g(m_);   which is this line. Or `behind`: right behind the operation
//   # a comment
//
// Law: parse_schedule(print_schedule(s)) == s for every schedule whose ids, threads and notes can
// stand on a line. A thread's steps never go back. A file that was cut off is no schedule. Blank
// lines and comments may stand anywhere.
#pragma once

#include <string>
#include <string_view>

#include "event/schedule.h"

namespace isosan {

std::string print_schedule(const Schedule& schedule);

// `name` is what errors call it. Throws InputError ("NAME:LINE: ...").
Schedule parse_schedule(std::string_view text, const std::string& name);

void write_schedule(const Schedule& schedule, const std::string& path);  // throws InputError
Schedule read_schedule(const std::string& path);                         // throws InputError

}  // namespace isosan
