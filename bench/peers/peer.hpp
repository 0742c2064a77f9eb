// SPDX-License-Identifier: MIT
// What the algorithms that the wheel is compared with have in common: the port's
// lock, a clock, and one interface.
//
//   init(start)              an empty system whose clock stands at `start`
//   setup(timer, function)   makes an idle timer
//   arm(timer, expires)      an idle one, or moves a pending one; what has passed fires in the next tick. false:
//                            refused, and nothing changed
//   cancel(timer)            true when it was pending
//   pending(timer), now()
//   tick()                   counts one tick and calls what is due, with the lock open
//   advance(ticks)           so many have passed at once
//
// What a system cannot do is said by constants, which conformance.cpp holds against what it does. Those of cost,
// skips and linear, are only declared: they say how far the tests and the PC's benchmark go.
//
//   name           as the tables have it
//   in_order       the timers of one tick fire in the order in which they were armed
//   longest_delay  a longer one is refused
//   makes_up       how many ticks may pass at once and all timers of theirs still fire; a later tick would lose some
//   skips          empty ticks cost an advance() nothing
//   most_pending   how many timers may be pending, 0 for any number
//   linear         arming or a tick looks at all timers, at half of them on average, or at a third
#ifndef TICKWHEEL_BENCH_PEER_HPP
#define TICKWHEEL_BENCH_PEER_HPP

#include <stddef.h>
#include <stdint.h>

#include <tickwheel/jiffies.h>
#include <tickwheel/port.hpp>

#if !defined(PEERS_MOST_TIMERS)
#define PEERS_MOST_TIMERS 10001
#endif

namespace peers
{

/// How many timers a system has room for that keeps them in an array.
constexpr unsigned most_timers = PEERS_MOST_TIMERS;
constexpr jiffies_t farthest = 0x7FFFFFFF;

/// The lock of the port, for a block of code.
class locked {
public:
    [[gnu::always_inline]] locked() : irq(tickwheel::port_lock::irq_save())
    {
    }
    [[gnu::always_inline]] ~locked()
    {
        tickwheel::port_lock::irq_restore(irq);
    }
    locked(const locked &) = delete;
    locked &operator=(const locked &) = delete;

    /// Lets interrupts in.
    [[gnu::always_inline]] void window()
    {
        tickwheel::port_lock::preemption_point(irq);
    }

    /// Calls a timer, which is idle by now, with the lock open; it may be freed in there.
    template <class Timer>
    [[gnu::always_inline]] void call(Timer *timer)
    {
        void (*const function)(Timer *) = timer->function;
        tickwheel::port_lock::irq_restore(irq);
        function(timer);
        (void)tickwheel::port_lock::irq_save();
    }

private:
    decltype(tickwheel::port_lock::irq_save()) irq;
};

/// The outside of a system. System has tick(), insert(timer), whose `expires` lies 1 to longest_delay ticks ahead,
/// remove(timer) and static pending(timer); all but tick() are called with the lock held.
template <class System, class Timer>
class peer {
public:
    using timer_type = Timer;
    static constexpr bool in_order = true;
    static constexpr bool linear = false;
    static constexpr bool skips = false;
    static constexpr jiffies_t longest_delay = farthest;
    static constexpr jiffies_t makes_up = farthest;
    static constexpr unsigned most_pending = 0;
    /// What a pending timer takes beside itself.
    static constexpr size_t bytes_beside = 0;

    jiffies_t now() const
    {
        return now_;
    }

    static void setup(Timer *timer, void (*function)(Timer *))
    {
        *timer = Timer();
        timer->function = function;
    }

    [[gnu::always_inline]] bool arm(Timer *timer, jiffies_t expires)
    {
        const locked lock;
        expires = tickwheel_time_after(expires, now_) ? expires : now_ + 1;
        if (System::longest_delay != farthest && expires - now_ > System::longest_delay) {
            return false;
        }
        if (System::pending(timer)) {
            self().move(timer, expires);
            return true;
        }
        if (self().full()) {
            return false;
        }
        timer->expires = expires;
        self().insert(timer);
        return true;
    }

    [[gnu::always_inline]] bool cancel(Timer *timer)
    {
        const locked lock;
        if (!System::pending(timer)) {
            return false;
        }
        self().remove(timer);
        return true;
    }

    void advance(jiffies_t ticks)
    {
        for (; ticks != 0; --ticks) {
            self().tick();
        }
    }

protected:
    jiffies_t now_;

    static bool full()
    {
        return false;
    }

    void move(Timer *timer, jiffies_t expires)
    {
        self().remove(timer);
        timer->expires = expires;
        self().insert(timer);
    }

private:
    System &self()
    {
        return static_cast<System &>(*this);
    }
};

} // namespace peers

#endif
