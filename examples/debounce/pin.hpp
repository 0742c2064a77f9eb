// SPDX-License-Identifier: MIT
// A pin with a button on it, played: what a contact does when it is pressed,
// released, and disturbed. In your firmware a GPIO and its interrupt stand here.
#ifndef DEBOUNCE_PIN_HPP
#define DEBOUNCE_PIN_HPP

#include <tickwheel/tickwheel.h>

#include "../played_interrupt.hpp"

namespace pin
{

/// Milliseconds from one change of the level to the next; the first is to low.
constexpr unsigned pauses[] = {
    100,  1,  2,  1, 1, 3, 2, // pressed: it bounces,
    300,  2,  1,  4, 1,       // and again when it is released
    200,  1,                  // a disturbance: nobody has pressed it
    150,  1,  1,  5, 1, 2, 1, // pressed
    1500, 3,  1,  1, 2, 1, 1, // released after a second and a half
    100,  19, 50, 1,          // twice too short
};
constexpr unsigned changes = sizeof pauses / sizeof pauses[0];

inline unsigned done;
inline jiffies_t waited;

/// Low while the button is pressed.
inline bool is_low()
{
    return done % 2 != 0;
}

/// Once a tick.
inline void play()
{
    ++waited;
    if (done != changes && waited == tickwheel_msecs_to_jiffies(pauses[done])) {
        waited = 0;
        ++done;
        played_interrupt::raise();
    }
}

/// The last change was a while ago.
inline bool played_out()
{
    return done == changes && waited > tickwheel_msecs_to_jiffies(100);
}

} // namespace pin

#endif
