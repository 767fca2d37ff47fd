// Copies of a std::shared_ptr in several threads; the last one deletes the object.
#include <memory>
#include <thread>
#include <vector>

struct Document {
  std::vector<int> lines = std::vector<int>(10, 1);
};

int read(std::shared_ptr<const Document> document) {
  int sum = 0;
  for (int line : document->lines) sum += line;
  return sum;
}

int main() {
  int sums[3] = {};
  auto document = std::make_shared<const Document>();
  std::vector<std::thread> threads;
  for (int& sum : sums) {
    threads.emplace_back([document, &sum] {
      for (int i = 0; i < 50; ++i) sum += read(document);
    });
  }
  document.reset();
  for (std::thread& thread : threads) thread.join();
  return sums[0] != 500 || sums[1] != 500 || sums[2] != 500;
}
