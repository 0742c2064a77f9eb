// SPDX-License-Identifier: MIT
/// @file
/// What a C++ program embeds: a timer_list with members. Static ones are
/// constants: no constructor runs for them, and no destructor. (An object that has
/// a timer as a member may need braces for that: `static lamp desk{};`.)
///
/// periodic_timer.hpp, long_timer.hpp and scoped_timer.hpp have the timers that
/// re-arm themselves, reach beyond 2^31 ticks, and end with their storage.
#ifndef TICKWHEEL_TIMER_HPP
#define TICKWHEEL_TIMER_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The wheel behind the C face, by the names that a wheel<> has.
struct c_wheel {
    /// @{ The function of the C face.
    static jiffies_t jiffies()
    {
        return ::jiffies;
    }
    static uint64_t get_jiffies_64()
    {
        return tickwheel_get_jiffies_64();
    }
    static int mod_timer(timer_list *timer, jiffies_t expires)
    {
        return tickwheel_mod_timer(timer, expires);
    }
    static int mod_timer_pending(timer_list *timer, jiffies_t expires)
    {
        return tickwheel_mod_timer_pending(timer, expires);
    }
    static int mod_timer_idle(timer_list *timer, jiffies_t expires)
    {
        const int was_pending = tickwheel_mod_timer_idle(timer, expires);
        if (was_pending < 0) {
            // It takes any number: what a start does when a wheel refuses it is not compiled for this one.
            __builtin_unreachable();
        }
        return was_pending;
    }
    static void set_function(timer_list *timer, void (*function)(timer_list *))
    {
#if TICKWHEEL_DEBUG
        tickwheel_timer_set_function_(timer, function);
#else
        store_function(timer, function);
#endif
    }
    static int timer_reduce(timer_list *timer, jiffies_t expires)
    {
        return tickwheel_timer_reduce(timer, expires);
    }
    static int timer_delete(timer_list *timer)
    {
        return tickwheel_timer_delete(timer);
    }
    static int try_to_del_timer_sync(timer_list *timer)
    {
        return tickwheel_try_to_del_timer_sync(timer);
    }
    static int timer_shutdown(timer_list *timer)
    {
        return tickwheel_timer_shutdown(timer);
    }
    static int timer_pending(const timer_list *timer)
    {
        return tickwheel_timer_pending(timer);
    }
    /// @}
};

/// Where timers go that name no wheel of their own.
inline c_wheel default_wheel;

/// A timer of `Wheel`, a wheel<> of static storage, with a plain function as its callback. Every start_ restarts a
/// pending timer, and may be called from any context and from its own callback. Must be idle when its storage ends.
/// A timer stays where it is, as a mutex does: no kind of timer is copied or moved.
/// Where a full limited<> wheel refuses a start that returns false and the timer stays idle: pending() tells.
template <auto &Wheel>
class basic_timer : public timer_list {
public:
    /// An idle timer; `callback` is not null, `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit basic_timer(void (*callback)(timer_list *), unsigned flags = 0)
        : timer_list(timer_initializer(callback, flags))
    {
    }
    /// A timer has a callback.
    basic_timer(decltype(nullptr), unsigned = 0) = delete;
    /// A timer is neither copied nor moved.
    basic_timer(const basic_timer &) = delete;
    basic_timer &operator=(const basic_timer &) = delete;

    /// Arms or moves it to the tick `tick`. True when it was pending. See tickwheel_mod_timer().
    bool start_at(jiffies_t tick)
    {
        return Wheel.mod_timer(this, tick) > 0;
    }

    /// Arms or moves it to the `ticks`th tick from now: between ticks - 1 and ticks whole ticks of time. A longer
    /// delay than 2^31 - 1 ticks is taken as that.
    bool start_after_ticks(jiffies_t ticks)
    {
        return start_at(Wheel.jiffies() + at_most_longest(ticks));
    }

    /// Arms or moves it so that `ticks` whole ticks of time pass first, and less than one more. A longer delay than
    /// 2^31 - 2 ticks is taken as that.
    bool start_after_at_least(jiffies_t ticks)
    {
        return start_at(Wheel.jiffies() + at_least(ticks));
    }

    /// Moves it to the tick `tick` only if it is pending, which is what it returns. See
    /// tickwheel_mod_timer_pending().
    bool move_to(jiffies_t tick)
    {
        return Wheel.mod_timer_pending(this, tick) > 0;
    }

    /// Arms it at `tick` if it is idle, and never makes a pending one later. See tickwheel_timer_reduce().
    bool start_no_later_than(jiffies_t tick)
    {
        return Wheel.timer_reduce(this, tick) > 0;
    }

    /// Disarms it; true when it was pending and will not fire. See tickwheel_timer_delete().
    bool cancel()
    {
        return Wheel.timer_delete(this) != 0;
    }

    /// True from arming until the callback is about to be called. A snapshot.
    bool pending() const
    {
        return Wheel.timer_pending(this) != 0;
    }

    /// The tick that it was last armed for; in its callback, the tick that it fires for.
    jiffies_t expires() const
    {
        return timer_list::expires;
    }

    /// Ticks until it fires, 0 when that is due, or when it is idle. A snapshot.
    jiffies_t remaining() const
    {
        const jiffies_t now = Wheel.jiffies();
        const jiffies_t tick = expires();
        return pending() && tickwheel_time_after(tick, now) ? tick - now : 0;
    }

protected:
    /// The longest relative delay. One tick more would read as past, and "for ever" would fire at once.
    static constexpr jiffies_t longest_delay = 0x7FFFFFFF;
    /// `ticks`, or the longest delay.
    static constexpr jiffies_t at_most_longest(jiffies_t ticks)
    {
        return ticks < longest_delay ? ticks : longest_delay;
    }
    /// The delay in which `ticks` whole ticks pass, the one under way not being whole: the one place that rounds.
    static constexpr jiffies_t at_least(jiffies_t ticks)
    {
        return ticks < longest_delay ? ticks + 1 : longest_delay;
    }

    /// For a timer that ends with its storage: nothing arms it any more.
    void end()
    {
        if (TICKWHEEL_DEBUG && Wheel.try_to_del_timer_sync(this) < 0) {
            tickwheel_bug("destroying a timer whose callback is running", this);
        }
        (void)Wheel.timer_shutdown(this);
    }

    /// For a timer that re-arms itself after a firing. From here to make_idle() nobody's arm counts, not even that of
    /// a firing which is under way below the caller. True when it was pending.
    bool stop_rearming()
    {
        bool was_pending = false;
        do {
            was_pending |= Wheel.timer_shutdown(this) != 0;
            // Again, when a start in an interrupt came between shutdown's mark and its deletion.
        } while (takes_arms());
        return was_pending;
    }
    /// False while it is shut down.
    bool takes_arms() const
    {
        return *static_cast<const volatile uint8_t *>(&enabled) != 0;
    }

    /// The first of the three steps that start it; the second writes what else a start consists of, and the third is
    /// mod_timer_idle(). When that finds it pending, an interrupt has started it meanwhile, and perhaps written the
    /// same words: then all three are done again. True when it was pending.
    bool make_idle()
    {
        const bool was_pending = stop_rearming();
        *static_cast<volatile uint8_t *>(&enabled) = 1;
        return was_pending;
    }
};

/// A timer of the default wheel with a plain function as its callback: 20 bytes.
class timer : public basic_timer<default_wheel> {
public:
    using basic_timer<default_wheel>::basic_timer;
};

/// Calls a closure with the timer that fired, or if it takes none, without.
template <class Closure, class Timer>
auto call_closure(Closure &closure, Timer &timer, int) -> decltype(static_cast<void>(closure(timer)))
{
    closure(timer);
}
/// The same of a closure that takes no argument.
template <class Closure, class Timer>
auto call_closure(Closure &closure, Timer &, long) -> decltype(static_cast<void>(closure()))
{
    closure();
}

/// A timer with its callback inside, at the cost of what that captures, or 4 bytes when that is nothing: anything
/// that can be called without arguments or with the timer, such as a lambda (`closure_timer blink{[&lamp] {
/// lamp.toggle(); }};`) or a member<>. Nothing is allocated. C++ deduces the closure's type for a variable, but not
/// for a member of a class: there it is a member<>.
template <class Closure, auto &Wheel = default_wheel>
class closure_timer : public basic_timer<Wheel> {
public:
    /// An idle timer; `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit closure_timer(Closure closure, unsigned flags = 0)
        : basic_timer<Wheel>(call, flags), callback(static_cast<Closure &&>(closure))
    {
    }

private:
    static void call(timer_list *fired)
    {
        closure_timer *const self = static_cast<closure_timer *>(fired);
        call_closure(self->callback, *self, 0);
    }

    Closure callback;
};

/// The class that a pointer to member points into.
template <class Function>
struct member_of;

/// Of a function, const, noexcept or neither.
template <class Function, class Object>
struct member_of<Function Object::*> {
    /// That class.
    using object = Object;
};

/// A call of one member function of one object, as a closure: closure_timer<member<&lamp::toggle>> blink{this};
/// In a class the function is declared first, the timer below it.
template <auto Function, class Object = typename member_of<decltype(Function)>::object>
class member {
    // For unevaluated use.
    static Object &object();

public:
    /// Of the object `owner`, which must live as long as the closure is called.
    constexpr member(Object *owner) : self(owner)
    {
    }
    /// Calls it with what it is given: nothing, or the timer.
    template <class... Arguments>
    auto operator()(Arguments &...arguments) const -> decltype(static_cast<void>((object().*Function)(arguments...)))
    {
        (self->*Function)(arguments...);
    }

private:
    Object *self;
};

/// A member<> by deduction: closure_timer blink{bind<&lamp::toggle>(&desk)};
template <auto Function, class Object>
constexpr member<Function, Object> bind(Object *owner)
{
    return {owner};
}

} // namespace tickwheel

#endif
