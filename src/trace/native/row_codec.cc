#include "trace/native/row_codec.h"

#include <algorithm>

#include "base/check.h"

namespace isosan {

namespace {

struct PayloadHeader {
  std::uint32_t templates = 0;  // in each list; the lists follow
  std::uint32_t pages = 0;
  std::uint32_t threads = 0;
  std::uint8_t zeros = 0;     // low bits of values that are always 0
  std::uint8_t low_bits = 0;  // of the values' low 16 bits that are in a row
  std::uint16_t reserved = 0;
};
static_assert(sizeof(PayloadHeader) == 16);

int bits_for(std::size_t listed) {
  return listed <= 1 ? 0 : static_cast<int>(std::bit_width(listed - 1));
}

template <class T>
void append_list(std::string& out, const std::vector<T>& list) {
  out.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
}

// Reads a list and fills it up to a power of two, so that every number of so many bits is a valid
// index.
template <class T>
bool take_list(std::string_view& rest, std::size_t count, std::vector<T>& list) {
  if (count == 0 || count > tracefile::kMaxCount || rest.size() < count * sizeof(T)) return false;
  list.resize(count);
  std::memcpy(list.data(), rest.data(), count * sizeof(T));
  rest.remove_prefix(count * sizeof(T));
  list.resize(std::bit_ceil(count), list.front());
  return true;
}

}  // namespace

template <std::size_t Words>
std::string RowEncoder<Words>::take() {
  std::uint16_t lows = 0;
  for (const Row& row : rows_) lows |= row.low;
  const int zeros = lows == 0 ? 0 : std::countr_zero(lows);
  const int low_bits = static_cast<int>(std::bit_width(lows)) - zeros;
  const PayloadHeader header{.templates = static_cast<std::uint32_t>(templates_.keys().size()),
                             .pages = static_cast<std::uint32_t>(pages_.keys().size()),
                             .threads = static_cast<std::uint32_t>(threads_.size()),
                             .zeros = static_cast<std::uint8_t>(zeros),
                             .low_bits = static_cast<std::uint8_t>(low_bits)};
  const int page_shift = bits_for(header.templates);
  const int low_shift = page_shift + bits_for(header.pages);
  const int thread_shift = low_shift + low_bits;
  const int bits = thread_shift + bits_for(header.threads);
  const auto row_bytes = static_cast<std::size_t>((bits + 7) / 8);

  std::string out(reinterpret_cast<const char*>(&header), sizeof header);
  append_list(out, templates_.keys());
  append_list(out, pages_.keys());
  append_list(out, threads_);
  const std::size_t start = out.size();
  out.resize(start + rows_.size() * row_bytes + sizeof(std::uint64_t));
  char* p = out.data() + start;
  for (const Row& row : rows_) {
    const std::uint64_t packed = row.number | std::uint64_t{row.page} << page_shift |
                                 std::uint64_t{row.low} >> zeros << low_shift |
                                 std::uint64_t{row.thread} << thread_shift;
    std::memcpy(p, &packed, sizeof packed);  // the next row overwrites the excess bytes
    p += row_bytes;
  }
  out.resize(start + rows_.size() * row_bytes);
  clear();
  return out;
}

template <std::size_t Words>
void RowEncoder<Words>::clear() {
  rows_.clear();
  templates_.clear();
  pages_.clear();
  recent_pages_.fill({});
  for (const std::uint64_t thread : threads_) thread_numbers_[thread] = 0;
  threads_.clear();
}

template <std::size_t Words>
bool RowDecoder<Words>::open(std::string_view raw, std::size_t count) {
  PayloadHeader header;
  count_ = 0;
  if (count == 0 || count > tracefile::kMaxCount || raw.size() < sizeof header) return false;
  std::memcpy(&header, raw.data(), sizeof header);
  raw.remove_prefix(sizeof header);
  if (header.zeros + header.low_bits > 16 || header.reserved != 0) return false;
  if (!take_list(raw, header.templates, templates_) || !take_list(raw, header.pages, pages_) ||
      !take_list(raw, header.threads, threads_)) {
    return false;
  }
  for (std::uint64_t& page : pages_) page <<= 16;
  int bits = 0;
  const auto field = [&](int width) {
    const typename Rows::Field next{bits % 64,
                                    (std::uint64_t{1} << width) - 1};  // a field of no bits: mask 0
    bits += width;
    return next;
  };
  rows_.number = field(bits_for(header.templates));
  rows_.page = field(bits_for(header.pages));
  rows_.low = field(header.low_bits);
  rows_.thread = field(bits_for(header.threads));
  rows_.zeros = header.zeros;
  rows_.row_bytes = static_cast<std::size_t>((bits + 7) / 8);
  rows_.rows = raw.data();
  rows_.pages = pages_.data();
  rows_.threads = threads_.data();
  if (raw.size() != count * rows_.row_bytes) return false;
  count_ = count;
  return true;
}

template class RowEncoder<2>;
template class RowEncoder<3>;
template class RowDecoder<2>;
template class RowDecoder<3>;

}  // namespace isosan
