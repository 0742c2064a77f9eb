// SPDX-License-Identifier: MIT
// The front ends of a Zephyr with a list: what the driver is told, and which tick it is. ../random.cpp has the rest.
#include <stdio.h>

#include "stand_in.hpp"

using stand_in::driver;

static constexpr int64_t nothing = -77;
static constexpr int64_t for_ever = UINT32_MAX;
static bool failed;

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            (void)printf("main.cpp:%d: not so: %s\n", __LINE__, #condition);                                         \
            failed = true;                                                                                           \
        }                                                                                                            \
    } while (0)

// Returns what the driver was told since the last call of this.
static int64_t heard()
{
    static unsigned before;
    const bool is_told = driver.told != before;
    before = driver.told;
    return is_told ? driver.wait : nothing;
}

static int64_t fired_at;
static int64_t again_at;
static _timeout first;
static _timeout second;

static void fired(_timeout * /*timeout*/)
{
    CHECK(stand_in::locks_held == 0);
    fired_at = sys_clock_tick_get();
}

static void fired_again(_timeout * /*timeout*/)
{
    again_at = sys_clock_tick_get();
}

// An earlier one than any other, in the function of a timeout.
static void adds(_timeout *timeout)
{
    fired(timeout);
    (void)heard();
    CHECK(z_get_next_timeout_expiry() == INT32_MAX);
    z_add_timeout(&second, fired_again, K_TICKS(4));
    CHECK(heard() == nothing);
}

// Another CPU announces meanwhile.
static void announces(_timeout *timeout)
{
    fired(timeout);
    (void)heard();
    sys_clock_announce(1000);
    CHECK(heard() == nothing);
}

// Returns what an abort tells the driver.
static int64_t told_by_abort(int64_t ticks)
{
    return ABORT_TELLS_DRIVER ? ticks : nothing;
}

static void add_and_abort()
{
    z_add_timeout(&first, fired, K_TICKS(41));
    CHECK(heard() == 42 && z_get_next_timeout_expiry() == 42);
    z_add_timeout(&second, fired, K_TICKS(41));
    CHECK(heard() == nothing);
    CHECK(z_abort_timeout(&second) == 0 && z_abort_timeout(&second) == -EINVAL);
    CHECK(heard() == told_by_abort(42));
    driver.elapsed = 3;
    z_add_timeout(&second, fired, K_TICKS(10));
    CHECK(heard() == 11 && z_get_next_timeout_expiry() == 11);
    CHECK(z_timeout_remaining(&second) == 11 && z_timeout_expires(&second) == 14);
    CHECK(z_abort_timeout(&second) == 0 && heard() == told_by_abort(39) && z_get_next_timeout_expiry() == 39);
    // Earlier than what is left, and later than what was aborted.
    z_add_timeout(&second, fired, K_TICKS(Z_TICK_ABS(30)));
    CHECK(heard() == 27);
    CHECK(z_abort_timeout(&second) == 0);
    // The clock goes on while the kernel computes.
    driver.passes = 2;
    z_add_timeout(&second, fired, K_TICKS(10));
    CHECK(heard() == (ADD_RETURNS_TICK ? 11 : 9));
    CHECK(z_abort_timeout(&second) == 0);
    driver.elapsed = 41;
    CHECK(z_get_next_timeout_expiry() == 1);
    driver.passes = 0;
    driver.elapsed = 3;
    // It is over, so it is due in the next tick, of which the driver has passed the end.
    (void)heard();
    z_add_timeout(&second, fired, K_TICKS(Z_TICK_ABS(0)));
    CHECK(heard() == 0 && z_abort_timeout(&second) == 0 && heard() == told_by_abort(39));
    z_add_timeout(&second, fired, K_FOREVER);
    CHECK(z_is_inactive_timeout(&second) && heard() == nothing);
    CHECK(sys_clock_tick_get() == 3 && z_impl_k_uptime_ticks() == 3);
}

static void announce_ticks()
{
    driver.elapsed = 0;
    sys_clock_announce(41);
    CHECK(heard() == 1 && fired_at == 0);
    // Ticks that have passed since the announced one do not count in a function.
    driver.elapsed = 7;
    sys_clock_announce(100);
    CHECK(fired_at == 42 && sys_clock_tick_get() == 148 && heard() == for_ever);
    driver.elapsed = 0;
    CHECK(sys_clock_tick_get_32() == 141 && z_get_next_timeout_expiry() == INT32_MAX);

    z_add_timeout(&first, adds, K_TICKS(9));
    // The driver has just announced all that has passed.
    driver.elapsed = 1;
    sys_clock_announce(12);
    CHECK(fired_at == 151 && again_at == 0 && heard() == (ADD_RETURNS_TICK ? 3 : 2));
    driver.elapsed = 0;
    sys_clock_announce(3);
    CHECK(again_at == 156 && heard() == for_ever);

    z_add_timeout(&first, announces, K_TICKS(0));
    sys_clock_announce(1);
    CHECK(fired_at == 157 && sys_clock_tick_get() == 1157 && heard() == for_ever);
}

static void timepoints()
{
    driver.elapsed = 2;
    CHECK(sys_timepoint_calc(K_FOREVER).tick == UINT64_MAX && sys_timepoint_calc(K_NO_WAIT).tick == 0);
    CHECK(sys_timepoint_calc(K_TICKS(5)).tick == 1164 && sys_timepoint_calc(K_TICKS(Z_TICK_ABS(6))).tick == 6);
    CHECK(sys_timepoint_timeout({UINT64_MAX}).ticks == K_TICKS_FOREVER);
    CHECK(sys_timepoint_timeout({0}).ticks == 0 && sys_timepoint_timeout({6}).ticks == 0);
    CHECK(sys_timepoint_timeout({1164}).ticks == 5);
}

#if MARKS
static void marked(_timeout *timeout)
{
    CHECK(timeout->dticks == TIMEOUT_DTICKS_ANNOUNCING);
    CHECK(z_abort_timeout(timeout) == -EINVAL && timeout->dticks == TIMEOUT_DTICKS_ABORTED);
}
#endif

// Tick 1159, and what a thread that sleeps asks for.
static void answers_and_marks()
{
#if ADD_RETURNS_TICK
    CHECK(z_add_timeout(&first, fired, K_TICKS(9)) == 1159 + 9 + 1);
    CHECK(z_add_timeout(&second, fired, K_TICKS(Z_TICK_ABS(2000))) == Z_TICK_ABS(2000));
    CHECK(z_abort_timeout(&first) == 0 && first.dticks == TIMEOUT_DTICKS_ABORTED);
    CHECK(z_add_timeout(&first, fired, K_FOREVER) == 0);
    (void)z_add_timeout(&first, fired, K_TICKS(0));
    CHECK(first.dticks != TIMEOUT_DTICKS_ABORTED);
    driver.elapsed = 0;
    sys_clock_announce(1000);
    CHECK(z_is_inactive_timeout(&first) && first.dticks != TIMEOUT_DTICKS_ABORTED);
    (void)z_add_timeout(&first, fired, K_TICKS(k_ticks_t{1} << 40));
    CHECK(z_abort_timeout(&first) == 0 && first.dticks == TIMEOUT_DTICKS_ABORTED);
#endif
#if MARKS
    (void)z_add_timeout(&first, marked, K_TICKS(0));
    sys_clock_announce(1);
    CHECK(first.dticks == TIMEOUT_DTICKS_ABORTED);
#endif
}

int main()
{
    add_and_abort();
    announce_ticks();
    timepoints();
    answers_and_marks();
    return failed || stand_in::lock_faults != 0;
}
