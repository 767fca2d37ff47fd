#include "runtime/front/modules.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>

#include <cstring>

#include "runtime/calls/region_table.h"
#include "runtime/contract/records.h"
#include "runtime/log/log.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {
namespace {

struct Loaded {
  std::uint64_t base = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  ModuleFront front{};
};
constexpr std::uint32_t kMaxLoaded = 4096;

SpinLock modules_lock;
Loaded loaded[kMaxLoaded];
std::atomic<std::uint32_t> loaded_count{0};

bool starts_with(const char* text, const char* prefix) {
  for (; *prefix != 0; ++text, ++prefix) {
    if (*text != *prefix) return false;
  }
  return true;
}

// Which front by the undefined symbols of the module: every object of a front calls its start-up.
ModuleFront front_by_symbols(const dl_phdr_info& info) {
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {  // ld.so has made these pointers absolute
      if (entry->d_tag == DT_SYMTAB)
        symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    }
  }
  // Undefined symbols are in no hash table; linkers put the strings behind the symbols.
  if (symbols == nullptr || reinterpret_cast<const char*>(symbols) >= strings) {
    return ModuleFront::kNone;
  }
  if (reinterpret_cast<std::uint64_t>(symbols) < info.dlpi_addr) return ModuleFront::kNone;  // vdso
  ModuleFront front = ModuleFront::kNone;
  for (const ElfW(Sym)* s = symbols; reinterpret_cast<const char*>(s + 1) <= strings; ++s) {
    if (s->st_shndx != SHN_UNDEF) continue;
    const char* name = strings + s->st_name;
    if (starts_with(name, "__isosan_module")) return ModuleFront::kPass;
    if (starts_with(name, "__tsan_")) front = ModuleFront::kTsan;
  }
  return front;
}

struct Extent {
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
};

Extent extent_of(const dl_phdr_info& info) {
  Extent extent;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_LOAD) continue;
    const std::uint64_t begin = info.dlpi_addr + info.dlpi_phdr[i].p_vaddr;
    const std::uint64_t end = begin + info.dlpi_phdr[i].p_memsz;
    if (begin < extent.begin) extent.begin = begin;
    if (end > extent.end) extent.end = end;
  }
  return extent;
}

Loaded* known(std::uint64_t base, const Extent& extent) {
  for (std::uint32_t i = 0; i < loaded_count.load(std::memory_order_relaxed); ++i) {
    if (loaded[i].base == base && loaded[i].begin == extent.begin) return &loaded[i];
  }
  return nullptr;
}

Loaded* remember(std::uint64_t base, const Extent& extent, ModuleFront front) {
  const std::uint32_t n = loaded_count.load(std::memory_order_relaxed);
  if (n == kMaxLoaded) return nullptr;
  loaded[n] = {base, extent.begin, extent.end, front};
  loaded_count.store(n + 1, std::memory_order_release);  // order: table
  return &loaded[n];
}

void set_path(log::ModuleRecord& record, const char* path) {
  if (path == nullptr || *path == 0) {  // the program itself
    const long n = raw_syscall(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>("/proc/self/exe"),
                               reinterpret_cast<long>(record.path), sizeof record.path);
    record.path_length = n > 0 ? static_cast<std::uint32_t>(n) : 0;
    return;
  }
  std::uint32_t n = 0;
  while (path[n] != 0 && n < sizeof record.path) ++n;
  memcpy(record.path, path, n);
  record.path_length = n;
}

log::ModuleRecord* records() {
  return reinterpret_cast<log::ModuleRecord*>(reinterpret_cast<char*>(g_log.header) +
                                              g_log.layout.modules_offset);
}

// The next record of the mailbox, not announced yet; null if it is full.
log::ModuleRecord* next_record(std::uint32_t pending) {
  log::LogHeader& header = *g_log.header;
  const std::uint32_t n = header.modules_announced.load(std::memory_order_relaxed) + pending;
  return n < g_log.layout.max_modules ? &records()[n] : nullptr;
}

// Returns false if the reader is gone.
bool announce_and_wait(std::uint32_t count) {
  log::LogHeader& header = *g_log.header;
  const std::uint32_t goal = header.modules_announced.fetch_add(count) + count;
  futex_wake(header.modules_announced);
  for (;;) {
    const std::uint32_t answered =
        header.modules_answered.load(std::memory_order_acquire);  // order: table
    if (answered >= goal) return true;
    if (header.reader_pid != 0 && !process_alive(header.reader_pid)) return false;
    futex_wait(header.modules_answered, answered, 20);
  }
}

struct Announcement {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

void take_regions(const Announcement& announcement) {
  for (std::uint32_t i = 0; i < announcement.count; ++i) {
    const log::ModuleRecord& record = records()[announcement.first + i];
    const std::uint64_t offset = record.flags_offset;
    const std::uint32_t count = record.region_count;
    if (count == 0 || !log::holds<log::RegionRange>(g_log.layout.size, offset, count)) continue;
    add_regions(record.base,
                reinterpret_cast<log::RegionRange*>(reinterpret_cast<char*>(g_log.header) + offset),
                count);
  }
}

int announce_one(dl_phdr_info* info, std::size_t, void* data) {
  auto& announcement = *static_cast<Announcement*>(data);
  const Extent extent = extent_of(*info);
  if (extent.end == 0 || known(info->dlpi_addr, extent) != nullptr) return 0;
  const ModuleFront front = front_by_symbols(*info);
  // In our own code too an access may be pending (a check on its way back to the program).
  const auto own_code = reinterpret_cast<std::uint64_t>(&front_of);
  const bool ours = own_code >= extent.begin && own_code < extent.end;
  remember(info->dlpi_addr, extent, ours ? ModuleFront::kRuntime : front);
  if (front == ModuleFront::kPass) return 0;
  log::ModuleRecord* record = next_record(announcement.count);
  if (record == nullptr) return 0;
  record->base = info->dlpi_addr;
  record->end = extent.end;
  record->instrumented = front == ModuleFront::kTsan;
  set_path(*record, info->dlpi_name);
  ++announcement.count;
  return 0;
}

struct PassModule {
  std::uint64_t inside;  // an address in it
  log::ModuleRecord* record;
};

int describe_pass_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& module = *static_cast<PassModule*>(data);
  const Extent extent = extent_of(*info);
  if (module.inside < extent.begin || module.inside >= extent.end) return 0;
  if (known(info->dlpi_addr, extent) == nullptr) {
    remember(info->dlpi_addr, extent, ModuleFront::kPass);
  }
  module.record->base = info->dlpi_addr;
  module.record->end = extent.end;
  set_path(*module.record, info->dlpi_name);
  return 1;
}

}  // namespace

void announce_loaded_modules() {
  SpinGuard guard(modules_lock);
  Announcement announcement{.first = g_log.header->modules_announced.load()};
  dl_iterate_phdr(announce_one, &announcement);
  if (announcement.count > 0 && announce_and_wait(announcement.count)) take_regions(announcement);
}

namespace {

// In the checked runtime every second function takes no short cut: each of its edges comes to the
// runtime, inside regions, too. Findings must be the same.
std::uint8_t flags_here(std::uint8_t flags, std::uint32_t number) {
  const bool plain = ISOSAN_IS_CHECKED && number % 2 == 1 && flags != 0;
  return plain ? flags | log::kFunctionNested : flags;
}

}  // namespace

void announce_pass_module(std::uint64_t functions_begin, std::uint64_t functions_end,
                          std::uint64_t sites_begin, std::uint64_t sites_end) {
  SpinGuard guard(modules_lock);
  log::LogHeader& header = *g_log.header;
  log::ModuleRecord* record = next_record(0);
  if (record == nullptr) {
    warn("too many modules: functions of one are not logged");
    return;
  }
  const auto functions =
      static_cast<std::uint32_t>((functions_end - functions_begin) / sizeof(FunctionRecord));
  const std::uint64_t offset = header.flags_area_used.fetch_add(functions);
  const std::uint64_t room = g_log.layout.flags_area_size;
  if (offset > room || room - offset < functions) {
    warn("too many functions: those of one module are not logged");
    return;
  }
  PassModule module{functions_begin != functions_end ? functions_begin : sites_begin, record};
  if (dl_iterate_phdr(describe_pass_module, &module) == 0) return;
  record->function_count = functions;
  record->site_count = static_cast<std::uint32_t>((sites_end - sites_begin) / sizeof(SiteRecord));
  record->flags_offset = g_log.layout.flags_area_offset + offset;
  record->instrumented = 1;
  if (!announce_and_wait(1)) return;
  const char* flags =
      reinterpret_cast<const char*>(&header) + g_log.layout.flags_area_offset + offset;
  auto* records = reinterpret_cast<FunctionRecord*>(functions_begin);
  for (std::uint32_t i = 0; i < functions; ++i)
    records[i].flags = flags_here(static_cast<std::uint8_t>(flags[i]), i);
}

ModuleFront front_of(std::uint64_t pc) {
  const std::uint32_t n = loaded_count.load(std::memory_order_acquire);  // order: table
  for (std::uint32_t i = 0; i < n; ++i) {
    if (pc >= loaded[i].begin && pc < loaded[i].end) return loaded[i].front;
  }
  return ModuleFront::kNone;
}

}  // namespace isosan::rt
