#include "driver/command_line.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/user_error.h"

namespace isosan::driver {
namespace {

using std::string_view;

// Options of gcc and clang whose value is the next argument.
constexpr string_view kWithValue[] = {
    "-o",
    "-I",
    "-L",
    "-D",
    "-U",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-mllvm",
    "-target",
    "--target",
    "-arch",
    "-T",
    "-u",
    "-z",
    "-l",
    "-B",
    "-e",
    "-A",
    "-framework",
    "--param",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "--sysroot",
    "-resource-dir",
    "-gcc-toolchain",
    "-rpath",
    "-soname",
    "-h",
    "-G",
    "-wrapper",
    "-specs",
};

// With one of these no link step runs; with those marked, nothing is compiled either.
struct StopOption {
  string_view name;
  bool translates;
};
constexpr StopOption kStops[] = {
    {"-c", true},
    {"-S", true},
    {"-E", false},
    {"-M", false},
    {"-MM", false},
    {"-fsyntax-only", false},
    {"--analyze", false},
    {"-###", false},
    {"-r", true},
    {"-emit-ast", false},
    {"--preprocess", false},
    {"--compile", true},
    {"--assemble", true},
};

constexpr string_view kSourceSuffixes[] = {"c", "cc", "cp",   "cxx", "cpp", "CPP", "c++", "C",
                                           "i", "ii", "cppm", "ixx", "ccm", "bc",  "ll"};

bool is_source(string_view file) {
  const auto dot = file.rfind('.');
  if (dot == string_view::npos) return false;
  return std::ranges::find(kSourceSuffixes, file.substr(dot + 1)) != std::end(kSourceSuffixes);
}

bool is_c_language(string_view name) {  // the value of -x
  return name.starts_with("c") || name.starts_with("objective") || name == "ir";
}

// Words of a response file: white space separates, quotes and backslashes protect.
std::vector<std::string> words_of(const std::string& path) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::string> words;
  std::string word;
  bool any = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      any = true;
    } else if (quote != 0 ? c == quote : (c == '\'' || c == '"')) {
      quote = quote != 0 ? 0 : c;
      any = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

constexpr string_view kOtherShadows[] = {"address", "hwaddress", "memory", "dataflow"};

class Reader {
 public:
  void read(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const string_view argument = arguments[i];
      if (argument.starts_with("@") && argument.size() > 1) {
        read(words_of(arguments[i].substr(1)));
      } else if (argument == "-" || !argument.starts_with("-")) {
        input(argument);
      } else if (std::ranges::find(kWithValue, argument) != std::end(kWithValue)) {
        if (++i < arguments.size()) option_with_value(argument, arguments[i]);
      } else {
        option(argument);
      }
    }
  }

  void finish(CommandLine& line) const {
    line.has_input = inputs_ > 0;
    line.compiles = sources_ > 0 && !stops_before_translation_;
    line.links = inputs_ > 0 && !stops_before_link_;
    line.static_link = static_link_;
    line.debug_info = debug_info_;
    line.mentions_tsan = mentions_tsan_;
    line.other_shadow = other_shadow_;
  }

 private:
  void input(string_view file) {
    ++inputs_;
    if (language_.empty() || language_ == "none" ? is_source(file) || file == "-"
                                                 : is_c_language(language_))
      ++sources_;
  }

  void option_with_value(string_view name, const std::string& value) {
    if (name == "-x") language_ = value;
    if (name == "-l") ++inputs_;
  }

  void option(string_view name) {
    const auto stop = std::ranges::find(kStops, name, &StopOption::name);
    if (stop != std::end(kStops)) {
      stops_before_link_ = true;
      stops_before_translation_ |= !stop->translates;
    } else if (name == "-static" || name == "--static" || name == "-static-pie") {
      static_link_ = true;
    } else if (name.starts_with("-g") && !name.starts_with("-gcc-") &&
               name != "-gno-record-gcc-switches") {
      debug_info_ = true;
    } else if (name.starts_with("-fsanitize=")) {
      sanitizers(name.substr(string_view("-fsanitize=").size()));
    } else if (name.starts_with("-fno-sanitize=")) {
      for_each_of(name.substr(string_view("-fno-sanitize=").size()), [&](string_view one) {
        if (one == other_shadow_ || one == "all") other_shadow_.clear();
        mentions_tsan_ &= one != "thread" && one != "all";
      });
    } else if (name.starts_with("-l")) {
      ++inputs_;
    } else if (name.starts_with("-x")) {
      language_ = name.substr(2);
    }
  }

  template <class F>
  static void for_each_of(string_view list, F&& f) {
    for (std::size_t comma = 0; comma != string_view::npos; list.remove_prefix(comma + 1)) {
      comma = list.find(',');
      f(list.substr(0, comma));
      if (comma == string_view::npos) return;
    }
  }

  void sanitizers(string_view list) {
    for_each_of(list, [&](string_view one) {
      mentions_tsan_ |= one == "thread";
      if (std::ranges::find(kOtherShadows, one) != std::end(kOtherShadows)) other_shadow_ = one;
    });
  }

  int inputs_ = 0;
  int sources_ = 0;
  bool stops_before_link_ = false;
  bool stops_before_translation_ = false;
  bool static_link_ = false;
  bool debug_info_ = false;
  bool mentions_tsan_ = false;
  std::string other_shadow_;
  std::string language_;
};

}  // namespace

namespace {

bool is_on(const std::string& value) {
  if (value != "on" && value != "off")
    throw UserError("--arrays is 'on' or 'off', not '" + value + "'");
  return value == "on";
}

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--front") {
      if (i + 1 == arguments.size()) throw UserError("--front needs a value: pass or tsan");
      line.front = arguments[++i];
    } else if (arguments[i].starts_with("--front=")) {
      line.front = arguments[i].substr(string_view("--front=").size());
    } else if (arguments[i] == "--arrays") {
      line.arrays = is_on(i + 1 < arguments.size() ? arguments[++i] : "");
    } else if (arguments[i].starts_with("--arrays=")) {
      line.arrays = is_on(arguments[i].substr(string_view("--arrays=").size()));
    } else {
      line.arguments.push_back(arguments[i]);
    }
  }
  Reader reader;
  reader.read(line.arguments);
  reader.finish(line);
  return line;
}

}  // namespace isosan::driver
