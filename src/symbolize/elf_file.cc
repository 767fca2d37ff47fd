#include "symbolize/elf_file.h"

#include <elf.h>

#include <cstddef>
#include <cstring>

#include "base/input_error.h"
#include "symbolize/bytes.h"

namespace isosan {
namespace {

std::string_view text_at(std::span<const std::byte> strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const char* begin = reinterpret_cast<const char*>(strings.data()) + offset;
  return {begin, strnlen(begin, strings.size() - offset)};
}

}  // namespace

struct ElfFile::RawSymbols {
  std::span<const std::byte> entries;
  std::span<const std::byte> strings;
  std::size_t count() const { return entries.size() / sizeof(Elf64_Sym); }
  Elf64_Sym at(std::size_t i) const { return read_as<Elf64_Sym>(entries, i * sizeof(Elf64_Sym)); }
  ElfSymbol symbol_of(const Elf64_Sym& entry) const {
    return {text_at(strings, entry.st_name), entry.st_value, entry.st_size,
            ELF64_ST_BIND(entry.st_info) != STB_LOCAL};
  }
};

ElfFile::ElfFile(const std::string& path) : file_(path), bytes_(file_.bytes()) {
  const auto header = read_as<Elf64_Ehdr>(bytes_, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw InputError(path + ": not a 64-bit ELF file");
  }
}

std::span<const std::byte> ElfFile::slice(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
  return bytes_.subspan(offset, size);
}

std::uint16_t ElfFile::machine() const { return read_as<Elf64_Ehdr>(bytes_, 0).e_machine; }

bool ElfFile::is_relocatable() const { return read_as<Elf64_Ehdr>(bytes_, 0).e_type == ET_DYN; }

ElfSection ElfFile::section(std::string_view name) const {
  const auto header = read_as<Elf64_Ehdr>(bytes_, 0);
  const auto at = [&](std::uint64_t i) {
    return read_as<Elf64_Shdr>(bytes_, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = at(header.e_shstrndx);
  const auto strings = slice(names.sh_offset, names.sh_size);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr entry = at(i);
    if (text_at(strings, entry.sh_name) != name) continue;
    const bool in_file = entry.sh_type != SHT_NOBITS;
    return {entry.sh_addr, entry.sh_size,
            in_file ? slice(entry.sh_offset, entry.sh_size) : std::span<const std::byte>{}};
  }
  return {};
}

std::string_view ElfFile::text_at_address(std::uint64_t address) const {
  const auto header = read_as<Elf64_Ehdr>(bytes_, 0);
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = read_as<Elf64_Phdr>(bytes_, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t offset = address - segment.p_vaddr;
    if (offset < segment.p_filesz)
      return text_at(slice(segment.p_offset, segment.p_filesz), offset);
  }
  return {};
}

std::string ElfFile::build_id() const {
  const auto note = section(".note.gnu.build-id").bytes;
  const auto header = read_as<Elf64_Nhdr>(note, 0);
  const std::uint64_t start = sizeof(Elf64_Nhdr) + (header.n_namesz + 3u) / 4u * 4u;
  std::string hex;
  if (start > note.size() || note.size() - start < header.n_descsz) return hex;
  for (const std::byte b : note.subspan(start, header.n_descsz)) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[std::to_integer<unsigned>(b) >> 4];
    hex += kDigits[std::to_integer<unsigned>(b) & 15];
  }
  return hex;
}

ElfFile::RawSymbols ElfFile::raw_symbols(std::string_view table) const {
  return {section(table).bytes, section(table == ".symtab" ? ".strtab" : ".dynstr").bytes};
}

ElfFile::RawSymbols ElfFile::defined_symbols() const {
  const RawSymbols all = raw_symbols(".symtab");
  return all.count() != 0 ? all : raw_symbols(".dynsym");
}

std::vector<ElfSymbol> ElfFile::symbols(SymbolKind what) const {
  const RawSymbols raw = defined_symbols();
  const auto wanted = what == SymbolKind::kFunction ? STT_FUNC : STT_OBJECT;
  std::vector<ElfSymbol> result;
  result.reserve(raw.count());
  for (std::size_t i = 0; i < raw.count(); ++i) {
    const Elf64_Sym entry = raw.at(i);
    if (entry.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(entry.st_info) != wanted) continue;
    result.push_back(raw.symbol_of(entry));
  }
  return result;
}

std::optional<ElfSymbol> ElfFile::function_before(std::uint64_t address) const {
  const RawSymbols raw = defined_symbols();
  std::optional<Elf64_Sym> last;
  for (std::size_t i = 0; i < raw.count(); ++i) {
    const Elf64_Sym entry = raw.at(i);
    if (entry.st_value > address || (last && entry.st_value <= last->st_value)) continue;
    if (entry.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(entry.st_info) != STT_FUNC) continue;
    last = entry;
  }
  if (!last) return std::nullopt;
  return raw.symbol_of(*last);
}

bool ElfFile::needs_symbol(std::string_view prefix) const {
  const RawSymbols raw = raw_symbols(".dynsym");
  for (std::size_t i = 0; i < raw.count(); ++i) {
    const Elf64_Sym entry = raw.at(i);
    if (entry.st_shndx == SHN_UNDEF && text_at(raw.strings, entry.st_name).starts_with(prefix))
      return true;
  }
  return false;
}

std::vector<std::string_view> ElfFile::needed_libraries() const {
  const auto entries = section(".dynamic").bytes;
  const auto strings = section(".dynstr").bytes;
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= entries.size(); at += sizeof(Elf64_Dyn)) {
    const auto entry = read_as<Elf64_Dyn>(entries, at);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) names.push_back(text_at(strings, entry.d_un.d_val));
  }
  return names;
}

std::vector<ElfImport> ElfFile::imports() const {
  const RawSymbols symbols = raw_symbols(".dynsym");
  std::vector<ElfImport> result;
  for (const char* table : {".rela.plt", ".rela.dyn"}) {
    const auto entries = section(table).bytes;
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size(); at += sizeof(Elf64_Rela)) {
      const auto entry = read_as<Elf64_Rela>(entries, at);
      const auto kind = ELF64_R_TYPE(entry.r_info);
      const bool x86 = machine() == EM_X86_64;
      if (kind != (x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT) &&
          kind != (x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT))
        continue;
      const Elf64_Sym symbol = symbols.at(ELF64_R_SYM(entry.r_info));
      result.push_back({text_at(symbols.strings, symbol.st_name), entry.r_offset,
                        symbol.st_shndx == SHN_UNDEF ? 0 : symbol.st_value});
    }
  }
  return result;
}

}  // namespace isosan
