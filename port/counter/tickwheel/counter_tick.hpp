// SPDX-License-Identifier: MIT
/// @file
/// A tick from a counter that runs through all of its bits, for ever, and an alarm:
/// what a chip has that stops SysTick while it sleeps. The counter is never written,
/// so no time is lost, ever: ticks are what it says has passed, however late it is
/// asked.
//
// Counter has the registers and the core's instructions, as static members; their
// rules stand in port/README.md.
//   bits                   of the counter, 8 to 32
//   hz                     counts a second; TICKWHEEL_HZ need not divide it
//   ahead                  the fewest counts by which an alarm must be ahead of the counter, or it may be missed
//   read()                 the counter
//   set_alarm(at)          an interrupt when the counter comes to `at`, in place of the alarm before
//   mask(), unmask(state)  PRIMASK: WFI wakes by what it masks, which BASEPRI does not let it
//   wait_for_interrupt()   DSB, WFI
//   ticks_passed(n)        told whenever ticks have been counted, before their callbacks: for a HAL's own counter
//   pend_softirq()         has tickwheel_run() called soon
#ifndef TICKWHEEL_COUNTER_TICK_HPP
#define TICKWHEEL_COUNTER_TICK_HPP

#include <stdint.h>

#include <tickwheel/sleep_loop.hpp>
#include <tickwheel/tick_grid.hpp>
#include <tickwheel/tick_time.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The tick of a counter that runs on in sleep.
template <class Counter>
class counter_tick {
    static_assert(Counter::bits >= 8 && Counter::bits <= 32, "a counter of 8 to 32 bits");
    static constexpr uint32_t most = 0xFFFFFFFFu >> (32 - Counter::bits);
    /// The other half of the counter is for an interrupt that comes late.
    static constexpr uint32_t most_asleep = most / 2;
    /// An alarm for the next tick can be set within the first count of this one.
    static constexpr uint32_t least_counts = Counter::ahead + 2;
    static constexpr tick_grid grid = tick_grid::of(Counter::hz, least_counts, 1u << 30);
    static_assert(grid.longest >= 2, "a tick has `ahead` + 2 counts at least, and 2^29 at most");
    static_assert(Counter::ahead < most_asleep / 2, "an alarm can be set within half of the counter");
    /// Of more counts the fractions would not fit: 93 minutes of 32 768 Hz and 1000 ticks a second. They have passed
    /// only after the longest sleep, or when the alarm was held up.
    static constexpr uint32_t most_converted =
        grid.remainder == 0 ? 0xFFFFFFFFu : grid.counts(grid.longest - 1, TICKWHEEL_HZ - 1);

public:
    /// From now on, a tick at a time; the counter runs.
    void start()
    {
        const uint32_t state = Counter::mask();
        last_ = Counter::read();
        passed_ = 0;
        fraction_ = 0;
        next_tick();
        Counter::unmask(state);
    }

    /// The alarm, in its interrupt handler, which has cleared what the alarm had set. As long as the program is
    /// awake, an alarm a tick.
    void interrupt()
    {
        const uint32_t state = Counter::mask();
        next_tick();
        Counter::unmask(state);
    }

    /// Sleeps until an interrupt, or the wheel's next event, or for as long as the grid holds, half of the counter at
    /// most; from thread code. Returns after every wake. Before it unmasks, jiffies is right and the next tick has
    /// its alarm. Does not sleep while `*work`, if that is given, is not 0: it looks at it masked, so what an
    /// interrupt sets there is not slept over.
    ///
    /// Where the next tick is nearer than `ahead` counts, idle() and interrupt() wait for it with interrupts masked.
    void idle(const volatile int *work = nullptr)
    {
        sleep_loop::until_event<Counter>(*this, work);
    }

    /// Ticks of tickwheel_get_jiffies_64(), and counts since that tick began, as of now; any context that mask()
    /// masks.
    using moment = tick_moment;
    /// Now; any context that mask() masks.
    moment now() const
    {
        const uint32_t state = Counter::mask();
        const uint64_t ticks = tickwheel_get_jiffies_64();
        uint32_t passed = passed_ + since(last_);
        uint32_t fraction = fraction_;
        Counter::unmask(state);
        const uint32_t whole = take_ticks(passed, fraction);
        return {ticks + whole, passed};
    }

private:
    friend struct sleep_loop;

    static uint32_t since(uint32_t count)
    {
        return (Counter::read() - count) & most;
    }

    /// Takes the whole ticks off `passed` counts after an edge that had rounded off `fraction`.
    static uint32_t take_ticks(uint32_t &passed, uint32_t &fraction)
    {
        uint32_t all = 0;
        bool more = true;
        while (more) {
            more = passed > most_converted;
            const uint32_t ticks = grid.whole_ticks(more ? most_converted : passed, fraction);
            passed -= grid.counts(ticks, fraction);
            fraction = grid.fraction_after(ticks, fraction);
            all += ticks;
        }
        return all;
    }

    /// Masked: the whole ticks that have passed. A tick may be longer than the counter.
    void update()
    {
        const uint32_t counts = since(last_);
        last_ = (last_ + counts) & most;
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

    /// Masked: stops the core until an interrupt, for `ahead` ticks at most.
    void stop(jiffies_t ahead)
    {
        if (arm(counts_to(ahead))) {
            Counter::wait_for_interrupt();
        }
        next_tick();
    }

    /// Masked, after update(): from the last read to the end of the tick `ahead` ticks from now.
    uint32_t counts_to(jiffies_t ahead) const
    {
        const uint32_t ticks = ahead < grid.longest ? ahead : grid.longest;
        return grid.counts(ticks, fraction_) - passed_;
    }

    /// Masked: the alarm comes `counts` after the last read, or before, where the counter does not reach so far.
    /// False when that is too near, or has passed.
    bool arm(uint32_t counts)
    {
        const uint32_t at = counts < most_asleep ? counts : most_asleep;
        Counter::set_alarm((last_ + at) & most);
        // Looked at afterwards: so much has passed when it was set, at most.
        return since(last_) + Counter::ahead <= at;
    }

    /// Masked: counts what has passed, and sets the alarm for the next tick. Where that is too near, waits for it,
    /// and counts it.
    void next_tick()
    {
        do {
            update();
        } while (!arm(counts_to(1)));
    }

    /// The counter when it was last read, counts since the last edge of a tick until then, and what that edge had
    /// rounded off, in 1/HZ count.
    uint32_t last_ = 0;
    uint32_t passed_ = 0;
    uint32_t fraction_ = 0;
};

} // namespace tickwheel

#endif
