// SPDX-License-Identifier: MIT
// tickwheel_advance(), and the jump over empty blocks: for firmware that sleeps.
#include <tickwheel/default_wheel.hpp>

extern "C" {

int tickwheel_advance(uint32_t ticks)
{
    return wheel.advance(ticks);
}

jiffies_t tickwheel_jump_()
{
    return tickwheel::event_search<tickwheel::default_geometry>::jump(tickwheel_slots.marks, tickwheel_clock);
}
}
