// SPDX-License-Identifier: MIT
// Simulates a radio and a far station that acknowledges each packet. Some packets and
// some acknowledgements are lost. Your firmware has the radio's driver and its
// interrupt instead.
#ifndef RETRANSMIT_RADIO_HPP
#define RETRANSMIT_RADIO_HPP

#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"

namespace radio
{

constexpr unsigned no_answer = 0;
/// Milliseconds until each transmission is acknowledged.
constexpr unsigned answers[] = {
    7,                                                     // packet 1
    no_answer, no_answer, 12,                              // packet 2
    55,        7,                                          // packet 3: late, so two acknowledgements come
    8,                                                     // packet 4
    no_answer, no_answer, no_answer, no_answer, no_answer, // packet 5
};
constexpr unsigned max_transmissions = sizeof answers / sizeof answers[0];

struct answer {
    volatile uint32_t packet;
    volatile jiffies_t due;
    volatile bool comes;
};
inline answer in_the_air[max_transmissions];
inline unsigned transmissions;

inline void send(uint32_t packet)
{
    print(tickwheel_jiffies_to_msecs(jiffies - TICKWHEEL_INITIAL_JIFFIES), " ms: packet ", packet, "\n");
    if (transmissions == max_transmissions) {
        return; // out of reach
    }
    const unsigned delay = answers[transmissions];
    answer &coming = in_the_air[transmissions++];
    coming.packet = packet;
    coming.due = jiffies + tickwheel_msecs_to_jiffies(delay);
    coming.comes = delay != no_answer;
}

/// Call this once a tick. @return the packet that is acknowledged in this tick, or 0
inline uint32_t acknowledged()
{
    for (answer &coming : in_the_air) {
        if (coming.comes && coming.due == jiffies) {
            return coming.packet;
        }
    }
    return 0;
}

} // namespace radio

#endif
