// SPDX-License-Identifier: MIT
// A program without tickwheel_advance(): the default wheel has no jump over empty blocks, and goes on block by block.
// The weak name is another one here, which no object defines.
#define tickwheel_jump_ tickwheel_jump_that_nobody_defines_
#include <tickwheel/default_wheel.hpp>
#undef tickwheel_jump_

#include "support.hpp"

TEST_CASE("without tickwheel_advance a late run fires every timer, in order")
{
    const unit::fresh fresh(1000);
    const jiffies_t delays[] = {1, unit::block_ticks, 3 * unit::block_ticks + 7, 70 * unit::block_ticks};
    unit::noted timers[4];
    for (unsigned i = 0; i < 4; ++i) {
        tickwheel_mod_timer(&timers[i], 1000 + delays[i]);
    }
    (void)tickwheel_advance(100 * unit::block_ticks);
    CHECK_EQ(wheel.run(), 4u);
    CHECK(unit::fired_as_armed(timers, 4));
}
