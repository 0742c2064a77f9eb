// SPDX-License-Identifier: MIT
// callback_waits: on each core a callback deletes the other's timer and waits for its
// callback, twice. An interrupt may do the same after the callback has ended, before the
// runner takes its lock. tick_and_arm.pml has the locks; here each is one step.
//
// Both cores reach their ends, and a wait is refused only if the other callback waits
// for this one. Each of these must break that:
//   -DNOT_REFUSED     begin() does not look at `awaited`
//   -DNO_ORDER        begin() looks and writes without the lock of both cores
//   -DEND_UNLOCKED    the wait is forgotten after the wheel's lock is open
//   -DBELOW_UNLOCKED  a callback that has ended is no longer below, before the lock

#define CORES 2
#define FIRINGS 2
#define nobody 2

bool locked[CORES];
bool order;
// The callback of this core's timer runs, or has ended since the last locked section.
bool running[CORES];
// begin() finds it below the caller.
bool below[CORES];
byte awaited[CORES] = nobody;
// The truth about `awaited`.
bool waits[CORES];

#define irq_save(wheel) atomic { !locked[wheel] -> locked[wheel] = true }
#define irq_restore(wheel) locked[wheel] = false

inline begin()
{
#ifndef NO_ORDER
    atomic { !order -> order = true }
#endif
#ifdef NOT_REFUSED
    ends = true;
#else
    ends = !below[here] || awaited[other] != here;
#endif
    if
    :: ends && below[here] ->
        atomic {
            awaited[here] = other;
            waits[here] = true
        }
    :: ends && !below[here] -> skip
    :: else -> assert(waits[other] && running[here])
    fi;
#ifndef NO_ORDER
    order = false
#endif
}

inline timer_delete_sync()
{
    irq_save(other);
    if
    :: running[other] ->
        begin();
        irq_restore(other);
        do
        :: ends ->
            !running[other];
            irq_save(other);
            if
            :: !running[other] ->
                waits[here] = false;
#ifdef END_UNLOCKED
                irq_restore(other);
                awaited[here] = nobody;
#else
                awaited[here] = nobody;
                irq_restore(other);
#endif
                break
            :: else -> irq_restore(other)
            fi
        :: else -> break
        od
    :: else -> irq_restore(other)
    fi
}

proctype run_budget(byte here; byte other)
{
    byte fired;
    bool ends;
    do
    :: fired < FIRINGS ->
        irq_save(here);
        running[here] = true;
        below[here] = true;
        irq_restore(here);
        timer_delete_sync();
#ifdef BELOW_UNLOCKED
        below[here] = false;
#endif
        if
        :: timer_delete_sync()
        :: skip
        fi;
        irq_save(here);
        running[here] = false;
        below[here] = false;
        irq_restore(here);
        fired++
    :: else -> break
    od
}

init {
    atomic {
        run run_budget(0, 1);
        run run_budget(1, 0)
    }
}
