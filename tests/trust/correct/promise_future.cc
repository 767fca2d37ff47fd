// A promise kept in one thread, its future awaited in another; values and an exception.
#include <future>
#include <stdexcept>
#include <thread>

int answer(std::future<int> question) {
  try {
    return question.get();
  } catch (const std::runtime_error&) {
    return -1;
  }
}

void reply(std::promise<int> promise, int i) {
  if (i % 2 == 0) {
    promise.set_value(i);
  } else {
    promise.set_exception(std::make_exception_ptr(std::runtime_error("odd")));
  }
}

int main() {
  int sum = 0;
  for (int i = 0; i < 20; ++i) {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread(reply, std::move(promise), i);
    sum += answer(std::move(future));
    thread.join();
  }
  return sum != 80;
}
