// SPDX-License-Identifier: MIT
// round_jiffies() and its kin: whole seconds of the 32-bit counter, never into the past.
#include <tickwheel/tickwheel.h>

#include "support.hpp"

namespace
{

constexpr jiffies_t hz = TICKWHEEL_HZ;

} // namespace

TEST_CASE("rounding goes to a whole second from every remainder")
{
    const unit::fresh wheel(10 * hz);
    for (jiffies_t remainder = 0; remainder < hz; ++remainder) {
        const jiffies_t expires = 20 * hz + remainder;
        const jiffies_t nearest = remainder < hz / 4 ? 20 * hz : 21 * hz;
        CHECK_EQ(tickwheel_round_jiffies(expires), nearest);
        CHECK_EQ(tickwheel_round_jiffies_relative(10 * hz + remainder), nearest - 10 * hz);
        CHECK_EQ(tickwheel_round_jiffies_up(expires), 21 * hz);
        CHECK_EQ(tickwheel_round_jiffies_up_relative(10 * hz + remainder), 11 * hz);
    }
}

TEST_CASE("a tick in the past is rounded up, or comes back as it was; across the wrap rounding stays after now")
{
    {
        const unit::fresh wheel(10 * hz);
        CHECK_EQ(tickwheel_round_jiffies(5 * hz + 1), 5 * hz + 1);
        CHECK_EQ(tickwheel_round_jiffies(10 * hz), 10 * hz);
        CHECK_EQ(tickwheel_round_jiffies_relative(0), 0u);
        CHECK_EQ(tickwheel_round_jiffies_up(10 * hz), 11 * hz);
    }
    const unit::fresh wheel(0u - 3u);
    for (jiffies_t delay = 1; delay < 3 * hz; ++delay) {
        const jiffies_t rounded = tickwheel_round_jiffies_relative(delay);
        CHECK((rounded != 0 && rounded <= delay + hz));
        CHECK(tickwheel_round_jiffies_up_relative(delay) <= delay + hz);
    }
}
