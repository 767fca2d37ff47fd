#include "cli/pages/completion.h"

#include <fmt/format.h>

#include <functional>

namespace isosan {
namespace {

void for_each(const CommandView& command, const std::function<void(const CommandView&)>& f) {
  f(command);
  for (const CommandView& sub : command.commands) for_each(sub, f);
}

std::vector<std::string> names_of(const CommandView& command) {
  std::vector<std::string> names;
  for (const CommandView& sub : command.commands) names.push_back(sub.path.back());
  return names;
}

std::vector<std::string> options_of(const CommandView& command) {
  std::vector<std::string> words;
  for (const OptionView& option : command.options) {
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

// A row of the table in the script: what follows this command, or this option of it.
std::string bash_row(const std::string& key, const std::vector<std::string>& words) {
  return fmt::format("    '{}') echo '{}' ;;\n", key, joined(words, " "));
}

constexpr char kBashRest[] = R"sh(
_isosan() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -- ]]; then
      COMPREPLY=($(compgen -c -- "$cur") $(compgen -f -- "$cur"))
      return
    fi
    [[ " $(_isosan_words "$path") " == *" $word "* && $word != -* ]] && path="${path:+$path }$word"
  done
  local choices
  choices=$(_isosan_words "$path|$prev")
  if [[ -n $choices ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_isosan_words "$path|")" -- "$cur"))
  elif [[ $prev != -* && -n $(_isosan_words "$path") ]]; then
    COMPREPLY=($(compgen -W "$(_isosan_words "$path")" -- "$cur"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _isosan isosan
)sh";

// As a specification of _arguments reads it, within single quotes.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return safe;
}

std::string zsh_values(const OptionView& option) {
  if (!option.choices.empty()) return "(" + joined(option.choices, " ") + ")";
  return option.value == "FOLDER" ? "_files -/" : "_files";
}

std::string zsh_options(const CommandView& command) {
  std::string text;
  for (const OptionView& option : command.options) {
    if (option.positional) continue;
    for (const std::string& name : option.names) {
      text += fmt::format("      '*{}[{}]{}' \\\n", name, zsh_text(option.help),
                          option.value.empty()
                              ? ""
                              : fmt::format(":{}:{}", zsh_text(option.value), zsh_values(option)));
    }
  }
  return text;
}

std::string zsh_case(const CommandView& command) {
  std::string text = fmt::format("    '{}')\n      _arguments -S \\\n", joined(command.path, " "));
  text += zsh_options(command);
  if (command.commands.empty()) return text + "      '*:file:_files' ;;\n";
  return text + fmt::format("      '1:command:({})' ;;\n", joined(names_of(command), " "));
}

}  // namespace

std::string bash_completion(const CommandView& isosan) {
  std::string text = "# bash completion of isosan, made by 'isosan pages'\n";
  text += "_isosan_words() {\n  case $1 in\n";
  for_each(isosan, [&](const CommandView& command) {
    const std::string path = joined(command.path, " ");
    text += bash_row(path, names_of(command));
    text += bash_row(path + "|", options_of(command));
    for (const OptionView& option : command.options) {
      if (option.positional || option.choices.empty()) continue;
      for (const std::string& name : option.names)
        text += bash_row(path + "|" + name, option.choices);
    }
  });
  return text + "  esac\n}\n" + kBashRest;
}

std::string zsh_completion(const CommandView& isosan) {
  std::string text = "#compdef isosan\n# zsh completion of isosan, made by 'isosan pages'\n";
  text += "_isosan() {\n  local at=\n  local -A below\n  below=(\n";
  for_each(isosan, [&](const CommandView& command) {
    if (!command.commands.empty())
      text += fmt::format("    '{} ' '{}'\n", joined(command.path, " "),
                          joined(names_of(command), " "));
  });
  text += R"sh(  )
  while (( CURRENT > 2 )) && [[ " ${below[$at ]} " == *" ${words[2]} "* ]]; do
    at=${at:+$at }${words[2]}
    words=("${(@)words[2,-1]}")
    (( CURRENT-- ))
  done
  case $at in
)sh";
  for_each(isosan, [&](const CommandView& command) { text += zsh_case(command); });
  return text + "  esac\n}\n_isosan \"$@\"\n";
}

}  // namespace isosan
