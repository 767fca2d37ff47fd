// Strings and maps: threads count the words of their part of a text, and add their counts to a common one now and then.
#include <map>
#include <mutex>
#include <string>

#include "../common.h"

class Text {
 public:
  static std::string word(int i) {
    static const char* const kSyllables[] = {"ba", "den", "ka", "lor", "mi", "nes", "ro", "tum"};
    Random random(static_cast<std::uint64_t>(i));
    std::string result;
    for (std::uint32_t n = 1 + random.next() % 4; n > 0; --n) result += kSyllables[random.next() % 8];
    if (random.next() % 8 == 0) result[0] = static_cast<char>(result[0] - 'a' + 'A');
    return result;
  }
};

std::uint64_t weight(const std::string& word) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash >> 40;
}

using Counts = std::map<std::string, int>;

class Tally {
 public:
  void add(const Counts& counts) {
    const std::lock_guard lock(mutex_);
    for (const auto& [word, count] : counts) counts_[word] += count;
  }
  std::uint64_t weight_of_all() const {
    const std::lock_guard lock(mutex_);
    std::uint64_t sum = 0;
    for (const auto& [word, count] : counts_) sum += weight(word) * static_cast<unsigned>(count);
    return sum;
  }

 private:
  mutable std::mutex mutex_;
  Counts counts_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr int kPart = 2000;
  const int words = 60000 * arguments.scale;
  Tally tally;
  in_parallel(arguments.threads, [&](int me) {
    const Share share(words, me, arguments.threads);
    for (int begin = share.begin; begin < share.end; begin += kPart) {
      Counts counts;
      for (int i = begin; i < begin + kPart && i < share.end; ++i) ++counts[Text::word(i)];
      tally.add(counts);
    }
  });
  std::uint64_t expected = 0;
  for (int i = 0; i < words; ++i) expected += weight(Text::word(i));
  return finish(tally.weight_of_all() == expected, "words", static_cast<double>(expected));
}
