#include "runtime/log/log.h"

#include <cstdlib>

#include "runtime/contract/run_socket.h"
#include "runtime/log/walks.h"
#include "runtime/platform/os.h"
#include "runtime/platform/run_socket.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {

LogMapping g_log;

namespace {

SpinLock block_lock;
std::atomic<bool> detached{false};

log::ThreadBlock* blocks() {
  return reinterpret_cast<log::ThreadBlock*>(reinterpret_cast<char*>(g_log.header) +
                                             g_log.layout.blocks_offset);
}

// The decimal number in `text`, or -1.
int parse_number(const char* text) {
  if (text == nullptr || *text == 0) return -1;
  int value = 0;
  for (; *text != 0; ++text) {
    if (*text < '0' || *text > '9' || value > 100000000) return -1;
    value = value * 10 + (*text - '0');
  }
  return value;
}

// The log that the environment names, if it is for this process; -1: it is not, or there is none.
int inherited_log() {
  const char* process = std::getenv(log::kLogProcessVariable);
  if (process != nullptr && parse_number(process) != static_cast<int>(process_id())) return -1;
  const int fd = parse_number(std::getenv(log::kLogFdVariable));
  return fd >= 0 && is_own_sealed_memory(fd) ? fd : -1;
}

bool reader_is_gone() {
  if (detached.load(std::memory_order_relaxed)) return true;
  const std::uint32_t pid = g_log.header->reader_pid;
  if (pid == 0 || process_alive(pid)) return false;
  detach_log();
  return true;
}

}  // namespace

namespace {

// Thread blocks hold addresses, so a process that can write the log can write this program's
// memory. Therefore the log must come from the same user or from root, who could do that anyway. An
// inherited variable may name a descriptor that is something else by now; that is not reported.
bool attach_log(int fd) {
  if (fd < 0 || !is_own_sealed_memory(fd)) return false;
  const std::int64_t size = file_size(fd);
  if (size < static_cast<std::int64_t>(sizeof(log::LogHeader))) return false;
  auto* header = static_cast<log::LogHeader*>(map_shared(fd, static_cast<std::size_t>(size)));
  if (header == nullptr) die("cannot map the log that the isosan process made");
  if (header->magic != log::kLogMagic || header->version != log::kLogVersion) {
    die("this program's runtime and the isosan that started it are of different versions");
  }
  const log::LogLayout layout = log::layout_of(*header, static_cast<std::uint64_t>(size));
  if (!log::fits(layout) || !log::is_mode(header->mode)) {
    warn("the log that ISOSAN_LOG_FD names is damaged: the program runs unobserved");
    return false;
  }
  // A program that the target starts by exec or spawn inherits the variable: one process, one log.
  std::uint32_t nobody = 0;
  if (!header->attached.compare_exchange_strong(nobody, 1)) return false;
  close_descriptor(fd);  // the mapping is enough, and nobody else is to have it
  g_log.header = header;
  g_log.layout = layout;
  g_log.release_stores = header->release_stores != 0;
  register_membarrier();
  return true;
}

}  // namespace

bool attach_log() {
  if (attach_log(inherited_log())) return true;
  return belongs_to_run() && attach_log(ask_for_log());
}

void detach_log() { detached.store(true, std::memory_order_relaxed); }

// The ring of an ended thread keeps its memory until the reader has drained it. A program of many
// short threads waits here if the reader is that far behind.
log::ThreadBlock* claim_block() {
  constexpr std::uint32_t kMostUndrained = 32;
  for (;;) {
    std::uint32_t undrained = 0;
    {
      SpinGuard guard(block_lock);
      for (std::uint32_t i = 0; i < g_log.layout.max_threads; ++i) {
        log::ThreadBlock& block = blocks()[i];
        const log::ThreadState state = block.state.load(std::memory_order_acquire);  // order: block
        undrained += state == log::ThreadState::kEnded;
        if (undrained == kMostUndrained) break;
        if (state != log::ThreadState::kFree || block.runtime != 0) continue;
        block.runtime = 1;  // claimed; the caller puts the address there
        std::atomic_ref<std::uint64_t>(block.position)
            .store(0, std::memory_order_release);  // order: block
        block.consumed.store(0, std::memory_order_relaxed);
        block.visible.store(0, std::memory_order_relaxed);
        block.keeps_back.store(0, std::memory_order_relaxed);
        block.transactions = block.buffered = block.dropped = block.kept = block.contended = 0;
        block.limit = g_log.layout.ring_units < g_log.most_at_once ? g_log.layout.ring_units
                                                                   : g_log.most_at_once;
        block.ring_mask = g_log.layout.ring_units - 1;
        block.ring = reinterpret_cast<std::uint64_t>(g_log.header) + g_log.layout.rings_offset +
                     std::uint64_t{i} * g_log.layout.ring_units * sizeof(log::LogUnit);
        block.executed = block.last_rdsh = 0;
        block.open_walks = block.closing_walks = 0;
        block.room = 0;
        block.gathers = g_log.gathers_loops;
        block.vtable_pointers = g_log.vtable_pointers;
        block.poll.store(0, std::memory_order_relaxed);
        block.region_depth = 0;
        return &block;
      }
    }
    if (reader_is_gone()) return nullptr;
    if (undrained == 0) {
      static std::atomic<bool> said{false};
      if (!said.exchange(true)) {
        warn("more threads at one time than the log has room for: those beyond run unobserved");
      }
      return nullptr;
    }
    sleep_microseconds(50);  // the reader is still draining threads that have ended
  }
}

void publish_block(log::ThreadBlock* block) {
  block->state.store(log::ThreadState::kLive, std::memory_order_release);  // order: block
}

void end_block(log::ThreadBlock* block) {
  block->runtime = 0;
  block->state.store(log::ThreadState::kEnded, std::memory_order_release);  // order: block
}

std::uint64_t limit_of(const log::ThreadBlock& block, std::uint64_t most) {
  if (detached.load(std::memory_order_relaxed)) return kNobodyReads;
  const std::uint64_t end = block.consumed.load(std::memory_order_acquire) +  // order: log
                            block.ring_mask + 1;
  ISOSAN_CHECK(end >= block.position);  // rule 9: what is not read yet is not overwritten
  return end - block.position > most ? block.position + most : end;
}

// If the room was not only hidden, the reader is a whole ring behind. The thread sleeps at once, and
// longer each time, since waking up costs both processes more than the wait.
void wait_for_room(log::ThreadBlock* block, std::uint64_t count) {
  constexpr std::uint32_t kShortestSleep = 50, kLongestSleep = 400;  // microseconds
  close_walks(block);
  show_room(*block);
  if (g_log.before_append != nullptr) g_log.before_append(block);
  if (block->limit - block->position >= count) return;
  if (g_log.before_waiting != nullptr) g_log.before_waiting(block);
  std::uint32_t pause = kShortestSleep;
  for (std::uint32_t turn = 0;; ++turn) {
    block->limit = limit_of(*block, g_log.most_at_once);
    if (block->limit - block->position >= count) return;
    if (turn % 16 == 15 && reader_is_gone()) {
      block->limit = kNobodyReads;
      return;
    }
    sleep_microseconds(pause);
    pause = pause < kLongestSleep ? 2 * pause : kLongestSleep;
  }
}

}  // namespace isosan::rt
