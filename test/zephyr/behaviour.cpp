// SPDX-License-Identifier: MIT
// What random operations do not show: the first calls of a kernel, a few answers in plain numbers, how often the
// driver is told, the order at the first tick that is parked, how exact the search is, and how often an announce
// opens the lock. test/unit/main.cpp runs the test cases.
#include "../support/zephyr/stand_in.hpp"
#include "../unit/unit_test.hpp"

namespace
{

using namespace stand_in;

unsigned calls;

/// A timeout that notes its calls. The end of its block aborts it.
struct noted : _timeout {
    unsigned count = 0;
    /// The kernel's tick in the last call.
    k_ticks_t tick = 0;
    /// How many calls of all timeouts there were, with that one.
    unsigned place = 0;

    noted() : _timeout()
    {
    }
    ~noted()
    {
        (void)z_try_abort_timeout(this);
        CHECK_EQ(lock_faults, 0u);
        CHECK_EQ(locks_held, 0u);
    }
    noted(const noted &) = delete;
    noted &operator=(const noted &) = delete;

    k_ticks_t add(k_timeout_t delay)
    {
        return z_add_timeout(
            this,
            [](_timeout *timeout) {
                auto *const self = static_cast<noted *>(timeout);
                ++self->count;
                self->tick = sys_clock_tick_get();
                self->place = ++calls;
            },
            delay);
    }
};

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

TEST_CASE("a delay of n ticks from a thread ends with one tick more, and fires in that tick")
{
    // Around levels of the wheel, and around the ticks from which on a timeout may be parked.
    const k_ticks_t delays[] = {
        1, 127, 128, 16383, 1 << 20, (1 << 30) - 1, 1 << 30, (3ll << 29) - 1, 3ll << 29, (1ll << 33) + 5};
    for (const k_ticks_t delay : delays) {
        noted timeout;
        driver.elapsed = 3;
        const k_ticks_t now = sys_clock_tick_get();
        CHECK_EQ(timeout.add(in_ticks(delay)), now + delay + 1);
        CHECK_EQ(z_timeout_remaining(&timeout), delay + 1);
        driver.elapsed = 0;
        sys_clock_announce(3);
        for (k_ticks_t left = delay; left != 0;) {
            const auto ticks = static_cast<uint32_t>(left < UINT32_MAX ? left : UINT32_MAX);
            sys_clock_announce(ticks);
            left -= ticks;
        }
        CHECK_EQ(timeout.count, 0u);
        CHECK_EQ(z_timeout_remaining(&timeout), 1);
        sys_clock_announce(1);
        CHECK_EQ(timeout.count, 1u);
        CHECK_EQ(timeout.tick, now + delay + 1);
        CHECK_EQ(sys_clock_tick_get(), now + delay + 1);
    }
}

TEST_CASE("of two timeouts for the first tick that is parked, the one that was added first fires first")
{
    constexpr uint32_t look = 1u << 29;
    sys_clock_announce(look - (jiffies - TICKWHEEL_INITIAL_JIFFIES) % look);
    noted first;
    noted second;
    // Parked from 2^30 + 2^29 ticks on, which a look has just begun to count.
    const k_ticks_t due = sys_clock_tick_get() + look + 3ll * look;
    (void)first.add(at_tick(due));
    sys_clock_announce(look);
    (void)second.add(at_tick(due));
    sys_clock_announce(3 * look);
    CHECK_EQ(first.tick, due);
    CHECK_EQ(second.tick, due);
    CHECK(first.place < second.place);
}

TEST_CASE("the driver is told when the earliest timeout changes, and never of a later one")
{
    noted near;
    noted far;
    (void)near.add(in_ticks(70));
    CHECK_EQ(driver.wait, 71u);
    const unsigned told = driver.told;
    (void)far.add(in_ticks(100000));
    CHECK_EQ(z_try_abort_timeout(&far), 0);
    CHECK_EQ(driver.told, told);
    CHECK_EQ(z_try_abort_timeout(&near), 0);
    CHECK_EQ(driver.wait, UINT32_MAX);
}

TEST_CASE("the next expiry is exact with 16 timeouts in a far slot, and may be early with 17")
{
    unsigned early = 0;
    // Of two neighbours no more than one is the first tick of a slot.
    for (k_ticks_t delay = 20000; delay <= 20001; ++delay) {
        const k_ticks_t due = sys_clock_tick_get() + delay;
        noted first;
        const auto searched_for = [&] {
            // The earliest timeout is not known when it has been aborted.
            (void)first.add(in_ticks(1));
            CHECK_EQ(z_try_abort_timeout(&first), 0);
            return static_cast<k_ticks_t>(z_get_next_timeout_expiry());
        };
        _timeout same[17] = {};
        for (unsigned i = 0; i < 16; ++i) {
            (void)z_add_timeout(&same[i], ignore, at_tick(due));
        }
        CHECK_EQ(searched_for(), delay);
        (void)z_add_timeout(&same[16], ignore, at_tick(due));
        early += searched_for() < delay;
        for (_timeout &timeout : same) {
            CHECK_EQ(z_try_abort_timeout(&timeout), 0);
        }
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
    noted near;
    const unsigned without_work = points_of_announce(1);
    (void)near.add(in_ticks(0));
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
