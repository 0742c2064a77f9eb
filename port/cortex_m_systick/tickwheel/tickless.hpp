// SPDX-License-Identifier: MIT
/// @file
/// SysTick as a tick that can stop: while the program sleeps, one long period
/// stands for many ticks, and every edge stays where the periodic tick would have
/// put it.
//
// SysTick takes a written reload at the next edge only. So what it does is a
// pipeline of two periods: `running`, which ends at the next edge, and `loaded`,
// whose length stands in the reload register. A sleep writes the reload alone and
// sleeps through the edge of the tick under way into a long period: nothing is
// ever lost. Only where a timer appears that is due before a long period ends, or
// the clock changes, must the current value be written (restart()), which costs
// some counts, and those are known and made up for.
//
// Systick has the registers and the core's instructions, as static functions (see
// tickwheel_systick.cpp; the tests have a model of the counter):
//   current()              the counter: reload .. 1, 0, reload ..
//   set_reload(n)          taken at the next edge
//   shorten_by(n)          reads the counter, writes that less n as the reload, and restarts it from there
//   pending(), clear_pending()   the exception of an edge that is not handled yet
//   count_flag()           COUNTFLAG, which reading clears; nobody else should: edge_waits()
//   mask(), unmask(state)  PRIMASK: WFI wakes by what it masks, which BASEPRI does not let it
//   wait_for_interrupt()   DSB, WFI
//   pend_softirq()         has tickwheel_run() called soon
//   lost                   what shorten_by() takes, in 1/256 count: from its read to the restart
#ifndef TICKWHEEL_TICKLESS_HPP
#define TICKWHEEL_TICKLESS_HPP

#include <stdint.h>

#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// By shift and subtract: an archive must not ask libgcc for a division, nor for a shift of 64 bits.
struct division {
    uint64_t quotient;
    uint32_t remainder;
};
/// value / by, rounded down, and the remainder.
constexpr division divide(uint64_t value, uint32_t by)
{
    uint64_t quotient = 0;
    uint32_t remainder = 0;
    uint32_t word = static_cast<uint32_t>(value >> 32);
    // A value of 32 bits has an upper half of no quotient.
    for (unsigned half = word == 0 ? 1 : 0; half < 2; ++half) {
        word = half == 0 ? word : static_cast<uint32_t>(value);
        uint32_t bits = 0;
        for (unsigned bit = 0; bit < 32; ++bit) {
            // The remainder is below `by` before it is doubled, so its 33rd bit says that it is not any more.
            const bool carry = remainder >> 31 != 0;
            remainder = remainder << 1 | word >> 31;
            word <<= 1;
            bits <<= 1;
            if (carry || remainder >= by) {
                remainder -= by;
                bits |= 1;
            }
        }
        quotient = quotient << 32 | bits;
    }
    return {quotient, remainder};
}

/// a * b.
constexpr uint64_t multiply(uint32_t a, uint32_t b)
{
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
    // In halves: these multiply to 32 bits only. No sum can overflow: (2^16 - 1)^2 + 2 (2^16 - 1) < 2^32.
    const uint32_t low = (a & 0xFFFFu) * (b & 0xFFFFu);
    const uint32_t middle = (a >> 16) * (b & 0xFFFFu) + (low >> 16);
    const uint32_t other_middle = (a & 0xFFFFu) * (b >> 16) + (middle & 0xFFFFu);
    const uint32_t high = (a >> 16) * (b >> 16) + (middle >> 16) + (other_middle >> 16);
    return static_cast<uint64_t>(high) << 32 | (other_middle << 16 | (low & 0xFFFFu));
#else
    return uint64_t{a} * b;
#endif
}

/// Where the edges of the ticks are: the i-th lies i * clock / HZ counts after the start, rounded down, and what is
/// rounded off is carried on as a fraction in 1/HZ count. It is asked with interrupts masked, so it multiplies by
/// reciprocals: on a core without a division one would take hundreds of instructions.
struct tick_grid {
    uint32_t clock_hz;
    /// Counts of a short tick, and what clock / HZ leaves over.
    uint32_t short_tick;
    uint32_t remainder;
    /// 2^32 * HZ / clock, rounded down.
    uint32_t ticks_per_count;
    /// As many ticks as 24 bits hold, and 32 the fractions of.
    uint32_t longest;

    /// The longest period, and the shortest tick: a reload of 0 stops SysTick for good.
    static constexpr uint32_t most_counts = 1u << 24;
    static constexpr uint32_t least_counts = 2;

    static constexpr tick_grid of(uint32_t clock_hz, uint32_t most = most_counts)
    {
        const division tick = divide(clock_hz, TICKWHEEL_HZ);
        const uint32_t short_tick = static_cast<uint32_t>(tick.quotient);
        const uint32_t long_tick = short_tick + (tick.remainder != 0 ? 1 : 0);
        if (short_tick < least_counts || long_tick > most) {
            return {clock_hz, 0, 0, 0, 0};
        }
        // (2^32 - 1 - HZ) / remainder ticks keep a fraction and all that is added to it within 32 bits.
        uint64_t longest = divide(most, long_tick).quotient;
        if (tick.remainder != 0) {
            const uint64_t fractions = divide(0xFFFFFFFFu - TICKWHEEL_HZ, tick.remainder).quotient;
            longest = longest < fractions ? longest : fractions;
        }
        // HZ is at most half of the clock.
        const uint64_t ticks_per_count = divide(uint64_t{TICKWHEEL_HZ} << 32, clock_hz).quotient;
        return {clock_hz, short_tick, tick.remainder, static_cast<uint32_t>(ticks_per_count),
                static_cast<uint32_t>(longest)};
    }
    constexpr bool fits() const
    {
        return longest != 0;
    }
    /// A restart that ends so few counts before an edge of a tick, or after it, is left to that edge: what is loaded
    /// with it must be taken, and read again. Less than a tick, or no tick would be far enough.
    constexpr uint32_t near() const
    {
        return short_tick / 4 < 512 ? short_tick / 4 : 512;
    }
    /// Counts of the next `ticks` ticks, at most `longest`, after an edge that had rounded off `fraction`.
    constexpr uint32_t counts(uint32_t ticks, uint32_t fraction) const
    {
        return ticks * short_tick + whole_counts(fraction + ticks * remainder);
    }
    constexpr uint32_t fraction_after(uint32_t ticks, uint32_t fraction) const
    {
        const uint32_t fractions = fraction + ticks * remainder;
        return fractions - whole_counts(fractions) * TICKWHEEL_HZ;
    }
    /// How many whole ticks `passed` counts are, after such an edge.
    constexpr uint32_t whole_ticks(uint32_t passed, uint32_t fraction) const
    {
        // Never too many. For what both roundings leave out, less than 1 each, one or two are missing.
        uint32_t ticks = static_cast<uint32_t>(multiply(passed, ticks_per_count) >> 32);
        while (counts(ticks + 1, fraction) <= passed) {
            ++ticks;
        }
        return ticks;
    }

private:
    static constexpr uint32_t whole_counts(uint32_t fractions)
    {
        if (fractions < TICKWHEEL_HZ) {
            return 0;
        }
        uint32_t whole = static_cast<uint32_t>(multiply(fractions, 0xFFFFFFFFu / TICKWHEEL_HZ) >> 32);
        // One or two are missing. Of a loop clang would make a division.
        whole += fractions - whole * TICKWHEEL_HZ >= TICKWHEEL_HZ ? 1 : 0;
        whole += fractions - whole * TICKWHEEL_HZ >= TICKWHEEL_HZ ? 1 : 0;
        return whole;
    }
};

static_assert(multiply(0xFFFFFFFFu, 0xFFFFFFFFu) == 0xFFFFFFFE00000001u, "multiply in halves");
static_assert(divide(0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFu).quotient == 0x100000001u, "divide by 32 bits");

/// The tick of SysTick: periodic while the program works, one long period while it sleeps.
template <class Systick>
class tickless {
public:
    /// A tick begins, one of a grid that fits; masked, with the counter at 0. Before this the others do nothing.
    void start(const tick_grid &grid)
    {
        grid_ = grid;
        running_ = period_of(1, 0);
        done_ = 0;
        // What there was before, be it of a boot loader's SysTick, is no edge of this one.
        flag_ = false;
        counted_ahead_ = false;
        load(1);
    }

    /// An edge, in the handler of SysTick.
    void interrupt()
    {
        // Masked, so that an interrupt above never finds the two periods half changed.
        const uint32_t state = Systick::mask();
        if (counted_ahead_) {
            counted_ahead_ = false;
        } else {
            edge();
        }
        Systick::unmask(state);
    }

    /// Counts what has passed, and sleeps until an interrupt, or the next timer that is not deferrable, or as long as
    /// the counter reaches; from thread code. Returns after every wake, jiffies being right. Does not sleep while
    /// `*work`, if that is given, is not 0: it looks at it masked, so what an interrupt sets there is not slept over.
    void idle(const volatile int *work = nullptr)
    {
        jiffies_t expires = 0;
        bool any = false;
        uint32_t state = 0;
        unsigned looks = 0;
        do {
            any = tickwheel_next_expiry(&expires) != 0;
            state = Systick::mask();
            (void)update();
            if (tickwheel_expiry_unchanged(&expires) != 0) {
                break;
            }
            // An interrupt was faster. A few times it is looked for again; then a bound will do, which is never late.
            if (++looks == most_looks) {
                expires = tickwheel_next_work();
                any = true;
                ++counts_.bounds;
            } else {
                Systick::unmask(state);
            }
        } while (looks != most_looks);
        const jiffies_t ahead = any ? expires - jiffies : most_ahead;
        const bool wanted = !grid_.fits() || (work != nullptr && *work != 0);
        // Not when it is due: it runs as soon as interrupts are on.
        if (!wanted && ahead - 1 < most_ahead && make_period(ahead)) {
            ++counts_.sleeps;
            Systick::wait_for_interrupt();
            (void)update();
        }
        Systick::unmask(state);
    }

    /// At least `ticks` whole ticks from now; from thread code.
    void sleep(jiffies_t ticks)
    {
        struct sleeper : timer_list {
            volatile int awake;
        } sleeper;
        sleeper.awake = 0;
        tickwheel_timer_setup(
            &sleeper, [](timer_list *timer) { static_cast<struct sleeper *>(timer)->awake = 1; }, 0);
        const uint32_t state = Systick::mask();
        // Within a long period jiffies may stand still since the last idle().
        (void)update();
        (void)tickwheel_mod_timer(&sleeper, jiffies + (ticks < most_ahead ? ticks + 1 : most_ahead));
        Systick::unmask(state);
        while (sleeper.awake == 0) {
            idle(&sleeper.awake);
        }
    }

    /// Ends a long period at the next edge of a tick, so that every tick is counted when it comes.
    void resume_tick()
    {
        bool near = true;
        while (near) {
            const uint32_t state = Systick::mask();
            (void)update();
            near = !make_period(1);
            Systick::unmask(state);
        }
    }

    /// The tick goes on at another frequency: what is left of the one under way is scaled. False, with nothing
    /// changed, when no tick of it would fit, or none has begun.
    bool clock_changed(uint32_t clock_hz)
    {
        const tick_grid grid = tick_grid::of(clock_hz);
        if (!grid.fits() || !grid_.fits()) {
            return false;
        }
        // The new clock over the old one, and its fraction in 2^-32.
        const division ratio = divide(clock_hz, grid_.clock_hz);
        const uint64_t fraction = divide(uint64_t{ratio.remainder} << 32, grid_.clock_hz).quotient;
        bool near = true;
        while (near) {
            const uint32_t state = Systick::mask();
            (void)update();
            const uint32_t at = Systick::current();
            const uint32_t gone = passed(running_, at);
            const uint32_t end = grid_.counts(done_ + 1, running_.fraction);
            // The end of a tick within a long period may have come after update() as well, without an edge.
            near = Systick::pending() || gone + grid_.near() >= end;
            if (!near) {
                const uint32_t left = end - gone;
                const uint64_t rest = multiply(left, static_cast<uint32_t>(ratio.quotient)) +
                                      (multiply(left, static_cast<uint32_t>(fraction)) >> 32);
                grid_ = grid;
                // The counter is to end the tick `rest` counts after that read. Where this is too near, the tick
                // after it is of the same period; a little early, where both are more than 24 bits.
                uint32_t fewer = at + 1 - static_cast<uint32_t>(rest);
                for (uint32_t ticks = 1; !restart(period_of(ticks, 0), fewer); ++ticks) {
                    fewer -= TICKWHEEL_HZ <= 256 && grid.short_tick > most_added ? most_added : grid.short_tick;
                }
            }
            Systick::unmask(state);
        }
        resume_tick();
        return true;
    }

    /// Ticks of tickwheel_get_jiffies_64(), and counts since that tick began, as of now; any context that mask()
    /// masks.
    struct moment {
        uint64_t ticks;  ///< Of tickwheel_get_jiffies_64().
        uint32_t counts; ///< Since that tick began.
    };
    /// Now; any context that mask() masks.
    moment now()
    {
        const uint32_t state = Systick::mask();
        uint64_t ticks = tickwheel_get_jiffies_64();
        period here = running_;
        uint32_t done = done_;
        // In this order: an edge between the two is seen to wait, and the counter is read once more.
        uint32_t left = Systick::current();
        if (edge_waits()) {
            left = Systick::current();
            ticks += here.ticks - done;
            here = loaded_;
            done = 0;
        }
        Systick::unmask(state);
        const uint32_t since = passed(here, left);
        const uint32_t whole = here.ticks <= 1 ? 0 : grid_.whole_ticks(since, here.fraction);
        // An edge that nothing tells of any more: see edge_waits().
        if (whole < done) {
            return {ticks, 0};
        }
        return {ticks + (whole - done), since - grid_.counts(whole, here.fraction)};
    }

    /// The same in microseconds since `jiffies` was TICKWHEEL_INITIAL_JIFFIES.
    uint64_t now_us()
    {
        const moment here = now();
        const division seconds = divide(here.ticks - TICKWHEEL_INITIAL_JIFFIES, TICKWHEEL_HZ);
        // Each part is rounded down, and the last is less than a tick, so the sum never passes the next tick's.
        const uint64_t ticks = divide(multiply(seconds.remainder, 1000000), TICKWHEEL_HZ).quotient;
        const uint64_t counts =
            here.counts == 0 ? 0 : divide(multiply(here.counts, 1000000), grid_.clock_hz).quotient;
        const uint64_t upper = multiply(static_cast<uint32_t>(seconds.quotient >> 32), 1000000) << 32;
        return upper + multiply(static_cast<uint32_t>(seconds.quotient), 1000000) + ticks + counts;
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
    static constexpr unsigned most_looks = 3;
    /// More counts than restart() takes from its look at the counter to the write.
    static constexpr uint32_t at_once = 64;
    static constexpr jiffies_t most_ahead = 0x7FFFFFFF;
    /// Of a clock of 32 bits only HZ up to 256 makes longer ticks.
    static constexpr uint32_t most_added = tick_grid::most_counts - 1024;

    period period_of(uint32_t ticks, uint32_t fraction) const
    {
        return {ticks, grid_.counts(ticks, fraction), fraction};
    }

    /// Counts since a period began. It ends one count after 0, with the reload: 0 is read in that moment alone, when
    /// the edge has been counted and the next period has not begun.
    static uint32_t passed(const period &here, uint32_t left)
    {
        return left == 0 || left >= here.counts ? 0 : here.counts - 1 - left;
    }

    void load(uint32_t ticks)
    {
        loaded_ = period_of(ticks, grid_.fraction_after(running_.ticks, running_.fraction));
        Systick::set_reload(loaded_.counts - 1);
    }

    /// Masked: whether an edge has not been counted yet. It need not be pending any more: an interrupt may have come
    /// in after the handler of SysTick was entered, and before that masks. If somebody else reads COUNTFLAG there,
    /// this edge is not seen until the handler counts it, as what a resume_tick() before that makes of its period.
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
        const uint32_t ticks = running_.ticks - done_;
        running_ = loaded_;
        done_ = 0;
        load(1);
        account(ticks);
    }

    static void account(uint32_t ticks)
    {
        if (tickwheel_ticks_passed != nullptr) {
            tickwheel_ticks_passed(ticks);
        }
        if (tickwheel_advance(ticks) != 0) {
            Systick::pend_softirq();
        }
    }

    /// Masked: counts the edge that waits to be handled, and the whole ticks of a long period that have passed.
    /// @return the counter, as it was seen for that
    uint32_t update()
    {
        uint32_t left = Systick::current();
        if (edge_waits()) {
            // Not pending: its handler stands below the caller, and is to find that it has been counted.
            counted_ahead_ = !Systick::pending() || counted_ahead_;
            Systick::clear_pending();
            edge();
            left = Systick::current();
        }
        if (running_.ticks > 1) {
            const uint32_t whole = grid_.whole_ticks(passed(running_, left), running_.fraction);
            if (whole > done_) {
                const uint32_t ticks = whole - done_;
                done_ = whole;
                account(ticks);
            }
        }
        return left;
    }

    /// Masked: has the counter wake the core `ahead` ticks from now, or before. False when it is too late for that.
    bool make_period(jiffies_t ahead)
    {
        const uint32_t left = running_.ticks - done_;
        if (ahead < left) {
            return cut(ahead);
        }
        uint32_t next = ahead - left;
        next = next == 0 ? 1 : next < grid_.longest ? next : grid_.longest;
        if (next == loaded_.ticks) {
            return true;
        }
        const period before = loaded_;
        load(next);
        if (!Systick::pending()) {
            return true;
        }
        // The edge came about when the reload was written. It is so near that the counter tells which it took.
        const uint32_t at = Systick::current();
        const uint32_t shorter = before.counts < loaded_.counts ? before.counts : loaded_.counts;
        const bool took_longer = at >= shorter;
        const bool took_new = at == 0 || took_longer == (loaded_.counts > before.counts);
        loaded_ = took_new ? loaded_ : before;
        Systick::clear_pending();
        edge();
        return false;
    }

    /// Masked: ends the running period `ticks` ticks from now instead. False when that is too near.
    bool cut(uint32_t ticks)
    {
        uint32_t fewer = running_.counts - grid_.counts(done_ + ticks, running_.fraction);
        return restart(period_of(ticks, grid_.fraction_after(done_, running_.fraction)), fewer);
    }

    /// Masked: `other` runs from now on, which ends `fewer` counts earlier than what runs, modulo 2^32: a new clock
    /// may make it later. False, with nothing changed but what `fewer` is counted from, when that is too near.
    bool restart(const period &other, uint32_t &fewer)
    {
        const uint32_t lost = lost_ + Systick::lost;
        // Already here: it is wanted as soon as the counter has moved.
        const period next = period_of(1, grid_.fraction_after(other.ticks, other.fraction));
        // A new clock takes long to reckon with, and what ran may have ended meanwhile, or be about to: that edge is
        // none of the new one, and the counter has begun anew. cut() has a tick to go yet.
        uint32_t left = Systick::current();
        while (left < at_once && !Systick::pending()) {
            left = Systick::current();
        }
        if (Systick::pending()) {
            wait_for_reload();
            Systick::clear_pending();
            fewer += loaded_.counts;
            left = Systick::current();
        }
        if (static_cast<int32_t>(left - fewer - lost / 256) <= static_cast<int32_t>(grid_.near())) {
            return false;
        }
        fewer += lost / 256;
        Systick::shorten_by(fewer);
        wait_for_reload();
        Systick::set_reload(next.counts - 1);
        lost_ = lost % 256;
        running_ = other;
        loaded_ = next;
        done_ = 0;
        ++counts_.restarts;
        return true;
    }

    tick_grid grid_ = {};
    period running_ = {};
    period loaded_ = {};
    /// Ticks of the running period that have been counted already.
    uint32_t done_ = 0;
    /// What cut() has cost and not yet made up for, in 1/256 count.
    uint32_t lost_ = 0;
    /// COUNTFLAG, as far as it has been read since the last edge that was counted.
    bool flag_ = false;
    /// An edge whose handler has been entered, but was counted by an interrupt above.
    bool counted_ahead_ = false;
    tickwheel_sleeps counts_ = {};
};

} // namespace tickwheel

#endif
