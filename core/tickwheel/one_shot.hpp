// SPDX-License-Identifier: MIT
/// @file
/// One-shot mode: a tick is one count of a counter that is never stopped, and the only interrupts are those of
/// events. DESIGN.md has a section on it.
//
// Counter has static members. port/README.md states their rules.
//   bits           of the counter, 16 to 32
//   hz             counts a second
//   min_ahead      an alarm that is set fewer counts ahead of the counter may be missed
//   read()         the counter
//   set_alarm(at)  interrupts when the counter reaches `at`; replaces the previous alarm
//   pend_alarm()   makes that interrupt come now
#ifndef TICKWHEEL_ONE_SHOT_HPP
#define TICKWHEEL_ONE_SHOT_HPP

#include <stdint.h>

#include <tickwheel/wheel.hpp>

namespace tickwheel
{

/// The alarm of a one_shot_wheel, and the hooks that keep its invariant (I11).
template <class Counter, class Lock, class Geometry, class Storage, class Hooks>
class one_shot_alarm : public Hooks {
    static_assert(Counter::bits >= 16 && Counter::bits <= 32, "a counter of 16 to 32 bits");

public:
    /// @private As in no_hooks. A timer for an earlier tick than the alarm's moves the alarm. The lock is open, so an
    /// arm hardly masks longer than without an alarm. An interrupt() that comes before finds the timer itself.
    [[gnu::always_inline]] void arm_ends(jiffies_t expires)
    {
        if (__builtin_expect(delay_of(expires) < ahead_, 0)) {
            move_alarm(expires);
        }
    }

protected:
    /// The last count of a turn.
    static constexpr jiffies_t max = 0xFFFFFFFFu >> (32 - Counter::bits);
    /// Half a turn of the counter. The other half is for an interrupt that is late. At most 2^28, because a delay
    /// counts from a tick that may be as old.
    static constexpr int32_t max_ahead = max / 2 < 1u << 28 ? max / 2 : 1 << 28;
    /// No tick is before the alarm: an interrupt is pending, or interrupt() will search before it returns.
    static constexpr int32_t no_alarm_needed = INT32_MIN;
    /// Nothing was armed yet.
    static constexpr int32_t nothing_armed = INT32_MAX;

    /// The tick that was counted last.
    jiffies_t counted()
    {
        return static_cast<wheel<Lock, Geometry, Storage, one_shot_alarm> *>(this)->clock().jiffies;
    }

    /// The counter in 32 bits.
    jiffies_t now()
    {
        if constexpr (Counter::bits == 32) {
            return Counter::read();
        }
        // The counter is read last, so it cannot be behind the tick.
        const jiffies_t tick = counted();
        return tick + ((Counter::read() - tick) & max);
    }

    /// With the lock held. Sets the alarm, and returns true if it will come. The counter is read after the alarm was
    /// set: it was no nearer before.
    bool set_alarm()
    {
        const jiffies_t at = counted() + static_cast<jiffies_t>(ahead_);
        Counter::set_alarm(at & max);
        return static_cast<int32_t>(at - now()) >= static_cast<int32_t>(Counter::min_ahead);
    }

    /// The alarm's tick, counted from the tick that was counted last, or no_alarm_needed.
    int32_t ahead_ = nothing_armed;
    /// Whether interrupt() is under way, or start() was not called yet.
    bool busy_ = true;

private:
    // It counts from `jiffies`, as `ahead_` does, so that it is right for each tick that the wheel takes as past.
    int32_t delay_of(jiffies_t expires)
    {
        return static_cast<int32_t>(expires - counted());
    }

    [[gnu::noinline]] void move_alarm(jiffies_t expires)
    {
        const lock_guard<Lock> lock;
        const int32_t delay = delay_of(expires);
        if (delay < ahead_) {
            ahead_ = delay > 0 ? delay : 1;
            if (!busy_ && !set_alarm()) {
                Counter::pend_alarm();
            }
        }
    }
};

/// What a one_shot_wheel is made of.
template <class Counter, class Lock, class Geometry, class Storage, class Hooks>
using wheel_with_alarm = wheel<Lock, Geometry, Storage, one_shot_alarm<Counter, Lock, Geometry, Storage, Hooks>>;

/// A wheel of your own in one-shot mode. It has the functions of a wheel<> except those that count ticks or run.
/// interrupt() does both. Nothing else may call the functions of the Counter that write.
template <class Counter, class Lock, class Geometry = linux_geometry, class Storage = wheel_storage<Geometry>,
          class Hooks = no_hooks>
class one_shot_wheel : public wheel_with_alarm<Counter, Lock, Geometry, Storage, Hooks> {
    using base = wheel_with_alarm<Counter, Lock, Geometry, Storage, Hooks>;
    using irq_state = decltype(Lock::irq_save());

public:
    /// The longest exact delay. The wheel places a timer by the tick that was counted last, at most 2^28 ticks ago,
    /// and the interrupt of the next one may be almost as late.
    static constexpr jiffies_t longest_delay = 0x5FFFFFFF;

    /// @{ One-shot mode counts no ticks: the alarm's handler calls interrupt().
    int tick() = delete;
    int advance(uint32_t ticks) = delete;
    unsigned run() = delete;
    unsigned run_budget(unsigned steps) = delete;
    int due() = delete;
    void init(jiffies_t start) = delete;
    /// @}

    /// @{ The counter. Never as old as the last interrupt.
    jiffies_t jiffies()
    {
        return this->now();
    }
    jiffies_t current_tick()
    {
        return this->now();
    }
    uint64_t get_jiffies_64()
    {
        const uint64_t counted = base::get_jiffies_64();
        return counted + static_cast<jiffies_t>(this->now() - static_cast<jiffies_t>(counted));
    }
    /// @}

    /// As tickwheel_start().
    void start()
    {
        if (TICKWHEEL_DEBUG) {
            const uint32_t first = Counter::read();
            unsigned reads = 100000;
            while (reads != 0 && Counter::read() == first) {
                --reads;
            }
            (void)report_misuse(reads == 0 ? "tickwheel_start: the counter stands still" : nullptr, nullptr);
        }
        const lock_guard<Lock> lock;
        if (this->ahead_ == base::nothing_armed) {
            // The first tick may be the counter's, however long that has run.
            this->clock() = clock_of<Geometry>::at(this->now(), Geometry::block_mask);
        }
        this->ahead_ = base::no_alarm_needed;
        this->busy_ = false;
        Counter::pend_alarm();
    }

    /// As tickwheel_interrupt().
    unsigned interrupt()
    {
        return serve(~0u, false);
    }

    /// As tickwheel_interrupt_budget().
    unsigned interrupt_budget(unsigned steps)
    {
        return serve(steps, true);
    }

private:
    // One pass, or as many as it takes.
    [[gnu::always_inline]] unsigned serve(unsigned steps, bool once)
    {
        const irq_state irq = Lock::irq_save();
        if (this->busy_) {
            Lock::irq_restore(irq);
            return 0;
        }
        this->busy_ = true;
        unsigned ran = 0;
        do {
            this->ahead_ = base::no_alarm_needed;
            Lock::irq_restore(irq);
            jiffies_t passed = this->now() - this->clock().jiffies;
            if (TICKWHEEL_DEBUG && passed > base::max - base::max / 4) {
                tickwheel_bug("tickwheel_interrupt: the counter has gone back, or the interrupt is very late",
                              nullptr);
                // A narrow counter has to catch up first. Until then the interrupt comes again and again.
                passed = 0;
                once = true;
            }
            (void)base::advance(passed);
            ran += base::run_budget(steps);
            Lock::irq_mask_all();
            if (set_next_alarm(irq)) {
                break;
            }
            if (once) {
                Counter::pend_alarm();
            }
        } while (!once);
        this->busy_ = false;
        Lock::irq_restore(irq);
        return ran;
    }

    // Sets the alarm for the next tick with work. Called with the lock held. May open it for the search.
    [[gnu::always_inline]] bool set_next_alarm(irq_state irq)
    {
        // From here on each arm lowers `ahead_`, so the search need not see it.
        this->ahead_ = base::max_ahead;
        const int32_t ahead = static_cast<int32_t>(next_work(this->clock(), irq) - this->clock().jiffies);
        if (ahead < this->ahead_) {
            this->ahead_ = ahead;
        }
        return this->set_alarm();
    }

    [[gnu::always_inline]] jiffies_t next_work(wheel_clock &clock, irq_state irq)
    {
        using search = event_search<Geometry>;
        auto &slots = this->slots();
        const jiffies_t next = clock.next_run;
        if (!search::has_work(slots, next)) {
            Lock::irq_restore(irq);
            next_slots found;
            search::find(slots.marks, clock.next_block, found);
            Lock::irq_mask_all();
            return found.first == search::none ? clock.jiffies + base::max_ahead
                                               : clock.next_block + search::distance_to_event(found, clock, slots);
        }
        return next;
    }

    // After a run it is the tick of the first timer.
    [[gnu::always_inline]] static jiffies_t next_work(const list_clock &clock, irq_state)
    {
        return clock.next_run;
    }
};

} // namespace tickwheel

#endif
