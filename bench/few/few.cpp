// SPDX-License-Identifier: MIT
// Arms, cancels, moves and ticks with N timers, for each geometry.
#include "../wheel/workloads.hpp"

int main()
{
    using namespace bench;
    board::init();
    const unsigned count = timers_wanted();
    arms_and_cancels(count);
    moves(count, [](unsigned) {});
    busy_ticks(count);
    idle_ticks(count);
    return 0;
}
