#include "symbolize/names.h"

#include <cxxabi.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace isosan {
namespace {

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

// One walk over a demangled name; what belongs to the qualified name is kept in out_.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size() && !done_) step();
    if (out_.ends_with("::")) out_.resize(out_.size() - 2);
    return std::move(out_);
  }

 private:
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool skip(std::string_view what) {
    if (!next_is(what)) return false;
    at_ += what.size();
    return true;
  }
  bool at_word_start() const { return at_ == 0 || !is_identifier(text_[at_ - 1]); }

  void step() {
    if (skip("(anonymous namespace)")) {
      skip("::");
    } else if (at_word_start() && next_is("operator") &&
               (at_ + 8 >= text_.size() || !is_identifier(text_[at_ + 8]))) {
      operator_name();
    } else if (at_word_start() && next_is("$_")) {
      while (at_ < text_.size() && is_identifier(text_[at_])) ++at_;
      lambda();
    } else if (text_[at_] == '{') {
      braces();
    } else if (text_[at_] == '<' || text_[at_] == '[') {
      skip_group();
    } else if (text_[at_] == '(') {
      parameters();
    } else if (text_[at_] == ' ') {  // what came before was the return type
      out_.clear();
      ++at_;
    } else {
      out_ += text_[at_++];
    }
  }

  // operator(), operator<<, operator new[], operator int: everything up to the parameter list.
  void operator_name() {
    out_ += "operator";
    at_ += 8;
    if (skip("()")) {
      out_ += "()";
      return;
    }
    const bool symbol =
        at_ < text_.size() && std::ispunct(static_cast<unsigned char>(text_[at_])) != 0;
    while (at_ < text_.size() && text_[at_] != '(') {
      // The '<' behind a whole symbol opens template arguments: "operator<< <int>" has a blank
      // there.
      if (symbol && text_[at_] == ' ') break;
      out_ += text_[at_++];
    }
    if (symbol && skip(" ") && at_ < text_.size() && text_[at_] == '<') skip_group();
  }

  void lambda() {
    out_ += "lambda";
    skip("::operator()");
  }

  void braces() {
    const bool is_lambda = next_is("{lambda");
    skip_group();
    if (is_lambda) {
      lambda();
    } else {
      out_ += "unnamed";
    }
  }

  // Parameters end the name, unless a local entity follows: "f(int)::Local::g()".
  void parameters() {
    skip_group();
    if (out_ == "decltype") {
      out_.clear();
      return;
    }
    const std::size_t scope = text_.find_first_not_of("const volatile&", at_);
    if (scope != std::string_view::npos && text_.substr(scope).starts_with("::")) {
      at_ = scope;
    } else {
      done_ = true;
    }
  }

  // From an opening bracket to behind the one that closes it.
  void skip_group() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
      const bool arrow = c == '>' && text_[at_ - 1] == '-';
      if ((c == ')' || c == '>' || c == '}' || c == ']') && !arrow && --depth == 0) {
        ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool done_ = false;
  std::string out_;
};

}  // namespace

std::string demangled(const std::string& linkage_name) {
  if (!linkage_name.starts_with("_Z")) return linkage_name;  // "a" would be a signed char
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(linkage_name.c_str(), nullptr, nullptr, &status), std::free);
  if (status == 0 && text) return text.get();
  // ".0", ".llvm.17": a compiler split a variable, or renamed it.
  const std::size_t suffix = linkage_name.find('.');
  return suffix != linkage_name.npos ? demangled(linkage_name.substr(0, suffix)) : linkage_name;
}

std::string qualified_name(std::string_view demangled_name) { return Walk(demangled_name).run(); }

}  // namespace isosan
