// SPDX-License-Identifier: MIT
// core_wheel::advance() on core 1 and an arm, place(), on core 0, under ticket_lock.
//
// Each core has a store buffer. A core sees its own stores at once. The other core sees
// them later, in any order, and all of them after a barrier. Loads are not reordered.
//
// A timer must be called in the tick of its slot, and no tick of an armed timer may pass without that. Each of these
// must break it:
//   -DUNLOCKED_TICK       advance() takes no lock, as on one core [smp_tick_is_unlocked]
//   -DNO_RELEASE_BARRIER  release() lets the next core in before all stores are visible [smp_release_is_no_barrier]
//   -DNEXT_RUN_KEPT       the arm does not lower next_run [arm_keeps_next_run]
//   -DNEVER_DUE           advance() finds no tick due [tick_is_never_due]

#define CORES 2
#define TICKS 3
#define NOTHING 9

#define jiffies 0
#define next_run 1
#define slot 2
#define serving 3
#define WORDS 4
byte memory[WORDS];
byte stored[CORES * WORDS];
bool buffered[CORES * WORDS];
byte next_ticket;

#define AT(core, word) ((core) * WORDS + (word))
#define LOAD(core, word) (buffered[AT(core, word)] -> stored[AT(core, word)] : memory[word])
#define STORE(core, word, value) d_step { stored[AT(core, word)] = value; buffered[AT(core, word)] = true }
#define BARRIER(core) (!buffered[AT(core, 0)] && !buffered[AT(core, 1)] && !buffered[AT(core, 2)] && !buffered[AT(core, 3)])

inline take(core)
{
    d_step {
        mine = next_ticket;
        next_ticket++
    }
    LOAD(core, serving) == mine
}

inline release(core)
{
#ifndef NO_RELEASE_BARRIER
    BARRIER(core);
#endif
    STORE(core, serving, mine + 1)
}

#define WRITE(core, word) atomic { \
    buffered[AT(core, word)] -> memory[word] = stored[AT(core, word)]; buffered[AT(core, word)] = false }

// Writes the buffers to memory, whenever it likes.
active proctype memory_system()
{
end:
    do
    :: WRITE(0, jiffies)
    :: WRITE(0, next_run)
    :: WRITE(0, slot)
    :: WRITE(0, serving)
    :: WRITE(1, jiffies)
    :: WRITE(1, next_run)
    :: WRITE(1, slot)
    :: WRITE(1, serving)
    od
}

// Arms one timer for tick 2. If that tick has been counted, the timer goes to the next one.
proctype mod_timer()
{
    byte mine, now, to;
    take(0);
    now = LOAD(0, jiffies);
    to = (now < 2 -> 2 : now + 1);
#ifndef NEXT_RUN_KEPT
    if
    :: to < LOAD(0, next_run) -> STORE(0, next_run, to)
    :: else
    fi;
#endif
    STORE(0, slot, to);
    release(0)
}

proctype advance()
{
    byte mine, now;
    bool due;
    do
    :: now < TICKS ->
#ifndef UNLOCKED_TICK
        take(1);
#endif
        now = LOAD(1, jiffies) + 1;
        STORE(1, jiffies, now);
#ifndef NEVER_DUE
        due = now >= LOAD(1, next_run);
#endif
#ifndef UNLOCKED_TICK
        release(1);
#endif
        if
        :: due ->
            take(1);
            assert(LOAD(1, slot) == now);
            STORE(1, slot, NOTHING);
            STORE(1, next_run, NOTHING);
            release(1)
        :: else
        fi
    :: else -> break
    od;
    take(1);
    assert(LOAD(1, slot) > LOAD(1, jiffies));
    release(1)
}

init {
    memory[next_run] = NOTHING;
    memory[slot] = NOTHING;
    atomic {
        run mod_timer();
        run advance()
    }
}
