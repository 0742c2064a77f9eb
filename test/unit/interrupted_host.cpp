// SPDX-License-Identifier: MIT
// A run and next_expiry() while interrupts change the wheel. test/races/interleavings has each change at each
// interrupt window. Here is what it cannot make: a budget, memory that is used again, a broken slot, many changes.
#include <initializer_list>
#include <memory>
#include <type_traits>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

using unit::block_before;
using unit::crowded;

// The first `size` of them.
void arm(timer_list *timers, unsigned size, jiffies_t tick, void (*callback)(timer_list *) = unit::note)
{
    for (unsigned i = 0; i < size; ++i) {
        tickwheel_timer_setup(&timers[i], callback, 0);
        tickwheel_mod_timer(&timers[i], tick);
    }
}

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

TEST_CASE("timers that cascade take their steps off the budget, which a tick meanwhile does not renew")
{
    for (const unsigned budget : {3u, 10u}) {
        const unit::fresh wheel(unit::crowd_start);
        unit::armed far[4] = {unit::armed(crowded), unit::armed(crowded), unit::armed(crowded), unit::armed(crowded)};
        CHECK_EQ(unit::skip_to(block_before - 2), 0u);
        CHECK_EQ(tickwheel_tick(), 1);
        // The last tick of a block is an empty step, and its end seven. So is the first tick of the next one.
        CHECK_EQ(tickwheel_run_budget(8), 0u);
        unit::noted near[20];
        for (unit::noted &each : near) {
            tickwheel_mod_timer(&each, block_before + 1);
        }
        CHECK_EQ(tickwheel_tick(), 1);
        bool counted = false;
        const unit::interrupt_at_interrupt_windows between_two_moves([&] {
            if (!counted && far[3].slot < unit::geometry::tvr_size) {
                counted = true;
                CHECK_EQ(tickwheel_tick(), 1);
            }
        });
        CHECK_EQ(tickwheel_run_budget(1 + budget), budget > 4 ? budget - 4 : 0);
        CHECK(counted);
    }
}

TEST_CASE("a run cascades 125 timers ahead, less one for each of its callbacks, but always 64, for a whole block")
{
    static timer_list others[130];
    static timer_list crowd[125 * unit::block_ticks];
    struct {
        unsigned callbacks, moves;
    } constexpr rows[] = {{0, 125}, {20, 105}, {130, 64}};
    for (const auto &row : rows) {
        const unit::fresh wheel(unit::crowd_start);
        // With callbacks, all timers have moved a few runs before the last one.
        const unsigned size = (row.callbacks == 0 ? unit::block_ticks : unit::block_ticks - 4) * row.moves;
        arm(crowd, size, crowded + 1);
        CHECK_EQ(unit::skip_to(block_before - 3), 0u);
        arm(others, row.callbacks, unit::now() + 1, [](timer_list *self) { tickwheel_mod_timer(self, jiffies + 1); });
        CHECK_EQ(unit::pass(1), row.callbacks);
        unsigned cascaded = 0;
        // The last tick of the block before its own is left out: the end of a block cascades all that is left.
        for (jiffies_t tick = block_before - 1; tick != crowded - 1; ++tick) {
            CHECK_EQ(unit::pass(1), row.callbacks);
            cascaded = size - cascaded < row.moves ? size : cascaded + row.moves;
            CHECK_EQ(unit::moment{tick, row.moves, unit::in_tv1(crowd, size)},
                     unit::moment{tick, row.moves, cascaded});
        }
        CHECK_EQ(cascaded, size);
        for (timer_list &timer : others) {
            (void)tickwheel_timer_delete(&timer);
        }
        CHECK_EQ(unit::pass(3), size);
    }
}

// requirement: TW-14, TW-17
TEST_CASE("the runner reads the function with the pop: the timer's memory may be reused before the call")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0);
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(tickwheel_tick(), 1);
    {
        // The runner has taken it when it is not pending any more.
        const unit::interrupt_at_interrupt_windows interrupt([&] {
            if (tickwheel_timer_pending(&a) == 0) {
                CHECK_EQ(unit::fired, 0u);
                __builtin_memset(&a, 0xA5, sizeof a);
            }
        });
        CHECK_EQ(tickwheel_run(), 1u);
    }
    unsigned char bytes[sizeof a];
    __builtin_memcpy(bytes, &a, sizeof bytes);
    for (const unsigned char byte : bytes) {
        CHECK_EQ(unsigned{byte}, 0xA5u);
    }
    CHECK_EQ(unit::fired, 1u);
    CHECK(unit::log[0].timer == &a);
    CHECK_EQ(unit::pass(300), 0u);
}

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
