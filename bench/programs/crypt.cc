// A block cipher over a buffer, encrypt and decrypt, slices dealt to threads.
#include "common.h"

class Cipher {
 public:
  explicit Cipher(std::uint32_t key) {
    Random random(key);
    for (std::uint32_t& k : keys_) k = random.next();
  }
  void encrypt(std::uint32_t& left, std::uint32_t& right) const {
    for (int i = 0; i < 16; ++i) {
      left ^= mix(right, keys_[i]);
      std::swap(left, right);
    }
  }
  void decrypt(std::uint32_t& left, std::uint32_t& right) const {
    for (int i = 15; i >= 0; --i) {
      std::swap(left, right);
      left ^= mix(right, keys_[i]);
    }
  }

 private:
  static std::uint32_t mix(std::uint32_t half, std::uint32_t key) {
    const std::uint32_t x = (half ^ key) * 2654435761u;
    return x ^ (x >> 15);
  }
  std::uint32_t keys_[16];
};

using Buffer = std::vector<std::uint32_t>;

template <class Transform>
void for_blocks(Buffer& buffer, int threads, Transform transform) {
  in_parallel(threads, [&](int me) {
    const Share share(static_cast<int>(buffer.size() / 2), me, threads);
    for (int i = share.begin; i < share.end; ++i) transform(buffer[2 * i], buffer[2 * i + 1]);
  });
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Buffer plain(600000u * static_cast<unsigned>(arguments.scale));
  Random random(1);
  for (std::uint32_t& word : plain) word = random.next();
  const Cipher cipher(99);
  Buffer text = plain;
  for_blocks(text, arguments.threads, [&](std::uint32_t& l, std::uint32_t& r) { cipher.encrypt(l, r); });
  const bool changed = text != plain;
  for_blocks(text, arguments.threads, [&](std::uint32_t& l, std::uint32_t& r) { cipher.decrypt(l, r); });
  return finish(changed && text == plain, "crypt", text[0]);
}
