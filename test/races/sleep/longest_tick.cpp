// SPDX-License-Identifier: MIT
// Ticks that only just fit in SysTick's 24 bits, which only low rates have. If a new clock leaves too little of one
// for a restart, that rest and the next tick do not fit in one period.
#include "simulation.hpp"

#include <initializer_list>

using namespace simulation;

static void change_before_the_wrap(uint32_t counts)
{
    const uint32_t clock = counts * TICKWHEEL_HZ;
    for (uint32_t before = 400; before < 800 && goes_on(); ++before) {
        start(clock);
        cpu.pass(static_cast<uint64_t>(tick_start(2) - now() - before));
        look_at_time();
        check(driver.clock_changed(clock), "refused", clock);
        go_on_at(clock);
        // The tick may end early by so many counts.
        slack_always = 1024;
        for (int64_t tick = 2; tick < 6 && goes_on(); ++tick) {
            work_until(tick, -100);
            check(counted() == tick, "jiffies in tick", counted(), tick);
            look_at_time();
        }
    }
}

int main()
{
    for (const uint32_t counts : {1u << 24, (1u << 24) - 500, (1u << 24) - 1500, 3u << 22}) {
        begin_case("the longest tick");
        change_before_the_wrap(counts);
        end_case();
    }
    return finish();
}
