#include "driver/driver.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/user_error.h"
#include "driver/flags.h"

namespace isosan::driver {
namespace {

constexpr int kUsage = 2;

std::filesystem::path compiler_for(Language language, Front front) {
  const std::string name = compiler_name(language, front);
  if (const auto path = find_program(name)) return *path;
  const char* variable = language == Language::kCxx ? "ISOSAN_CXX" : "ISOSAN_CC";
  throw UserError("compiler '" + name + "' not found: install " +
                  (front == Front::kPass ? "clang-19" : "gcc or clang") + ", or set " + variable);
}

void need(const std::filesystem::path& part, const char* what) {
  std::error_code ignored;
  if (!std::filesystem::exists(part, ignored))
    throw UserError(std::string("no ") + what + " at " + part.string() +
                    ": is IsoSan installed whole?");
}

Invocation prepare(const CommandLine& line, Front front, const std::filesystem::path& compiler) {
  Invocation invocation{front, is_clang(compiler), find_parts(), std::nullopt};
  if (!invocation.clang) invocation.gcc_plugin = gcc_plugin_for(compiler, invocation.parts);
  if (front == Front::kPass && !invocation.clang)
    throw UserError(compiler.string() +
                    " is not clang: the pass front is a plugin of clang 19; use --front tsan");
  if (front != Front::kPass && !line.arrays)
    throw UserError("--arrays off goes with the pass front only");
  if (line.links && line.static_link)
    throw UserError(
        "-static: the runtime is a shared library; link without it (-static-libstdc++ is fine)");
  if ((line.compiles || line.links) && !line.other_shadow.empty())
    throw UserError("-fsanitize=" + line.other_shadow +
                    ": its shadow memory and IsoSan's do not fit into one program; build it twice");
  if (line.compiles && front == Front::kPass && line.mentions_tsan)
    throw UserError("-fsanitize=thread: the pass front has checks of its own; use --front tsan");
  if (line.compiles && front == Front::kPass) need(invocation.parts.plugin, "pass plugin");
  if (line.links) need(invocation.parts.runtime, "runtime");
  return invocation;
}

int replace_by(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw UserError("cannot start " + program.string() + ": " + std::strerror(errno));
}

}  // namespace

int run_driver(Language language, const std::vector<std::string>& arguments) {
  try {
    const CommandLine line = read_command_line(arguments);
    const Front front = choose_front(line.front);
    const std::filesystem::path compiler = compiler_for(language, front);
    return replace_by(compiler, compiler_arguments(line, prepare(line, front, compiler)));
  } catch (const UserError& error) {
    std::fprintf(stderr, "isosan: %s\n", error.what());
    return kUsage;
  }
}

}  // namespace isosan::driver
