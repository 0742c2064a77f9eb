// SPDX-License-Identifier: MIT
// The interface of all peers, with the port's lock and a clock.
//
//   init(start)              empties the system and sets its clock to `start`
//   setup(timer, function)   makes an idle timer
//   arm(timer, expires)      arms an idle timer or moves a pending one. A late timer fires in the next tick
//   cancel(timer)            returns whether the timer was pending
//   pending(timer), now()
//   tick()                   counts one tick and calls the due timers, with the lock open
//
// `in_order` says that the timers of one tick fire in the order in which they were armed. conformance.cpp tests that,
// and that a peer without order fires some out of order.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <tickwheel/jiffies.h>
#include <tickwheel/port.hpp>

namespace peers
{

/// The capacity of a system that keeps its timers in an array.
constexpr unsigned max_timers = 10001;

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

    /// Calls an idle timer with the lock open. The callback may free it.
    template <class Timer>
    [[gnu::always_inline]] void call(Timer *timer)
    {
        void (*const function)(Timer *) = timer->function;
        tickwheel::port_lock::irq_restore(irq);
        function(timer);
        tickwheel::port_lock::irq_mask_all();
    }

private:
    decltype(tickwheel::port_lock::irq_save()) irq;
};

/// The public part of a system. System provides clear(), tick(), insert(timer), and remove(timer) and pending(timer)
/// unless its timers are links. insert() and remove() are called with the lock held. insert() gets an
/// `expires` that lies at least a tick ahead.
template <class System, class Timer>
class peer {
public:
    using timer_type = Timer;
    static constexpr bool in_order = true;
    /// Bytes of a pending timer outside of the timer itself.
    static constexpr size_t bytes_beside = 0;

    void init(jiffies_t start)
    {
        now_ = start;
        self().clear();
    }

    jiffies_t now() const
    {
        return now_;
    }

    static void setup(Timer *timer, void (*function)(Timer *))
    {
        *timer = Timer();
        timer->function = function;
    }

    [[gnu::always_inline]] void arm(Timer *timer, jiffies_t expires)
    {
        const locked lock;
        expires = tickwheel_time_after(expires, now_) ? expires : now_ + 1;
        if (System::pending(timer)) {
            self().move(timer, expires);
        } else {
            timer->expires = expires;
            self().insert(timer);
        }
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

    static bool pending(const Timer *timer)
    {
        return timer->linked();
    }

protected:
    jiffies_t now_;

    static void remove(Timer *timer)
    {
        timer->unlink();
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
