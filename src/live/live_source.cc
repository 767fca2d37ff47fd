#include "live/live_source.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace isosan {
namespace {

constexpr std::uint64_t kMostBuffered = 1u << 20;  // units of a thread

// A piece must end with a whole record: a unit whose extension is not there yet stays behind.
std::uint64_t whole_records(const SharedLog& log, const SharedLog::LiveThread& thread) {
  if (thread.position == thread.consumed) return thread.position;
  const auto last = log.units(thread.block, thread.position - 1, thread.position);
  return log::has_extension(last.first[0]) ? thread.position - 1 : thread.position;
}

}  // namespace

PlaceResolver::RegionPlace LiveSource::Resolver::region_of(std::uint64_t place, RegionKind kind,
                                                           std::uint64_t name_address) {
  const auto [found, is_new] = regions_.try_emplace({place, kind});
  if (!is_new) return found->second;
  const SiteId site = modules_.site(place);
  const Site& record = tables_.sites[index(site)];
  std::string name = name_address != 0 ? modules_.text_at(name_address) : record.field;
  if (name.empty()) name = tables_.functions[index(record.function)].name;
  const FunctionId function = record.function;
  found->second = {static_cast<RegionId>(tables_.regions.size()), site};
  tables_.regions.push_back(
      {.kind = kind, .name = std::move(name), .function = function, .site = site});
  return found->second;
}

LiveSource::LiveSource(SharedLog& log, Child& child, const RegionRules* rules)
    : log_(log),
      child_(child),
      rules_(rules),
      linearizer_(resolver_, tables_.contexts, "the live log", /*lenient=*/true) {
  thread_entry(0).birth_path = "0";
}

std::span<const Event> LiveSource::next() {
  batch_.clear();
  linearizer_.forget_dependences();
  while (batch_.empty()) {
    linearizer_.drain(batch_, kBatchEvents);
    if (!batch_.empty()) break;
    if (finished_) return {};
    if (look()) continue;
    if (child_ended_) {
      // Whatever a killed thread did not write is missing for ever: nobody may wait for it.
      finished_ = linearizer_.finish();
      continue;
    }
    wait();
  }
  note_threads();
  return batch_;
}

bool LiveSource::look() {
  answer_modules();
  child_ended_ = child_.poll().has_value();  // first: then this look sees everything it wrote
  ring_is_filling_ = false;
  std::uint64_t taken = 0;
  for (const SharedLog::LiveThread& thread : log_.snapshot()) taken += take(thread);
  idle_looks_ = taken > 0 ? 0 : idle_looks_ + 1;
  return taken > 0;
}

std::uint64_t LiveSource::take(const SharedLog::LiveThread& thread) {
  // What markers hold back stays in the ring: the thread itself is then held back, not the memory.
  if (!child_ended_ && linearizer_.buffered(ThreadId{thread.thread}) > kMostBuffered) return 0;
  const std::uint64_t to = whole_records(log_, thread);
  const std::uint64_t count = to - thread.consumed;
  if (count > 0) {
    const auto pieces = log_.units(thread.block, thread.consumed, to);
    linearizer_.append(ThreadId{thread.thread}, thread.consumed, pieces.first);
    if (!pieces.second.empty()) {
      linearizer_.append(ThreadId{thread.thread}, thread.consumed + pieces.first.size(),
                         pieces.second);
    }
    log_.consume(thread.block, to);
  }
  if (count > log_.header().ring_units / 4) ring_is_filling_ = true;
  if (thread.state == log::ThreadState::kEnded && to == thread.position) {
    log_.free_block(thread.block);
  }
  return count;
}

void LiveSource::answer_modules() {
  log::LogHeader& header = log_.header();
  const std::uint32_t announced = header.modules_announced.load(std::memory_order_acquire);
  if (announced == modules_answered_) return;
  for (; modules_answered_ < announced; ++modules_answered_) {
    const log::ModuleRecord& record = log_.module(modules_answered_);
    modules_.add(record);
    const std::vector<std::uint8_t> flags = modules_.flags_of_last(rules_);
    const auto answer = log_.flags(record.flags_offset, record.function_count);
    std::copy_n(flags.begin(), std::min(flags.size(), answer.size()), answer.begin());
  }
  header.modules_answered.store(announced, std::memory_order_release);
  ::syscall(SYS_futex, &header.modules_answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Thread& LiveSource::thread_entry(std::uint32_t thread) {
  if (thread >= tables_.threads.size()) {
    tables_.threads.resize(thread + 1);
    children_.resize(thread + 1);
  }
  return tables_.threads[thread];
}

// Threads are named by the path of their birth, which is the same in every run.
void LiveSource::note_threads() {
  for (const Event& event : batch_) {
    if (event.kind != Kind::kFork) continue;
    const auto child = static_cast<std::uint32_t>(event.address);
    thread_entry(std::max(child, index(event.thread)));
    const std::uint32_t n = children_[index(event.thread)]++;
    Thread& born = tables_.threads[child];
    born.parent = event.thread;
    born.birth_path = tables_.threads[index(event.thread)].birth_path + "." + std::to_string(n);
  }
}

void LiveSource::wait() {
  if (linearizer_.buffered() > 0 || ring_is_filling_ || idle_looks_ < 4) {
    ::sched_yield();
    return;
  }
  const long microseconds = std::min(2000L, 20L << std::min(idle_looks_ - 4, 10u));
  const timespec pause{0, microseconds * 1000};
  ::nanosleep(&pause, nullptr);
}

}  // namespace isosan
