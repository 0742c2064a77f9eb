// SPDX-License-Identifier: MIT
// Timers of one tick fire in the order in which they were armed, whatever levels
// they were armed into and came down through.
#include "support.hpp"

namespace
{

// From how far away the timers are armed, in the order of arming.
constexpr jiffies_t distances[] = {
    unit::longest_delay,
    (1u << 30) + 1,
    1u << 30,
    (1u << 26) + 1,
    1u << 26,
    (1u << 26) - 1,
    1u << 25,
    (1u << 22) + 1,
    1u << 22,
    (1u << 22) - 1,
    (1u << 20) + 1,
    1u << 20,
    (1u << 20) - 1,
    (1u << 18) + 1,
    1u << 18,
    (1u << 18) - 1,
    (1u << 14) + 300,
    (1u << 14) + 1,
    1u << 14,
    (1u << 14) - 1,
    1025,
    1024,
    1023,
    300,
    257,
    256,
    255,
    65,
    64,
    63,
    50,
    2,
    1,
};
constexpr unsigned distance_count = sizeof distances / sizeof distances[0];

// Where in a block, and in the wider slots, the common tick lies.
constexpr jiffies_t ticks[] = {
    0u,          1u,          63u,         64u,         255u,      256u,      257u,      0x3FFFu,    0x4000u,
    0x12345678u, 0x12345700u, 0x400u,      0x3FFu,      0x400000u, 0x400001u, 0x3FFFFFu, 0x4000000u, 0x4000000u - 1,
    0x80000000u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0xFFFFFF00u,
};

} // namespace

// requirement: TW-04
TEST_CASE("timers of one tick fire in order of arming, armed from ever nearer through all levels")
{
    for (const jiffies_t tick : ticks) {
        const unit::fresh wheel(tick - unit::longest_delay);
        unit::noted timers[2 * distance_count];
        for (unsigned i = 0; i < distance_count; ++i) {
            (void)unit::skip_to(tick - distances[i]);
            tickwheel_mod_timer(&timers[2 * i], tick);
            tickwheel_mod_timer(&timers[2 * i + 1], tick);
        }
        CHECK_EQ(unit::fired, 0u);
        (void)unit::pass(1);
        CHECK_EQ(unit::moment{tick, 0, unit::fired_as_armed(timers, 2 * distance_count)}, unit::moment{tick, 0, 1});
    }
}

// requirement: TW-04
TEST_CASE("timers of one tick fire in order of arming, for every pair of distances")
{
    for (const jiffies_t tick : ticks) {
        for (unsigned first = 0; first < distance_count; ++first) {
            for (unsigned second = first + 1; second < distance_count; ++second) {
                unit::restart(tick - distances[first]);
                unit::forget();
                unit::noted timers[3];
                tickwheel_mod_timer(&timers[0], tick);
                (void)unit::skip_to(tick - distances[second]);
                tickwheel_mod_timer(&timers[1], tick);
                if (distances[second] < 70) {
                    (void)unit::pass(distances[second] - 1);
                } else {
                    (void)unit::skip_to(tick - 1);
                }
                tickwheel_mod_timer(&timers[2], tick);
                (void)unit::pass(1);
                if (!unit::fired_as_armed(timers, 3)) {
                    CHECK_EQ(unit::moment{tick, distances[first], distances[second]}, unit::moment{});
                }
            }
        }
    }
}

// requirement: TW-07
TEST_CASE("a late run through many blocks fires in order of tick, then of arming")
{
    for (const jiffies_t base : unit::bases) {
        const unit::fresh wheel(base);
        constexpr unsigned count = 60;
        unit::noted timers[count];
        // Three rounds over the same ticks; a later round never overtakes an earlier one.
        for (unsigned i = 0; i < count; ++i) {
            tickwheel_mod_timer(&timers[i], base + 1 + (i % 20) * 37);
        }
        (void)unit::skip_to(base + 1000);
        REQUIRE(unit::fired == count);
        bool in_order = true;
        for (unsigned i = 0; i < count; ++i) {
            in_order = in_order && unit::log[i].timer == &timers[i % 3 * 20 + i / 3];
        }
        CHECK(in_order);
    }
}

TEST_CASE("an overdue timer queues behind the older timers of the tick that it fires in")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001);
    unit::armed b(7);
    unit::armed c(1001);
    unit::armed d(1000);
    CHECK_EQ(unit::pass(1), 4u);
    CHECK(unit::fired_in_order({&a, &b, &c, &d}));
}
