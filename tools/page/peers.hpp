// SPDX-License-Identifier: MIT
// The two algorithms that the page compares with the wheel: an ordered list and a binary heap, from bench/peers.
#ifndef TICKWHEEL_PAGE_PEERS_HPP
#define TICKWHEEL_PAGE_PEERS_HPP

#include <tickwheel/jiffies.h>

namespace page
{

constexpr unsigned timer_count = 1024;

enum system : unsigned { wheel, ordered_list, binary_heap, system_count };
constexpr system both_peers[] = {ordered_list, binary_heap};

/// Empties both peers and sets their clocks.
void start_peers(jiffies_t at);
void arm_in_peer(system which, unsigned index, jiffies_t expires);
void cancel_in_peer(system which, unsigned index);
void advance_peer(system which, jiffies_t ticks);
bool pending_in_peer(system which, unsigned index);

/// A timer of this system fires. Returns after how many ticks it fires again, or 0.
jiffies_t fires_in(system which, unsigned index);

} // namespace page

#endif
