// isosan-cc and isosan-c++: the driver under a name that CMake, configure and make take for a
// compiler. One source; the build sets the language.
#include "driver/driver.h"

int main(int argc, char** argv) {
  return isosan::driver::run_driver(isosan::driver::Language::ISOSAN_LANGUAGE,
                                    {argv + 1, argv + argc});
}
