// SPDX-License-Identifier: MIT
// The checks' search for a timer that looks idle opens the lock: what interrupts do
// meanwhile is no misuse, and must not be reported as one.
#include "interrupt_host.hpp"
#include "support.hpp"

#if TICKWHEEL_DEBUG

TEST_CASE("misuse: an interrupt in the search for an idle timer arms, moves, deletes or runs it: no report")
{
    // Something in many slots, so that there are many openings; `timer` is armed among them.
    timer_list others[40] = {};
    timer_list timer = {};
    const auto prepare = [&] {
        unit::restart(1000);
        unit::forget();
        for (unsigned i = 0; i < 40; ++i) {
            tickwheel_timer_setup(&others[i], unit::note, 0);
            tickwheel_mod_timer(&others[i], 1000 + (1u << i % 31) + i);
        }
        tickwheel_timer_setup(&timer, unit::note, 0);
    };
    unsigned openings = 0;
    prepare();
    {
        const unit::interrupt_at_openings interrupt([&] { ++openings; });
        CHECK_EQ(tickwheel_mod_timer(&timer, 1500), 0);
    }
    // The last one is the call's end.
    CHECK(openings > 20);
    const jiffies_t where[] = {1001, 1040, 1000 + (1u << unit::slot_bits(3)), 1000 + (1u << unit::slot_bits(5)), 0};
    for (const jiffies_t tick : where) {
        for (unsigned then = 0; then < 4; ++then) {
            for (unsigned place = 0; place + 1 < openings; ++place) {
                for (unsigned later = 1; later < 4; ++later) {
                    prepare();
                    unsigned opening = 0;
                    int armed = 0;
                    {
                        // Arms it at one opening, and at another takes that back, or not.
                        const unit::interrupt_at_openings interrupt([&] {
                            if (opening == place) {
                                CHECK_EQ(tickwheel_mod_timer(&timer, tick), 0);
                            } else if (opening == place + later && then == 1) {
                                (void)tickwheel_timer_delete(&timer);
                            } else if (opening == place + later && then == 2) {
                                (void)tickwheel_advance(50);
                                (void)tickwheel_run();
                            } else if (opening == place + later && then == 3) {
                                CHECK_EQ(tickwheel_mod_timer(&timer, tick + 1000), 1);
                            }
                            ++opening;
                        });
                        armed = tickwheel_mod_timer(&timer, 1500);
                    }
                    CHECK_EQ(unit::misused, 0u);
                    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
                    CHECK((armed == 0 || armed == 1));
                }
            }
        }
    }
    unit::restart(1000);
}

#endif
