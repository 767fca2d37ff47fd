// Reads what IsoSan needs from an ELF file: sections by name, build id, functions and variables of
// its symbol table.
//
// The file is mapped whole and never trusted: every offset is checked, and what cannot be read is
// empty. 64-bit little-endian only (aarch64, x86-64).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/mapped_file.h"

namespace isosan {

struct ElfSection {
  std::uint64_t address = 0;  // module-relative
  std::uint64_t size = 0;
  std::span<const std::byte> bytes;
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool global = false;
};

// A function that the module calls through a slot, which the loader fills.
struct ElfImport {
  std::string_view name;
  std::uint64_t slot = 0;     // its address
  std::uint64_t address = 0;  // of the function, if the module itself defines it
};

enum class SymbolKind { kFunction, kObject };

class ElfFile {
 public:
  explicit ElfFile(
      const std::string& path);  // throws InputError if it is no 64-bit little-endian ELF file

  std::uint16_t machine() const;  // EM_X86_64, EM_AARCH64, ...
  bool is_relocatable() const;    // a shared library, or a program that can be loaded anywhere
  ElfSection section(std::string_view name) const;  // empty where there is none
  std::string_view text_at_address(
      std::uint64_t address) const;  // the C string loaded there, or empty
  std::string build_id() const;      // hex; empty where there is none
  // The defined ones of .symtab, or else of .dynsym; their names live as long as this.
  std::vector<ElfSymbol> symbols(SymbolKind what) const;
  // The last function that begins at or before the address. For one or two: looks at every symbol.
  std::optional<ElfSymbol> function_before(std::uint64_t address) const;
  bool needs_symbol(std::string_view prefix) const;  // an undefined dynamic symbol that starts so
  std::vector<std::string_view> needed_libraries() const;  // as the file names them
  std::vector<ElfImport> imports() const;

 private:
  struct RawSymbols;
  RawSymbols raw_symbols(std::string_view section) const;
  RawSymbols defined_symbols() const;
  std::span<const std::byte> slice(std::uint64_t offset, std::uint64_t size) const;

  MappedFile file_;
  std::span<const std::byte> bytes_;  // of the file
};

}  // namespace isosan
