// Frames on a pipe: the head and the body of a frame are two writes; those of another thread come
// between them, and the reader takes a head for a body.
#include <unistd.h>

#include <mutex>
#include <thread>

#include "bug.h"

class Wire {
 public:
  Wire() { bug::require(::pipe(pipe_) == 0, "a pipe"); }
  void send(char frame) {
    std::unique_lock<std::mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    put(frame);
    put(frame);
  }
  void receive() {
    const char head = get();
    bug::require(get() == head, "the body follows its head");
  }

 private:
  void put(char byte) { bug::require(::write(pipe_[1], &byte, 1) == 1, "a byte is written"); }
  char get() {
    char byte = 0;
    bug::require(::read(pipe_[0], &byte, 1) == 1, "a byte is read");
    return byte;
  }

  int pipe_[2] = {};
  std::mutex mutex_;
};

int main() {
  Wire wire;
  bug::Thread first([&] { wire.send('a'); });
  bug::Thread second([&] { wire.send('b'); });
  first.join();
  second.join();
  for (int i = 0; i < 2 * bug::kRounds; ++i) wire.receive();
}
