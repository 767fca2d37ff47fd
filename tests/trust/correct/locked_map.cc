// Get or create in a map, in one critical section; and a string that is appended to.
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Words {
 public:
  int count(const std::string& word) {
    std::lock_guard lock(mutex_);
    auto found = counts_.find(word);
    if (found == counts_.end()) found = counts_.emplace(word, 0).first;
    all_ += word;
    return ++found->second;
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return counts_.size() + all_.size();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;
  std::string all_;
};

int main() {
  Words words;
  auto work = [&words] {
    for (int i = 0; i < 100; ++i) words.count(std::string(1, static_cast<char>('a' + i % 5)));
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  return words.size() != 205;
}
