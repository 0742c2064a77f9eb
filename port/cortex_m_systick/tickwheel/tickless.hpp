// SPDX-License-Identifier: MIT
/// @file
/// SysTick as a tick that can stop: while the core sleeps, one long period stands
/// for many ticks, and every edge stays where the periodic tick would have put it.
//
// SysTick takes a written reload at the next edge. The driver therefore knows two
// periods: `running_`, which ends at the next edge, and `loaded_`, whose length
// stands in the reload register. Outside idle() both are single ticks, so jiffies
// counts by itself, and every handler reads it right.
//
// A sleep writes the reload alone: the core sleeps to the edge of the tick under
// way, and on through the long period. No count is lost. Another interrupt may end
// the sleep within the long period. Then idle() counts the ticks that passed, and
// writes the current value so that SysTick interrupts at the next tick (restart()).
// It does so before it unmasks. A restart costs some counts; they are known and
// made up for. A change of the clock restarts too.
//
// Systick has the registers and the core's instructions, as static functions (see
// tickwheel_systick.cpp; the tests have a model of the counter):
//   current()              the counter: reload .. 1, 0, reload ..
//   set_reload(n)          taken at the next edge
//   set_reload_in_time(least, most, n)
//                          reads the counter; when it is least to most, writes the reload. Returns whether it did
//   restart(least, most, fewer, n)
//                          the same, but restarts the counter from what it read less `fewer`; then writes the reload
//   pending(), clear_pending()   the exception of an edge that is not handled yet
//   count_flag()           COUNTFLAG, which reading clears; nobody else should: edge_waits()
//   mask(), unmask(state)  PRIMASK: WFI wakes by what it masks, which BASEPRI does not let it
//   wait_for_interrupt()   DSB, WFI
//   pend_softirq()         has tickwheel_run() called soon
//   lost                   what restart() takes, in 1/256 count: from its read to the counter's start
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

/// The tick of SysTick: periodic while the program works, one long period while it sleeps.
template <class Systick>
class tickless {
public:
    /// A tick begins, one of a grid that fits; masked, with the counter at 0. Before this the others do nothing.
    void start(const tick_grid &grid)
    {
        grid_ = grid;
        running_ = period_of(1, 0);
        loaded_ = after(running_);
        Systick::set_reload(loaded_.counts - 1);
        // What there was before, be it of a boot loader's SysTick, is no edge of this one.
        flag_ = false;
        counted_ = 0;
    }

    /// An edge, in the handler of SysTick.
    void interrupt()
    {
        // Masked, so that an interrupt above never finds the two periods half changed.
        const uint32_t state = Systick::mask();
        edge();
        publish();
        Systick::unmask(state);
    }

    /// Sleeps until an interrupt, or the wheel's next event, or as long as the counter reaches; from thread code.
    /// Returns after every wake. Before it unmasks, jiffies is right and SysTick interrupts at the next tick. Does
    /// not sleep while `*work`, if that is given, is not 0: it looks at it masked, so what an interrupt sets there is
    /// not slept over.
    void idle(const volatile int *work = nullptr)
    {
        sleep_loop::until_event<Systick>(*this, work);
    }

    /// At least `ticks` whole ticks from now; from thread code.
    void sleep(jiffies_t ticks)
    {
        sleep_loop::for_ticks<Systick>(*this, ticks);
    }

    /// The tick goes on at another frequency: what is left of the one under way is scaled; from thread code. False,
    /// with nothing changed, when a tick of it would not fit, or none has begun.
    bool clock_changed(uint32_t clock_hz)
    {
        const tick_grid grid = tick_grid::of(clock_hz);
        if (!grid.fits() || !grid_.fits()) {
            return false;
        }
        const division ratio = divide(clock_hz, grid_.clock_hz);
        const uint64_t fraction = fraction_of_ratio(ratio.remainder, grid_.clock_hz);
        const uint32_t state = Systick::mask();
        uint32_t left = 0;
        do {
            update();
            left = Systick::current() + 1;
        } while (Systick::pending());
        const uint32_t rest = scale(left, ratio.quotient, fraction);
        grid_ = grid;
        restart(0, 0, left - rest);
        publish();
        Systick::unmask(state);
        return true;
    }

    /// Ticks of tickwheel_get_jiffies_64(), and counts since that tick began, as of now; any context that mask()
    /// masks.
    using moment = tick_moment;
    /// Now; any context that mask() masks.
    moment now()
    {
        const uint32_t state = Systick::mask();
        uint64_t ticks = tickwheel_get_jiffies_64() + counted_;
        period here = running_;
        // In this order: an edge between the two is seen to wait, and the counter is read once more.
        uint32_t left = Systick::current();
        if (edge_waits()) {
            left = Systick::current();
            ticks += here.ticks;
            here = loaded_;
        }
        Systick::unmask(state);
        return {ticks, passed(here, left)};
    }

    /// The same in microseconds since `jiffies` was TICKWHEEL_INITIAL_JIFFIES.
    uint64_t now_us()
    {
        return microseconds(now(), grid_);
    }

    /// What the sleeps were.
    const tickwheel_sleeps &counts() const
    {
        return counts_;
    }

private:
    struct period {
        uint32_t ticks;
        uint32_t counts;
        /// What the edge before it had rounded off.
        uint32_t fraction;
    };
    friend struct sleep_loop;
    /// So near to an edge, or to the end of a tick, nothing is written: the driver waits for it. A write then always
    /// comes before the edge. Systick::set_reload_in_time() takes 7 cycles from its read to its write;
    /// Systick::restart() 9 to its first write, and from there at most 14 to its last. They are assembly, so that no
    /// build takes longer. 64 leaves four times that for the flash's wait states.
    static constexpr uint32_t near = 64;

    period period_of(uint32_t ticks, uint32_t fraction) const
    {
        return {ticks, grid_.counts(ticks, fraction), fraction};
    }
    /// The tick after a period.
    period after(const period &before, uint32_t ticks = 1) const
    {
        return period_of(ticks, grid_.fraction_after(before.ticks, before.fraction));
    }

    /// Counts since a period began. It ends one count after 0, with the reload: 0 is read in that moment alone, when
    /// the edge has been counted and the next period has not begun.
    static uint32_t passed(const period &here, uint32_t left)
    {
        return left == 0 || left >= here.counts ? 0 : here.counts - 1 - left;
    }

    /// Masked: a period of `ticks` ticks comes after the tick under way. False when that tick's edge is nearer than
    /// `least` counts.
    bool load(uint32_t ticks, uint32_t least)
    {
        const period next = after(running_, ticks);
        const uint32_t left = Systick::current();
        if (Systick::pending() || left < least || !Systick::set_reload_in_time(least, left, next.counts - 1)) {
            return false;
        }
        loaded_ = next;
        return true;
    }

    /// Masked: whether an edge has not been counted yet. It need not be pending any more: an interrupt may have come
    /// in after the handler of SysTick was entered, and before that masks. If somebody else reads COUNTFLAG there,
    /// this edge is not seen until the handler counts it.
    bool edge_waits()
    {
        // In this order: an edge between the two is seen as pending. The flag is kept, since reading clears it.
        flag_ = Systick::count_flag() || flag_;
        return Systick::pending() || flag_;
    }

    /// The counter takes its reload one count after 0, also after a restart: what is written before would be taken
    /// too early.
    static void wait_for_reload()
    {
        while (Systick::current() == 0) {
        }
    }

    void edge()
    {
        // Before the start: of a SysTick that somebody else has left behind.
        if (!grid_.fits()) {
            return;
        }
        wait_for_reload();
        (void)Systick::count_flag();
        flag_ = false;
        const uint32_t ticks = running_.ticks;
        running_ = loaded_;
        loaded_ = after(running_);
        Systick::set_reload(loaded_.counts - 1);
        count(ticks);
    }

    void count(uint32_t ticks)
    {
        counted_ += ticks;
        if (tickwheel_ticks_passed != nullptr && ticks != 0) {
            tickwheel_ticks_passed(ticks);
        }
    }

    /// Masked: jiffies has what was counted. Not within a sleep: where a block of the wheel ends, the runner is
    /// called for, which would end the sleep.
    void publish()
    {
        if (counted_ != 0 && tickwheel_advance(counted_) != 0) {
            Systick::pend_softirq();
        }
        counted_ = 0;
    }

    /// Masked: counts an edge that waits to be handled; in thread code its handler has not been entered.
    void update()
    {
        if (Systick::pending()) {
            Systick::clear_pending();
            edge();
        }
        publish();
    }

    bool can_stop() const
    {
        return grid_.fits();
    }

    /// Masked: stops the core until an interrupt, for `ahead` ticks at most, or as long as the counter reaches.
    void stop(jiffies_t ahead)
    {
        stop_after_this_tick(ahead - 1 < grid_.longest ? ahead - 1 : grid_.longest);
    }

    /// Masked: stops the core until an interrupt, for the rest of the tick under way and `more` ticks at most.
    void stop_after_this_tick(uint32_t more)
    {
        // Time enough to take it back for an interrupt that is pending already.
        const bool is_long = more > 1 && load(more, 4 * near);
        ++counts_.sleeps;
        Systick::wait_for_interrupt();
        // Another interrupt in the tick under way takes the long period back, unless the edge is too near for that.
        if (is_long && (Systick::pending() || !load(1, near))) {
            while (!Systick::pending()) {
            }
            Systick::clear_pending();
            edge();
            ++counts_.sleeps;
            Systick::wait_for_interrupt();
            shorten();
        }
        update();
    }

    /// Masked, in a long period: counts its whole ticks; the tick under way becomes a period of its own.
    void shorten()
    {
        const uint32_t left = Systick::current();
        if (Systick::pending()) {
            return;
        }
        const uint32_t whole = grid_.whole_ticks(passed(running_, left), running_.fraction);
        const uint32_t fraction = grid_.fraction_after(whole, running_.fraction);
        if (whole + 1 != running_.ticks) {
            restart(whole, fraction, running_.counts - grid_.counts(whole + 1, running_.fraction));
            return;
        }
        // It ends with the long one.
        running_ = period_of(1, fraction);
        count(whole);
    }

    /// Masked: restarts SysTick so that the tick under way, which begins with `fraction`, ends `fewer` counts before
    /// the running period does, modulo 2^32: a faster clock makes it later. Where that is too near, waits for its
    /// end, at most `near` and what a restart loses, and counts it. `ticks` came before it.
    void restart(uint32_t ticks, uint32_t fraction, uint32_t fewer)
    {
        const uint32_t lost = lost_ + Systick::lost;
        period tick = period_of(1, fraction);
        period next = after(tick);
        for (;;) {
            const uint32_t left = Systick::current();
            const uint32_t all = fewer + lost / 256;
            const uint32_t least = near + (static_cast<int32_t>(all) > 0 ? all : 0);
            if (Systick::pending()) {
                // A clock that has changed may let the running period end first. No tick ends there.
                wait_for_reload();
                Systick::clear_pending();
                fewer += loaded_.counts;
            } else if (static_cast<int32_t>(left - fewer) < 0) {
                ++ticks;
                tick = next;
                next = after(tick);
                fewer -= tick.counts;
            } else if (left >= least && Systick::restart(least, left, all, next.counts - 1)) {
                break;
            }
        }
        lost_ = lost % 256;
        running_ = tick;
        loaded_ = next;
        ++counts_.restarts;
        count(ticks);
    }

    tick_grid grid_ = {};
    period running_ = {};
    period loaded_ = {};
    /// What restart() has cost and not yet made up for, in 1/256 count.
    uint32_t lost_ = 0;
    /// COUNTFLAG, as far as it has been read since the last edge that was counted.
    bool flag_ = false;
    /// Ticks that have passed and that jiffies does not have yet.
    uint32_t counted_ = 0;
    tickwheel_sleeps counts_ = {};
};

} // namespace tickwheel

#endif
