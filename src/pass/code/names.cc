#include "pass/code/names.h"

#include <cstdlib>

#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"

namespace isosan::pass {
namespace {

using llvm::StringRef;

constexpr StringRef kOperators[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
                                    "<=",  ">=",  "->",  "()",  "<",  ">"};

// The length of `operator` and its symbol at the start of `name`; 0 if it is no such operator.
std::size_t operator_length(StringRef name) {
  StringRef rest = name;
  if (!rest.consume_front("operator")) return 0;
  for (StringRef symbol : kOperators) {
    if (!rest.starts_with(symbol)) continue;
    const StringRef after = rest.drop_front(symbol.size()).ltrim();
    if (after.empty() || after.front() == '<') return name.size() - rest.size() + symbol.size();
  }
  return 0;
}

void append(std::string& name, StringRef part) {
  if (part.empty()) return;
  if (!name.empty()) name += "::";
  name += part;
}

bool is_lambda(const llvm::DIScope& scope) {
  return llvm::isa<llvm::DICompositeType>(scope) && scope.getName().empty();
}

// Demangled names of functions without debug info: drops parameters, anonymous namespaces and the
// numbers of lambdas.
std::string simplify_demangled(StringRef demangled) {
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const StringRef rest = demangled.drop_front(i);
    if (rest.starts_with("(anonymous namespace)::")) {
      i += StringRef("(anonymous namespace)::").size() - 1;
    } else if (rest.starts_with("'lambda")) {
      name += "lambda";
      const std::size_t quote = rest.find('\'', 1);
      i += quote == StringRef::npos ? rest.size() : quote;
    } else if (demangled[i] == '(' && rest.starts_with("()") &&
               StringRef(name).ends_with("operator")) {
      name += "()";
      ++i;
    } else if (demangled[i] == '(') {
      ++depth;
    } else if (demangled[i] == ')') {
      --depth;
    } else if (depth == 0) {
      name += demangled[i];
    }
  }
  for (StringRef suffix : {"::operator()", " const", " volatile"})
    if (StringRef(name).ends_with(suffix) &&
        (suffix != "::operator()" || name.find("lambda") != std::string::npos))
      name.resize(name.size() - suffix.size());
  return name;
}

std::string name_from_mangled(StringRef mangled) {
  llvm::ItaniumPartialDemangler demangler;
  const std::string terminated = mangled.str();
  if (demangler.partialDemangle(terminated.c_str()) || !demangler.isFunction()) return terminated;
  std::string name;
  for (bool context : {true, false}) {
    char* text = context ? demangler.getFunctionDeclContextName(nullptr, nullptr)
                         : demangler.getFunctionBaseName(nullptr, nullptr);
    if (text == nullptr) continue;
    append(name, text);
    std::free(text);
  }
  return simplify_demangled(without_template_arguments(name));
}

}  // namespace

std::string without_template_arguments(StringRef name) {
  std::string result;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (depth == 0 && (i == 0 || name[i - 1] == ':')) {
      const std::size_t length = operator_length(name.drop_front(i));
      result += name.substr(i, length);
      i += length;
      if (i >= name.size()) break;
    }
    if (name[i] == '<') ++depth;
    if (depth == 0) result += name[i];
    if (name[i] == '>' && depth > 0) --depth;
  }
  return StringRef(result).rtrim().str();
}

std::string qualified_name(const llvm::DIScope& scope) {
  llvm::SmallVector<const llvm::DIScope*, 8> chain;
  for (const llvm::DIScope* s = &scope; s != nullptr; s = s->getScope()) {
    if (llvm::isa<llvm::DIFile, llvm::DICompileUnit>(s)) break;
    if (!llvm::isa<llvm::DILexicalBlockBase>(s)) chain.push_back(s);
  }
  std::string name;
  bool in_lambda = false;
  for (const llvm::DIScope* s : llvm::reverse(chain)) {
    const bool call_of_lambda = in_lambda && s->getName() == "operator()";
    if (!call_of_lambda)
      append(name, is_lambda(*s) ? "lambda" : without_template_arguments(s->getName()));
    in_lambda = is_lambda(*s);
  }
  return name;
}

std::string qualified_name(const llvm::Function& function) {
  if (const llvm::DISubprogram* subprogram = function.getSubprogram())
    if (!subprogram->getName().empty()) return qualified_name(*subprogram);
  return name_from_mangled(function.getName());
}

const llvm::DICompositeType* class_of(const llvm::DISubprogram& subprogram) {
  return llvm::dyn_cast_or_null<llvm::DICompositeType>(subprogram.getScope());
}

// A member without an access flag has the default of its class's tag.
Accessibility accessibility_of(const llvm::DISubprogram* subprogram) {
  if (subprogram == nullptr) return Accessibility::kNone;
  const llvm::DICompositeType* type = class_of(*subprogram);
  if (type == nullptr) return Accessibility::kNone;
  const llvm::DISubprogram* declaration = subprogram->getDeclaration();
  const auto flags = (declaration != nullptr ? declaration : subprogram)->getFlags() &
                     llvm::DINode::FlagAccessibility;
  if (flags == llvm::DINode::FlagPrivate) return Accessibility::kPrivate;
  if (flags == llvm::DINode::FlagProtected) return Accessibility::kProtected;
  if (flags == llvm::DINode::FlagPublic) return Accessibility::kPublic;
  return type->getTag() == llvm::dwarf::DW_TAG_class_type ? Accessibility::kPrivate
                                                          : Accessibility::kPublic;
}

bool is_library_code(const llvm::Function& function) {
  const std::string name = qualified_name(function);
  for (StringRef prefix : {"std::", "__", "isosan::region::"})
    if (StringRef(name).starts_with(prefix)) return true;
  return StringRef(name).starts_with("operator new") ||
         StringRef(name).starts_with("operator delete");
}

}  // namespace isosan::pass
