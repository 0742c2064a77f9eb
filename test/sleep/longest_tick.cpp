// SPDX-License-Identifier: MIT
// Ticks that only just fit in SysTick's 24 bits, which only low rates have: where a new clock leaves too little of
// one for a restart, it and the tick after it are no period of 24 bits.
#include "world.hpp"

#include <initializer_list>

using world::cpu;

static void change_before_the_edge(uint32_t counts)
{
    const uint32_t clock = counts * TICKWHEEL_HZ;
    for (uint32_t before = 400; before < 800 && !world::failing; ++before) {
        world::start(clock, 1, 1);
        cpu.pass(static_cast<uint64_t>(world::tick_start(2) - world::now() - before));
        world::look_at_time();
        if (!world::driver.clock_changed(clock)) {
            world::fail("refused");
        }
        world::go_on_at(clock);
        // By so much the tick may end early.
        world::slack_always = 1024;
        for (int64_t tick = 2; tick < 6 && !world::failing; ++tick) {
            const int64_t at = world::tick_start(tick) + 100;
            cpu.pass(at > world::now() ? static_cast<uint64_t>(at - world::now()) : 0);
            if (world::counted() != tick) {
                world::fail("jiffies %lld, to be %lld", static_cast<long long>(world::counted()),
                            static_cast<long long>(tick));
            }
            world::look_at_time();
        }
    }
}

int main()
{
    (void)snprintf(world::context, sizeof world::context, "the longest tick");
    for (const uint32_t counts : {1u << 24, (1u << 24) - 500, (1u << 24) - 1500, 3u << 22}) {
        world::begin_case();
        change_before_the_edge(counts);
        world::end_case();
    }
    printf("%u passed, %u failed\n", world::passed_cases, world::failed_cases);
    return world::failed_cases != 0;
}
