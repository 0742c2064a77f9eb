/* SPDX-License-Identifier: MIT */
/* A timeout that fires in its tick, in a kernel that ticks. */
#include <zephyr/kernel.h>

int stand_in_cpu;

uint32_t sys_clock_elapsed(void)
{
    return 0;
}

#ifdef STAND_IN_3_2
static int32_t told;

void sys_clock_set_timeout(int32_t ticks, bool idle)
{
    (void)idle;
    told = ticks;
}

uint32_t k_cycle_get_32(void)
{
    return 0;
}

uint32_t sys_clock_hw_cycles_per_sec(void)
{
    return 1;
}
#else
void sys_clock_set_timeout(uint32_t ticks)
{
    (void)ticks;
}

void sys_clock_no_timeout(void)
{
}
#endif

static struct k_spinlock *held;

k_spinlock_key_t k_spin_lock(struct k_spinlock *lock)
{
    held = lock;
    return (k_spinlock_key_t){0};
}

void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t taken)
{
    (void)lock;
    (void)taken;
    held = NULL;
}

static int64_t fired_at;

static void fired(struct _timeout *timeout)
{
    (void)timeout;
    fired_at = held == NULL ? sys_clock_tick_get() : -1;
}

int main(void)
{
    static struct _timeout timeout;

    (void)z_add_timeout(&timeout, fired, (k_timeout_t){41});
    sys_clock_announce(100);
#ifdef STAND_IN_3_2
    static struct _timeout aborted;

    (void)z_add_timeout(&timeout, fired, (k_timeout_t){500});
    (void)z_add_timeout(&aborted, fired, (k_timeout_t){9});
    if (told != 10 || z_abort_timeout(&aborted) != 0 || z_abort_timeout(&aborted) != -EINVAL) {
        return 2;
    }
    /* Earlier than what is left, and later than what was aborted. */
    (void)z_add_timeout(&aborted, fired, (k_timeout_t){Z_TICK_ABS(150)});
    if (told != 50 || z_timeout_remaining(&timeout) != 501 || z_get_next_timeout_expiry() != 50) {
        return 3;
    }
    sys_clock_announce(1000);
    return fired_at == 601 && sys_clock_tick_get() == 1100 ? 0 : 4;
#else
    return fired_at == 42 ? 0 : 1;
#endif
}
