// From linkage names to qualified names, as globs match them.
//
// A qualified name has no return type, parameters, template arguments or ABI tags; an anonymous
// namespace is left out; a lambda is `enclosing::lambda`: `int ns::(anonymous
// namespace)::V<int>::f(int) const` is `ns::V::f`.
#pragma once

#include <string>
#include <string_view>

namespace isosan {

std::string demangled(const std::string& linkage_name);  // the name itself where it is not mangled
std::string qualified_name(std::string_view demangled_name);

}  // namespace isosan
