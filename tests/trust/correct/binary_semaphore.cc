// std::binary_semaphore: one thread hands the other a value and waits for the answer.
#include <semaphore>
#include <thread>

class Exchange {
 public:
  int ask(int question) {
    value_ = question;
    asked_.release();
    answered_.acquire();
    return value_;
  }
  void answer() {
    asked_.acquire();
    value_ *= 2;
    answered_.release();
  }

 private:
  std::binary_semaphore asked_{0}, answered_{0};
  int value_ = 0;
};

int main() {
  Exchange exchange;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) exchange.answer();
  });
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong |= exchange.ask(i) != 2 * i;
  other.join();
  return wrong;
}
