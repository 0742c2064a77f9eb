// SPDX-License-Identifier: MIT
// One test for the wheel and all of its peers.
#include "../../test/unit/unit_test.hpp"
#include "all.hpp"
#include "trial.hpp"

// Every system is started by init().
void unit::look_before_main()
{
}

#define SYSTEM(name)                                                                                                 \
    TEST_CASE(#name)                                                                                                 \
    {                                                                                                                \
        peers::trial<peers::name>::all();                                                                            \
    }
#ifdef TICKWHEEL_TEST_HOST
#define SYSTEM_ON_PC SYSTEM
#endif
#include "systems.def"

// Faults that would only cost a peer time. No timer would be late.

TEST_CASE("skip_list: a quarter of each lane is in the one above")
{
    using peers::skip_timer;
    static peers::skip_list system;
    static skip_timer timers[256];
    unsigned in_lane[3] = {};
    system.init(0);
    for (skip_timer &each : timers) {
        system.setup(&each, [](skip_timer *) {});
        system.arm(&each, 1000);
        for (unsigned lane = 0; lane < 3; ++lane) {
            in_lane[lane] += each.height > lane;
        }
    }
    CHECK_EQ(in_lane[0], 256u);
    // Four standard deviations to each side of a quarter of 256 and of 64.
    CHECK(in_lane[1] > 36);
    CHECK(in_lane[1] < 92);
    CHECK(in_lane[2] > 2);
    CHECK(in_lane[2] < 31);
}

#ifdef TICKWHEEL_TEST_HOST
TEST_CASE("linux_wheel: a timer hangs once in each of five levels")
{
    static peers::linux_wheel system;
    peers::list_timer timer;
    // No level's digit is 0, or the timer would skip that level.
    constexpr jiffies_t expires = 1u << 26 | 1u << 20 | 1u << 14 | 1u << 8 | 1;
    system.init(0);
    system.setup(&timer, [](peers::list_timer *) {});
    system.arm(&timer, expires);
    unsigned levels = 0;
    const peers::link *hung_at = nullptr;
    for (; system.now() != expires; system.tick()) {
        // The timer is alone in its slot, so its neighbour is the head.
        levels += timer.next != hung_at;
        hung_at = timer.next;
    }
    CHECK(!system.pending(&timer));
    CHECK_EQ(levels, 5u);
}

TEST_CASE("rounds_wheel: the lock is held for each timer that is taken from the queue, and opened after it")
{
    using peers::rounds_timer;
    static peers::rounds_wheel system;
    static rounds_timer timers[10];
    system.init(0);
    for (rounds_timer &each : timers) {
        system.setup(&each, [](rounds_timer *) {});
        system.arm(&each, 100);
    }
    const unsigned long before = tickwheel::interrupts.opened;
    system.tick();
    // The last opening is the look that finds the queue empty.
    CHECK_EQ(tickwheel::interrupts.opened, before + 11);
}
#endif
