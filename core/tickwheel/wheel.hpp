// SPDX-License-Identifier: MIT
/// @file
/// A timer wheel as a class, for programs that have wheels of their own, and for the C API. tickwheel.h states what
/// each call does and returns. How a wheel works is in core/wheel, and explained in DESIGN.md.
///
/// A Lock has four static functions: irq_save(), irq_restore(state), irq_mask_all() and interrupt_window(state).
/// port/README.md states what they must do.
#ifndef TICKWHEEL_WHEEL_HPP
#define TICKWHEEL_WHEEL_HPP

#include <stdint.h>

#include <tickwheel/hooks.hpp>
#include <tickwheel/lock.hpp>

#include "../list/debug.hpp"
#include "../list/ordered_list.hpp"
#include "../list/runner.hpp"
#include "../list/searches.hpp"
#include "../wheel/arm.hpp"
#include "../wheel/next_event.hpp"
#include "../wheel/next_expiry.hpp"
#include "../wheel/runner.hpp"

namespace tickwheel
{

/// Keeps a wheel's state inside the wheel. A static wheel then has an image in flash, zeros except for 20 bytes. A
/// Storage that returns two separate objects avoids that image: tickwheel.cpp has one.
template <class Geometry>
class wheel_storage {
public:
    /// The time.
    clock_of<Geometry> &clock()
    {
        return clock_;
    }
    /// The slots.
    slots_of<Geometry> &slots()
    {
        return slots_;
    }

private:
    clock_of<Geometry> clock_ = clock_of<Geometry>::at(TICKWHEEL_INITIAL_JIFFIES, Geometry::block_mask);
    slots_of<Geometry> slots_ = {};
};

/// A wheel of your own, for one core and one lock. Each function behaves as tickwheel_<its name>() of tickwheel.h. A
/// static wheel is constant-initialised, and works before any constructor. Its timers name the object:
/// basic_timer<own_wheel>, closure_timer<.., own_wheel>. hooks.hpp says what the wheel tells its Hooks.
template <class Lock, class Geometry = linux_geometry, class Storage = wheel_storage<Geometry>,
          class Hooks = no_hooks>
class wheel : public Storage, public Hooks {
    using arming = tickwheel::arming<Lock, Geometry, wheel>;
    using runner = tickwheel::runner<Lock, Geometry, wheel>;
    using checks = checks_of<Geometry>;

public:
    /// A tick that is further ahead reads as past.
    static constexpr jiffies_t longest_delay = 0x7FFFFFFF;

    /// @{ As the function of tickwheel.h.

    // --- Tick

    jiffies_t jiffies()
    {
        return this->clock().jiffies;
    }

    uint64_t get_jiffies_64()
    {
        return this->clock().jiffies_64();
    }

    jiffies_t current_tick()
    {
        // If a tick is counted between the two reads, the sum is one tick too low. It was right when the call
        // began.
        const jiffies_t counted = this->clock().jiffies;
        return counted + uncounted_ticks<Lock>(0);
    }

    int tick()
    {
        return count(1);
    }

    int advance(uint32_t ticks)
    {
        // tick() does not link it.
        runner::link_jump(*this);
        return count(ticks);
    }

    // --- Arm

    int mod_timer(timer_list *timer, jiffies_t expires)
    {
        return arming::template arm<arm_if::any>(*this, timer, expires, to_another_tick());
    }

    void add_timer(timer_list *timer)
    {
        const int was_pending = arming::template arm<arm_if::idle_at_expires>(*this, timer, 0, to_another_tick());
        (void)report_misuse(checks::misuse_of_add(was_pending), timer);
    }

    int mod_timer_idle(timer_list *timer, jiffies_t expires)
    {
        return arming::template arm<arm_if::idle>(*this, timer, expires, to_another_tick());
    }

    int mod_timer_pending(timer_list *timer, jiffies_t expires)
    {
        return arming::template arm<arm_if::pending>(*this, timer, expires, to_another_tick());
    }

    int timer_reduce(timer_list *timer, jiffies_t expires)
    {
        return arming::template arm<arm_if::any>(*this, timer, expires, to_an_earlier_tick());
    }

    int mod_timer_within(timer_list *timer, jiffies_t first, jiffies_t last)
    {
        first = tickwheel_time_after(first, last) ? last : first;
        jiffies_t width = last - first;
        jiffies_t tick = roundest_tick(first, last);
        // Otherwise GCC computes both with the lock held.
        __asm__ volatile("" : "+r"(tick), "+r"(width));
        return arming::template arm<arm_if::any>(*this, timer, tick, outside_range{last, width});
    }

    // --- Cancel

    int timer_delete(timer_list *timer)
    {
        return arming::cancel(*this, timer);
    }

    [[gnu::noinline]] int try_to_del_timer_sync(timer_list *timer)
    {
        const auto irq = Lock::irq_save();
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_timer(this->slots(), timer), timer, irq)) {
            return 0;
        }
        const int deleted = this->slots().running_timer == timer ? -1 : timer_delete(timer);
        Lock::irq_restore(irq);
        return deleted;
    }

    int timer_delete_sync(timer_list *timer)
    {
        const int deleted = try_to_del_timer_sync(timer);
        (void)report_misuse(checks::misuse_of_delete_sync(deleted), timer);
        return deleted;
    }

    int timer_shutdown(timer_list *timer)
    {
        const auto irq = Lock::irq_save();
        if (unlock_and_report_misuse<Lock>(checks::misuse_of_timer(this->slots(), timer), timer, irq)) {
            return 0;
        }
        // Both steps under one lock, because an interrupt between them may start a timer that re-arms itself, which
        // ends the shutdown, and the delete would end that start.
        timer->enabled = 0;
        const int deleted = timer_delete(timer);
        Lock::irq_restore(irq);
        return deleted;
    }

    int timer_shutdown_sync(timer_list *timer)
    {
        if (report_misuse(checks::misuse_of_pointer(timer), timer)) {
            return 0;
        }
        // This needs no lock, since no class of a timer that re-arms itself makes this call: no interrupt can end the
        // shutdown by a start, so the delete sees the timer's last state.
        *static_cast<volatile uint8_t *>(&timer->enabled) = 0;
        return timer_delete_sync(timer);
    }

    static int timer_pending(const timer_list *timer)
    {
        if (report_misuse(checks::misuse_of_pointer(timer), timer)) {
            return 0;
        }
        return pending_now(timer);
    }

    // --- Run

    unsigned interrupt()
    {
        return tick() ? run() : 0;
    }

    unsigned run()
    {
        checks::template check_preemption<Lock>(this->slots(), true, 0);
        return runner::run_budget(*this, runner::max_steps);
    }

    unsigned run_budget(unsigned steps)
    {
        checks::template check_preemption<Lock>(this->slots(), true, 0);
        return runner::run_budget(*this, steps & runner::max_steps);
    }

    int due()
    {
        const lock_guard<Lock> lock;
        return this->clock().due();
    }

    // --- Ask

    int next_expiry(jiffies_t *expires)
    {
        if (report_misuse(checks::misuse_of_pointer(expires), nullptr)) {
            return 0;
        }
        return expiry_search<Lock, Geometry>(this->clock(), this->slots()).next_expiry(expires);
    }

    int next_expiry_locked(jiffies_t *tick, unsigned limit)
    {
        if (report_misuse(checks::misuse_of_pointer(tick), nullptr)) {
            return 0;
        }
        // The address that the search leaves in the slots is only compared.
        // NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape)
        return expiry_search<no_lock, Geometry>(this->clock(), this->slots()).next_expiry_locked(tick, limit);
    }

    int next_event(jiffies_t *tick)
    {
        if (report_misuse(checks::misuse_of_pointer(tick), nullptr)) {
            return 0;
        }
        const lock_guard<Lock> lock;
        return event_search<Geometry>::next_event(this->clock(), this->slots(), tick);
    }

    void init(jiffies_t start)
    {
        if (report_misuse(checks::misuse_of_init(this->slots()), nullptr) || this->slots().running_timer != nullptr) {
            return;
        }
        this->slots().reset();
        this->clock() = clock_of<Geometry>::at(start, Geometry::block_mask);
    }
    /// @}

    /// For long timers. Arms an idle timer, and writes its function and a word in the same masked section. Returns
    /// false if the timer is pending or shut down, and true after a report too, so that its caller's loop ends.
    bool arm_idle_with(timer_list *timer, jiffies_t expires, void (*function)(timer_list *), shared_word &word,
                       uint32_t value)
    {
        return arming::arm_idle_with(*this, timer, expires, function, word, value);
    }

    /// @{ For inactivity timers. As timer_reduce(), but does nothing if `deadline` has become another tick.
    void arm_if_deadline_is(timer_list *timer, jiffies_t expires, const shared_word &deadline)
    {
        arming::arm_if_deadline_is(*this, timer, expires, deadline);
    }
    /// Ends the wait for a deadline, and deletes the timer. Returns true if it has ended one. In the callback it
    /// does so only if the run has reached the deadline, and otherwise arms the timer for it.
    bool end_wait(timer_list *timer, shared_word &deadline, bool in_callback)
    {
        return arming::end_wait(*this, timer, deadline, in_callback);
    }
    /// @}

    /// Gives a timer another function, pending or not.
    void set_function(timer_list *timer, void (*function)(timer_list *))
    {
#if TICKWHEEL_DEBUG
        const lock_guard<Lock> lock;
        const bool sealed = is_sealed(timer, &this->slots());
        store_function(timer, function);
        if (sealed) {
            seal(timer, &this->slots());
        }
#else
        store_function(timer, function);
#endif
    }

    /// Debug builds return why this timer may not be set up, or null. Others always return null.
    const char *misuse_of_setup(const timer_list *timer)
    {
        const lock_guard<Lock> lock;
        return checks::misuse_of_setup(this->slots(), timer);
    }

protected:
    /// Counts ticks, as tickwheel_advance().
    int count(uint32_t ticks)
    {
        checks::template check_caller<Lock>(0);
        checks::template check_preemption<Lock>(this->slots(), false, 0);
        // A fault is reported, but the ticks are counted anyway, because they have passed.
        (void)report_misuse(checks::misuse_of_advance(this->clock(), ticks), nullptr);
        // First the store, then the load; both are volatile. In the other order an interrupt between the two could
        // arm for the coming tick after `next_run` was read, and that timer would fire a tick late.
        const jiffies_t now = this->clock().jiffies + ticks;
        this->clock().jiffies = now;
        const jiffies_t next = this->clock().next_run;
        const int work = tickwheel_time_after_eq(now, next);
        if (work != 0) {
            Hooks::tick_with_work(now, next);
        }
        return work;
    }

    /// @{ Ticks that have begun and whose interrupt waits for the caller, if the Lock can tell. port/README.md has
    /// the rule.
    template <class Port>
    static auto uncounted_ticks(int) -> decltype(Port::uncounted_ticks())
    {
        return Port::uncounted_ticks();
    }
    template <class Port>
    static jiffies_t uncounted_ticks(long)
    {
        return 0;
    }
    /// @}
};

} // namespace tickwheel

#endif
