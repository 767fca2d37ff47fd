#include "differential/source_text.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "differential/objects.h"

namespace isosan::test {
namespace {

constexpr std::string_view kHeader = R"(// Generated: see tests/differential.
#include <isosan/isosan.h>
#include <string.h>
#include "differential/objects.h"
#if defined(__GNUC__) && !defined(__clang__)
#define OWN_CODE [[gnu::noinline, gnu::no_icf]]
#else
#define OWN_CODE [[gnu::noinline]]
#endif
#ifdef NEVER_INLINE
#define MAYBE_INLINE OWN_CODE
#else
#define MAYBE_INLINE
#endif
typedef unsigned char u1;
typedef unsigned short __attribute__((may_alias)) u2;
typedef unsigned __attribute__((may_alias)) u4;
typedef unsigned long __attribute__((may_alias)) u8;
typedef unsigned __attribute__((may_alias, aligned(2))) u4_odd;
typedef unsigned __int128 __attribute__((may_alias, aligned(8))) u16;
extern void use_bytes(const void*);
extern "C" void nothing();
)";

constexpr std::string_view kShapeNames[] = {"atomic", "marked", "plain", "block", "block"};
constexpr std::string_view kOrderNames[] = {"RELAXED", "CONSUME", "ACQUIRE",
                                            "RELEASE", "ACQ_REL", "SEQ_CST"};

class Writer {
 public:
  SourceText take() && { return std::move(out_); }

  void raw(std::string_view text) {
    out_.text += text;
    for (const char c : text) line_ += c == '\n';
  }
  void prologue(std::size_t programs) {
    raw(kHeader);
    raw(fmt::format("Objects objects[{}];\n", programs));
  }
  void program(std::size_t number, const Program& program) {
    number_ = number;
    program_ = &program;
    raw(fmt::format("namespace c{} {{\nstatic pthread_t threads[{}];\n", number, program.threads));
    raw(fmt::format("static Objects& o = objects[{}];\n", number));
    for (int t = program.threads - 1; t >= 0; --t) thread(t);
    raw("}\n");
  }

 private:
  // Functions are written innermost first: a thread's steps are gone through once, and each body
  // that ends is put out before the one that calls it.
  struct Open {
    std::size_t begin;
    std::vector<std::pair<std::size_t, std::string>> lines;  // step (or kNone) and text
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  const Step& step(std::size_t i) const { return program_->steps[i]; }
  bool next_is_glued(std::size_t i) const {
    return i + 1 < program_->steps.size() && step(i + 1).glued;
  }
  int glued_up_to(std::size_t i) const {
    int count = 1;
    while (step(i).glued) --i, ++count;
    return count;
  }

  void thread(int t) {
    open_.clear();
    open_.push_back({kNone, {}});
    for (std::size_t i = 0; i < program_->steps.size(); ++i) {
      if (step(i).thread == t) one(i);
    }
    if (t == 0) {
      put(fmt::format("OWN_CODE void run() {{"), open_.back(), "prepare(&o);", "use(a);");
    } else {
      put(fmt::format("static void* thread_{}(void*) {{", t), open_.back(), "",
          "use(a); return nullptr;");
    }
  }

  void say(std::string text, std::size_t at = kNone) {
    open_.back().lines.push_back({at, std::move(text)});
  }

  void one(std::size_t i) {
    const Step& s = step(i);
    if (s.op == Op::kEnd) return end(i);
    const bool released_by_other = s.op == Op::kWaitEnd || s.op == Op::kDepart;
    if (!s.glued && !released_by_other) say(fmt::format("await({});", i));
    if (s.op == Op::kBegin) return begin(i);
    if (s.op == Op::kWaitBegin || s.op == Op::kArrive) say("advance(1);");
    if (!released_by_other) say(code_of(i), is_access(s.op) ? i : kNone);
    if (s.op == Op::kWaitBegin || s.op == Op::kArrive) return;
    if (!next_is_glued(i)) say(fmt::format("advance({});", glued_up_to(i)));
  }

  void begin(std::size_t i) {
    const std::string name = region_name(number_, *program_, i);
    if (step(i).shape == Shape::kScopedBlock)
      say(fmt::format("{{ isosan::atomic_region region(\"{}\");", name));
    if (step(i).shape == Shape::kBeginEndBlock)
      say(fmt::format("ISOSAN_ATOMIC_BEGIN(\"{}\");", name));
    if (is_function(step(i).shape)) open_.push_back({i, {}});
    if (!step(i).leaf) say("advance(1);");
  }

  void end(std::size_t i) {
    const Step& s = step(i);
    const Step& begun = step(s.begin);
    if (!s.glued) say(fmt::format("await({});", i));
    if (begun.shape == Shape::kScopedBlock) say("}");
    if (begun.shape == Shape::kBeginEndBlock) say("ISOSAN_ATOMIC_END();");
    if (is_function(begun.shape)) {
      const Open body = std::move(open_.back());
      open_.pop_back();
      function(body);
    }
    if (!next_is_glued(i)) say(fmt::format("advance({});", glued_up_to(i)));
  }

  void function(const Open& body) {
    const Step& s = step(body.begin);
    const std::string full = region_name(number_, *program_, body.begin);
    const std::string name = full.substr(full.rfind(':') + 1);
    const std::string_view attribute = s.shape == Shape::kMarkedFunction ? "ISOSAN_ATOMIC " : "";
    put(fmt::format("{} {}static unsigned long {}() {{", s.inlined ? "MAYBE_INLINE" : "OWN_CODE",
                    attribute, name),
        body, "", s.throws ? "use(a); throw 0;" : "return a;");
    say(s.throws ? fmt::format("try {{ {}(); }} catch (int) {{}}", name)
                 : fmt::format("a += {}();", name));
  }

  void put(const std::string& head, const Open& body, std::string_view first,
           std::string_view last) {
    raw(head + "\nunsigned long a = 0;\n");
    if (!first.empty()) raw(fmt::format("{}\n", first));
    for (const auto& [at, text] : body.lines) {
      if (at != kNone) out_.lines[line_] = {number_, at};
      raw(text + "\n");
    }
    raw(fmt::format("{}\n}}\n", last));
  }

  std::string access_type(const Step& s) const {
    if (s.size == 4 && s.object % 4 != 0) return "u4_odd";
    return fmt::format("u{}", s.size);
  }

  std::string code_of(std::size_t i) const {
    const Step& s = step(i);
    const std::string byte = fmt::format("(&o.cells[{}])", s.object - offsetof(Objects, cells));
    const std::string cell = fmt::format("({}*){}", access_type(s), byte);
    const std::string order =
        fmt::format("__ATOMIC_{}", kOrderNames[static_cast<std::size_t>(s.order)]);
    const std::size_t value = i % 50 + 1;
    const bool block = s.size == 24;
    switch (s.op) {
      case Op::kRead:
        if (block) return fmt::format("{{ u1 b[24]; memcpy(b, {}, 24); use_bytes(b); }}", byte);
        return fmt::format("a += (unsigned long)*{};", cell);
      case Op::kWrite:
        if (block) return fmt::format("memset({}, {}, 24);", byte, value);
        return fmt::format("*{} = {};", cell, value);
      case Op::kAtomicLoad:
        return fmt::format("a += __atomic_load_n({}, {});", cell, order);
      case Op::kAtomicStore:
        return fmt::format("__atomic_store_n({}, {}, {});", cell, value, order);
      case Op::kAtomicAdd:
        return fmt::format("a += __atomic_fetch_add({}, 1, {});", cell, order);
      case Op::kFailedExchange:
        return fmt::format(
            "{{ {0} e = ({0})0xeeeeeeeeeeeeeeee; a += __atomic_compare_exchange_n({1}, &e, 1, "
            "false, {2}, {2}); }}",
            access_type(s), cell, order);
      case Op::kFence:
        return fmt::format("__atomic_thread_fence({});", order);
      case Op::kLock:
        return fmt::format("pthread_mutex_lock(&{});", mutex(s.object));
      case Op::kUnlock:
        return fmt::format("pthread_mutex_unlock(&{});", mutex(s.object));
      case Op::kReadLock:
        return "pthread_rwlock_rdlock(&o.rw);";
      case Op::kWriteLock:
        return "pthread_rwlock_wrlock(&o.rw);";
      case Op::kUnlockShared:
      case Op::kUnlockWriter:
        return "pthread_rwlock_unlock(&o.rw);";
      case Op::kPost:
        return "sem_post(&o.semaphore);";
      case Op::kTake:
        return "sem_wait(&o.semaphore);";
      case Op::kOnce:
        return "pthread_once(&o.once, nothing);";
      case Op::kNotify:
        return fmt::format("pthread_cond_broadcast(&{});", condition(s.object));
      case Op::kWaitBegin:
        return fmt::format("pthread_cond_wait(&{}, &{});", condition(s.object), mutex(s.size));
      case Op::kArrive:
      case Op::kArriveLast:
        return "pthread_barrier_wait(&o.barrier);";
      case Op::kFork:
        return fmt::format("pthread_create(&threads[{0}], nullptr, thread_{0}, nullptr);",
                           s.object);
      case Op::kJoin:
        return fmt::format("pthread_join(threads[{}], nullptr);", s.object);
      case Op::kWaitEnd:
      case Op::kDepart:
      case Op::kBegin:
      case Op::kEnd:
        return "";
    }
    return "";
  }

  static std::string mutex(std::size_t offset) {
    if (offset == offsetof(Objects, recursive)) return "o.recursive";
    return fmt::format("o.mutexes[{}]",
                       (offset - offsetof(Objects, mutexes)) / sizeof(pthread_mutex_t));
  }
  static std::string condition(std::size_t offset) {
    return fmt::format("o.conditions[{}]",
                       (offset - offsetof(Objects, conditions)) / sizeof(pthread_cond_t));
  }

  SourceText out_;
  std::size_t line_ = 1;
  std::size_t number_ = 0;
  const Program* program_ = nullptr;
  std::vector<Open> open_;
};

}  // namespace

std::string region_name(std::size_t program, const Program& of, std::size_t begin) {
  return fmt::format("c{}::{}_{}", program,
                     kShapeNames[static_cast<std::size_t>(of.steps[begin].shape)], begin);
}

SourceText source_text(const std::vector<Program>& programs) {
  Writer writer;
  writer.prologue(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) writer.program(i, programs[i]);
  writer.raw("using Run = void();\nstatic Run* const runs[] = {\n");
  for (std::size_t i = 0; i < programs.size(); ++i) writer.raw(fmt::format("c{}::run,\n", i));
  writer.raw(
      "};\nextern \"C\" int atoi(const char*);\nint main(int argc, char** argv) "
      "{\nannounce(objects);\n");
  writer.raw("for (int i = 1; i < argc; ++i) runs[atoi(argv[i])]();\n");
  writer.raw(
      fmt::format("for (int i = 0; argc == 1 && i < {}; ++i) runs[i]();\n}}\n", programs.size()));
  return std::move(writer).take();
}

}  // namespace isosan::test
