// SPDX-License-Identifier: MIT
// What an interrupt does at the end of a stretch with the lock open: just before
// it is taken again. The host's port calls its hook at the beginning only, so
// these wheels have a lock with a hook at both ends.
#include <tickwheel/wheel.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

using unit::watched_lock;

template <class Geometry>
struct tried_wheel {
    tickwheel::wheel<watched_lock, Geometry> wheel;
    timer_list early;
    timer_list late;
    timer_list far;

    explicit tried_wheel(jiffies_t start)
    {
        wheel.init(start);
        unit::fired = 0;
        for (timer_list *const timer : {&early, &late, &far}) {
            tickwheel_timer_setup(timer, unit::note, 0);
        }
    }
};

// Does `work` on a new wheel for each place at which the lock is free, with `interrupt` there; then `check`, told
// whether it came and whether any place followed.
template <class Geometry, class Prepare, class Work, class Interrupt, class Check>
void at_every_place(jiffies_t start, Prepare prepare, Work work, Interrupt interrupt, Check check)
{
    for (unsigned place = 0;; ++place) {
        tried_wheel<Geometry> tried(start);
        prepare(tried);
        unsigned seen = 0;
        watched_lock::handler = [&] {
            if (seen++ == place) {
                interrupt(tried);
            }
        };
        work(tried);
        watched_lock::handler = nullptr;
        const bool taken = seen > place;
        check(tried, taken, seen > place + 1);
        CHECK_EQ(watched_lock::depth, 0u);
        if (!taken) {
            CHECK(place > 2);
            return;
        }
    }
}

template <class Geometry>
void check_jumps()
{
    // A sleep of 100000 ticks, over blocks that are all empty until an interrupt puts a timer into one of them.
    constexpr jiffies_t starts[] = {0u, 200u, 0u - 50000u, 0x3FFF0u, 0x7FFF0000u};
    constexpr jiffies_t offsets[] = {300, 2000, 16384 + 5, 60000, 99999, 100000};
    for (const jiffies_t start : starts) {
        for (const jiffies_t offset : offsets) {
            at_every_place<Geometry>(
                start,
                [&](auto &tried) {
                    tried.wheel.mod_timer(&tried.early, start + 70000);
                    tried.wheel.mod_timer(&tried.far, start + 0x40000000);
                    (void)tried.wheel.advance(100000);
                },
                [](auto &tried) { (void)tried.wheel.run(); },
                [&](auto &tried) { tried.wheel.mod_timer(&tried.late, start + offset); },
                [&](auto &tried, bool taken, bool) {
                    if (tried.wheel.tick()) {
                        (void)tried.wheel.run();
                    }
                    CHECK_EQ(unit::moment{start, offset, unit::fired}, unit::moment{start, offset, 1u + taken});
                    CHECK_EQ(tried.wheel.timer_pending(&tried.far), 1);
                });
        }
    }
}

template <class Geometry>
void check_next_expiry()
{
    constexpr jiffies_t sooner[] = {1001, 1500, 20000, 0x1FFFFFFF};
    for (const jiffies_t expires : sooner) {
        jiffies_t next = 0;
        at_every_place<Geometry>(
            1000,
            [](auto &tried) {
                tried.wheel.mod_timer(&tried.early, 0x20000000);
                tried.wheel.mod_timer(&tried.far, 0x20000001);
            },
            [&](auto &tried) { CHECK_EQ(tried.wheel.next_expiry(&next), 1); },
            [&](auto &tried) { tried.wheel.mod_timer(&tried.late, expires); },
            [&](auto &, bool taken, bool more) {
                // At the very last place the search is over.
                CHECK((next == expires || !taken || !more));
                CHECK((next == 0x20000000 || taken));
            });
    }
}

} // namespace

TEST_CASE(
    "a timer armed at either end of every open stretch of a run that jumps over empty blocks is not jumped over")
{
    check_jumps<tickwheel::linux_geometry>();
    check_jumps<tickwheel::linux_small_geometry>();
}

TEST_CASE("next_expiry sees what is armed at either end of each of its open stretches")
{
    check_next_expiry<tickwheel::linux_geometry>();
    check_next_expiry<tickwheel::linux_small_geometry>();
}
