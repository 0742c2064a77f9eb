// SPDX-License-Identifier: MIT
/// @file
/// A tick from a free-running counter with an alarm. It is for a chip that stops SysTick while it sleeps. The
/// counter is never written, so no time is lost, however late it is read.
//
// Counter has the registers and the core's instructions as static members. port/README.md states their rules. On a
// Cortex-M cortex_m_counter_base.hpp has all from mask() on.
//   bits                   of the counter, 8 to 32
//   hz                     counts a second; TICKWHEEL_HZ need not divide it
//   min_ahead              an alarm that is set fewer counts ahead of the counter may be missed
//   read()                 the counter
//   set_alarm(at)          interrupts when the counter reaches `at`; replaces the previous alarm
//   mask(), unmask(state)  PRIMASK, since WFI does not wake for what BASEPRI masks
//   wait_for_interrupt()   DSB, WFI, ISB
//   ticks_passed(n)        called whenever ticks have been counted, before their callbacks, for a HAL's own counter
//   pend_softirq()         makes tickwheel_run() be called soon
#ifndef TICKWHEEL_COUNTER_TICK_HPP
#define TICKWHEEL_COUNTER_TICK_HPP

#include <stdint.h>

#include <tickwheel/sleep_loop.hpp>
#include <tickwheel/tick_grid.hpp>
#include <tickwheel/tick_time.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The tick of a counter that keeps running while the core sleeps.
template <class Counter>
class counter_tick {
    static_assert(Counter::bits >= 8 && Counter::bits <= 32, "a counter of 8 to 32 bits");
    static constexpr uint32_t max = 0xFFFFFFFFu >> (32 - Counter::bits);
    /// A sleep uses at most half of the counter. The other half is for an interrupt that is handled late.
    static constexpr uint32_t max_asleep = max / 2;
    /// In the first count of a tick there must be time to set the alarm for the next one.
    static constexpr uint32_t min_counts = Counter::min_ahead + 2;
    static constexpr tick_grid grid = tick_grid::of(Counter::hz, min_counts, 1u << 30);
    static_assert(grid.longest >= 2, "a tick has `min_ahead` + 2 counts at least, and 2^29 at most");
    static_assert(Counter::min_ahead < max_asleep / 2, "an alarm can be set within half of the counter");
    /// The largest number of counts that whole_ticks() converts at once, because the fractions of more counts
    /// would not fit in 32 bits. This is 93 minutes at 32 768 Hz and 1000 ticks a second. Only the longest sleep,
    /// or an alarm that is handled late, lets more counts pass.
    static constexpr uint32_t max_converted =
        grid.remainder == 0 ? 0xFFFFFFFFu : grid.counts(grid.longest - 1, TICKWHEEL_HZ - 1);

public:
    /// Begins the first tick now. The counter must be running.
    void start()
    {
        const uint32_t state = Counter::mask();
        last_ = Counter::read();
        passed_ = 0;
        fraction_ = 0;
        started_ = true;
        next_tick();
        Counter::unmask(state);
    }

    /// Counts the ticks that have passed and sets the next alarm. Call it in the alarm's handler, after you have
    /// cleared the alarm's flag. While the program is awake, there is one alarm per tick.
    void interrupt()
    {
        const uint32_t state = Counter::mask();
        next_tick();
        Counter::unmask(state);
    }

    /// Sleeps until the wheel's next event, any other interrupt, or half a turn of the counter. Then returns. Call it
    /// from thread code. Before it unmasks, jiffies is right, and the alarm is set for the next tick. If `work` is
    /// given and `*work` is not 0, it does not sleep. It reads `*work` masked, so an interrupt cannot set it unseen
    /// before the sleep.
    ///
    /// If the next tick is nearer than `min_ahead` counts, idle() and interrupt() wait for it with interrupts masked.
    void idle(const volatile int *work = nullptr)
    {
        sleep_loop::until_event<Counter>(*this, work);
    }

    /// The time now, in ticks and counts. Call it in any context that mask() masks.
    tick_moment now() const
    {
        const uint32_t state = Counter::mask();
        const uint64_t ticks = tickwheel_get_jiffies_64();
        uint32_t passed = passed_ + since(last_);
        uint32_t fraction = fraction_;
        Counter::unmask(state);
        const uint32_t whole = take_ticks(passed, fraction);
        return {ticks + whole, passed};
    }

    /// The current tick, whether or not it has been counted, for the tickwheel_current_tick() of your program.
    /// Before start() it is jiffies.
    jiffies_t current_tick() const
    {
        return started_ ? static_cast<jiffies_t>(now().ticks) : jiffies;
    }

private:
    friend struct sleep_loop;

    static uint32_t since(uint32_t count)
    {
        return (Counter::read() - count) & max;
    }

    /// Removes the whole ticks from `passed` counts and returns how many. The first tick has `fraction`; afterwards
    /// that is the fraction of the current one.
    static uint32_t take_ticks(uint32_t &passed, uint32_t &fraction)
    {
        uint32_t all = 0;
        bool more = true;
        while (more) {
            more = passed > max_converted;
            const uint32_t ticks = grid.whole_ticks(more ? max_converted : passed, fraction);
            passed -= grid.counts(ticks, fraction);
            fraction = grid.fraction_after(ticks, fraction);
            all += ticks;
        }
        return all;
    }

    /// Masked. Counts the whole ticks that have passed. Since a tick may be longer than the counter, passed_ keeps
    /// the rest.
    void catch_up()
    {
        const uint32_t counts = since(last_);
        last_ = (last_ + counts) & max;
        passed_ += counts;
        const uint32_t ticks = take_ticks(passed_, fraction_);
        if (ticks == 0) {
            return;
        }
        Counter::ticks_passed(ticks);
        if (tickwheel_advance(ticks) != 0) {
            Counter::pend_softirq();
        }
    }

    static constexpr bool can_stop()
    {
        return true;
    }

    /// Masked. Stops the core until an interrupt, at most `ticks` ticks.
    void stop(jiffies_t ticks)
    {
        if (arm(counts_to(ticks))) {
            Counter::wait_for_interrupt();
        }
        next_tick();
    }

    /// Masked, after catch_up(). Counts from the last read to the start of the tick `ticks` ticks from now.
    uint32_t counts_to(jiffies_t ticks) const
    {
        const uint32_t limited = ticks < grid.longest ? ticks : grid.longest;
        return grid.counts(limited, fraction_) - passed_;
    }

    /// Masked. Sets the alarm `counts` after the last read, or at half of the counter if that is nearer. Returns
    /// false if the alarm is too near, or has passed.
    bool arm(uint32_t counts)
    {
        const uint32_t at = counts < max_asleep ? counts : max_asleep;
        Counter::set_alarm((last_ + at) & max);
        // Read after the alarm was set: no more than this had passed when it was set.
        return since(last_) + Counter::min_ahead <= at;
    }

    /// Masked. Counts what has passed, and sets the alarm for the next tick. If that is too near, waits for it and
    /// counts it.
    void next_tick()
    {
        do {
            catch_up();
        } while (!arm(counts_to(1)));
    }

    /// The counter when it was last read.
    uint32_t last_ = 0;
    /// Counts from the start of the current tick to that read.
    uint32_t passed_ = 0;
    /// The fraction of the current tick, in 1/HZ count; see tick_grid.
    uint32_t fraction_ = 0;
    bool started_ = false;
};

} // namespace tickwheel

#endif
