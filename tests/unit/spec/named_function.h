// A function of which only the name is known.
#pragma once

#include <string>
#include <utility>

#include "event/tables.h"

namespace isosan::test {

inline Function named(std::string name) {
  Function function;
  function.name = std::move(name);
  return function;
}

}  // namespace isosan::test
