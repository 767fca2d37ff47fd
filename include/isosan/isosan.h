/* IsoSan's annotations: what should be atomic, and what the tool may assume. For C and C++; a
 * header only. Without the tool (compiled by anything but isosan-cc, isosan-c++) every
 * name here expands to nothing: no code, no symbol, no attribute.
 *
 *   class Account {
 *     ISOSAN_ATOMIC void transfer(Account& to, long amount);  // a function that should be atomic
 *   };
 *   void f() { isosan::atomic_region region("audit"); ... }   // a block, to the end of its scope
 *   ISOSAN_ATOMIC_BEGIN("audit"); ... ISOSAN_ATOMIC_END();    // the same in C
 *   bool books_balance() { ... }                              // what should always hold; hunt and
 *   ISOSAN_INVARIANT(books_balance);                          // replay look (at namespace scope)
 *
 * The tsan front with gcc supports blocks, not attributes: name functions there with --atomic or a
 * spec file.
 */
#ifndef ISOSAN_ISOSAN_H
#define ISOSAN_ISOSAN_H

#if defined(__ISOSAN__) && defined(__clang__)
#define ISOSAN_ANNOTATE(text) __attribute__((annotate(text)))
#else
#define ISOSAN_ANNOTATE(text)
#endif

/* On functions. */
#define ISOSAN_ATOMIC ISOSAN_ANNOTATE("isosan:atomic")         /* check that it is atomic */
#define ISOSAN_NOT_ATOMIC ISOSAN_ANNOTATE("isosan:not_atomic") /* do not check it */
#define ISOSAN_DETERMINISTIC \
  ISOSAN_ANNOTATE("isosan:deterministic") /* check that it is deterministic */
#define ISOSAN_ASSUME_ATOMIC ISOSAN_ANNOTATE("isosan:assume_atomic") /* assume it; do not check */
#define ISOSAN_ASSUME_MOVER \
  ISOSAN_ANNOTATE("isosan:assume_mover")                 /* commutes with other threads \
                                                          */
#define ISOSAN_NO_WARN ISOSAN_ANNOTATE("isosan:no_warn") /* atomizer does not check its body */
#define ISOSAN_SPLIT_AT_WAIT \
  ISOSAN_ANNOTATE("isosan:split_at_wait") /* atomic up to each condition wait, and from there on \
                                           */
#define ISOSAN_UNIT ISOSAN_ANNOTATE("isosan:unit") /* a unit of work */
#define ISOSAN_NOT_UNIT ISOSAN_ANNOTATE("isosan:not_unit")

/* On fields, globals and parameters: kept in the tables of the program (section
 * isosan_annotations). */
#define ISOSAN_ASSUME_GUARDED \
  ISOSAN_ANNOTATE("isosan:assume_guarded") /* accesses never conflict \
                                            */
#define ISOSAN_ATOMIC_SET(set) ISOSAN_ANNOTATE("isosan:atomic_set:" #set)
#define ISOSAN_OWNED \
  ISOSAN_ANNOTATE("isosan:owned") /* what it points to belongs to this object's sets */
#define ISOSAN_UNITFOR \
  ISOSAN_ANNOTATE("isosan:unitfor") /* the function is a unit of work on this parameter */

/* Blocks. The numbers are isosan::RegionKind. */
#ifdef __ISOSAN__
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void __isosan_block_begin(const char* name, const void* object,
                                                unsigned kind);
__attribute__((weak)) void __isosan_block_end(const char* name, const void* object, unsigned kind);
__attribute__((weak)) void __isosan_invariant(const char* name, int (*holds)(void));
#ifdef __cplusplus
}
#endif
#define ISOSAN_BLOCK_BEGIN(name, object, kind) \
  ((void)(__isosan_block_begin ? __isosan_block_begin((name), (object), (kind)) : (void)0))
#define ISOSAN_BLOCK_END(kind) \
  ((void)(__isosan_block_end ? __isosan_block_end(0, 0, (kind)) : (void)0))
#else
#define ISOSAN_BLOCK_BEGIN(name, object, kind) ((void)0)
#define ISOSAN_BLOCK_END(kind) ((void)0)
#endif

#define ISOSAN_ATOMIC_BEGIN(name) ISOSAN_BLOCK_BEGIN(name, 0, 0u)
#define ISOSAN_ATOMIC_END() ISOSAN_BLOCK_END(0u)
#define ISOSAN_DETERMINISTIC_BEGIN(name) ISOSAN_BLOCK_BEGIN(name, 0, 1u)
#define ISOSAN_DETERMINISTIC_END() ISOSAN_BLOCK_END(1u)
#define ISOSAN_UNIT_BEGIN(name, object) ISOSAN_BLOCK_BEGIN(name, object, 2u)
#define ISOSAN_UNIT_END() ISOSAN_BLOCK_END(2u)

/* A function without parameters whose result is true in every state that other threads may see. In
 * runs of hunt and replay it is called where the turn goes to another thread and no thread holds a
 * lock. It only reads: it takes no lock and changes nothing. */
#ifdef __ISOSAN__
#define ISOSAN_INVARIANT(holds) ISOSAN_INVARIANT_NUMBERED(holds, __COUNTER__)
#define ISOSAN_INVARIANT_NUMBERED(holds, n) ISOSAN_INVARIANT_NAMED(holds, n)
#define ISOSAN_INVARIANT_NAMED(holds, n)                                            \
  static int isosan_invariant_##n(void) { return (holds)() ? 1 : 0; }               \
  __attribute__((constructor)) static void isosan_invariant_is_declared_##n(void) { \
    if (__isosan_invariant) __isosan_invariant(#holds, isosan_invariant_##n);       \
  }                                                                                 \
  struct isosan_invariant_of_##n
#else
#define ISOSAN_INVARIANT(holds) struct isosan_invariant_of
#endif

#ifdef __cplusplus
namespace isosan {

/* A block from the declaration to the end of the scope, however it is left. */
template <unsigned kind>
class region {
 public:
#ifdef __ISOSAN__
  __attribute__((always_inline)) explicit region(const char* name,
                                                 const void* object = nullptr) noexcept {
    ISOSAN_BLOCK_BEGIN(name, object, kind);
  }
  __attribute__((always_inline)) ~region() { ISOSAN_BLOCK_END(kind); }
#else
  explicit region(const char*, const void* = nullptr) noexcept {}
  ~region() {}
#endif
  region(const region&) = delete;
  region& operator=(const region&) = delete;
};

using atomic_region = region<0>;
using deterministic_region = region<1>;
using unit_of_work = region<2>;

}  // namespace isosan
#endif

#endif
