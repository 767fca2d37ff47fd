// What `isosan --version` says: version and commit. The commit is left out where IsoSan was not built
// from a git checkout.
#pragma once

#include <string>

namespace isosan {

std::string version_line();

}  // namespace isosan
