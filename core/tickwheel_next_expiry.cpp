// SPDX-License-Identifier: MIT
// tickwheel_next_expiry(), for firmware that asks for the exact tick. A sleeper
// needs only tickwheel_next_event().
#include <tickwheel/default_wheel.hpp>

extern "C" int tickwheel_next_expiry(jiffies_t *expires)
{
    return wheel.next_expiry(expires);
}
