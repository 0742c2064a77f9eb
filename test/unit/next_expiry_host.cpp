// SPDX-License-Identifier: MIT
// next_expiry() while interrupts change what it walks over, or ask the same question. test/races/interleavings has
// each change at each interrupt window. Here are those that it cannot make: a broken slot, many changes, a caller's
// own variable.
#include <memory>
#include <type_traits>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

static_assert(sizeof(tickwheel_slots.marks.words[0]) == sizeof(uint32_t), "a mark word is one word");
// A search reads the marks with the lock open. The type makes each read one load: a second load may see other marks.
static_assert(
    !std::is_same<decltype(tickwheel_slots.marks.words), uint32_t[sizeof tickwheel_slots.marks.words / 4]>::value,
    "a mark word is read by one load");

jiffies_t next_expiry()
{
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_expiry(&tick), 1);
    return tick;
}

// Twelve timers of one slot, for 5000 to 5011; the first is the youngest.
struct dozen {
    unit::noted timers[12];
    unit::noted other;

    void arm()
    {
        (void)tickwheel_timer_delete(&other);
        for (unit::noted &timer : timers) {
            (void)tickwheel_timer_delete(&timer);
        }
        unit::restart(1000);
        for (jiffies_t i = 0; i < 12; ++i) {
            tickwheel_mod_timer(&timers[i], 5011 - i);
        }
    }
};

} // namespace

// requirement: TW-34
TEST_CASE("next_expiry notices that the timer it found was deleted or called, or that its broken slot was dropped")
{
    void (*const changes[])(timer_list *found) = {
        [](timer_list *found) { CHECK_EQ(tickwheel_timer_delete(found), 1); },
        // This is a run of the block's own tick without a cascade.
        [](timer_list *) { (void)unit::skip_to(1002); },
#if TICKWHEEL_DEBUG
        [](timer_list *found) {
            found->next = found;
            (void)unit::skip_to(1002);
        },
#endif
    };
    for (const auto change : changes) {
        const unit::fresh wheel(1000);
        unit::noted found;
        unit::armed later(1010);
        jiffies_t next = 0;
        const unsigned points = unit::at_every_interrupt_window(
            [&] {
                unit::restart(1000);
                tickwheel_timer_setup(&found, unit::note, 0);
                tickwheel_mod_timer(&found, 1002);
                tickwheel_mod_timer(&later, 1010);
            },
            [&] { next = next_expiry(); }, [&] { change(&found); },
            [&](bool taken, bool last) { CHECK_EQ(next, taken && !last ? 1010 : 1002); });
        CHECK(points > 1);
    }
}

TEST_CASE("next_expiry starts again sixteen times, then names no tick too late")
{
    static dozen *now;
    static jiffies_t far;
    dozen all;
    now = &all;
    far = 700000;
    unsigned points = 0;
    jiffies_t next = 0;
    const auto disturb_first = [&](unsigned disturbed) {
        all.arm();
        points = 0;
        const unit::interrupt_at_interrupt_windows interrupt([&] {
            if (points++ < disturbed) {
                (void)tickwheel_mod_timer(&all.other, ++far);
            }
        });
        next = next_expiry();
        return points;
    };
    const unsigned undisturbed = disturb_first(0);
    const unsigned attempt = disturb_first(1) - undisturbed;
    (void)disturb_first(15 * attempt);
    CHECK_EQ(next, 5000u);
    (void)disturb_first(16 * attempt);
    CHECK_EQ(next, tickwheel_clock.next_run);
    CHECK((next > 1000 && next < 5000));
    CHECK_EQ(next_expiry(), 5000u);
    // In a callback the answer is not later than the rest of its tick.
    static jiffies_t in_callback;
    unit::armed asking(4999, [](timer_list *) {
        const unit::interrupt_at_interrupt_windows interrupt([] { (void)tickwheel_mod_timer(&now->other, ++far); });
        in_callback = next_expiry();
    });
    unit::armed same_tick(4999);
    CHECK_EQ(unit::skip_to(4999), 2u);
    CHECK_EQ(in_callback, 4999u);
}

TEST_CASE("an interrupt may ask next_expiry with the same variable, and free a timer that the search has yet to read")
{
    // Firmware may use one static variable in the main loop and in an interrupt.
    static jiffies_t wake;
    for (unsigned victim = 0; victim < 3; ++victim) {
        const unit::fresh wheel(1000);
        constexpr jiffies_t first = 1000 + 3 * unit::block_ticks;
        std::unique_ptr<unit::armed> timers[3];
        const unsigned points = unit::at_every_interrupt_window(
            [&] {
                // One slot of tv2, the earliest neither first nor last.
                for (unsigned i = 0; i < 3; ++i) {
                    constexpr jiffies_t after[] = {20, 10, 30};
                    timers[i] = std::make_unique<unit::armed>(first + after[i]);
                }
            },
            [&] { CHECK_EQ(tickwheel_next_expiry(&wake), 1); },
            [&] {
                timers[victim].reset();
                CHECK_EQ(tickwheel_next_expiry(&wake), 1);
            },
            [&](bool taken, bool /*last*/) { CHECK_EQ(wake, first + (taken && victim == 1 ? 20 : 10)); });
        CHECK(points > 3);
    }
}
