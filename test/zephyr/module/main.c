/* SPDX-License-Identifier: MIT */
/* A timeout that fires in its tick, in a kernel that ticks. */
#include <zephyr/kernel.h>

int stand_in_cpu;

uint32_t sys_clock_elapsed(void)
{
    return 0;
}

void sys_clock_set_timeout(uint32_t ticks)
{
    (void)ticks;
}

void sys_clock_no_timeout(void)
{
}

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
    return fired_at == 42 ? 0 : 1;
}
