/* The protocol of ownership: how a thread gets a shadow word of another, and what the log says of it.
 *
 * THREADS threads make OPERATIONS operations each on WORDS words: a write, or a write under the one lock. A write is
 * checked, logged and then done; nothing of the protocol happens between the last two. Names follow the code:
 * ownership/claim.cc, ownership/coordinate.cc, thread/safe_point.h, sync/sync.cc.
 *
 * Law (checked at each write): when a thread writes a word that another one wrote last, that write is in the log of the
 * other, and before it by the markers in the logs. And nobody waits for ever: no invalid end state.
 *
 * Each MUTANT_... breaks one rule; the test asks that the model finds a counterexample (tests/model/run).
 *
 * What is not in here: reads and read-shared words, signals, and the window of the inline path that --strict closes.
 */
#ifndef THREADS
#define THREADS 2
#endif
#ifndef WORDS
#define WORDS 2
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#define NOBODY 255
#define NEVER 255

typedef Clock { byte e[THREADS] }

/* Shadow words. */
byte owner[WORDS] = NOBODY;
byte word_epoch[WORDS];
bool held[WORDS];

/* Slots: status is `at_safe_point` and `relied_on` (a ticket was left there). */
bool at_safe_point[THREADS];
bool relied_on[THREADS];
byte requests[THREADS];
byte answered[THREADS];
bool asked[THREADS];  /* ThreadBlock::poll */
byte epoch[THREADS] = 1;
byte position[THREADS];
Clock clock[THREADS];

/* The lock: who gave it up last, and what it left there. */
bool locked;
byte left_by = NOBODY;
byte left_epoch;
byte left_position;
Clock left_clock;

/* What the markers in the logs say: before[t].e[u] positions of u's log come before what t logs next. */
Clock before[THREADS];
Clock left_before;
/* Who wrote a word last, and where that stands in its log. */
byte last_writer[WORDS] = NOBODY;
byte last_position[WORDS];

inline bump_epoch() { epoch[me]++ }

inline enter_safe_point() {
  atomic { at_safe_point[me] = true; relied_on[me] = false }
}
inline leave_safe_point() {
  atomic { at_safe_point[me] = false; ticket_seen = relied_on[me]; relied_on[me] = false }
  if
  :: ticket_seen -> bump_epoch()
  :: else
  fi;
  ticket_seen = false
}

/* Explicit answer. */
inline poll() {
  if
  :: asked[me] ->
    asked[me] = false;
    seen_requests = requests[me];
    bump_epoch();
    answered[me] = seen_requests;
    seen_requests = 0
  :: else
  fi
}

/* Returns when `other` has been at a safe point since the call. */
inline coordinate(other) {
  if
  :: atomic { at_safe_point[other] -> relied_on[other] = true }
  :: else ->
#ifndef MUTANT_WAITS_OUTSIDE_A_SAFE_POINT
    enter_safe_point();
#endif
    atomic { requests[other]++; ticket = requests[other] }
    do
    :: answered[other] >= ticket -> break
    :: atomic { at_safe_point[other] -> relied_on[other] = true; break }
    :: !asked[other] && answered[other] < ticket -> asked[other] = true
    od;
    ticket = 0;
#ifndef MUTANT_WAITS_OUTSIDE_A_SAFE_POINT
    leave_safe_point()
#endif
  fi
}

inline raise(c, slot, to) {
  if
  :: c.e[slot] < to -> c.e[slot] = to
  :: else
  fi
}

/* A marker (other, at) goes into the log of this thread; `known` is what the other's log said up to there. */
inline append_marker(other, at, known) {
  atomic {
    position[me]++;
    raise(before[me], other, at);
    i = 0;
    do
    :: i < THREADS -> raise(before[me], i, known.e[i]); i++
    :: else -> break
    od;
    i = 0
  }
}
inline join_clock(c) {
  atomic {
    i = 0;
    do
    :: i < THREADS ->
      if
      :: i != me -> raise(clock[me], i, c.e[i])
      :: else
      fi;
      i++
    :: else -> break
    od;
    i = 0
  }
}

/* take_order(): the clock first, then the epochs that are closed, then the position. */
inline take_order(other) {
  d_step { scratch.e[0] = clock[other].e[0]; scratch.e[1] = clock[other].e[1]
#if THREADS > 2
    ; scratch.e[2] = clock[other].e[2]
#endif
  }
#ifdef MUTANT_COVERS_THE_OPEN_EPOCH
  closed = epoch[other];
#else
  closed = epoch[other] - 1;
#endif
#ifndef MUTANT_READS_THE_POSITION_TOO_EARLY
  d_step { at = position[other]; known.e[0] = before[other].e[0]; known.e[1] = before[other].e[1]
#if THREADS > 2
    ; known.e[2] = before[other].e[2]
#endif
  }
#endif
  append_marker(other, at, known);
  join_clock(scratch);
  raise(clock[me], other, closed);
  d_step { closed = 0; at = 0; scratch.e[0] = 0; scratch.e[1] = 0; known.e[0] = 0; known.e[1] = 0
#if THREADS > 2
    ; scratch.e[2] = 0; known.e[2] = 0
#endif
  }
}

inline read_position_early(other) {
#ifdef MUTANT_READS_THE_POSITION_TOO_EARLY
  d_step { at = position[other]; known.e[0] = before[other].e[0]; known.e[1] = before[other].e[1]
#if THREADS > 2
    ; known.e[2] = before[other].e[2]
#endif
  }
#endif
  skip
}

inline wait_while_held(w) {
#ifndef MUTANT_WAITS_FOR_A_WORD_OUTSIDE_A_SAFE_POINT
  enter_safe_point();
#endif
  !held[w];
#ifndef MUTANT_WAITS_FOR_A_WORD_OUTSIDE_A_SAFE_POINT
  leave_safe_point()
#endif
}

/* claim() and the append behind it: on return the write is logged, at entry[w]. */
inline claim(w) {
  do
  :: atomic { owner[w] == me && !held[w] && word_epoch[w] == epoch[me] -> break }  /* kNothing */
  :: owner[w] == me && !held[w] && word_epoch[w] != epoch[me] ->                  /* kMark */
#ifdef MUTANT_MARKS_WHAT_IT_LOADED_AGAIN
    /* Logs, loads the word again and stores it with the bytes marked: the held bit, too. */
    entry[w] = position[me];
    position[me]++;
    loaded_held = held[w];
    d_step { owner[w] = me; word_epoch[w] = epoch[me]; held[w] = loaded_held };
    loaded_held = false;
    break
#else
    if
    :: atomic { owner[w] == me && !held[w] -> word_epoch[w] = epoch[me] };
      d_step { entry[w] = position[me]; position[me]++ };
      break
    :: else
    fi
#endif
  :: atomic { !held[w] && (owner[w] == NOBODY || (owner[w] != me && clock[me].e[owner[w]] >= word_epoch[w])) ->
       owner[w] = me; word_epoch[w] = epoch[me] };                                  /* kTake */
    d_step { entry[w] = position[me]; position[me]++ };
    break
  :: atomic { !held[w] && owner[w] != NOBODY && owner[w] != me && clock[me].e[owner[w]] < word_epoch[w] ->
       held[w] = true; from = owner[w] };                                           /* kAskOwner */
    read_position_early(from);
#ifndef MUTANT_TAKES_WITHOUT_ASKING
    coordinate(from);
#endif
    take_order(from);
    atomic { owner[w] = me; word_epoch[w] = epoch[me]; held[w] = false; from = 0 };
    d_step { entry[w] = position[me]; position[me]++ };
    break
  :: held[w] -> wait_while_held(w)                                                  /* kWait */
  od
}

inline write(w) {
#ifdef MUTANT_POLLS_BETWEEN_CHECK_AND_WRITE
  poll();
#endif
  atomic {
    assert(last_writer[w] == NOBODY || last_writer[w] == me || before[me].e[last_writer[w]] > last_position[w]);
    last_writer[w] = me;
    last_position[w] = entry[w]
  }
}

inline acquire() {
  enter_safe_point();
  atomic { !locked -> locked = true };
  leave_safe_point();
  if
  :: left_by != NOBODY && left_by != me && clock[me].e[left_by] < left_epoch ->
    append_marker(left_by, left_position, left_before);
    join_clock(left_clock);
    raise(clock[me], left_by, left_epoch)
  :: left_by != NOBODY && left_by != me && clock[me].e[left_by] >= left_epoch -> join_clock(left_clock)
  :: else
  fi
}
/* What is published is logged and left before the lock is free; then the epoch ends. */
inline release() {
  poll();
#ifdef MUTANT_PUBLISHES_WITHOUT_ENDING_ITS_EPOCH
#define END_OF_EPOCH skip
#else
#define END_OF_EPOCH bump_epoch()
#endif
#ifdef MUTANT_UNLOCKS_BEFORE_IT_PUBLISHES
  locked = false;
#endif
  d_step { position[me]++; left_by = me; left_epoch = epoch[me]; left_position = position[me];
    left_clock.e[0] = clock[me].e[0]; left_clock.e[1] = clock[me].e[1];
    left_before.e[0] = before[me].e[0]; left_before.e[1] = before[me].e[1]
#if THREADS > 2
    ; left_clock.e[2] = clock[me].e[2]; left_before.e[2] = before[me].e[2]
#endif
  }
  END_OF_EPOCH;
#ifndef MUTANT_UNLOCKS_BEFORE_IT_PUBLISHES
  locked = false
#endif
}

proctype Thread(byte me) {
  byte done, w, i, ticket, seen_requests, from, closed, at;
  bool ticket_seen, loaded_held;
  byte entry[WORDS];
  Clock scratch;
  Clock known;
  do
  :: done < OPERATIONS ->
    poll();
    select(w : 0 .. WORDS - 1);
    if
    :: claim(w); write(w)
    :: acquire(); claim(w); write(w); release()
    fi;
    w = 0;
    done++
  :: else -> break
  od;
  enter_safe_point()
}

init {
  atomic {
    byte t = 0;
    do
    :: t < THREADS -> run Thread(t); t++
    :: else -> break
    od
  }
}
