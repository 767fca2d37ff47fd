// An error of the user: one line that says what to do, exit status 2.
#pragma once

#include <stdexcept>

namespace isosan {

// `what()` is the line without the "isosan: " in front.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace isosan
