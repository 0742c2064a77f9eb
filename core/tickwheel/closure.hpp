// SPDX-License-Identifier: MIT
/// @file
/// Callbacks of the timers in C++: calling a lambda, or a member function of an object.
#ifndef TICKWHEEL_CLOSURE_HPP
#define TICKWHEEL_CLOSURE_HPP

namespace tickwheel
{

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
    /// The object `owner` must live as long as somebody calls the closure.
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

} // namespace tickwheel

#endif
