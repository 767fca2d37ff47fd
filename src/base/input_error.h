// An error in the input: one line that says where and what, exit status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace isosan {

// `what()` is the whole line without the "isosan: " in front: "FILE:LINE: ..." or "FILE: offset N:
// ...".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace isosan
