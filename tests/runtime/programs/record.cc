#include "record.h"

#include <cstdio>
#include <vector>

namespace {
std::vector<Record> records[64];
}

extern "C" void record(unsigned thread, unsigned is_write, unsigned cell, unsigned long value) {
  records[thread].push_back(
      {value, static_cast<unsigned short>(thread), static_cast<unsigned short>(is_write), cell});
}

extern "C" void record_dump(const char* path) {
  std::FILE* file = std::fopen(path, "wb");
  for (const auto& of_thread : records) {
    std::fwrite(of_thread.data(), sizeof(Record), of_thread.size(), file);
  }
  std::fclose(file);
}
