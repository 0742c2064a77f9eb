// SPDX-License-Identifier: MIT
// How C++ writes a timer: as a constant, and its function at run time.
#ifndef TICKWHEEL_TIMER_INITIALIZER_HPP
#define TICKWHEEL_TIMER_INITIALIZER_HPP

#include <tickwheel/tickwheel.h>

// A driver may include this in extern "C".
extern "C++" {
namespace tickwheel
{

#if TICKWHEEL_DEBUG
#define TICKWHEEL_UNSEALED , 0
#else
#define TICKWHEEL_UNSEALED
#endif

/// The initialiser of a timer that has a function. It is a constant, so a static timer needs no constructor. It does
/// not test the function for null: GCC cannot decide that for a function which may be weak.
constexpr timer_list timer_initializer(void (*function)(timer_list *), unsigned flags)
{
    return {nullptr,
            nullptr,
            function,
            0,
            0,
            static_cast<uint8_t>(flags & TICKWHEEL_TIMER_DEFERRABLE),
            1 TICKWHEEL_UNSEALED};
}
#undef TICKWHEEL_UNSEALED

#if TICKWHEEL_DEBUG
/// @private Gives a timer of the default wheel another function, pending or not. The seal stays right.
extern "C" void tickwheel_timer_set_function_(timer_list *timer, void (*function)(timer_list *));
#endif

/// @private Stores the function at once: an interrupt may call it from then on, so no compiler may leave the store
/// out.
inline void store_function(timer_list *timer, void (*function)(timer_list *))
{
    using function_type = void (*)(timer_list *);
    *static_cast<volatile function_type *>(&timer->function) = function;
}

} // namespace tickwheel
}

#endif
