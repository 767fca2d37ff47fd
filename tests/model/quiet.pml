/* The quiet rule: which transactions never leave their thread.
 *
 * THREADS threads execute TRANSACTIONS transactions each, of ACCESSES accesses to WORDS words. An access holds its word. A
 * thread that takes a word asks whether the transaction that used it last is dropped; if it is not, that one and its own
 * are logged, and a dependence is listed. A transaction that nobody has logged is taken back at its end. Names follow the
 * code: modes/quiet.cc, modes/quiet_slots.cc, modes/drops.h. An epoch is a transaction here.
 *
 * Law 1 (checked at the end): no transaction that was taken back is in a cycle of all dependences and of program order.
 * Law 2 (checked at each marker): the log that it leads into is visible up to there.
 *
 * Each MUTANT_... breaks one rule; the test asks that the model finds a counterexample (tests/model/run).
 */
#ifndef THREADS
#define THREADS 2
#endif
#ifndef TRANSACTIONS
#define TRANSACTIONS 2
#endif
#ifndef ACCESSES
#define ACCESSES 2
#endif
#ifndef WORDS
#define WORDS 2
#endif
#define NOBODY 255
#define NODES (THREADS * TRANSACTIONS)
#define node(thread, transaction) ((thread) * TRANSACTIONS + (transaction) - 1)

/* Words: who used it last, in which transaction. */
byte owner[WORDS] = NOBODY;
byte used_in[WORDS];
bool held[WORDS];

/* Slots. Transactions are numbered from 1 on. */
bool locked[THREADS];
byte dropped_until[THREADS];
byte ended[THREADS];
bool keeps_back[THREADS];
byte visible[THREADS];
byte position[THREADS];
/* Unresolved dependences of each transaction: on which one of each other thread; 0: on none. */
typedef Dependences { byte on[THREADS] }
Dependences before[NODES];

/* What really happened. */
typedef Successors { bool to[NODES] }
Successors edge[NODES];
bool taken_back[NODES];
byte finished;

inline lock(slot) { atomic { !locked[slot] -> locked[slot] = true } }
inline unlock(slot) { locked[slot] = false }

/* Is transaction `e` of `s` dropped? Collects what it depends on until there is nothing more. */
inline resolve(s, e) {
  is_dropped = dropped_until[s] >= e;
  if
  :: is_dropped
  :: else ->
    d_step {
      i = 0;
      do :: i < THREADS -> needed[i] = 0; looked[i] = false; i++ :: else -> break od;
      needed[s] = e; is_dropped = true; i = 0
    }
    do
    :: is_dropped && i < THREADS && needed[i] != 0 && !looked[i] ->
      looked[i] = true;
#ifndef MUTANT_DROPS_OPEN_TRANSACTIONS
      if :: ended[i] < needed[i] -> is_dropped = false :: else fi;
#endif
      d_step { /* with the slot's lock */
        j = 1;
        do
        :: j <= needed[i] ->
          k = 0;
          do
          :: k < THREADS ->
            if
            :: before[node(i, j)].on[k] > dropped_until[k] && before[node(i, j)].on[k] > needed[k] ->
              needed[k] = before[node(i, j)].on[k]; looked[k] = false
            :: else
            fi;
            k++
          :: else -> break
          od;
          j++
        :: else -> break
        od;
        j = 0; k = 0; i = 0
      }
    :: is_dropped && i < THREADS && (needed[i] == 0 || looked[i]) -> i++
    :: else -> break
    od;
    if
    :: is_dropped ->
      i = 0;
      do
      :: i < THREADS ->
        d_step { if :: needed[i] > dropped_until[i] -> dropped_until[i] = needed[i] :: else fi; i++ }
      :: else -> break
      od
    :: else
    fi;
    i = 0
  fi
}

inline depend_on() {
  lock(me);
  d_step { if :: before[node(me, number)].on[o] < e -> before[node(me, number)].on[o] = e :: else fi };
  unlock(me)
}

inline be_logged() {
  lock(me);
  d_step { keeps_back[me] = false; visible[me] = position[me] };
  unlock(me)
}

/* The word is held, and another thread used it last. */
inline come_after() {
#ifndef MUTANT_READS_DROPPED_BEFORE_IT_HOLDS_THE_WORD
  resolve(o, e);
#endif
  if
  :: is_dropped
  :: else ->
#ifdef MUTANT_MAKES_VISIBLE_AFTER_THE_MARKER
    p = position[o];
    assert(p <= visible[o]);
#endif
    lock(o);
    if
    :: dropped_until[o] >= e -> is_dropped = true
    :: else -> d_step { keeps_back[o] = false; visible[o] = position[o]; p = position[o] }
    fi;
    unlock(o);
    if
    :: is_dropped
    :: else ->
      be_logged();
      assert(p <= visible[o]);
#ifdef MUTANT_LISTS_DEPENDENCES_AFTER_THE_END
      later_o = o; later_e = e;
#else
      depend_on();
#endif
    fi
  fi
}

inline use(w) {
#ifdef MUTANT_READS_DROPPED_BEFORE_IT_HOLDS_THE_WORD
  d_step { o = owner[w]; e = used_in[w] };
  is_dropped = false;
  if :: o != NOBODY && o != me -> resolve(o, e) :: else fi;
#endif
  atomic { !held[w] -> held[w] = true };
  d_step { o = owner[w]; e = used_in[w] };
  if
  :: o == NOBODY || o == me
  :: else ->
    come_after();
    edge[node(o, e)].to[node(me, number)] = true
  fi;
  d_step { owner[w] = me; used_in[w] = number; position[me]++; o = 0; e = 0; p = 0; is_dropped = false };
  held[w] = false
}

proctype Thread(byte me) {
  byte number, accesses, o, e, p, i, j, k, first;
  byte later_o = NOBODY, later_e;
  byte needed[THREADS];
  bool looked[THREADS];
  bool is_dropped;

  do
  :: number < TRANSACTIONS ->
    /* begin */
    resolve(me, number);
#ifdef MUTANT_BEGINS_QUIET_BEHIND_A_KEPT_ONE
    is_dropped = true;
#endif
    number++;
    lock(me);
    d_step { visible[me] = position[me]; first = position[me]; keeps_back[me] = is_dropped; is_dropped = false };
    unlock(me);
    accesses = 0;
    do
    :: accesses < ACCESSES -> accesses++;
      if :: use(0) :: WORDS > 1 -> use(WORDS - 1) fi
    :: else -> break
    od;
    /* end */
    lock(me);
    if
#ifdef MUTANT_TAKES_BACK_WHAT_OTHERS_HAVE_SEEN
    :: true ->
#else
    :: keeps_back[me] ->
#endif
      d_step {
        position[me] = first; dropped_until[me] = number; ended[me] = number;
        taken_back[node(me, number)] = true
      };
      unlock(me)
    :: else ->
      d_step { visible[me] = position[me]; ended[me] = number };
      unlock(me);
#ifdef MUTANT_LISTS_DEPENDENCES_AFTER_THE_END
      if :: later_o != NOBODY -> o = later_o; e = later_e; depend_on(); later_o = NOBODY :: else fi
#endif
    fi;
    d_step { o = 0; e = 0; first = 0 }
  :: else -> break
  od;
  finished++
}

/* Closes the relation "comes before", then looks for those that come before themselves. */
proctype Judge() {
  byte a, b, c;
  finished == THREADS;
  d_step {
    a = 0;
    do
    :: a < THREADS ->
      b = 1;
      do :: b < TRANSACTIONS -> edge[node(a, b)].to[node(a, b + 1)] = true; b++ :: else -> break od;
      a++
    :: else -> break
    od;
    b = 0;
    do
    :: b < NODES ->
      a = 0;
      do
      :: a < NODES ->
        c = 0;
        do
        :: c < NODES ->
          if :: edge[a].to[b] && edge[b].to[c] -> edge[a].to[c] = true :: else fi;
          c++
        :: else -> break
        od;
        a++
      :: else -> break
      od;
      b++
    :: else -> break
    od;
    a = 0
  }
  do
  :: a < NODES -> assert(!taken_back[a] || !edge[a].to[a]); a++
  :: else -> break
  od
}

init {
  byte t;
  atomic {
    do :: t < THREADS -> run Thread(t); t++ :: else -> break od;
    run Judge()
  }
}
