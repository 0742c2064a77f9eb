// SPDX-License-Identifier: MIT
// callback_waits: each core has two timers, and each fires twice. The callback of the
// first one deletes the other core's first timer and waits for its callback. That of the
// second one does nothing. An interrupt may delete either timer of the other core, while a callback
// waits, or after it has ended, before the runner takes its lock. Each lock is one step.
//
// Both cores reach their ends, and a wait is refused only if the other core waits for
// the callback below. Each of these must break that:
//   -DNOT_REFUSED     begin() does not look at the waits of the other core [smp_wait_is_never_refused]
//   -DNO_ORDER        begin() looks and writes without the lock of both cores [smp_wait_begins_unlocked smp_wait_ends_unlocked]
//   -DOUTER_FORGOTTEN begin() does not look at a wait that an interrupt has interrupted [smp_outer_wait_is_not_seen]
//   -DEND_UNLOCKED    the wait is forgotten after the wheel's lock is open [smp_wait_is_forgotten_late]
//   -DBELOW_UNLOCKED  begin() forgets a callback when it ends, not at the next lock [callback_is_forgotten_unlocked]

#define CORES 2
#define FIRINGS 2
#define nobody 0
#define first 1
#define second 2

bool locked[CORES];
bool order;
// Whose callback runs, or has ended since the last locked section.
byte running_timer[CORES];
// What begin() takes for the callback below the caller.
byte below[CORES];
// For which timer of the other core the callback waits, and the interrupt above it.
byte awaited[CORES];
byte awaited_above[CORES];
// The same, forgotten as soon as the wait has ended. The assertion reads these.
byte waits[CORES];
byte waits_above[CORES];

#define irq_save(wheel) atomic { !locked[wheel] -> locked[wheel] = true }
#define irq_restore(wheel) locked[wheel] = false

inline begin(which, mine, mine_in_truth)
{
#ifndef NO_ORDER
    atomic { !order -> order = true }
#endif
#ifdef NOT_REFUSED
    ends = true;
#else
#ifdef OUTER_FORGOTTEN
    ends = !below[here] || (awaited_above[other] -> awaited_above[other] : awaited[other]) != below[here];
#else
    ends = !below[here] || (awaited[other] != below[here] && awaited_above[other] != below[here]);
#endif
#endif
    if
    :: ends && below[here] ->
        atomic {
            mine = which;
            mine_in_truth = which
        }
    :: ends && !below[here] -> skip
    :: else -> assert(waits[other] == running_timer[here] || waits_above[other] == running_timer[here])
    fi;
#ifndef NO_ORDER
    order = false
#endif
}

// The callback has ended, and the lock of its wheel is held. This opens it.
inline end(mine, mine_in_truth)
{
    mine_in_truth = nobody;
#ifdef END_UNLOCKED
    irq_restore(other);
    mine = nobody
#else
    mine = nobody;
    irq_restore(other)
#endif
}

// Of an interrupt.
inline timer_delete_sync(which)
{
    irq_save(other);
    if
    :: running_timer[other] == which ->
        begin(which, awaited_above[here], waits_above[here]);
        irq_restore(other);
        do
        :: ends ->
            running_timer[other] != which;
            irq_save(other);
            if
            :: running_timer[other] != which ->
                end(awaited_above[here], waits_above[here]);
                break
            :: else -> irq_restore(other)
            fi
        :: else -> break
        od
    :: else -> irq_restore(other)
    fi
}

inline interrupt()
{
    if
    :: timer_delete_sync(first)
    :: timer_delete_sync(second)
    :: skip
    fi
}

// Of a callback: an interrupt may come once while it waits.
inline wait_and_delete()
{
    irq_save(other);
    if
    :: running_timer[other] == first ->
        begin(first, awaited[here], waits[here]);
        irq_restore(other);
        if
        :: ends ->
            interrupt();
            do
            :: running_timer[other] != first ->
                irq_save(other);
                if
                :: running_timer[other] != first ->
                    end(awaited[here], waits[here]);
                    break
                :: else -> irq_restore(other)
                fi
            od
        :: else -> skip
        fi
    :: else -> irq_restore(other)
    fi
}

proctype run_budget(byte here; byte other)
{
    byte fired;
    bool ends;
    do
    :: fired < 2 * FIRINGS ->
        irq_save(here);
        running_timer[here] = 1 + fired % 2;
        below[here] = running_timer[here];
        irq_restore(here);
        if
        :: running_timer[here] == first -> wait_and_delete()
        :: else -> skip
        fi;
#ifdef BELOW_UNLOCKED
        below[here] = nobody;
#endif
        interrupt();
        irq_save(here);
        running_timer[here] = nobody;
        below[here] = nobody;
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
