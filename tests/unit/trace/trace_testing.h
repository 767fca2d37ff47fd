// What the tests of src/trace share: reading a trace to its end, and events in short.
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.h"
#include "trace/native/trace_format.h"
#include "trace/open_trace.h"

namespace isosan::testing {

struct ReadResult {
  std::vector<Event> events;
  Tables tables;
  std::string error;  // empty: read to its end
  PassedOver passed_over;
};

inline ReadResult read_all(TraceSource& source) {
  ReadResult result;
  try {
    for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
      result.events.insert(result.events.end(), batch.begin(), batch.end());
    }
  } catch (const InputError& error) {
    result.error = error.what();
  }
  result.tables = source.tables();
  result.passed_over = source.passed_over();
  return result;
}

inline ReadResult read_bytes(std::string_view bytes, const TraceOptions& options = {}) {
  try {
    return read_all(*open_trace_bytes(bytes, "in", options));
  } catch (const InputError& error) {
    ReadResult result;
    result.error = error.what();
    return result;
  }
}

inline ReadResult read_file(const std::string& path, const TraceOptions& options = {}) {
  return read_all(*open_trace(path, options));
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Of an IsoSan trace that is whole.
inline std::vector<tracefile::ChunkHeader> headers_of_chunks(const std::string& bytes,
                                                             tracefile::ChunkKind kind) {
  std::vector<tracefile::ChunkHeader> headers;
  tracefile::ChunkHeader header;
  for (std::size_t at = sizeof(tracefile::FileHeader); at < bytes.size();
       at += sizeof header + header.stored_size) {
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.kind == kind) headers.push_back(header);
  }
  return headers;
}

// A batch of given events, as a reader would hand them out.
class VectorSource final : public TraceSource {
 public:
  explicit VectorSource(std::vector<Event> events, Tables tables = {})
      : events_(std::move(events)), tables_(std::move(tables)) {}
  std::span<const Event> next() override {
    if (done_) return {};
    done_ = true;
    return events_;
  }
  const Tables& tables() const override { return tables_; }
  std::string where(std::size_t i) const override { return "in:" + std::to_string(i + 1); }
  TraceFormat format() const override { return TraceFormat::kStd; }
  ReadProgress progress() const override { return {}; }
  PassedOver passed_over() const override { return {}; }

 private:
  std::vector<Event> events_;
  Tables tables_;
  bool done_ = false;
};

}  // namespace isosan::testing
