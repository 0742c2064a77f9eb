/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The words of a timer as the C++ of the library sets and reads them. In C this is only tickwheel.h.
 */
#ifndef TICKWHEEL_TIMER_STATE_H
#define TICKWHEEL_TIMER_STATE_H

#include <tickwheel/tickwheel.h>

#ifdef __cplusplus
/* A driver may include timer.h inside extern "C". */
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
/// @private Gives a timer of the default wheel another function, pending or not. The seal stays valid.
extern "C" void tickwheel_timer_set_function_(timer_list *timer, void (*function)(timer_list *));
#endif

/// @private While an inactivity timer does not wait, this is the number of its slot, which no slot has.
constexpr uint16_t not_waiting = 0xFFFF;
/// @private As tickwheel_timer_pending(), of a timer that is not null.
inline bool pending_now(const timer_list *timer)
{
    return *const_cast<timer_list *const volatile *>(&timer->prev) != nullptr;
}
/// @private Whether an inactivity timer is waiting for its deadline.
inline bool is_waiting(const timer_list *timer)
{
    return *static_cast<const volatile uint8_t *>(&timer->enabled) != 0 &&
           *static_cast<const volatile uint16_t *>(&timer->slot) != not_waiting;
}

/// @private Stores the function at once. The compiler must not omit the store, because an interrupt may call the
/// function from then on.
inline void store_function(timer_list *timer, void (*function)(timer_list *))
{
    using function_type = void (*)(timer_list *);
    *static_cast<volatile function_type *>(&timer->function) = function;
}

} // namespace tickwheel
}

#endif
#endif
