// SPDX-License-Identifier: MIT
// Ticks that only just fit in SysTick's 24 bits, which only low rates have: where a new clock leaves too little of
// one for a restart, it and the tick after it are no period of 24 bits.
#include "simulation.hpp"

#include <initializer_list>

using simulation::cpu;

static void change_before_the_edge(uint32_t counts)
{
    const uint32_t clock = counts * TICKWHEEL_HZ;
    for (uint32_t before = 400; before < 800 && !simulation::failing; ++before) {
        simulation::start(clock, 1, 1);
        cpu.pass(static_cast<uint64_t>(simulation::tick_start(2) - simulation::now() - before));
        simulation::look_at_time();
        if (!simulation::driver.clock_changed(clock)) {
            simulation::fail("refused");
        }
        simulation::go_on_at(clock);
        // By so much the tick may end early.
        simulation::slack_always = 1024;
        for (int64_t tick = 2; tick < 6 && !simulation::failing; ++tick) {
            const int64_t at = simulation::tick_start(tick) + 100;
            cpu.pass(at > simulation::now() ? static_cast<uint64_t>(at - simulation::now()) : 0);
            if (simulation::counted() != tick) {
                simulation::fail("jiffies %lld, to be %lld", static_cast<long long>(simulation::counted()),
                                 static_cast<long long>(tick));
            }
            simulation::look_at_time();
        }
    }
}

int main()
{
    (void)snprintf(simulation::context, sizeof simulation::context, "the longest tick");
    for (const uint32_t counts : {1u << 24, (1u << 24) - 500, (1u << 24) - 1500, 3u << 22}) {
        simulation::begin_case();
        change_before_the_edge(counts);
        simulation::end_case();
    }
    printf("%u passed, %u failed\n", simulation::passed_cases, simulation::failed_cases);
    return simulation::failed_cases != 0;
}
