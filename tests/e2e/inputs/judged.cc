// Two threads that lose an update under some schedules, and one way to fail for each way to judge (first argument):
//   output  prints the balance, exit status 0      status  exit status 3      hang  waits for the world, for ever
//   cycle   the threads take two locks in opposite orders, while a third goes on for ever
//   always  fails in every run
//   last    prints which of two threads came last
//   stress  the update takes so long that it is lost in most runs without help
//   input   fails if its standard input does not say "ten"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <unistd.h>

static std::mutex guard, other;
static int balance;
static std::string mode;

static int get() {
  std::lock_guard lock(guard);
  return balance;
}
static void set(int value) {
  std::lock_guard lock(guard);
  balance = value;
}
static void pass_time() {
  for (volatile int i = 0; i < 20000; i = i + 1) {
  }
}
static void deposit(int amount) {
  const int before = get();
  if (mode == "stress") pass_time();
  set(before + amount);
}
static void deposits() {
  for (int i = 0; i < (mode == "stress" ? 400 : 1); ++i) deposit(10);
}
static void lock_both(std::mutex& first, std::mutex& second) {
  std::lock_guard one(first);
  std::lock_guard two(second);
}
static void go_on_for_ever() {
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int main(int, char** arguments) {
  mode = arguments[1];
  if (mode == "always") return 4;
  if (mode == "input") {
    char word[8] = {};
    if (std::fgets(word, sizeof word, stdin) == nullptr || std::string(word) != "ten\n") return 5;
  }
  if (mode == "cycle") {
    std::thread(go_on_for_ever).detach();
    std::thread one([] { lock_both(guard, other); });
    std::thread two([] { lock_both(other, guard); });
    one.join();
    two.join();
    return 0;
  }
  if (mode == "last") {
    std::thread one([] { set(1); }), two([] { set(2); });
    one.join();
    two.join();
    return std::printf("the %d. was the last\n", get()) < 0;
  }
  std::thread one(deposits), two(deposits);
  one.join();
  two.join();
  const int expected = mode == "stress" ? 8000 : 20;
  if (mode == "hang" && balance != expected) {
    for (;;) pause();
  }
  std::printf("%d\n", balance);
  return mode != "output" && balance != expected ? 3 : 0;
}
