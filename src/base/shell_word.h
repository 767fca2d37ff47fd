// Words of a command as the shell reads them: for commands that reports print.
#pragma once

#include <string>
#include <vector>

namespace isosan {

// Quoted if the shell would not take it for one word.
inline std::string shell_word(const std::string& word) {
  const bool plain =
      !word.empty() && word.find_first_of(" '\"\\$`&|;<>()*?\n\t#~{}[]!") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

inline std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace isosan
