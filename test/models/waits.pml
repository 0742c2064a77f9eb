// SPDX-License-Identifier: MIT
// callback_waits: on each core a callback deletes the other's timer and waits for its
// callback, twice. tick_and_arm.pml has the locks; here each is one step.
//
// Both cores reach their ends, and a wait is refused only if the other callback waits
// for this one. Each of these must break that:
//   -DNOT_REFUSED     begin() does not look at `awaited`
//   -DNO_ORDER        begin() looks and writes without the lock of both cores
//   -DEND_UNLOCKED    the wait is forgotten after the wheel's lock is open
#include "replay/steps.pml"

#define CORES 2
#define FIRINGS 2
#define nobody 2

bool locked[CORES];
bool order;
// The callback of this core's timer runs.
bool running[CORES];
byte awaited[CORES] = nobody;
// The truth about `awaited`.
bool waits[CORES];

#define irq_save(wheel) atomic { !locked[wheel] -> locked[wheel] = true; STEP(here, take[wheel]) }
#define irq_restore(wheel) d_step { locked[wheel] = false; STEP(here, release[wheel]) }

inline begin()
{
#ifndef NO_ORDER
    atomic { !order -> order = true; STEP(here, take[order]) }
#endif
#ifdef NOT_REFUSED
    ends = true;
#else
    d_step { ends = awaited[other] != here; STEP(here, awaited[other]) }
#endif
    if
    :: ends ->
        atomic {
            SET(here, awaited[here], other);
            waits[here] = true
        }
    :: else -> assert(waits[other] && running[here])
    fi;
#ifndef NO_ORDER
    d_step { order = false; STEP(here, release[order]) }
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
                SET(here, awaited[here], nobody);
#else
                SET(here, awaited[here], nobody);
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
        SET(here, running[here], true);
        irq_restore(here);
        timer_delete_sync();
        irq_save(here);
        SET(here, running[here], false);
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
