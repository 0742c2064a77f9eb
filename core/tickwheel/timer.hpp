// SPDX-License-Identifier: MIT
/// @file
/// Timers for C++ programs: a timer_list with member functions. A static timer is a constant, so neither a
/// constructor nor a destructor runs. An object that contains a timer may need braces to be a constant: `static lamp
/// desk{};`.
///
/// periodic_timer.hpp has timers that repeat, long_timer.hpp timers beyond 2^31 ticks, inactivity_timer.hpp time-outs
/// that are restarted again and again.
#ifndef TICKWHEEL_TIMER_HPP
#define TICKWHEEL_TIMER_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>
#include <tickwheel/timer_state.h>

namespace tickwheel
{

/// @private Never defined. If GCC cannot remove a call of it, that is an error.
#if !defined(__clang__)
[[gnu::error("a negative number of ticks")]]
#endif
void negative_number_of_ticks();

/// @private As wheel::arm_idle_with(), on the default wheel.
extern "C" bool tickwheel_arm_idle_with_(timer_list *timer, jiffies_t expires, void (*function)(timer_list *),
                                         shared_word *word, uint32_t value);

/// @private As wheel::arm_if_deadline_is(), on the default wheel.
extern "C" void tickwheel_arm_if_deadline_is_(timer_list *timer, jiffies_t expires, const shared_word *deadline);
/// @private As wheel::end_wait(), on the default wheel.
extern "C" bool tickwheel_end_wait_(timer_list *timer, shared_word *deadline, bool in_callback);

/// The default wheel, with the names of a wheel<>.
struct c_wheel {
    /// As in wheel<>.
    static constexpr jiffies_t longest_delay = TICKWHEEL_LONGEST_DELAY;
    /// @{ The function of the C API.
    static jiffies_t jiffies()
    {
        return tickwheel_now_();
    }
    static uint64_t get_jiffies_64()
    {
        return tickwheel_get_jiffies_64();
    }
    static jiffies_t current_tick()
    {
        return tickwheel_current_tick();
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
        return tickwheel_mod_timer_idle(timer, expires);
    }
    static void set_function(timer_list *timer, void (*function)(timer_list *))
    {
#if TICKWHEEL_DEBUG
        tickwheel_timer_set_function_(timer, function);
#else
        store_function(timer, function);
#endif
    }
    static bool arm_idle_with(timer_list *timer, jiffies_t expires, void (*function)(timer_list *), shared_word &word,
                              uint32_t value)
    {
        return tickwheel_arm_idle_with_(timer, expires, function, &word, value);
    }
    static void arm_if_deadline_is(timer_list *timer, jiffies_t expires, const shared_word &deadline)
    {
        tickwheel_arm_if_deadline_is_(timer, expires, &deadline);
    }
    static bool end_wait(timer_list *timer, shared_word &deadline, bool in_callback)
    {
        return tickwheel_end_wait_(timer, &deadline, in_callback);
    }
    static int timer_reduce(timer_list *timer, jiffies_t expires)
    {
        return tickwheel_timer_reduce(timer, expires);
    }
    static int mod_timer_within(timer_list *timer, jiffies_t first, jiffies_t last)
    {
        return tickwheel_mod_timer_within(timer, first, last);
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
        return pending_now(timer);
    }
    /// @}
};

/// The wheel of timers that name no other.
inline c_wheel default_wheel;

/// A timer of `Wheel`, a wheel<> with static storage. Its callback is a plain function. Each function may be called
/// in the contexts of tickwheel.h, also in the timer's own callback. A start restarts a pending timer. The timer must
/// be idle when its storage ends. No kind of timer is copied or moved.
template <auto &Wheel>
class basic_timer : public timer_list {
public:
    /// Constructs an idle timer. `callback` is not null. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
    constexpr explicit basic_timer(void (*callback)(timer_list *), unsigned flags = 0)
        : timer_list(timer_initializer(callback, flags))
    {
    }
    /// A timer has a callback.
    basic_timer(decltype(nullptr), unsigned = 0) = delete;
    /// A timer is neither copied nor moved.
    basic_timer(const basic_timer &) = delete;
    basic_timer &operator=(const basic_timer &) = delete;

    /// Arms or moves the timer to the tick `tick`. Returns true if it was pending. See tickwheel_mod_timer().
    bool start_at(jiffies_t tick)
    {
        return Wheel.mod_timer(this, tick) > 0;
    }

    /// As start_at(), for the `ticks`th tick from now. The current tick has begun, so this takes between ticks - 1
    /// and ticks. A delay above 2^31 - 1 ticks counts as 2^31 - 1.
    template <class Number>
    bool start_after_ticks(Number ticks)
    {
        return start_at(Wheel.jiffies() + at_most(longest_delay, ticks));
    }

    /// As start_at(), after at least `ticks` whole ticks and less than one more. They count from
    /// the wheel's current_tick(). A longer delay ends 2^31 - 1 ticks after jiffies().
    template <class Number>
    bool start_after_at_least(Number ticks)
    {
        return start_at(after_at_least(at_most(longest_delay, ticks)));
    }

    /// Moves a pending timer, and leaves an idle one idle. Returns true if it was pending. See
    /// tickwheel_mod_timer_pending().
    bool move_to(jiffies_t tick)
    {
        return Wheel.mod_timer_pending(this, tick) > 0;
    }

    /// Arms an idle timer, and moves a pending one only to an earlier tick. Returns true if it was pending. See
    /// tickwheel_timer_reduce().
    bool start_no_later_than(jiffies_t tick)
    {
        return Wheel.timer_reduce(this, tick) > 0;
    }

    /// Arms or moves the timer to a tick of [first, last], so that it wakes a sleeper together with others. Returns
    /// true if it was pending. See tickwheel_mod_timer_within().
    bool start_within(jiffies_t first, jiffies_t last)
    {
        return Wheel.mod_timer_within(this, first, last) > 0;
    }

    /// Disarms the timer. Returns true if it was pending and will not fire. See tickwheel_timer_delete().
    bool cancel()
    {
        return Wheel.timer_delete(this) != 0;
    }

    /// True from arming until the runner takes the timer to call it. A snapshot.
    bool pending() const
    {
        return Wheel.timer_pending(this) != 0;
    }

    /// The tick that the timer was last armed for. In its callback, the tick that it fires for.
    jiffies_t expires() const
    {
        return *const_cast<const volatile jiffies_t *>(&this->timer_list::expires);
    }

    /// Ticks until the timer fires; 0 if it is due or idle. A snapshot.
    jiffies_t remaining() const
    {
        // In this order, because an interrupt may arm the timer between two reads. The tick is then that of an arm,
        // not one that an idle timer has kept. It is never compared with a `jiffies` from before its arm, from which
        // more ticks remain than were asked for.
        const bool is_pending = pending();
        const jiffies_t tick = expires();
        const jiffies_t now = Wheel.jiffies();
        return is_pending && tickwheel_time_after(tick, now) ? tick - now : 0;
    }

protected:
    /// The longest exact delay. A tick that is 2^31 or more ahead reads as past, so "for ever" would fire at once.
    static constexpr jiffies_t longest_delay = Wheel.longest_delay;
    /// `ticks`, or `longest` if it is more or negative. A fraction does not compile, and with optimisation neither
    /// does a negative constant.
    template <class Ticks, class Number>
    [[gnu::always_inline]] static Ticks at_most(Ticks longest, Number ticks)
    {
        using promoted = decltype(+ticks);
        const promoted number = ticks;
        static_assert(promoted{1} / 2 == 0, "a number of ticks is whole");
        bool negative = false;
        if constexpr (static_cast<promoted>(-1) < promoted{1}) {
            negative = number < 0;
#if !defined(__clang__)
            // Not with clang, which treats a variable as a constant on each path on which its value is known.
            if (__builtin_constant_p(ticks) && negative) {
                negative_number_of_ticks();
            }
#endif
        }
        // A number that is not negative keeps its value in the wider type.
        using wider = decltype(number + longest);
        return negative || static_cast<wider>(number) > static_cast<wider>(longest) ? longest
                                                                                    : static_cast<Ticks>(number);
    }

    /// The tick before which `ticks` whole ticks pass, at most the longest delay after `jiffies`.
    static jiffies_t after_at_least(jiffies_t ticks)
    {
        const jiffies_t counted = Wheel.jiffies();
        // The ticks to the next one that has not begun. It is 1 if no tick is pending.
        const jiffies_t upcoming = Wheel.current_tick() - counted + 1;
        return counted + (ticks < longest_delay - upcoming ? ticks + upcoming : longest_delay);
    }

    /// For a timer whose storage ends: nothing can arm it again.
    void end()
    {
        if (TICKWHEEL_DEBUG && Wheel.try_to_del_timer_sync(this) < 0) {
            tickwheel_bug("destroying a timer whose callback is running", this);
        }
        (void)Wheel.timer_shutdown(this);
    }
};

/// A timer of the default wheel with a plain function as its callback: 20 bytes.
class timer : public basic_timer<default_wheel> {
public:
    using basic_timer<default_wheel>::basic_timer;
};

/// Calls a closure with the timer that fired.
template <class Closure, class Timer>
auto call_closure(Closure &closure, Timer &timer, int) -> decltype(static_cast<void>(closure(timer)))
{
    closure(timer);
}
/// Calls a closure that takes no argument.
template <class Closure, class Timer>
auto call_closure(Closure &closure, Timer &, long) -> decltype(static_cast<void>(closure()))
{
    closure();
}

/// The class of a pointer to member.
template <class Function>
struct member_of;

/// The same, for any pointer to a member function.
template <class Function, class Object>
struct member_of<Function Object::*> {
    /// That class.
    using object = Object;
    /// @{ The part of an object that has this class. GCC warns of aliasing when `->*` converts the object.
    static Object &part_of(Object &whole)
    {
        return whole;
    }
    static const Object &part_of(const Object &whole)
    {
        // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): a timer keeps a reference, never a temporary.
        return whole;
    }
    /// @}
};

/// A closure that calls one member function of one object: `closure_timer<member<&lamp::toggle>> blink{this};`. In a
/// class, declare the function above the timer.
template <auto Function, class Object = typename member_of<decltype(Function)>::object>
class member {
    // For unevaluated use.
    static Object &object();

public:
    /// The object `owner` must live as long as the closure may be called.
    constexpr member(Object *owner) : self(owner)
    {
    }
    /// Calls the member function with the same arguments: none, or the timer.
    template <class... Arguments>
    auto operator()(Arguments &...arguments) const -> decltype(static_cast<void>((object().*Function)(arguments...)))
    {
        (member_of<decltype(Function)>::part_of(*self).*Function)(arguments...);
    }

private:
    Object *self;
};

/// A timer with its callback inside: a lambda, a member<> or another object, called with the timer or without
/// argument. `closure_timer blink{[&lamp] { lamp.toggle(); }};`. The timer grows by the size of its captures, or by 4
/// bytes without any. Nothing is allocated. C++ deduces the type of a lambda for a variable, but not for a member of
/// a class: use a member<> there.
template <class Closure, auto &Wheel = default_wheel>
class closure_timer : public basic_timer<Wheel> {
public:
    /// Constructs an idle timer. `flags` is 0 or TICKWHEEL_TIMER_DEFERRABLE.
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

/// A closure_timer, or any other timer type, whose destructor cancels it. C++ deduces a closure_timer:
/// `scoped_timer pause{[&motor] { motor.go(); }};`.
///
/// Do not destroy it in its own callback, or in an interrupt above that callback. Thread code outside callbacks is
/// always safe, if the runner interrupts it or is the same thread. A build with TICKWHEEL_DEBUG=1 reports this
/// misuse. In other builds the callback continues in storage that has ended, and nothing arms the timer again.
///
/// Do not give it static storage. Its destructor would be registered to run after main(), by functions that bare
/// metal does not have. All other kinds of timer need no destructor.
template <class Timer>
class scoped_timer : public Timer {
public:
    /// The constructors of `Timer`.
    using Timer::Timer;
    /// A timer is neither copied nor moved.
    scoped_timer(const scoped_timer &) = delete;
    scoped_timer &operator=(const scoped_timer &) = delete;
    /// Cancels the timer.
    ~scoped_timer()
    {
        this->end();
    }
};

/// A closure makes a scoped closure_timer.
template <class Closure>
scoped_timer(Closure) -> scoped_timer<closure_timer<Closure>>;
/// The same, with flags.
template <class Closure>
scoped_timer(Closure, unsigned) -> scoped_timer<closure_timer<Closure>>;

/// The common part of timers that re-arm themselves. An interrupt may start or stop such a timer at any moment
/// after the runner has detached it and before its re-arm. The interrupt must win.
///
/// A start and a stop use `enabled`, the flag that tickwheel_timer_shutdown() clears. A start has four steps:
/// disable(), enable(), the other words of the start, and mod_timer_idle(). If the last one returns 1, an interrupt
/// has started the timer, and may have written the same words. If it returns -1, an interrupt has stopped it before
/// this start. In both cases the start begins again.
template <auto &Wheel>
class rearming_timer : protected basic_timer<Wheel> {
protected:
    using basic_timer<Wheel>::basic_timer;

    /// Stops a timer that re-arms itself. Until enable() the wheel ignores every arm, also the re-arm of a
    /// callback below the caller. Returns true if the timer was pending.
    bool disable()
    {
        return Wheel.timer_shutdown(this) != 0;
    }
    /// False while the timer is shut down.
    bool is_enabled() const
    {
        return *static_cast<const volatile uint8_t *>(&this->enabled) != 0;
    }

    /// Ends a shutdown.
    void enable()
    {
        *static_cast<volatile uint8_t *>(&this->enabled) = 1;
    }
};

} // namespace tickwheel

#endif
