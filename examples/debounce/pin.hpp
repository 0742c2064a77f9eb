// SPDX-License-Identifier: MIT
// Simulates a pin with a button: the contact is pressed, released and disturbed. Your
// firmware has a GPIO and its interrupt instead.
#ifndef DEBOUNCE_PIN_HPP
#define DEBOUNCE_PIN_HPP

#include <tickwheel/tickwheel.h>

namespace pin
{

/// Milliseconds from one change of the level to the next. The first change is to low.
constexpr unsigned pauses[] = {
    100,  1,  2,  1, 1, 3, 2, // pressed: it bounces
    300,  2,  1,  4, 1,       // released: it bounces again
    200,  1,                  // a disturbance: nobody has pressed the button
    150,  1,  1,  5, 1, 2, 1, // pressed
    1500, 3,  1,  1, 2, 1, 1, // released after a second and a half
    100,  19, 50, 1,          // two presses that are too short
};
constexpr unsigned changes = sizeof pauses / sizeof pauses[0];

inline unsigned done;
inline jiffies_t waited;

/// Low while the button is pressed.
inline bool is_low()
{
    return done % 2 != 0;
}

/// Call this once a tick. @return true if the level has changed, and a real pin would interrupt
inline bool tick()
{
    ++waited;
    if (done == changes || waited != tickwheel_msecs_to_jiffies(pauses[done])) {
        return false;
    }
    waited = 0;
    ++done;
    return true;
}

/// @return true if the last change was more than 100 ms ago
inline bool finished()
{
    return done == changes && waited > tickwheel_msecs_to_jiffies(100);
}

} // namespace pin

#endif
