// SPDX-License-Identifier: MIT
// core_wheel::timer_shutdown_sync() on core 0 against run_budget() on core 1. The
// callback arms its own timer again. tick_and_arm.pml has the lock; here it is one
// step.
//
// After the call has returned, nobody touches the timer. Each of these must break that:
//   -DIGNORES_RUNNING  the delete does not look at `running`
//   -DRUNNING_LATE     the runner writes `running` after it has opened the lock
//   -DTIMER_READ_LATE  the runner reads the timer after it has opened the lock (I6)

#define FIRINGS 3

bool locked;
bool pending = true;
// !enabled, which is a word of Spin.
bool shut_down;
bool running;
bool alive = true;

#define irq_save() atomic { !locked -> locked = true }
#define irq_restore() locked = false

active proctype run_budget()
{
    byte fired;
    do
    :: fired < FIRINGS ->
        irq_save();
        if
        :: pending ->
            assert(alive);
            pending = false;
#ifndef RUNNING_LATE
            running = true;
#endif
            irq_restore();
#ifdef RUNNING_LATE
            running = true;
#endif
            // The callback.
            assert(alive);
            irq_save();
            if
            :: !shut_down -> pending = true
            :: else
            fi;
            irq_restore();
            assert(alive);
            irq_save();
            running = false;
#ifdef TIMER_READ_LATE
            irq_restore();
            assert(alive);
            irq_save();
#endif
            fired++
        :: else -> fired++
        fi;
        irq_restore()
    :: else -> break
    od
}

active proctype timer_shutdown_sync()
{
    // Without the lock.
    shut_down = true;
again:
    irq_save();
    if
#ifndef IGNORES_RUNNING
    :: running ->
        irq_restore();
        !running;
        goto again
#endif
    :: else -> pending = false
    fi;
    irq_restore();
    alive = false
}
