#include "trace/open_trace.h"

#include <fmt/format.h>

#include <utility>

#include "base/input_error.h"
#include "trace/native/trace_format.h"
#include "trace/native/trace_reader.h"
#include "trace/order/validator.h"
#include "trace/rapid/rapid_format.h"
#include "trace/rapid/rapid_reader.h"
#include "trace/std/std_reader.h"
#include "trace/stream/input_file.h"

namespace isosan {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

TraceFormat recognise(std::string_view start) {
  if (start.starts_with(tracefile::kFileMagicText)) return TraceFormat::kTrace;
  if (start.substr(0, rapid::kHeaderSize).find('\0') != std::string_view::npos) {
    return TraceFormat::kRapid;
  }
  return TraceFormat::kStd;
}

std::unique_ptr<TraceSource> make_reader(InputFile file, const TraceOptions& options) {
  if (file.peek(kByteOrderMark.size()).starts_with(kByteOrderMark)) {
    file.skip(kByteOrderMark.size());  // some editors write it at the start of a text
  }
  const std::string_view start = file.peek(rapid::kHeaderSize);
  if (start.empty()) throw InputError(fmt::format("{}: offset 0: the file is empty", file.name()));
  switch (recognise(start)) {
    case TraceFormat::kStd:
      return std::make_unique<StdReader>(std::move(file), options);
    case TraceFormat::kRapid:
      if (file.name().ends_with(".trace")) {  // a damaged file of ours, not RapidBin
        throw InputError(fmt::format(
            "{}: offset 0: a .trace file that does not begin as one: its head is damaged",
            file.name()));
      }
      return std::make_unique<RapidReader>(std::move(file), options);
    case TraceFormat::kTrace:
      return std::make_unique<TraceReader>(std::move(file), options);
  }
  return nullptr;
}

std::unique_ptr<TraceSource> make_stack(InputFile file, const TraceOptions& options) {
  std::unique_ptr<TraceSource> reader = make_reader(std::move(file), options);
  if (!options.validate) return reader;
  return std::make_unique<Validator>(std::move(reader), options);
}

}  // namespace

std::optional<TraceFormat> format_of_suffix(std::string_view path) {
  for (const TraceFormatName& format : kTraceFormats) {
    if (path.ends_with(format.suffix)) return format.format;
  }
  return std::nullopt;
}

std::unique_ptr<TraceSource> open_trace(const std::string& path, const TraceOptions& options) {
  return make_stack(InputFile(path), options);
}

std::unique_ptr<TraceSource> open_trace_bytes(std::string_view bytes, const std::string& name,
                                              const TraceOptions& options) {
  return make_stack(InputFile(name, bytes), options);
}

}  // namespace isosan
