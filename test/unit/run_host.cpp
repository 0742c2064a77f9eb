// SPDX-License-Identifier: MIT
// Interrupts in the middle of cascades and runs, at each opening in turn: order,
// ticks and owed work must come out as if the arm had been made before or after.
#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

constexpr unsigned waiting = 6;
timer_list old_ones[waiting];
timer_list late;

// `waiting` timers of one tick, in tv<level>, and the wheel just before the tick in which they move down.
void fill(jiffies_t tick, unsigned level)
{
    unit::restart(tick - (1u << unit::slot_bits(level)) - 3);
    unit::forget();
    tickwheel_timer_setup(&late, unit::note, 0);
    for (timer_list &timer : old_ones) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, tick);
    }
    (void)unit::skip_to((tick & ~(unit::block_ticks - 1)) - 2);
}

} // namespace

TEST_CASE("order: armed by an interrupt in the middle of a cascade: behind all that were armed before")
{
    constexpr jiffies_t places[] = {0, 1, unit::block_ticks - 1};
    for (unsigned level = 2; level <= 5; ++level) {
        for (const jiffies_t place : places) {
            // From the start of a slot of this level on, so that all levels up to it move down in one go.
            const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u + place;
            const unsigned openings =
                unit::at_every_opening([&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                                       [&] { CHECK_EQ(tickwheel_mod_timer(&late, tick), 0); },
                                       [&](bool taken) {
                                           CHECK_EQ(unit::fired, 0u);
                                           (void)unit::pass(1 + place);
                                           CHECK_EQ(unit::fired, waiting + taken);
                                           for (unsigned i = 0; i < unit::fired; ++i) {
                                               CHECK(unit::log[i].timer == (i < waiting ? &old_ones[i] : &late));
                                               CHECK_EQ(unit::log[i].at, tick);
                                           }
                                       });
            CHECK(openings > waiting);
        }
    }
}

TEST_CASE("a timer deleted or moved by an interrupt at any opening of the cascade that carries it")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u + 5;
        for (timer_list &victim : old_ones) {
            for (unsigned moved = 0; moved < 2; ++moved) {
                const unsigned openings = unit::at_every_opening(
                    [&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                    [&] {
                        CHECK_EQ(moved ? tickwheel_mod_timer(&victim, tick + 2) : tickwheel_timer_delete(&victim), 1);
                        CHECK_EQ(unit::walk_wheel(false).found, unit::no_fault);
                    },
                    [&](bool taken) {
                        CHECK_EQ(unit::wheel_fault(), unit::no_fault);
                        CHECK_EQ(unit::fired, 0u);
                        (void)unit::pass(30);
                        CHECK_EQ(unit::fired, waiting - (taken && !moved));
                        for (unsigned i = 0; i < unit::fired; ++i) {
                            const bool is_victim = taken && unit::log[i].timer == &victim;
                            CHECK_EQ(unit::log[i].at, is_victim ? tick + 2 : tick);
                        }
                    });
                CHECK(openings > waiting);
            }
        }
    }
}

TEST_CASE("next_expiry from an interrupt at any opening of a cascade")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u + 5;
        jiffies_t seen = 0;
        const unsigned openings = unit::at_every_opening([&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                                                         [&] { CHECK_EQ(tickwheel_next_expiry(&seen), 1); },
                                                         [&](bool taken) { CHECK_EQ(seen, taken ? tick : seen); });
        CHECK(openings > waiting);
    }
}

TEST_CASE("next_event from an interrupt at any opening of a cascade is never late")
{
    for (unsigned level = 2; level <= 5; ++level) {
        const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u;
        jiffies_t seen = 0;
        const unsigned openings =
            unit::at_every_opening([&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                                   [&] { CHECK_EQ(tickwheel_next_event(&seen), 1); },
                                   [&](bool taken) { CHECK((!taken || tickwheel_time_before_eq(seen, tick))); });
        CHECK(openings > waiting);
    }
}

TEST_CASE("next_expiry while timers beyond tv5 of a small wheel move on, the nearest among those moved or not")
{
    // Of no account where tv5 reaches all 32 bits.
    constexpr jiffies_t range = 1u << (unit::slot_bits(5) < 26 ? unit::slot_bits(5) + unit::tvn_bits : 22);
    constexpr jiffies_t boundary = 0x40000000u;
    for (unsigned near_first = 0; near_first < 2; ++near_first) {
        unit::noted near;
        unit::noted far;
        unit::noted *const in_order[] = {near_first ? &near : &far, near_first ? &far : &near};
        jiffies_t seen = 0;
        (void)unit::at_every_opening(
            [&] {
                (void)tickwheel_timer_delete(&near);
                (void)tickwheel_timer_delete(&far);
                unit::restart(boundary - 1000);
                for (unit::noted *const timer : in_order) {
                    (void)tickwheel_mod_timer(timer, boundary + (timer == &near ? 3 : 9) * range + 77);
                }
                (void)unit::skip_to(boundary - 2);
            },
            [] { (void)unit::pass(1); }, [&] { CHECK_EQ(tickwheel_next_expiry(&seen), 1); },
            [&](bool taken) { CHECK_EQ(seen, taken ? boundary + 3 * range + 77 : seen); });
    }
}

TEST_CASE("F7: armed for the next tick, or for a past one, by an interrupt at any opening of a run: never lost")
{
    timer_list a = {};
    for (const jiffies_t base : unit::bases) {
        for (unsigned past = 0; past < 2; ++past) {
            const unsigned openings = unit::at_every_opening(
                [&] {
                    unit::restart(base);
                    unit::forget();
                    tickwheel_timer_setup(&a, unit::note, 0);
                    tickwheel_timer_setup(&late, unit::note, 0);
                    tickwheel_mod_timer(&a, base + 3);
                },
                [] { (void)unit::pass(3); }, [&] { tickwheel_mod_timer(&late, unit::now() + (past ? 0u - 9u : 1u)); },
                [&](bool taken) {
                    (void)unit::pass(1);
                    CHECK_EQ(unit::fired, taken ? 2u : 1u);
                });
            CHECK(openings > 1);
        }
    }
}

TEST_CASE("a tick counted by an interrupt at any opening of a run is run by it or owed, never lost")
{
    timer_list a = {};
    timer_list b = {};
    for (const jiffies_t base : unit::bases) {
        const unsigned openings = unit::at_every_opening(
            [&] {
                unit::restart(base);
                unit::forget();
                tickwheel_timer_setup(&a, unit::note, 0);
                tickwheel_timer_setup(&b, unit::note, 0);
                tickwheel_mod_timer(&a, base + 1);
                tickwheel_mod_timer(&b, base + 2);
            },
            [] { (void)unit::pass(1); }, [] { CHECK_EQ(tickwheel_tick(), 1); },
            [&](bool taken) {
                if (!taken) {
                    CHECK_EQ(tickwheel_tick(), 1);
                }
                if (unit::fired == 1) {
                    CHECK_EQ(tickwheel_advance(0), 1);
                    CHECK_EQ(tickwheel_run(), 1u);
                }
                CHECK_EQ(unit::fired, 2u);
            });
        CHECK(openings > 1);
    }
}

TEST_CASE("64-bit jiffies: whole at every opening of a run that crosses a half-wrap")
{
    constexpr jiffies_t edges[] = {0x80000000u, 0u};
    for (const jiffies_t edge : edges) {
        const unit::fresh wheel(edge - 300);
        unit::noted a;
        unit::noted b;
        tickwheel_mod_timer(&a, edge - 1);
        tickwheel_mod_timer(&b, edge + 400);
        const uint64_t count = uint64_t{edge - 300} + 800;
        (void)tickwheel_advance(800);
        unsigned openings = 0;
        {
            const unit::interrupt_at_openings interrupt([&] {
                ++openings;
                CHECK_EQ(tickwheel_get_jiffies_64(), count);
            });
            CHECK_EQ(tickwheel_run(), 2u);
        }
        CHECK(openings > 2);
    }
}
