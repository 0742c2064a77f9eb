// SPDX-License-Identifier: MIT
// All geometries that legal_geometry allows. A timer fires in its tick, and both searches name it, for delays on both
// sides of each power of two and up to the longest, also while the runner lags by as much as it may.
#include <utility>

#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

constexpr unsigned min_tvr_bits = 6;
constexpr unsigned min_tvn_bits = 2;

template <class Geometry>
struct trial {
    static inline tickwheel::wheel<tickwheel::port_lock, Geometry> wheel;
    static inline unsigned calls;

    /// Over so many ticks a small wheel passes its range thousands of times, so two starts are enough.
    static constexpr bool is_tried(jiffies_t start, jiffies_t ticks)
    {
        return Geometry::range_bits > 20 || ticks >> 24 == 0 || start == 0 || start == 0u - 1u;
    }

    static bool fires_in_its_tick(jiffies_t start, jiffies_t delay)
    {
        if (!is_tried(start, delay)) {
            return true;
        }
        wheel.init(start);
        calls = 0;
        timer_list timer = tickwheel::timer_initializer([](timer_list *) { ++calls; }, 0);
        (void)wheel.mod_timer(&timer, start + delay);
        jiffies_t event = 0;
        jiffies_t expiry = 0;
        bool right = wheel.next_event(&event) == 1 && event - start <= delay && wheel.next_expiry(&expiry) == 1 &&
                     expiry - start == delay;
        (void)wheel.advance(delay - 1);
        right = wheel.run() == 0 && right;
        (void)wheel.tick();
        right = wheel.run() == 1 && calls == 1 && right;
        (void)wheel.timer_delete(&timer);
        return right;
    }

    /// Counts `lag` ticks that nobody runs, then arms. With `overdue` a timer of the first of these ticks is pending
    /// too. Without it the lag counts from the last tick of the block. A nearer timer is deleted before the run.
    static bool fires_after_a_lag(jiffies_t start, uint32_t lag, jiffies_t delay, bool overdue)
    {
        if (!is_tried(start, lag | delay)) {
            return true;
        }
        wheel.init(start);
        calls = 0;
        timer_list first = tickwheel::timer_initializer([](timer_list *) { ++calls; }, 0);
        timer_list timer = first;
        timer_list nearer = first;
        if (overdue) {
            (void)wheel.mod_timer(&first, start + 1);
        }
        (void)wheel.advance(lag - 1);
        (void)wheel.advance(wheel.clock().next_run - start);
        const jiffies_t now = wheel.jiffies();
        (void)wheel.mod_timer(&timer, now + delay);
        (void)wheel.mod_timer(&nearer, now + delay / 2 + 1);
        jiffies_t expiry = 0;
        bool right = wheel.next_expiry(&expiry) == 1 && expiry == (overdue ? start + 1 : now + delay / 2 + 1);
        (void)wheel.timer_delete(&nearer);
        right = wheel.next_expiry(&expiry) == 1 && expiry == (overdue ? start + 1 : now + delay) && right;
        right = wheel.run() == (overdue ? 1u : 0u) && right;
        jiffies_t event = 0;
        right = wheel.next_event(&event) == 1 && event - now <= delay && wheel.next_expiry(&expiry) == 1 &&
                expiry - now == delay && right;
        (void)wheel.advance(delay - 1);
        right = wheel.run() == 0 && right;
        (void)wheel.tick();
        right = wheel.run() == 1 && right;
        (void)wheel.timer_delete(&timer);
        return right;
    }

    /// Around a start of a slot of each level of this geometry, and around the wraps.
    static constexpr jiffies_t starts[] = {0u,
                                           (1u << Geometry::template tv<3>().shift) - 1,
                                           1u << Geometry::template tv<3>().shift,
                                           (1u << Geometry::template tv<4>().shift) - 1,
                                           1u << Geometry::template tv<4>().shift,
                                           (1u << Geometry::template tv<5>().shift) - 1,
                                           1u << Geometry::template tv<5>().shift,
                                           0x12345678u,
                                           0x7FFFFFFFu,
                                           0u - 257u,
                                           0u - 1u};

    static void try_delays()
    {
        for (const jiffies_t start : starts) {
            for (unsigned bit = 1; bit < 31; ++bit) {
                for (const jiffies_t delay : {(1u << bit) - 1, 1u << bit, (1u << bit) + 1}) {
                    CHECK_EQ(unit::moment{start, delay, fires_in_its_tick(start, delay)},
                             unit::moment{start, delay, 1});
                }
            }
            for (const jiffies_t delay : {0x7FFFFF00u, 0x7FFFFFFFu}) {
                CHECK_EQ(unit::moment{start, delay, fires_in_its_tick(start, delay)}, unit::moment{start, delay, 1});
            }
        }
    }

    static void try_lags()
    {
        for (const jiffies_t start : starts) {
            for (const uint32_t lag : {Geometry::tvr_size, 0x40000000u, 0x7FFFFFFFu}) {
                for (const jiffies_t delay : {1u, Geometry::block_size, Geometry::tvr_size, Geometry::tvr_size + 1u,
                                              0x3FFFFFFFu, 0x7FFFFF00u, 0x7FFFFFFFu}) {
                    for (const bool overdue : {false, true}) {
                        CHECK_EQ(unit::moment{start, delay, fires_after_a_lag(start, lag, delay, overdue)},
                                 unit::moment{start, delay, 1});
                    }
                }
            }
        }
    }
};

template <unsigned TvrBits, unsigned TvnBits>
void try_one(bool lags)
{
    // legal_geometry refuses a range of 2^31 ticks.
    if constexpr (TvrBits + 4 * TvnBits != 31) {
        using one = trial<tickwheel::geometry<TvrBits, TvnBits>>;
        lags ? one::try_lags() : one::try_delays();
    }
}

template <unsigned... Number>
void try_all(bool lags, std::integer_sequence<unsigned, Number...> /*of 15*/)
{
    (try_one<min_tvr_bits + Number / 5, min_tvn_bits + Number % 5>(lags), ...);
}

} // namespace

// requirement: TW-02
TEST_CASE("in every legal geometry a timer fires in its tick, whatever its delay")
{
    try_all(false, std::make_integer_sequence<unsigned, 15>());
}

// requirement: TW-02
TEST_CASE("in every legal geometry each delay up to 2^31 - 1 is exact however far the runner lags")
{
    try_all(true, std::make_integer_sequence<unsigned, 15>());
}

TEST_CASE("a wheel that has never advanced goes from block to block, and fires as one that jumps")
{
    using one = trial<tickwheel::geometry<8, 6>>;
    for (const bool jumps : {false, true}) {
        one::wheel.init(0);
        one::wheel.slots().linked_jump = nullptr;
        one::calls = 0;
        timer_list timer = tickwheel::timer_initializer([](timer_list *) { ++one::calls; }, 0);
        (void)one::wheel.mod_timer(&timer, 3000);
        if (jumps) {
            (void)one::wheel.advance(2999);
        }
        while (one::wheel.jiffies() != 2999) {
            (void)one::wheel.tick();
        }
        CHECK_EQ(one::wheel.run(), 0u);
        CHECK_EQ(one::wheel.interrupt(), 1u);
        CHECK_EQ(one::calls, 1u);
        CHECK_EQ(one::wheel.slots().linked_jump != nullptr, jumps);
    }
}
