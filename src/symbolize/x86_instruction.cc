#include "symbolize/x86_instruction.h"

#include <array>
#include <string_view>

namespace isosan {
namespace {

// What follows an opcode: an operand byte, a constant.
enum class Form : std::uint8_t {
  kInvalid,
  kPlain,
  kOperand,
  kByte,
  kOperandByte,
  kWord,         // 16 bits
  kLong,         // 32 bits, or 16 by prefix
  kOperandLong,  // the same
  kFull,         // as kLong, or 64 bits by prefix
  kDistance,     // 32 bits
  kOffset,       // an address: 64 bits, or 32 by prefix
  kEnter,        // 16 bits and 8
  kTestByte,     // operand byte; a constant for two of eight
  kTestLong,
};

Form form_of(char symbol) {
  constexpr std::string_view kSymbols = ".-mbBwlLqdoetT";  // in the order of Form
  return static_cast<Form>(kSymbols.find(symbol));
}

// A row is sixteen opcodes. Prefixes and escapes do not come here.
using Map = std::array<std::string_view, 16>;

constexpr Map kOneByte = {
    "mmmmbl..mmmmbl..", "mmmmbl..mmmmbl..", "mmmmbl..mmmmbl..", "mmmmbl..mmmmbl..",
    "................", "----------------", "...m....lLbB----", "bbbbbbbbbbbbbbbb",
    "BL.Bmmmmmmmmmmmm", "----------.-----", "oooo----bl------", "bbbbbbbbqqqqqqqq",
    "BBw-..BLe-w--b.-", "mmmm...-mmmmmmmm", "bbbbbbbbdd.b----", ".-..--tT------mm"};
constexpr Map kTwoBytes = {
    "mmmm.-----.-.m-B", "mmmmmmmmmmmmmmmm", "mmmm....mmmmmmmm", "--------........",
    "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "BBBBmmm-mm..mmmm",
    "dddddddddddddddd", "mmmmmmmmmmmmmmmm", "---mBm..---mBmmm", "mmmmmmmmmmBmmmmm",
    "mmBmBBBm--------", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm"};

constexpr unsigned kTwoByteMap = 1, kMap38 = 2, kMap3a = 3;

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> code) : code_(code) {}

  X86Instruction decode() {
    take_prefixes();
    const unsigned opcode = take();
    Form form = Form::kInvalid;
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
      form = take_vector(opcode);
    } else if (opcode == 0x0f) {
      form = take_two_bytes();
    } else {
      is_lea_ = opcode == 0x8d;
      form = form_of(kOneByte[opcode >> 4][opcode & 15]);
    }
    if (form == Form::kInvalid) return {};
    take_rest(form);
    if (at_ > code_.size() || at_ > kLongest) return {};
    return {.length = at_, .refers_to = refers_to(form)};
  }

 private:
  static constexpr std::size_t kLongest = 15;

  unsigned peek() const { return at_ < code_.size() ? std::to_integer<unsigned>(code_[at_]) : 0; }
  unsigned take() {
    const unsigned byte = peek();
    ++at_;
    return byte;
  }

  void take_prefixes() {
    constexpr std::string_view kPrefixes = "\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65";
    for (; at_ < kLongest && kPrefixes.find(static_cast<char>(peek())) != kPrefixes.npos; ++at_) {
      short_constant_ |= peek() == 0x66;
      short_address_ |= peek() == 0x67;
    }
    if ((peek() & 0xf0) == 0x40) long_constant_ = (take() & 8) != 0;
  }

  Form take_two_bytes() {
    const unsigned opcode = take();
    if (opcode == 0x38) return ++at_, Form::kOperand;
    if (opcode == 0x3a) return ++at_, Form::kOperandByte;
    return form_of(kTwoBytes[opcode >> 4][opcode & 15]);
  }

  Form take_vector(unsigned prefix) {
    const unsigned first = take();
    const unsigned map = prefix == 0xc5 ? kTwoByteMap : first & (prefix == 0x62 ? 7 : 0x1f);
    at_ += prefix == 0xc5 ? 0 : prefix == 0xc4 ? 1 : 2;
    const unsigned opcode = take();
    if (map == kMap3a) return Form::kOperandByte;
    if (map == kTwoByteMap) return form_of(kTwoBytes[opcode >> 4][opcode & 15]);
    constexpr unsigned kMap5 = 5, kMap6 = 6;  // only of EVEX
    const bool known = map == kMap38 || (prefix == 0x62 && (map == kMap5 || map == kMap6));
    return known ? Form::kOperand : Form::kInvalid;
  }

  // Returns its middle three bits.
  unsigned take_operand() {
    const unsigned byte = take();
    const unsigned mode = byte >> 6, base = byte & 7;
    is_relative_ = mode == 0 && base == 5;
    if (mode == 3) return byte >> 3 & 7;
    const bool without_base = base == 4 && (take() & 7) == 5;
    if (mode == 1) at_ += 1;
    if (mode == 2 || (mode == 0 && (is_relative_ || without_base))) at_ += 4;
    return byte >> 3 & 7;
  }

  std::size_t long_size() const { return short_constant_ && !long_constant_ ? 2 : 4; }

  void take_rest(Form form) {
    switch (form) {
      case Form::kInvalid:
      case Form::kPlain:
        return;
      case Form::kOperand:
        return void(take_operand());
      case Form::kByte:
        return void(at_ += 1);
      case Form::kOperandByte:
        take_operand();
        return void(at_ += 1);
      case Form::kWord:
        return void(at_ += 2);
      case Form::kLong:
        return void(at_ += long_size());
      case Form::kOperandLong:
        take_operand();
        return void(at_ += long_size());
      case Form::kFull:
        return void(at_ += long_constant_ ? 8 : long_size());
      case Form::kDistance:
        return void(at_ += 4);
      case Form::kOffset:
        return void(at_ += short_address_ ? 4 : 8);
      case Form::kEnter:
        return void(at_ += 3);
      case Form::kTestByte:
        return void(at_ += take_operand() < 2 ? 1 : 0);
      case Form::kTestLong:
        return void(at_ += take_operand() < 2 ? long_size() : 0);
    }
  }

  RefersTo refers_to(Form form) const {
    if (form == Form::kDistance) return RefersTo::kCode;
    return is_lea_ && is_relative_ ? RefersTo::kAddress : RefersTo::kNothing;
  }

  std::span<const std::byte> code_;
  std::size_t at_ = 0;
  bool short_constant_ = false, short_address_ = false, long_constant_ = false;
  bool is_lea_ = false, is_relative_ = false;
};

}  // namespace

X86Instruction x86_instruction(std::span<const std::byte> code) { return Decoder(code).decode(); }

}  // namespace isosan
