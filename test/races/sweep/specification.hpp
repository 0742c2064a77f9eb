// SPDX-License-Identifier: MIT
// The contract of the sweep's timers, as atomic steps. An interrupt may
// come before, between and after them. Simulate the operation with the interrupt at
// point 0, 1, 2, .. to get every outcome that the contract allows.
#ifndef TICKWHEEL_TEST_SWEEP_SPECIFICATION_HPP
#define TICKWHEEL_TEST_SWEEP_SPECIFICATION_HPP

#include "../../support/reference_model.hpp"

namespace sweep
{

/// The timers. "The same" is the one that the interrupted operation works on.
enum timer_name : unsigned { the_same, the_older, the_younger, the_other, the_last, timer_count };
constexpr unsigned no_timer = support::no_timer;

/// One call of a callback.
struct firing {
    unsigned timer;
    jiffies_t at;
};
constexpr unsigned log_size = 24;
struct firing_log {
    unsigned count;
    /// How many of them have returned.
    unsigned returned;
    firing entry[log_size];

    void add(unsigned timer, jiffies_t at)
    {
        if (count < log_size) {
            entry[count] = {timer, at};
        }
        ++count;
    }
    bool same(const firing_log &other) const
    {
        for (unsigned i = 0; i < count && i < log_size; ++i) {
            if (entry[i].timer != other.entry[i].timer || entry[i].at != other.entry[i].at) {
                return false;
            }
        }
        return count == other.count;
    }
};

struct specification : support::reference_model<timer_count> {
    /// A callback has returned, and the runner has not taken the lock yet. The timer may count as running or not.
    bool returning;
    /// The callback that does something has been called.
    bool callback_done;
    firing_log log;
    /// False after the wheel did what no order allows.
    bool sound;
    /// One or two interrupts come at these points.
    unsigned interrupts;
    int interrupt_at[2];
    unsigned interrupts_come;
    int points_passed;
    bool in_interrupt;
    void (*interrupt)(specification &, unsigned which);
    /// Does the calls of a callback, between its entry and its return.
    void (*callback)(specification &, unsigned timer);

    void start_at(jiffies_t at)
    {
        *this = {};
        start(at);
        sound = true;
    }

    /// An interrupt may come here, but not into another one: both have the same priority.
    void point()
    {
        if (in_interrupt) {
            return;
        }
        while (interrupts_come < interrupts && interrupt_at[interrupts_come] == points_passed) {
            in_interrupt = true;
            interrupt(*this, interrupts_come);
            in_interrupt = false;
            ++interrupts_come;
        }
        ++points_passed;
    }

    /// Call this after an arm. An overdue timer gets the tick at which the wheel's clock stands.
    void check_clock(unsigned i, jiffies_t clock)
    {
        entry &one = timer[i];
        if (one.tick != tick_of(one.expires)) {
            one.pending = false;
            sound = sound && may_stand_at(tick_of(clock));
            one.pending = true;
        }
    }

    int shut_down(unsigned i, bool sync)
    {
        disable(i);
        point();
        return sync ? timer_delete_sync(i) : timer_delete(i);
    }

    /// A tick may return 1 without need, so the specification takes what it returned.
    void count_ticks(uint32_t ticks, int returned)
    {
        now += ticks;
        point();
        if (returned == 0) {
            sound = found_nothing() && sound;
        }
    }

    /// Steps may go into empty ticks and the end of a block. The wheel then runs fewer callbacks than its budget, and
    /// the specification takes what it returned.
    unsigned run_budget(unsigned budget, unsigned returned)
    {
        return run(returned < budget ? returned : budget, true);
    }

    unsigned run(unsigned budget = ~0u, bool may_stop = false)
    {
        unsigned ran = 0;
        point();
        if (running) {
            return 0;
        }
        running = true;
        point();
        while (due() && ran != budget) {
            const unsigned i = earliest();
            (void)take(i);
            // The timer is off the wheel and its callback not yet called. No lock can close this boundary.
            point();
            const auto at = static_cast<jiffies_t>(now);
            // The callback first reads the time and then notes it.
            point();
            log.add(i, at);
            ++ran;
            point();
            if (callback != nullptr) {
                callback(*this, i);
            }
            ++log.returned;
            returning = true;
            point();
            taken = no_timer;
            point();
            returning = false;
            point();
        }
        (void)stop_running(may_stop);
        point();
        return ran;
    }

    int next_tick(uint64_t &value) const
    {
        int64_t tick = 0;
        const int found = next_expiry(tick);
        value = static_cast<jiffies_t>(tick);
        return found;
    }
};

} // namespace sweep

#endif
