// isosan trace stat|dump|convert|generate: shows, converts and generates traces.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/input_error.h"
#include "base/shown.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/options/number.h"
#include "cli/output/exit_status.h"
#include "spec/selection.h"
#include "trace/create_trace.h"
#include "trace/generator.h"
#include "trace/open_trace.h"
#include "trace/stream/event_text.h"
#include "trace/timeline/timeline_writer.h"
#include "trace/trace_stat.h"

namespace isosan {
namespace {

struct Input {
  std::string path;
  TraceOptions options;

  void declare(CLI::App& parser) {
    parser.add_option("FILE", path, "The trace")->required()->type_name("");
    parser.add_flag("--lenient", options.lenient,
                    "Go on after what is ill-formed or damaged, and count it");
  }
  std::unique_ptr<TraceSource> open() const { return open_trace(path, options); }
};

void warn_of_passed_over(const TraceSource& source) {
  const PassedOver passed_over = source.passed_over();
  if (passed_over.count == 0) return;
  std::fflush(stdout);
  fmt::print(stderr, "isosan: passed over {}, the first: {}\n", passed_over.count,
             shown(passed_over.first));
}

TraceFormat format_for(const std::string& path, std::string_view also = "") {
  if (const auto format = format_of_suffix(path)) return *format;
  std::string suffixes;
  for (const TraceFormatName& name : kTraceFormats) {
    suffixes += fmt::format("{}{} ({})", suffixes.empty() ? "" : ", ", name.suffix, name.name);
  }
  throw UserError(fmt::format("{}: the suffix chooses the format: {}{}", path, suffixes,
                              also.empty() ? "" : fmt::format(", {}", also)));
}

void print_stat(const TraceCounter& counter, const TraceSource& source) {
  for (const std::string& line : stat_lines(counter.result(source)))
    fmt::print("{}\n", shown(line));
  const std::vector<SelectionRule>& selection = source.tables().selection;
  if (!selection.empty()) fmt::print("recorded for: {} only\n", shown(selection_text(selection)));
}

// Counts up to the damage are printed before the error.
int stat(const Input& input) {
  const std::unique_ptr<TraceSource> source = input.open();
  TraceCounter counter;
  try {
    for (auto batch = source->next(); !batch.empty(); batch = source->next()) counter.count(batch);
  } catch (const InputError&) {
    print_stat(counter, *source);
    throw;
  }
  print_stat(counter, *source);
  return kExitClean;
}

struct DumpOptions {
  Input input;
  std::uint64_t from = 0;
  std::uint64_t limit = ~std::uint64_t{0};
};

int dump(const DumpOptions& options) {
  const std::unique_ptr<TraceSource> source = options.input.open();
  std::uint64_t ordinal = 0, left = options.limit;
  for (auto batch = source->next(); !batch.empty() && left > 0; batch = source->next()) {
    for (const Event& e : batch) {
      if (ordinal >= options.from && left > 0) {
        fmt::print("{}\n", shown(dump_line(e, ordinal, source->tables())));
        --left;
      }
      ++ordinal;
    }
  }
  warn_of_passed_over(*source);
  return kExitClean;
}

struct ConvertOptions {
  Input input;
  std::string output;
};

// A timeline is only written: it is for people.
std::unique_ptr<EventWriter> converter_to(const std::string& path) {
  if (path.ends_with(".json")) return std::make_unique<TimelineWriter>(path);
  return create_trace(path, format_for(path, ".json (a timeline)"));
}

int convert(const ConvertOptions& options) {
  const std::unique_ptr<TraceSource> source = options.input.open();
  const std::unique_ptr<EventWriter> writer = converter_to(options.output);
  copy_events(*source, *writer);
  warn_of_passed_over(*source);
  return kExitClean;
}

struct GenerateOptions {
  GeneratorOptions generator;
  double violation_at = -1;
  std::string output;
};

int generate(GenerateOptions options) {
  if (options.violation_at >= 0) options.generator.violation_at = options.violation_at;
  const TraceFormat format = format_for(options.output);
  try {
    Generator generator(options.generator);
    const std::unique_ptr<EventWriter> writer = create_trace(options.output, format);
    copy_events(generator, *writer);
  } catch (const GeneratorError& error) {
    throw UserError(error.what());
  }
  return kExitClean;
}

Action declare_stat(CLI::App& parser) {
  auto input = std::make_shared<Input>();
  input->declare(parser);
  return [input] { return stat(*input); };
}

Action declare_dump(CLI::App& parser) {
  auto options = std::make_shared<DumpOptions>();
  options->input.declare(parser);
  parser.add_option("--from", options->from, "First event to print, counted from 0")
      ->type_name("N")
      ->check(whole_number(0));
  parser.add_option("--limit", options->limit, "Print at most N events")
      ->type_name("N")
      ->check(whole_number(0));
  return [options] { return dump(*options); };
}

Action declare_convert(CLI::App& parser) {
  auto options = std::make_shared<ConvertOptions>();
  options->input.declare(parser);
  parser
      .add_option("-o,--output", options->output,
                  "Where to; .std, .rapid, .trace, or .json for a timeline (ui.perfetto.dev)")
      ->required()
      ->type_name("OUT");
  return [options] { return convert(*options); };
}

Action declare_generate(CLI::App& parser) {
  auto options = std::make_shared<GenerateOptions>();
  GeneratorOptions& g = options->generator;
  const auto number = [&](const char* name, auto& value, const char* letter, const char* help) {
    using Value = std::remove_reference_t<decltype(value)>;
    parser.add_option(name, value, help)
        ->type_name(letter)
        ->check(whole_number(0, std::numeric_limits<Value>::max()))
        ->capture_default_str();
  };
  number("--events", g.events, "N", "Events, exactly");
  number("--threads", g.threads, "K", "Threads");
  number("--variables", g.variables, "V", "Variables");
  number("--locks", g.locks, "L", "Locks");
  number("--seed", g.seed, "S", "The same seed gives the same trace");
  parser
      .add_option("--violation-at", options->violation_at,
                  "Inject one violation there (default: the trace is serializable)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""))
      ->check([](const std::string& text) {
        return std::isnan(std::stod(text)) ? std::string("is not a number") : std::string();
      });
  parser.add_flag("--long-transaction", g.long_transaction,
                  "The last thread is in one transaction from start to end");
  parser.add_option("--unary", g.unary, "Fraction of accesses outside transactions")
      ->type_name("FRACTION")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->capture_default_str();
  parser.add_flag("--nested", g.nested, "Regions inside regions");
  parser
      .add_option("-o,--output", options->output,
                  "Where to; .std, .rapid, .trace, or .json for a timeline (ui.perfetto.dev)")
      ->required()
      ->type_name("FILE");
  return [options] { return generate(*options); };
}

constexpr Command kTraceCommands[] = {
    {"stat", "count what a trace holds", declare_stat},
    {"dump", "print events, one per line", declare_dump},
    {"convert", "write a trace in another format", declare_convert},
    {"generate", "make a synthetic trace with a known verdict", declare_generate},
};

}  // namespace

Action declare_trace(CLI::App& parser) { return declare_commands(parser, kTraceCommands); }

}  // namespace isosan
