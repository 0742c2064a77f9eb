// SPDX-License-Identifier: MIT
// What a C++ program embeds: a timer_list with members, on the default wheel.
// Static ones are constants: no constructor runs for them, and no destructor.
// (For an object that has a timer as a member GCC needs the braces: `static lamp
// desk{};`, or a constexpr constructor.)
#ifndef TICKWHEEL_TIMER_HPP
#define TICKWHEEL_TIMER_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// A timer of the default wheel with a plain function as its callback. Must be idle when its storage ends.
class timer : public timer_list {
public:
    constexpr explicit timer(void (*callback)(timer_list *), unsigned flags = 0)
        : timer_list(timer_initializer(callback, flags))
    {
    }
    timer(const timer &) = delete;
    timer &operator=(const timer &) = delete;

    /// Arms or moves it to the tick `tick`. Any context. True when it was pending. See tickwheel_mod_timer().
    bool start_at(jiffies_t tick)
    {
        return tickwheel_mod_timer(this, tick) != 0;
    }

    /// Arms or moves it to the `ticks`th tick from now: between ticks - 1 and ticks whole ticks of time.
    bool start_after_ticks(jiffies_t ticks)
    {
        return start_at(::jiffies + ticks);
    }

    /// Arms or moves it so that `ticks` whole ticks of time pass first, and less than one more. At most 2^31 - 2.
    bool start_after_at_least(jiffies_t ticks)
    {
        return start_at(::jiffies + ticks + 1);
    }

    /// Disarms it; true when it was pending and will not fire. See tickwheel_timer_delete().
    bool cancel()
    {
        return tickwheel_timer_delete(this) != 0;
    }

    /// True from arming until the callback is about to be called. A snapshot.
    bool pending() const
    {
        return tickwheel_timer_pending(this) != 0;
    }

    /// The tick that it was last armed for; in its callback, the tick that it fires for.
    jiffies_t expires() const
    {
        return timer_list::expires;
    }

    /// Ticks until it fires, 0 when that is due, or when it is idle. A snapshot.
    jiffies_t remaining() const
    {
        const jiffies_t now = ::jiffies;
        const jiffies_t tick = expires();
        return pending() && tickwheel_time_after(tick, now) ? tick - now : 0;
    }
};

/// A timer with its callback inside: anything that can be called without arguments, such as a lambda or a member<>.
/// It may capture what it likes; nothing is allocated.
template <class Closure>
class closure_timer : public timer {
public:
    constexpr explicit closure_timer(Closure closure, unsigned flags = 0)
        : timer(call, flags), callback(static_cast<Closure &&>(closure))
    {
    }

private:
    static void call(timer_list *fired)
    {
        static_cast<closure_timer *>(fired)->callback();
    }

    Closure callback;
};

template <class Member>
struct member_of;

template <class Object>
struct member_of<void (Object::*)()> {
    using object = Object;
};

template <class Object>
struct member_of<void (Object::*)() noexcept> {
    using object = Object;
};

template <class Object>
struct member_of<void (Object::*)() const> {
    using object = const Object;
};

template <class Object>
struct member_of<void (Object::*)() const noexcept> {
    using object = const Object;
};

/// A call of one member function of one object, as a closure: closure_timer<member<&lamp::toggle>> blink{this};
template <auto Function>
class member {
public:
    using object = typename member_of<decltype(Function)>::object;

    constexpr member(object *owner) : self(owner)
    {
    }
    void operator()() const
    {
        (self->*Function)();
    }

private:
    object *self;
};

} // namespace tickwheel

#endif
