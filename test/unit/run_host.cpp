// SPDX-License-Identifier: MIT
// An interrupt at each opening of a cascade, a run or a call in turn: order, ticks and owed work must be those of an
// interrupt before or after it.
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
    unit::restart(tick - (1u << unit::slot_bits(level)) - unit::tv1_ticks - 3);
    unit::forget();
    tickwheel_timer_setup(&late, unit::note, 0);
    for (timer_list &timer : old_ones) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, tick);
    }
    // A list of tv2 moves down a block ahead of its own. A slot of a higher level does so with the first list of tv2.
    const jiffies_t width = level == 2 ? unit::block_ticks : unit::tv1_ticks;
    (void)unit::skip_to((tick & ~(width - 1)) - unit::block_ticks - 2);
}

} // namespace

// requirement: TW-05
TEST_CASE("a timer that an interrupt arms in a cascade fires behind all that were armed before")
{
    constexpr jiffies_t places[] = {0, 1, unit::block_ticks - 1, unit::block_ticks, unit::tv1_ticks - 1};
    for (unsigned level = 2; level <= 5; ++level) {
        for (const jiffies_t place : places) {
            // From the start of a slot of this level on, so that all levels up to it move down in one go.
            const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u + place;
            const unsigned openings =
                unit::at_every_opening([&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                                       [&] { CHECK_EQ(tickwheel_mod_timer(&late, tick), 0); },
                                       [&](bool taken) {
                                           CHECK_EQ(unit::fired, 0u);
                                           (void)unit::pass(tick - unit::now());
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

// requirement: TW-05
TEST_CASE("an interrupt may delete or move a timer at any opening of the cascade that carries it")
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
                        (void)unit::pass(unit::block_ticks + 30);
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

TEST_CASE("in an interrupt at any opening of a cascade next_expiry is exact and next_event is not late")
{
    for (unsigned level = 2; level <= 5; ++level) {
        for (jiffies_t place = 0; place <= 5; place += 5) {
            const jiffies_t tick = (7u << unit::slot_bits(level)) + 0x40000000u + place;
            jiffies_t expiry = tick;
            jiffies_t event = tick;
            const unsigned openings = unit::at_every_opening([&] { fill(tick, level); }, [] { (void)unit::pass(1); },
                                                             [&] {
                                                                 CHECK_EQ(tickwheel_next_event(&event), 1);
                                                                 CHECK_EQ(tickwheel_next_expiry(&expiry), 1);
                                                             },
                                                             [&](bool) {
                                                                 CHECK_EQ(expiry, tick);
                                                                 CHECK(tickwheel_time_before_eq(event, tick));
                                                             });
            CHECK(openings > waiting);
        }
    }
}

TEST_CASE("a tick below a run that brings timers down is looked at by that run")
{
    // The third block from here is in tv2.
    constexpr jiffies_t start = 4 * unit::tv1_ticks;
    constexpr jiffies_t crowded = start + 2 * unit::tv1_ticks;
    constexpr jiffies_t block_before = crowded - unit::block_ticks;
    const unit::fresh wheel(start);
    unit::noted crowd[40];
    for (unit::noted &timer : crowd) {
        tickwheel_mod_timer(&timer, crowded);
    }
    unit::armed soon(block_before);
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    CHECK_EQ(tickwheel_tick(), 1);
    unsigned opened = 0;
    const unit::interrupt_at_openings between_two_moves([&] {
        if (++opened == 20) {
            CHECK_EQ(tickwheel_tick(), 1);
            CHECK_EQ(tickwheel_run(), 0u);
        }
    });
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(unit::log[0].at, block_before);
}

TEST_CASE("timers come down ahead, at most 125 in a run, and fewer beside callbacks")
{
    constexpr jiffies_t start = 4 * unit::tv1_ticks;
    constexpr jiffies_t crowded = start + 2 * unit::tv1_ticks;
    constexpr jiffies_t block_before = crowded - unit::block_ticks;
    const unit::fresh wheel(start);
    static timer_list many[380];
    for (unsigned i = 0; i < 380; ++i) {
        tickwheel_timer_setup(&many[i], unit::note, 0);
        tickwheel_mod_timer(&many[i], crowded + i % 3);
    }
    const auto down = [] {
        unsigned count = 0;
        for (const timer_list &timer : many) {
            count += timer.slot < unit::geometry::tvr_size;
        }
        return count;
    };
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    unit::noted callbacks[20];
    for (unit::noted &each : callbacks) {
        tickwheel_mod_timer(&each, block_before + 1);
    }
    CHECK_EQ(unit::pass(1), 0u);
    CHECK_EQ(down(), 125u);
    CHECK_EQ(unit::pass(1), 0u);
    CHECK_EQ(down(), 250u);
    CHECK_EQ(unit::pass(1), 20u);
    CHECK_EQ(down(), 250u + 125 - 20);
    CHECK_EQ(unit::pass(2), 0u);
    CHECK_EQ(down(), 380u);
    // The tick in which the runner finds that nothing is left, and none after it.
    (void)unit::pass(1);
    for (jiffies_t tick = unit::now() + 1; tick != crowded - 1; ++tick) {
        CHECK_EQ(tickwheel_tick(), 0);
    }
    CHECK_EQ(unit::pass(2), 127u);
    CHECK_EQ(unit::log[20].timer, &many[0]);
    CHECK_EQ(unit::log[146].timer, &many[378]);
    for (timer_list &timer : many) {
        (void)tickwheel_timer_delete(&timer);
    }
}

TEST_CASE("timers that come down take their steps off the budget, which a tick meanwhile does not renew")
{
    constexpr jiffies_t start = 4 * unit::tv1_ticks;
    constexpr jiffies_t crowded = start + 2 * unit::tv1_ticks;
    constexpr jiffies_t block_before = crowded - unit::block_ticks;
    for (const unsigned budget : {3u, 10u}) {
        const unit::fresh wheel(start);
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
        const unit::interrupt_at_openings between_two_moves([&] {
            if (!counted && far[3].slot < unit::geometry::tvr_size) {
                counted = true;
                CHECK_EQ(tickwheel_tick(), 1);
            }
        });
        CHECK_EQ(tickwheel_run_budget(1 + budget), budget > 4 ? budget - 4 : 0);
        CHECK(counted);
    }
}

TEST_CASE("16 000 timers of a block come down in the block before, and leave nothing for its last tick")
{
    if (unit::tv1_bits != 8) {
        return;
    }
    static timer_list crowd[16000];
    const unit::fresh wheel(1024);
    for (unsigned i = 0; i < 16000; ++i) {
        tickwheel_timer_setup(&crowd[i], unit::note, 0);
        tickwheel_mod_timer(&crowd[i], 2048 + i % unit::block_ticks);
    }
    CHECK_EQ(unit::skip_to(2048 - unit::block_ticks - 2), 0u);
    CHECK_EQ(unit::pass(unit::block_ticks), 0u);
    CHECK_EQ(tickwheel_slots.coming_down, 0u);
    CHECK_EQ(unit::pass(unit::block_ticks + 1), 16000u);
}

TEST_CASE("at least 64 timers come down in a run, however many callbacks it had")
{
    static timer_list spike[130];
    constexpr unsigned crowd_size = 60 * unit::block_ticks;
    static timer_list crowd[crowd_size];
    constexpr jiffies_t start = 4 * unit::tv1_ticks;
    constexpr jiffies_t crowded = start + 2 * unit::tv1_ticks;
    constexpr jiffies_t block_before = crowded - unit::block_ticks;
    const unit::fresh wheel(start);
    for (timer_list &timer : crowd) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, crowded + 1);
    }
    CHECK_EQ(unit::skip_to(block_before - 3), 0u);
    for (timer_list &timer : spike) {
        tickwheel_timer_setup(
            &timer, [](timer_list *self) { tickwheel_mod_timer(self, jiffies + 1); }, 0);
        tickwheel_mod_timer(&timer, unit::now() + 1);
    }
    CHECK_EQ(unit::pass(1), 130u);
    unsigned down = 0;
    // The last tick of the block before its own is left out: the end of a block brings down all that is left.
    for (jiffies_t tick = block_before - 1; tick != crowded - 1; ++tick) {
        CHECK_EQ(unit::pass(1), 130u);
        unsigned in_tv1 = 0;
        for (const timer_list &timer : crowd) {
            in_tv1 += timer.slot < unit::geometry::tvr_size;
        }
        const unsigned wanted = crowd_size - down < 64 ? crowd_size : down + 64;
        CHECK_EQ(unit::moment{tick, 0, in_tv1}, unit::moment{tick, 0, wanted});
        down = in_tv1;
    }
    CHECK_EQ(down, crowd_size);
    CHECK_EQ(tickwheel_slots.coming_down, 0u);
    for (timer_list &timer : spike) {
        (void)tickwheel_timer_delete(&timer);
    }
    CHECK_EQ(unit::pass(3), crowd_size);
}

TEST_CASE("next_expiry is exact when the block has moved on in a run, for a timer a turn after the last tick")
{
    for (const jiffies_t delay : {unit::tv1_ticks - 1, unit::tv1_ticks, unit::tv1_ticks + 1}) {
        const jiffies_t last = 4 * unit::tv1_ticks - 1;
        unit::noted due;
        unit::noted turn_later;
        jiffies_t seen = 0;
        bool straight = false;
        const unsigned openings = unit::at_every_opening(
            [&] {
                unit::restart(last - 1);
                tickwheel_mod_timer(&due, last);
            },
            [] { (void)unit::pass(1); },
            [&] {
                CHECK_EQ(tickwheel_mod_timer(&turn_later, last + delay), 0);
                straight |= turn_later.slot < unit::geometry::tvr_size;
                CHECK_EQ(tickwheel_next_expiry(&seen), 1);
            },
            [&](bool taken) {
                CHECK_EQ(unit::moment{last, delay, taken ? seen : last + delay},
                         unit::moment{last, delay, last + delay});
                (void)tickwheel_timer_delete(&turn_later);
            });
        CHECK(openings > 3);
        // At the openings after the block has moved, tv1 takes the slot of the last tick.
        CHECK_EQ(straight, delay <= unit::tv1_ticks);
    }
}

TEST_CASE("a search that another thread begins inside a cascade sees the next timer move")
{
    const unit::fresh wheel(0);
    unit::noted timers[9];
    for (unit::noted &timer : timers) {
        tickwheel_mod_timer(&timer, 2 * unit::tv1_ticks + 3);
    }
    static const int searches_mark = 0;
    unsigned changes = 0;
    const unit::interrupt_at_openings look([&] {
        changes += tickwheel_slots.changed_by != &searches_mark;
        tickwheel_slots.changed_by = &searches_mark;
    });
    (void)tickwheel_advance(2 * unit::tv1_ticks - unit::block_ticks - 1);
    (void)tickwheel_run();
    // Each timer that comes down, and the runner's own marks before.
    CHECK(changes >= 9);
}

TEST_CASE("next_expiry is exact while timers beyond tv5 of a small wheel move on")
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

TEST_CASE("a timer that an interrupt arms for the next tick or the past, or a tick that it counts, is never lost")
{
    for (const jiffies_t base : unit::bases) {
        unit::noted a;
        unit::noted b;
        const auto prepare = [&] {
            unit::restart(base);
            unit::forget();
            tickwheel_mod_timer(&a, base + 1);
        };
        for (const jiffies_t ahead : {1u, 0u - 9u}) {
            const unsigned openings = unit::at_every_opening(
                prepare, [] { (void)unit::pass(1); }, [&] { tickwheel_mod_timer(&b, unit::now() + ahead); },
                [&](bool taken) {
                    (void)unit::pass(1);
                    CHECK_EQ(unit::fired, taken ? 2u : 1u);
                });
            CHECK(openings > 1);
        }
        const unsigned openings = unit::at_every_opening(
            [&] {
                prepare();
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

// requirement: TW-25
TEST_CASE("get_jiffies_64 is whole at every opening of a run that crosses a half-wrap")
{
    constexpr jiffies_t edges[] = {0x80000000u, 0u};
    for (const jiffies_t edge : edges) {
        const unit::fresh wheel(edge - 300);
        unit::armed a(edge - 1);
        unit::armed b(edge + 400);
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

TEST_CASE("an interrupt may arm the timer at every opening of an arm, a move and a delete of the same timer")
{
    struct {
        void (*work)(timer_list *);
        bool pending;
    } const cases[] = {
        {[](timer_list *timer) { (void)tickwheel_mod_timer(timer, 700); }, false},
        {[](timer_list *timer) { (void)tickwheel_mod_timer(timer, 700); }, true},
        {[](timer_list *timer) { (void)tickwheel_timer_delete(timer); }, false},
        {[](timer_list *timer) { (void)tickwheel_timer_delete(timer); }, true},
        {tickwheel_add_timer, false},
    };
    unit::noted a;
    unit::noted neighbour;
    for (const auto &one : cases) {
        const unsigned openings = unit::at_every_opening(
            [&] {
                unit::restart(250);
                unit::forget();
                tickwheel_mod_timer(&neighbour, 255);
                a.expires = 256;
                if (one.pending) {
                    tickwheel_mod_timer(&a, 255);
                }
            },
            [&] { one.work(&a); },
            [&] {
                tickwheel_mod_timer(&a, 256);
                CHECK_EQ(unit::walk_wheel(true).timers, 2u);
                CHECK_EQ(unit::wheel_fault(), unit::no_fault);
            },
            [&](bool taken) {
                CHECK_EQ(unit::wheel_fault(), unit::no_fault);
                if (!taken) {
                    tickwheel_mod_timer(&a, 256);
                }
                CHECK_EQ(unit::pass(600), 2u);
            });
        CHECK(openings > 0);
    }
}

TEST_CASE("what an interrupt arms for the past while a tick is run fires in the next tick")
{
    // The last tick of a word of marks, and of a block.
    for (const jiffies_t tick : {1024u + 31, 1024u + unit::block_ticks - 1}) {
        unit::noted due;
        unit::noted late;
        (void)unit::at_every_opening(
            [&] {
                unit::restart(tick - 1);
                unit::forget();
                tickwheel_mod_timer(&due, tick);
            },
            [] { (void)unit::pass(1); }, [&] { CHECK_EQ(tickwheel_mod_timer(&late, tick - 5), 0); },
            [&](bool taken) {
                CHECK_EQ(unit::fired, 1u);
                CHECK_EQ(unit::pass(1), taken ? 1u : 0u);
            });
    }
}

TEST_CASE("a callback that re-arms for the past while ticks keep coming runs once a tick, and the run ends")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001, [](timer_list *self) {
        unit::note(self);
        tickwheel_mod_timer(self, jiffies - 1000);
    });
    unsigned ticks = 0;
    {
        const unit::interrupt_at_openings interrupt([&] {
            if (ticks < 500) {
                ++ticks;
                (void)tickwheel_tick();
            }
        });
        CHECK_EQ(tickwheel_tick(), 1);
        (void)tickwheel_run();
    }
    CHECK_EQ(unit::fired, 501u);
    CHECK_EQ(unit::now(), 1501u);
}
