// A pool that lends objects; whoever has one uses it without a lock.
#include <mutex>
#include <thread>
#include <vector>

struct Buffer {
  int bytes[4] = {};
  int uses = 0;
};

class BufferPool {
 public:
  Buffer* take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return new Buffer;
    Buffer* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give_back(Buffer* buffer) {
    std::lock_guard lock(mutex_);
    free_.push_back(buffer);
  }
  int uses() {
    std::lock_guard lock(mutex_);
    int total = 0;
    for (Buffer* buffer : free_) total += buffer->uses;
    return total;
  }

 private:
  std::mutex mutex_;
  std::vector<Buffer*> free_;
};

void use(Buffer& buffer, int i) {
  buffer.bytes[i % 4] = i;
  ++buffer.uses;
}

int main() {
  BufferPool pool;
  auto work = [&pool] {
    for (int i = 0; i < 200; ++i) {
      Buffer* buffer = pool.take();
      use(*buffer, i);
      pool.give_back(buffer);
    }
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  return pool.uses() != 400;
}
