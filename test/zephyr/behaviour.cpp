// SPDX-License-Identifier: MIT
// Behaviour that random operations do not show: the first calls of a kernel, how often the driver is told, how exact
// the search is, and how often an announce opens the lock. test/unit/main.cpp runs the test cases.
#include "../support/zephyr/stand_in.hpp"
#include "../unit/unit_test.hpp"

namespace
{

using namespace stand_in;

bool first_is_told;
bool far_one_waits;

void ignore(_timeout * /*timeout*/)
{
}

} // namespace

namespace unit
{

void look_before_main()
{
    static _timeout timeout;
    (void)z_add_timeout(&timeout, ignore, in_ticks((1 << 30) + 100));
    first_is_told = driver.wait == (1 << 30) + 101;
    (void)z_try_abort_timeout(&timeout);
    // Half of the wheel's ticks, and more than those that it takes.
    (void)z_add_timeout(&timeout, ignore, in_ticks((1ll << 31) + 5));
    sys_clock_announce(1);
    far_one_waits = !z_is_inactive_timeout(&timeout);
    (void)z_try_abort_timeout(&timeout);
}

} // namespace unit

TEST_CASE("the driver is told of a kernel's first timeout, and the first far one waits")
{
    CHECK(first_is_told);
    CHECK(far_one_waits);
}

TEST_CASE("the driver is told when the earliest timeout changes, and never of a later one")
{
    _timeout near = {};
    _timeout far = {};
    (void)z_add_timeout(&near, ignore, in_ticks(70));
    CHECK_EQ(driver.wait, 71u);
    const unsigned told = driver.told;
    (void)z_add_timeout(&far, ignore, in_ticks(100000));
    CHECK_EQ(z_try_abort_timeout(&far), 0);
    CHECK_EQ(driver.told, told);
    CHECK_EQ(z_try_abort_timeout(&near), 0);
    CHECK_EQ(driver.wait, UINT32_MAX);
}

TEST_CASE("the next expiry is exact with 16 timeouts in a far slot, and may be early with 17")
{
    const auto searched_for = [] {
        // The earliest timeout is not known when it has been aborted.
        _timeout first = {};
        (void)z_add_timeout(&first, ignore, in_ticks(1));
        CHECK_EQ(z_try_abort_timeout(&first), 0);
        return k_ticks_t{next_expiry()};
    };
    unsigned early = 0;
    // At most one of two neighbours is the first tick of a slot.
    for (k_ticks_t delay = 20000; delay <= 20001; ++delay) {
        const k_ticks_t due = sys_clock_tick_get() + delay;
        _timeout same[17] = {};
        for (unsigned i = 0; i < 16; ++i) {
            (void)z_add_timeout(&same[i], ignore, at_tick(due));
        }
        CHECK_EQ(searched_for(), delay);
        (void)z_add_timeout(&same[16], ignore, at_tick(due));
        early += searched_for() < delay;
        // The early answer costs a wake, of which the driver has been told.
        sys_clock_announce(static_cast<uint32_t>(delay));
        CHECK_EQ(driver.wait, UINT32_MAX);
    }
    CHECK(early != 0);
}

TEST_CASE("an announce opens the lock in each function, and after each timeout that a look moves")
{
    static unsigned opened;
    const auto points_of_announce = [](uint32_t ticks) {
        opened = 0;
        on_open = [] { ++opened; };
        sys_clock_announce(ticks);
        on_open = nullptr;
        return opened;
    };
    _timeout near = {};
    const unsigned without_work = points_of_announce(1);
    (void)z_add_timeout(&near, ignore, in_ticks(0));
    CHECK(points_of_announce(1) >= without_work + 2);
    _timeout parked[50] = {};
    for (_timeout &timeout : parked) {
        (void)z_add_timeout(&timeout, ignore, in_ticks(1ll << 31));
    }
    // A look comes every 2^29 ticks. The second one finds them near.
    CHECK(points_of_announce(1u << 29) >= 50);
    CHECK(points_of_announce(1u << 29) >= 50);
    for (_timeout &timeout : parked) {
        CHECK_EQ(z_try_abort_timeout(&timeout), 0);
    }
}
