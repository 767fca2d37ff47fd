// Two fields that stand side by side and are set without a lock: a reader between the two stores, or a
// writer between the two loads, makes the sum wrong. The compiled accesses are neighbours: one check.
#include <cstdio>
#include <thread>

struct Span {
  long begin, end;
};
static Span* const span = new Span{1, 1};
static long seen_begin, seen_end;

[[gnu::noinline]] void move_to(Span& to, long place) {
  to.begin = place;
  to.end = place;
}
[[gnu::noinline]] void look(const Span& at) {
  const long begin = at.begin, end = at.end;
  seen_begin = begin;
  seen_end = end;
}

int main(int count, char**) {
  std::thread writer([=] { move_to(*span, count + 1); });
  std::thread reader([] { look(*span); });
  writer.join();
  reader.join();
  return seen_begin == seen_end ? 0 : 3;
}
