// SPDX-License-Identifier: MIT
/// @file
/// A tick from SysTick that can stop. While the core sleeps, one long period stands
/// for many ticks, and every tick still begins where a periodic SysTick would begin it.
//
// ../DESIGN.md has the words, the state, the invariants T1 to T8, the hardware facts
// H1 to H9, and a worked sleep.
//
// Systick has the registers and the core's instructions as static functions.
// tickwheel_systick.cpp has the real ones, the tests a model:
//   current()              the counter: reload, .., 1, 0, reload, ..
//   set_reload(n)          writes the reload; the counter takes it after the next wrap
//   set_reload_in_time(min, max, n)
//                          reads the counter; if it is min to max, writes the reload. Returns whether it wrote
//   restart(min, max, to, n)
//                          reads the counter; if it is min to max, adds `to` - max to it, and writes
//                          the reload n for the period after that. Returns whether it wrote
//   pending(), clear_pending()   PENDSTSET: SysTick's exception is pending
//   count_flag()           COUNTFLAG; reading clears it, so no other code should read it
//   mask(), unmask(state)  PRIMASK, since WFI does not wake for what BASEPRI masks
//   wait_for_interrupt()   DSB, WFI, ISB (H9)
//   pend_softirq()         makes tickwheel_run() be called soon
//   restart_cost           the cost of a restart in 1/256 count, from the read to the counter's next count
#ifndef TICKWHEEL_TICKLESS_HPP
#define TICKWHEEL_TICKLESS_HPP

#include <stdint.h>

#include <tickwheel/clock_change.hpp>
#include <tickwheel/sleep_loop.hpp>
#include <tickwheel/systick.h>
#include <tickwheel/tick_grid.hpp>
#include <tickwheel/tick_time.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The grid of SysTick's clock. It does not fit if TICKWHEEL_SYSTICK_FITS() is false.
constexpr tick_grid systick_grid(uint32_t clock_hz)
{
    return tick_grid::of(clock_hz, TICKWHEEL_SYSTICK_MIN_COUNTS, TICKWHEEL_SYSTICK_MAX_COUNTS);
}

/// The tick of SysTick: one period per tick while the program works, one long period while it sleeps.
template <class Systick>
class tickless {
public:
    /// Begins the first tick. Call it masked, with SysTick stopped and a grid that fits. Then make the counter 0 and
    /// enable SysTick. Before this call time stands still (T1): tickwheel_systick_start() says what each call does
    /// then.
    void start(const tick_grid &grid)
    {
        grid_ = grid;
        running_ = period_of(1, 0);
        loaded_ = period_after(running_);
        // The counter takes this reload for the first tick too, which may therefore be one count longer (T2).
        Systick::set_reload(loaded_.counts - 1);
        // A wrap before the start, for example of a boot loader's SysTick, is not counted.
        wrap_seen_ = false;
        unpublished_ = 0;
    }

    /// Counts a wrap. Call it in the handler of SysTick.
    void interrupt()
    {
        // An interrupt above SysTick must not see running_ and loaded_ half changed (T2, T3).
        const uint32_t state = Systick::mask();
        on_wrap();
        publish_ticks();
        Systick::unmask(state);
    }

    /// Sleeps until the wheel's next event, any other interrupt, or the end of the longest period. Then returns.
    /// Call it from thread code. Before it unmasks, jiffies is right, and SysTick interrupts at the next tick
    /// (T4). If `work` is given and `*work` is not 0, it does not sleep. It reads `*work` masked, so an interrupt
    /// cannot set it unseen before the sleep.
    void idle(const volatile int *work = nullptr)
    {
        sleep_loop::until_event<Systick>(*this, work);
    }

    /// Sleeps for at least `ticks` whole ticks. Call it from thread code.
    void sleep(jiffies_t ticks)
    {
        sleep_loop::for_ticks<Systick>(*this, ticks);
    }

    /// Continues with another clock. The rest of the current tick is scaled. Call it from thread code. Returns false
    /// and changes nothing if a tick of that clock does not fit, or before start().
    bool clock_changed(uint32_t clock_hz)
    {
        const tick_grid grid = systick_grid(clock_hz);
        if (!grid.fits() || !grid_.fits()) {
            return false;
        }
        const division ratio = divide(clock_hz, grid_.clock_hz);
        const uint64_t fraction = fraction_of_ratio(ratio.remainder, grid_.clock_hz);
        const uint32_t state = Systick::mask();
        uint32_t left = 0;
        // If a wrap comes between catch_up() and the read, it is unknown to which period `left` belongs.
        do {
            catch_up();
            left = Systick::current() + 1;
        } while (Systick::pending());
        const uint32_t scaled = scale(left, ratio.quotient, fraction);
        grid_ = grid;
        restart(0, 0, running_.counts - left + scaled);
        publish_ticks();
        Systick::unmask(state);
        return true;
    }

    /// The time now, in ticks and counts. Call it in any context that mask() masks.
    tick_moment now()
    {
        const uint32_t state = Systick::mask();
        uint64_t ticks = tickwheel_get_jiffies_64() + unpublished_;
        period here = running_;
        // The counter first, then the wrap. If a wrap waits, the counter may be from before it, and is read again
        // (T5).
        uint32_t left = Systick::current();
        if (wrap_waits()) {
            left = Systick::current();
            ticks += here.ticks;
            here = loaded_;
        }
        Systick::unmask(state);
        return {ticks, counts_since_start(here, left)};
    }

    /// The current tick, whether or not it has been counted.
    jiffies_t current_tick()
    {
        return static_cast<jiffies_t>(now().ticks);
    }

    /// The time now, in microseconds since `jiffies` was TICKWHEEL_INITIAL_JIFFIES.
    uint64_t now_us()
    {
        return microseconds(now(), grid_);
    }

    /// How often the core slept, and how often SysTick was restarted.
    const tickwheel_sleeps &counts() const
    {
        return statistics_;
    }

private:
    friend struct sleep_loop;

    struct period {
        uint32_t ticks;
        uint32_t counts;
        /// What the wrap before this period had rounded off, in 1/HZ count.
        uint32_t fraction;
    };
    /// set_reload_in_time() and restart() write nothing when a wrap, or the end of a tick, is nearer than this (T8).
    /// The first takes 7 cycles from its read to its write, the second 8 to its first write, then at most 14 to its
    /// last. 64 counts are more than four times the longest, for the flash's wait states.
    static constexpr uint32_t write_margin = 64;

    period period_of(uint32_t ticks, uint32_t fraction) const
    {
        return {ticks, grid_.counts(ticks, fraction), fraction};
    }
    /// The period of `ticks` ticks that follows `before`.
    period period_after(const period &before, uint32_t ticks = 1) const
    {
        return period_of(ticks, grid_.fraction_after(before.ticks, before.fraction));
    }

    /// Counts since `here` began, when the counter reads `left` (T2). A period begins with the reload, one count
    /// after the wrap. In between the counter reads 0 (H1), and `here` is the period that begins.
    static uint32_t counts_since_start(const period &here, uint32_t left)
    {
        return left == 0 || left >= here.counts ? 0 : here.counts - 1 - left;
    }

    /// Masked. Makes the next period `ticks` ticks long. Returns false if the next wrap is pending, or nearer than
    /// `min` counts.
    bool load_next_period(uint32_t ticks, uint32_t min)
    {
        const period next = period_after(running_, ticks);
        const uint32_t left = Systick::current();
        if (Systick::pending() || left < min || !Systick::set_reload_in_time(min, left, next.counts - 1)) {
            return false;
        }
        loaded_ = next;
        return true;
    }

    /// Masked. Whether a wrap has not been counted yet (T5). The exception need not be pending any more: an
    /// interrupt above SysTick may run after the entry of SysTick's handler, before that handler masks. COUNTFLAG
    /// shows the wrap then. If other code has read COUNTFLAG, the wrap stays unseen until the handler counts it.
    bool wrap_waits()
    {
        // COUNTFLAG first: a wrap after that read is pending. wrap_seen_ keeps the flag that the read clears (H3).
        wrap_seen_ = Systick::count_flag() || wrap_seen_;
        return Systick::pending() || wrap_seen_;
    }

    /// The counter takes its reload one count after 0, also after a restart. A reload that is written at 0 would be
    /// taken one period too early (H1, H4).
    static void wait_for_reload()
    {
        while (Systick::current() == 0) {
        }
    }

    /// Masked. Counts one wrap: the loaded period runs now, and one tick comes after it.
    void on_wrap()
    {
        // Not started (T1): the exception is left from other code that used SysTick.
        if (!grid_.fits()) {
            return;
        }
        wait_for_reload();
        (void)Systick::count_flag();
        wrap_seen_ = false;
        const uint32_t ticks = running_.ticks;
        running_ = loaded_;
        loaded_ = period_after(running_);
        Systick::set_reload(loaded_.counts - 1);
        add_ticks(ticks);
    }

    void add_ticks(uint32_t ticks)
    {
        unpublished_ += ticks;
        if (tickwheel_ticks_passed != nullptr && ticks != 0) {
            tickwheel_ticks_passed(ticks);
        }
    }

    /// Masked. Adds the counted ticks to jiffies (T6). It is not called between the two stops of a sleep, because
    /// at the end of a block it would pend the softirq, which would end the sleep.
    void publish_ticks()
    {
        if (unpublished_ != 0 && tickwheel_advance(unpublished_) != 0) {
            Systick::pend_softirq();
        }
        unpublished_ = 0;
    }

    /// Masked, in thread code, where no handler of SysTick is active. Counts a pending wrap and publishes.
    void catch_up()
    {
        if (Systick::pending()) {
            Systick::clear_pending();
            on_wrap();
        }
        publish_ticks();
    }

    bool can_stop() const
    {
        return grid_.fits();
    }

    /// Masked. Stops the core until an interrupt, at most `ticks` ticks, or the longest period.
    void stop(jiffies_t ticks)
    {
        // The rest of this tick, then `more` whole ticks.
        const uint32_t more = ticks - 1 < grid_.longest ? ticks - 1 : grid_.longest;
        // Four margins leave time to take the long period back, if an interrupt is already pending.
        const bool is_long = more > 1 && load_next_period(more, 4 * write_margin);
        ++statistics_.sleeps;
        Systick::wait_for_interrupt();
        // Another interrupt may end the sleep within this tick. In that case take the long period back. Near the
        // wrap it is too late for that, so let the long period begin, and shorten it.
        if (is_long && (Systick::pending() || !load_next_period(1, write_margin))) {
            while (!Systick::pending()) {
            }
            Systick::clear_pending();
            on_wrap();
            ++statistics_.sleeps;
            Systick::wait_for_interrupt();
            shorten_period();
        }
        catch_up();
    }

    /// Masked, in a long period. Counts its whole ticks, and makes the current tick a period of its own (T4).
    void shorten_period()
    {
        const uint32_t left = Systick::current();
        if (Systick::pending()) {
            return;
        }
        const uint32_t whole = grid_.whole_ticks(counts_since_start(running_, left), running_.fraction);
        const uint32_t fraction = grid_.fraction_after(whole, running_.fraction);
        if (whole + 1 == running_.ticks) {
            // The last tick of the long period ends with it, so SysTick needs no restart.
            running_ = period_of(1, fraction);
            add_ticks(whole);
        } else {
            restart(whole, fraction, grid_.counts(whole + 1, running_.fraction));
        }
    }

    /// Masked. Counts `ticks` ticks, then restarts SysTick for the current tick. It begins with `fraction`, and ends
    /// `tick_end` counts after the running period began. If that is too near, waits for it and counts the tick.
    void restart(uint32_t ticks, uint32_t fraction, uint32_t tick_end)
    {
        uint32_t period_end = running_.counts;
        period tick = period_of(1, fraction);
        period next = period_after(tick);
        bool restarted = false;
        do {
            const uint32_t left = Systick::current();
            if (Systick::pending()) {
                // After a change of the clock the period may end before the tick. That wrap ends no tick.
                wait_for_reload();
                Systick::clear_pending();
                period_end += loaded_.counts;
            } else if (tick_end + left < period_end) {
                ++ticks;
                // For `tick = next` GCC calls memcpy() at -Os -flto on a Cortex-M0.
                tick = {1, next.counts, next.fraction};
                next = period_after(tick);
                tick_end += tick.counts;
            } else {
                restarted = restart_in_time(left, tick_end + left - period_end, next.counts - 1);
            }
        } while (!restarted);
        running_ = tick;
        loaded_ = next;
        ++statistics_.restarts;
        add_ticks(ticks);
    }

    /// Masked. The counter reads `left`. It would read `to` if its period ended with the tick. Makes it continue from
    /// there, less the restart's cost. Returns false if the wrap or the tick's end is too near for that.
    bool restart_in_time(uint32_t left, uint32_t to, uint32_t reload)
    {
        const uint32_t cost = restart_cost_due_ + Systick::restart_cost;
        if (left < write_margin || to < write_margin + cost / 256) {
            return false;
        }
        to -= cost / 256;
        const uint32_t spare = (left < to ? left : to) - write_margin;
        const bool in_time = Systick::restart(left - spare, left, to, reload);
        restart_cost_due_ = in_time ? cost % 256 : restart_cost_due_;
        return in_time;
    }

    // DESIGN.md says what each means.
    tick_grid grid_ = {};
    period running_ = {};
    period loaded_ = {};
    uint32_t restart_cost_due_ = 0;
    bool wrap_seen_ = false;
    uint32_t unpublished_ = 0;
    tickwheel_sleeps statistics_ = {};
};

} // namespace tickwheel

#endif
