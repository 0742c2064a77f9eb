// SPDX-License-Identifier: MIT
// core_wheel::timer_shutdown_sync() on core 0 against run_budget() on core 1. The
// callback arms its own timer again. tick_and_arm.pml has the lock; here it is one
// step.
//
// After the call has returned, nobody touches the timer. Each of these must break that:
//   -DIGNORES_RUNNING  the delete does not look at `running`
//   -DRUNNING_LATE     the runner writes `running` after it has opened the lock
//   -DTIMER_READ_LATE  the runner reads the timer after it has opened the lock (I6)
#include "replay/steps.pml"

#define FIRINGS 3

bool locked;
bool pending = true;
// !enabled, which is a word of Spin.
bool shut_down;
bool running;
bool alive = true;

#define irq_save(core) atomic { !locked -> locked = true; STEP(core, take) }
#define irq_restore(core) d_step { locked = false; STEP(core, release) }
#define TOUCH(core) d_step { STEP(core, touch); assert(alive) }

active proctype run_budget()
{
    byte fired;
    do
    :: fired < FIRINGS ->
        irq_save(1);
        if
        :: pending ->
            assert(alive);
            SET(1, pending, false);
#ifndef RUNNING_LATE
            SET(1, running, true);
#endif
            irq_restore(1);
#ifdef RUNNING_LATE
            SET(1, running, true);
#endif
            // The callback.
            TOUCH(1);
            irq_save(1);
            if
            :: !shut_down -> SET(1, pending, true)
            :: else
            fi;
            irq_restore(1);
            TOUCH(1);
            irq_save(1);
            SET(1, running, false);
#ifdef TIMER_READ_LATE
            irq_restore(1);
            TOUCH(1);
            irq_save(1);
#endif
            fired++
        :: else -> fired++
        fi;
        irq_restore(1)
    :: else -> break
    od
}

active proctype timer_shutdown_sync()
{
    // Without the lock.
    SET(0, shut_down, true);
again:
    irq_save(0);
    if
#ifndef IGNORES_RUNNING
    :: running ->
        irq_restore(0);
        !running;
        goto again
#endif
    :: else -> pending = false
    fi;
    irq_restore(0);
    SET(0, alive, false)
}
