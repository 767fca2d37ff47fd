// The version is read by one call, the data by the next: new data filed under the old version.
// finds: velodrome doublechecker marathon atomizer
// blames: backup
#include <mutex>
#include <thread>

#include "steps.h"

class Document {
 public:
  int version() {
    std::lock_guard lock(mutex_);
    return version_;
  }
  int data() {
    std::lock_guard lock(mutex_);
    return data_;
  }
  void edit(int data) {
    std::lock_guard lock(mutex_);
    data_ = data;
    ++version_;
  }

 private:
  std::mutex mutex_;
  int version_ = 0, data_ = 0;
};

int backup(Document& document) {
  const int version = document.version();
  let_other_in();
  return document.data() - version;
}

int main() {
  Document document;
  std::thread other([&] {
    await_step(1);
    document.edit(1);
    next_step();
  });
  const int difference = backup(document);
  other.join();
  return difference != 1;
}
