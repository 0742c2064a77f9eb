// SPDX-License-Identifier: MIT
// Simulates what surrounds the chip: a button that bounces, a serial line, and a thermometer whose bus hangs in the
// end. Your firmware has pins, a UART and their interrupts instead.
#pragma once

#include <tickwheel/tickwheel.h>

namespace device
{

/// Milliseconds since the start.
inline unsigned now()
{
    return tickwheel_jiffies_to_msecs(jiffies - TICKWHEEL_INITIAL_JIFFIES);
}

/// When the contact of the button changes. The first change closes it.
constexpr uint16_t changes[] = {
    400,  401,  403,                    // pressed: it bounces
    520,  521,  522,                    // released
    1400, 1402, 1403, 1500,             // pressed and released
    1600, 1700,                         // again, before the relay has rested
    2000, 2001,                         // a disturbance: nobody has pressed the button
    6000, 6001, 6002, 7300, 7302, 7303, // held for more than a second
};
/// When a byte comes on the serial line: two frames.
constexpr uint16_t bytes[] = {900, 902, 904, 2500, 2502};
/// From then on the thermometer does not answer.
constexpr unsigned bus_hangs = 9000;

inline uint8_t changed;
inline uint8_t received;

/// @return true if the next of these times has come. Counts it in `done`
template <unsigned Count>
bool happens(const uint16_t (&times)[Count], uint8_t &done)
{
    const bool is_now = done < Count && times[done] <= now();
    done = static_cast<uint8_t>(done + is_now);
    return is_now;
}

/// @{ Call each once a tick. @return true if a real pin or UART would interrupt
inline bool contact_changes()
{
    return happens(changes, changed);
}
inline bool byte_comes()
{
    return happens(bytes, received);
}
/// @}

inline bool contact_is_closed()
{
    return changed % 2 != 0;
}

/// Waits for the thermometer's answer: degrees.
inline unsigned temperature()
{
    while (now() >= bus_hangs) {
    }
    return 20 + now() / 1000;
}

} // namespace device
