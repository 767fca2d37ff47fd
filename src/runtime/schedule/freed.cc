#include "runtime/schedule/freed.h"

#include <cstring>

#include "runtime/platform/os.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {
namespace {

constexpr std::size_t kBiggest = 1u << 20;  // bigger blocks are not kept
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kUnit = 8;  // bytes for each bit
constexpr std::uint64_t kUnits = kPageBytes / kUnit;
constexpr std::uint64_t kPages = 1u << 17;  // a power of two
constexpr std::uint64_t kBlocks = 1u << 17;

struct Page {
  std::uint64_t number = 0;  // 0: none
  std::uint64_t bits[kUnits / 64] = {};
};
struct Block {
  void* begin = nullptr;
  std::size_t size = 0;
};

// A thread that has lost its turn in a system call may run beside the one that has it.
SpinLock lock;
Page* pages;  // open addressing; a page that was entered stays
std::uint64_t page_count;
Block* queue;  // a ring; first <= last, both only grow
std::uint64_t first, last;
std::size_t kept_bytes;

Page& slot_of(std::uint64_t number) {
  std::uint64_t at = number * 0x9e3779b97f4a7c15u >> 40;
  for (;; ++at) {
    Page& page = pages[at % kPages];
    if (page.number == number || page.number == 0) return page;
  }
}

// The bits of the units [from, to) that stand in word i.
std::uint64_t mask_of(std::uint64_t i, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t low = i * 64, high = low + 64;
  if (to <= low || from >= high) return 0;
  std::uint64_t mask = ~std::uint64_t{0};
  if (from > low) mask &= ~std::uint64_t{0} << (from - low);
  if (to < high) mask &= ~std::uint64_t{0} >> (high - to);
  return mask;
}

// Calls visit(page, word, mask) for all units of the block; ends when it returns true.
template <class Visit>
bool any_word(std::uint64_t address, std::uint64_t size, Visit visit) {
  for (std::uint64_t at = address / kUnit, end = (address + size + kUnit - 1) / kUnit; at < end;) {
    const std::uint64_t number = at / kUnits;
    const std::uint64_t from = at % kUnits;
    const std::uint64_t to = end - number * kUnits < kUnits ? end - number * kUnits : kUnits;
    for (std::uint64_t i = from / 64; i <= (to - 1) / 64; ++i) {
      if (visit(number, i, mask_of(i, from, to))) return true;
    }
    at = (number + 1) * kUnits;
  }
  return false;
}

void mark(const Block& block, bool freed) {
  any_word(reinterpret_cast<std::uint64_t>(block.begin), block.size,
           [&](std::uint64_t number, std::uint64_t i, std::uint64_t mask) {
             Page& page = slot_of(number);
             page_count += page.number == 0;
             page.number = number;
             page.bits[i] = freed ? page.bits[i] | mask : page.bits[i] & ~mask;
             return false;
           });
}

bool has_room(std::size_t size) {
  return size != 0 && size <= kBiggest && last - first < kBlocks &&
         page_count + size / kPageBytes + 2 < kPages / 4 * 3;
}

}  // namespace

bool is_freed(std::uint64_t address, std::uint64_t size) {
  SpinGuard guard(lock);
  if (first == last || size == 0) return false;
  return any_word(address, size, [](std::uint64_t number, std::uint64_t i, std::uint64_t mask) {
    const Page& page = slot_of(number);
    return page.number == number && (page.bits[i] & mask) != 0;
  });
}

bool keep_freed(void* block, std::size_t size) {
  SpinGuard guard(lock);
  if (pages == nullptr) {
    pages = static_cast<Page*>(map_pages(kPages * sizeof(Page)));
    queue = static_cast<Block*>(map_pages(kBlocks * sizeof(Block)));
  }
  if (!has_room(size)) return false;
  memset(block, kFreedByte, size);
  Block& entry = queue[last++ % kBlocks];
  entry = {block, size};
  kept_bytes += size;
  mark(entry, true);
  return true;
}

void* oldest_beyond_limit() {
  SpinGuard guard(lock);
  if (first == last || (kept_bytes <= kMostKept && last - first < kBlocks)) return nullptr;
  const Block& oldest = queue[first++ % kBlocks];
  kept_bytes -= oldest.size;
  mark(oldest, false);
  return oldest.begin;
}

}  // namespace isosan::rt
