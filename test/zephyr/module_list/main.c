/* SPDX-License-Identifier: MIT */
/* The front ends of a Zephyr with a list: what the driver is told, and which tick it is. */
#include <stdio.h>

#include <zephyr/kernel.h>

/* The ticks since the last announce, and how many more pass after each question for them. */
static uint32_t passed;
static uint32_t passes;
enum { nothing = -77 };
static int32_t told = nothing;
static struct k_spinlock *held;
static bool failed;

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            (void)printf("main.c:%d: not so: %s\n", __LINE__, #condition);                                           \
            failed = true;                                                                                           \
        }                                                                                                            \
    } while (0)

uint32_t sys_clock_elapsed(void)
{
    const uint32_t ticks = passed;

    passed += passes;
    return ticks;
}

void sys_clock_set_timeout(int32_t ticks, bool idle)
{
    (void)idle;
    told = ticks;
}

k_spinlock_key_t k_spin_lock(struct k_spinlock *lock)
{
    CHECK(held == NULL);
    held = lock;
    return (k_spinlock_key_t){0};
}

void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t taken)
{
    (void)taken;
    CHECK(held == lock);
    held = NULL;
}

/* Returns what the driver was told since the last call of this. */
static int32_t heard(void)
{
    const int32_t ticks = told;

    told = nothing;
    return ticks;
}

static int64_t fired_at;
static int64_t again_at;
static struct _timeout again;

static void fired(struct _timeout *timeout)
{
    CHECK(held == NULL);
    (void)timeout;
    fired_at = sys_clock_tick_get();
}

static void fired_again(struct _timeout *timeout)
{
    (void)timeout;
    again_at = sys_clock_tick_get();
}

/* An earlier one than any other, in the function of a timeout. */
static void adds(struct _timeout *timeout)
{
    fired(timeout);
    (void)heard();
    CHECK(z_get_next_timeout_expiry() == INT32_MAX);
    z_add_timeout(&again, fired_again, K_TICKS(4));
    CHECK(heard() == nothing);
    CHECK(z_timeout_remaining(&again) == 5 && z_timeout_expires(&again) == fired_at + 5);
}

/* Another CPU announces meanwhile. */
static void announces(struct _timeout *timeout)
{
    fired(timeout);
    (void)heard();
    sys_clock_announce(1000);
    CHECK(heard() == nothing);
}

/* Returns what an abort tells the driver. */
static int32_t told_by_abort(int32_t ticks)
{
    return ABORT_TELLS_DRIVER ? ticks : nothing;
}

static struct _timeout first;
static struct _timeout second;

static void add_and_abort(void)
{
    z_add_timeout(&first, fired, K_TICKS(41));
    CHECK(heard() == 42 && z_get_next_timeout_expiry() == 42);
    z_add_timeout(&second, fired, K_TICKS(41));
    CHECK(heard() == nothing);
    CHECK(z_abort_timeout(&second) == 0 && z_abort_timeout(&second) == -EINVAL);
    CHECK(heard() == told_by_abort(42));
    passed = 3;
    z_add_timeout(&second, fired, K_TICKS(10));
    CHECK(heard() == 11 && z_get_next_timeout_expiry() == 11);
    CHECK(z_timeout_remaining(&second) == 11 && z_timeout_expires(&second) == 14);
    CHECK(z_abort_timeout(&second) == 0 && heard() == told_by_abort(39) && z_get_next_timeout_expiry() == 39);
    CHECK(z_timeout_remaining(&second) == 0 && z_timeout_expires(&second) == 0);
    /* Earlier than what is left, and later than what was aborted. */
    z_add_timeout(&second, fired, K_TICKS(Z_TICK_ABS(30)));
    CHECK(heard() == 27);
    CHECK(z_abort_timeout(&second) == 0);
    /* The clock goes on while the kernel computes. */
    passes = 2;
    z_add_timeout(&second, fired, K_TICKS(10));
    CHECK(heard() == (ADD_RETURNS_TICK ? 11 : 9));
    CHECK(z_abort_timeout(&second) == 0);
    passed = 41;
    passes = 2;
    CHECK(z_get_next_timeout_expiry() == 1);
    passes = 0;
    passed = 3;
    /* It is over, so it is due in the next tick, of which the driver has passed the end. */
    z_add_timeout(&second, fired, K_TICKS(Z_TICK_ABS(0)));
    CHECK(heard() == 0 && z_abort_timeout(&second) == 0 && heard() == told_by_abort(39));
    z_add_timeout(&second, fired, K_FOREVER);
    CHECK(z_is_inactive_timeout(&second) && heard() == nothing);
    CHECK(sys_clock_tick_get() == 3 && z_impl_k_uptime_ticks() == 3);
}

static void announce_ticks(void)
{
    passed = 0;
    sys_clock_announce(41);
    CHECK(heard() == 1 && fired_at == 0);
    /* Ticks that have passed since the announced one do not count in a function. */
    passed = 7;
    sys_clock_announce(100);
    CHECK(fired_at == 42 && sys_clock_tick_get() == 148 && heard() == INT32_MAX);
    passed = 0;
    CHECK(sys_clock_tick_get_32() == 141 && z_get_next_timeout_expiry() == INT32_MAX);

    z_add_timeout(&first, adds, K_TICKS(9));
    /* The driver has just announced all that has passed. */
    passed = 1;
    sys_clock_announce(12);
    CHECK(fired_at == 151 && again_at == 0 && heard() == (ADD_RETURNS_TICK ? 3 : 2));
    passed = 0;
    sys_clock_announce(3);
    CHECK(again_at == 156 && heard() == INT32_MAX);

    z_add_timeout(&first, announces, K_TICKS(0));
    z_add_timeout(&second, fired_again, K_TICKS(499));
    sys_clock_announce(1);
    CHECK(fired_at == 157 && again_at == 656 && sys_clock_tick_get() == 1157 && heard() == INT32_MAX);

    z_add_timeout(&first, fired, K_TICKS((k_ticks_t)1 << 40));
    /* A parked timeout is looked at before it is due (Z4). */
    CHECK(heard() > 1 << 30 && z_timeout_remaining(&first) == ((k_ticks_t)1 << 40) + 1);
    CHECK(z_abort_timeout(&first) == 0);
}

static void timepoints(void)
{
    passed = 2;
    CHECK(sys_timepoint_calc(K_FOREVER).tick == UINT64_MAX && sys_timepoint_calc(K_NO_WAIT).tick == 0);
    CHECK(sys_timepoint_calc(K_TICKS(5)).tick == 1164 && sys_timepoint_calc(K_TICKS(Z_TICK_ABS(6))).tick == 6);
    CHECK(sys_timepoint_timeout((k_timepoint_t){UINT64_MAX}).ticks == K_TICKS_FOREVER);
    CHECK(sys_timepoint_timeout((k_timepoint_t){0}).ticks == 0 &&
          sys_timepoint_timeout((k_timepoint_t){6}).ticks == 0);
    CHECK(sys_timepoint_timeout((k_timepoint_t){1164}).ticks == 5);
}

#if MARKS
static void marked(struct _timeout *timeout)
{
    CHECK(timeout->dticks == TIMEOUT_DTICKS_ANNOUNCING);
    CHECK(z_abort_timeout(timeout) == -EINVAL && timeout->dticks == TIMEOUT_DTICKS_ABORTED);
}
#endif

/* Tick 1164, and what a thread that sleeps asks for. */
static void answers_and_marks(void)
{
#if ADD_RETURNS_TICK
    CHECK(z_add_timeout(&first, fired, K_TICKS(9)) == 1159 + 9 + 1);
    CHECK(z_add_timeout(&second, fired, K_TICKS(Z_TICK_ABS(2000))) == Z_TICK_ABS(2000));
    CHECK(z_add_timeout(&again, fired, K_FOREVER) == 0);
    CHECK(z_abort_timeout(&first) == 0 && first.dticks == TIMEOUT_DTICKS_ABORTED);
    (void)z_add_timeout(&first, fired, K_TICKS(0));
    CHECK(first.dticks != TIMEOUT_DTICKS_ABORTED);
    passed = 0;
    sys_clock_announce(1000);
    CHECK(z_is_inactive_timeout(&first) && first.dticks != TIMEOUT_DTICKS_ABORTED);
    (void)z_add_timeout(&first, fired, K_TICKS((k_ticks_t)1 << 40));
    CHECK(z_abort_timeout(&first) == 0 && first.dticks == TIMEOUT_DTICKS_ABORTED);
#endif
#if MARKS
    (void)z_add_timeout(&first, marked, K_TICKS(0));
    sys_clock_announce(1);
    CHECK(first.dticks == TIMEOUT_DTICKS_ABORTED);
#endif
}

int main(void)
{
    add_and_abort();
    announce_ticks();
    timepoints();
    answers_and_marks();
    return failed;
}
