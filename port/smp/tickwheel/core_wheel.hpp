// SPDX-License-Identifier: MIT
/// @file
/// A wheel that belongs to one core, and whose timers every core may arm, move and cancel. ../DESIGN.md says why each
/// call is right.
#ifndef TICKWHEEL_CORE_WHEEL_HPP
#define TICKWHEEL_CORE_WHEEL_HPP

#include <stdint.h>

#include <tickwheel/hooks.hpp>
#include <tickwheel/shared_lock.hpp>
#include <tickwheel/wheel.hpp>

namespace tickwheel
{

/// What the callbacks of the two cores wait for. It finds the wait that would never end.
template <class Cores>
class callback_waits {
    static_assert(Cores::count == 2, "a deadlock is found between two cores only");
    using order = typename Cores::template spin<Cores::count>;

public:
    /// A wait of a core, on its stack.
    struct wait {
        /// The core waits for the callback of this timer.
        const timer_list *timer;
        /// The wait that an interrupt with this wait has interrupted, or null.
        const wait *outer;
    };

    /// `running_of_wheel` is where the wheel of this core writes, under its lock, which callback runs.
    static void set_running(timer_list *const *running_of_wheel)
    {
        running[Cores::here()] = running_of_wheel;
    }

    /// A wait for the callback of `is.timer`, which runs on the other core. Returns false if that core waits for the
    /// callback below the caller. Called with the lock of the other core's wheel held, while that callback runs.
    static bool begin(wait &is)
    {
        const unsigned here = Cores::here();
        // What the runner below the caller wrote in its last locked section. A callback that has ended since then
        // counts as running: its runner cannot say so before the caller returns. Between two callbacks it is an
        // address that no timer has, so no wait is refused.
        const timer_list *const below = running[here] == nullptr ? nullptr : *running[here];
        order::take();
        is.outer = awaited[here];
        // A wait continues after the interrupt that has interrupted it, so it counts too.
        const wait *other = awaited[1 - here];
        while (other != nullptr && other->timer != below) {
            other = other->outer;
        }
        // A wait in a thread stops no callback: those of this core run above it.
        if (other == nullptr && below != nullptr) {
            awaited[here] = &is;
        }
        order::release();
        return other == nullptr;
    }

    /// That wait has ended. Called with the lock of the other core's wheel held.
    static void end(const wait &is)
    {
        order::take();
        awaited[Cores::here()] = is.outer;
        order::release();
    }

private:
    /// For each core: the wait of the callback on this core, or of the last interrupt above it that waits.
    inline static const wait *awaited[Cores::count] = {};
    /// For each core: where its wheel writes the timer whose callback runs. Null before the first run. Each core
    /// uses only its own.
    inline static timer_list *const volatile *running[Cores::count] = {};
};

/// What the wheel of core `Core` reports at once, with its lock held: an arm by the other core that must end its
/// sleep.
template <class Cores, unsigned Core>
class core_hooks : public no_hooks {
public:
    /// @{ As those of no_hooks.
    void armed(const timer_list *timer)
    {
        if (is_asleep && Cores::here() != Core && static_cast<int32_t>(timer->expires - asleep_at) <= ends_up_to) {
            Cores::interrupt(Core);
        }
    }
    void moved(const timer_list *timer)
    {
        armed(timer);
    }
    /// @}

protected:
    /// Core `Core` is asleep.
    bool is_asleep = false;
    /// Its tick, which stands still meanwhile.
    jiffies_t asleep_at = 0;
    /// An arm for up to this many ticks after that ends the sleep.
    int32_t ends_up_to = 0;
};

/// What a core_wheel is made of.
template <class Cores, unsigned Core, class Geometry>
using wheel_under_shared_lock = wheel<shared_lock<typename Cores::template spin<Core>, Cores>, Geometry,
                                      wheel_storage<Geometry>, core_hooks<Cores, Core>>;

/// The only wheel of core `Core`. It has the functions of wheel<>, so timers name it: basic_timer<wheel>. Only
/// core `Core` calls tick, advance, run, run_budget, interrupt, init and the two functions of sleep. Every core
/// may call the others. In addition to what shared_lock needs, Cores has
/// - `count`, 2, and `spin<n>`, the spin locks 0 to `count`: one for each core, and one for all;
/// - interrupt(core), which wakes that core. Called with interrupts masked.
template <class Cores, unsigned Core, class Geometry = linux_geometry>
class core_wheel : public wheel_under_shared_lock<Cores, Core, Geometry> {
    static_assert(Core < Cores::count, "no such core");
    using lock = shared_lock<typename Cores::template spin<Core>, Cores>;
    using base = wheel_under_shared_lock<Cores, Core, Geometry>;
    using waits = callback_waits<Cores>;

public:
    /// @{ As the function of tickwheel.h, under the lock. An unlocked tick is right for interrupts: the arm that
    /// they interrupt is masked. A second core could arm after the tick is counted and before `next_run` is read.
    int tick()
    {
        const lock_guard<lock> held;
        return base::tick();
    }
    int advance(uint32_t ticks)
    {
        const lock_guard<lock> held;
        return base::advance(ticks);
    }
    /// A tick of this wheel that is pending counts only for its own core: another core cannot see it.
    jiffies_t current_tick()
    {
        const jiffies_t counted = this->jiffies();
        return counted + (Cores::here() == Core ? base::template uncounted_ticks<typename Cores::mask>(0) : 0);
    }
    uint64_t get_jiffies_64()
    {
        // Unlocked, a core may load the two words in the other order.
        const lock_guard<lock> held;
        return base::get_jiffies_64();
    }
    /// @}

    /// @{ As tickwheel_interrupt(), tickwheel_run() and tickwheel_run_budget().
    unsigned interrupt()
    {
        return tick() ? run() : 0;
    }
    unsigned run()
    {
        return run_budget(~0u);
    }
    unsigned run_budget(unsigned steps)
    {
        waits::set_running(&this->slots().running_timer);
        return base::run_budget(steps);
    }
    /// @}

    /// As tickwheel_timer_delete_sync(), and waits while the callback runs on another core. Returns -1, and reports
    /// in debug builds, if the wait would never end: the caller is this callback, or is above it, or the other core
    /// waits for the callback below the caller.
    int timer_delete_sync(timer_list *timer)
    {
        const int deleted = this->try_to_del_timer_sync(timer);
        return deleted < 0 ? wait_and_delete(timer) : deleted;
    }

    /// As tickwheel_timer_shutdown_sync(), and waits as timer_delete_sync() does.
    int timer_shutdown_sync(timer_list *timer)
    {
        if (report_misuse(checks_of<Geometry>::misuse_of_pointer(timer), timer)) {
            return 0;
        }
        // No lock, as in timer_shutdown(): the delete follows.
        *static_cast<volatile uint8_t *>(&timer->enabled) = 0;
        return timer_delete_sync(timer);
    }

    /// As tickwheel_next_event(), before this core sleeps. Until end_sleep() other cores interrupt the sleep when
    /// they arm for an earlier tick. Call it with interrupts masked, and leave them masked until the core has slept:
    /// a pending interrupt then ends the sleep at once.
    int begin_sleep(jiffies_t *tick)
    {
        const lock_guard<lock> held;
        const int found = this->next_event(tick);
        this->asleep_at = this->jiffies();
        // Without a timer every arm ends the sleep.
        this->ends_up_to = found != 0 ? static_cast<int32_t>(*tick - this->asleep_at) - 1 : 0x7FFFFFFF;
        this->is_asleep = true;
        return found;
    }
    /// Core `Core` is awake.
    void end_sleep()
    {
        const lock_guard<lock> held;
        this->is_asleep = false;
    }

private:
    int wait_and_delete(timer_list *timer)
    {
        auto irq = lock::irq_save();
        int deleted = this->try_to_del_timer_sync(timer);
        if (deleted < 0) {
            typename waits::wait wait = {timer, nullptr};
            if (Cores::here() == Core || !waits::begin(wait)) {
                lock::irq_restore(irq);
                (void)report_misuse("waiting for a callback that cannot end before the caller", timer);
                return deleted;
            }
            do {
                lock::irq_restore(irq);
                Cores::wait();
                irq = lock::irq_save();
                deleted = this->try_to_del_timer_sync(timer);
            } while (deleted < 0);
            // Under the same lock as the delete: the callback cannot run again before this wait is forgotten.
            waits::end(wait);
        }
        lock::irq_restore(irq);
        return deleted;
    }
};

} // namespace tickwheel

#endif
