#include "symbolize/call_scan.h"

#include <elf.h>

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "symbolize/bytes.h"
#include "symbolize/x86_instruction.h"

namespace isosan {
namespace {

class Scan {
 public:
  explicit Scan(const std::set<std::uint64_t>& targets) : targets_(targets.begin(), targets.end()) {
    for (const std::uint64_t target : targets) found_[target];
  }

  // From one function to the next, `begins`, instruction by instruction. Where that does not come
  // out at the next one (there are data between them), every position may begin an instruction.
  void scan_x86_64(const ElfSection& text, const std::set<std::uint64_t>& begins,
                   bool fixed_addresses) {
    std::size_t from = 0;
    for (auto next = begins.upper_bound(text.address); from < text.bytes.size(); ++next) {
      const std::uint64_t end = text.address + text.bytes.size();
      const bool is_last = next == begins.end() || *next >= end;
      const std::size_t to = (is_last ? end : *next) - text.address;
      if (!scan_instructions(text, from, to)) scan_positions(text, from, to);
      if (is_last) break;
      from = to;
    }
    for (std::size_t i = 0; fixed_addresses && i + 4 <= text.bytes.size(); ++i) {
      const auto value = read_as<std::int32_t>(text.bytes, i);
      if (value > 0) note(static_cast<std::uint64_t>(value), text.address + i + 4, false);
    }
  }

  void scan_aarch64(const ElfSection& text) {
    const auto bytes = text.bytes;
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      const auto word = read_as<std::uint32_t>(bytes, i);
      const std::uint64_t here = text.address + i;
      if ((word & 0x7c000000) == 0x14000000) {  // b, bl
        const auto distance = static_cast<std::int32_t>(word << 6) >> 4;
        note(here + static_cast<std::uint64_t>(std::int64_t{distance}), here + 4, true);
      } else if ((word & 0x9f000000) == 0x90000000 && i + 8 <= bytes.size()) {  // adrp
        const std::uint64_t pages = (word >> 29 & 3) | (word >> 5 & 0x7ffff) << 2;
        const std::int64_t distance = static_cast<std::int64_t>(pages << 43) >> 31;
        const auto next = read_as<std::uint32_t>(bytes, i + 4);
        if ((next & 0xff800000) != 0x91000000) continue;  // add, immediate
        note((here & ~0xfffull) + static_cast<std::uint64_t>(distance) + (next >> 10 & 0xfff),
             here + 4, false);
      }
    }
  }

  void scan_relocations(const ElfSection& section) {
    for (std::size_t i = 0; i + sizeof(Elf64_Rela) <= section.bytes.size(); i += sizeof(Elf64_Rela))
      note(static_cast<std::uint64_t>(read_as<Elf64_Rela>(section.bytes, i).r_addend), 0, false);
  }

  void scan_data(const ElfSection& section) {
    for (std::size_t i = 0; i + 8 <= section.bytes.size(); i += 8)
      note(read_as<std::uint64_t>(section.bytes, i), 0, false);
  }

  std::map<std::uint64_t, FoundCalls> take() { return std::move(found_); }

 private:
  // False: not all of it is code.
  bool scan_instructions(const ElfSection& text, std::size_t from, std::size_t to) {
    std::vector<std::pair<std::size_t, RefersTo>> found;  // positions of distances
    for (std::size_t at = from; at < to;) {
      const X86Instruction one = x86_instruction(text.bytes.subspan(at, to - at));
      if (one.length == 0) return false;
      at += one.length;
      if (one.refers_to != RefersTo::kNothing) found.emplace_back(at - 4, one.refers_to);
    }
    for (const auto& [at, what] : found) note_distance(text, at, what == RefersTo::kCode);
    return true;
  }

  // A small number behind an opcode may look like a distance: only calls, jumps and lea count.
  void scan_positions(const ElfSection& text, std::size_t from, std::size_t to) {
    for (std::size_t i = std::max<std::size_t>(from, 2); i + 4 <= to; ++i) {
      const auto before = std::to_integer<unsigned>(text.bytes[i - 2]);
      const auto last = std::to_integer<unsigned>(text.bytes[i - 1]);
      const bool jump = last == 0xe8 || last == 0xe9 || (before == 0x0f && (last & 0xf0) == 0x80);
      const bool lea = before == 0x8d && (last & 0xc7) == 0x05;
      if (jump || lea) note_distance(text, i, jump);
    }
  }

  void note_distance(const ElfSection& text, std::size_t at, bool jump) {
    const auto value = read_as<std::int32_t>(text.bytes, at);
    const std::uint64_t behind = text.address + at + 4;
    note(behind + static_cast<std::uint64_t>(std::int64_t{value}), behind, jump);
  }

  void note(std::uint64_t target, std::uint64_t behind, bool call) {
    if (!targets_.contains(target)) return;
    FoundCalls& found = found_[target];
    if (call) {
      found.calls.push_back(behind);
    } else {
      found.address_taken = true;
      if (behind != 0) found.taken.push_back(behind);
    }
  }

  absl::flat_hash_set<std::uint64_t> targets_;
  std::map<std::uint64_t, FoundCalls> found_;
};

}  // namespace

std::map<std::uint64_t, FoundCalls> find_calls(const ElfFile& file,
                                               const std::set<std::uint64_t>& targets) {
  Scan scan(targets);
  const ElfSection text = file.section(".text");
  if (file.machine() == EM_X86_64) {
    std::set<std::uint64_t> begins;
    for (const ElfSymbol& symbol : file.symbols(SymbolKind::kFunction))
      begins.insert(symbol.address);
    scan.scan_x86_64(text, begins, !file.is_relocatable());
  }
  if (file.machine() == EM_AARCH64) scan.scan_aarch64(text);
  scan.scan_relocations(file.section(".rela.dyn"));
  for (const char* name : {".data.rel.ro", ".data", ".rodata", ".init_array"})
    scan.scan_data(file.section(name));
  return scan.take();
}

}  // namespace isosan
