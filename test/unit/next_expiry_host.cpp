// SPDX-License-Identifier: MIT
// next_expiry while interrupts ask the same question, and change what it walks over.
#include <memory>
#include <type_traits>

#include "interrupt_host.hpp"
#include "support.hpp"

static_assert(sizeof(tickwheel_slots.marks.words[0]) == sizeof(uint32_t), "a mark word is one word");
// A search reads the marks with the lock open. The type makes each read one load: a second load may see other marks.
static_assert(
    !std::is_same<decltype(tickwheel_slots.marks.words), uint32_t[sizeof tickwheel_slots.marks.words / 4]>::value,
    "a mark word is read by one load");

TEST_CASE("next_expiry: an interrupt asks with the same variable, and frees a timer that the walk has yet to read")
{
    // As firmware has it: static jiffies_t wake, used by the main loop and by an interrupt.
    static jiffies_t wake;
    for (unsigned victim = 0; victim < 3; ++victim) {
        std::unique_ptr<timer_list> timers[3];
        const unit::fresh wheel(1000);
        const unsigned openings = unit::at_every_opening(
            [&] {
                for (auto &timer : timers) {
                    if (timer) {
                        (void)tickwheel_timer_delete(timer.get());
                    }
                    timer = std::make_unique<timer_list>();
                    tickwheel_timer_setup(timer.get(), unit::note, 0);
                }
                // One slot of tv2, the earliest neither first nor last.
                (void)tickwheel_mod_timer(timers[0].get(), 1000 + 3 * unit::block_ticks + 20);
                (void)tickwheel_mod_timer(timers[1].get(), 1000 + 3 * unit::block_ticks + 10);
                (void)tickwheel_mod_timer(timers[2].get(), 1000 + 3 * unit::block_ticks + 30);
            },
            [&] { CHECK_EQ(tickwheel_next_expiry(&wake), 1); },
            [&] {
                (void)tickwheel_timer_delete(timers[victim].get());
                timers[victim].reset();
                CHECK_EQ(tickwheel_next_expiry(&wake), 1);
            },
            [&](bool taken) { CHECK_EQ(wake, 1000 + 3 * unit::block_ticks + (taken && victim == 1 ? 20 : 10)); });
        CHECK(openings > 3);
        for (auto &timer : timers) {
            if (timer) {
                (void)tickwheel_timer_delete(timer.get());
            }
        }
    }
}
