/* SPDX-License-Identifier: MIT */
/*
 * Every name of <linux/timer.h> and <linux/jiffies.h>, as a driver in C uses it. test/check/check_sources.sh compiles
 * this for several tick rates and cores: without a warning, and no function of libgcc may be left but the division of
 * 32 bits.
 */
#include <linux/timer.h>

#include <linux/jiffies.h>

/* newlib for Arm has an HZ of its own in this header, which comes later. */
#if defined(__has_include)
#if __has_include(<sys/param.h>)
#include <sys/param.h>
#endif
#endif

_Static_assert(HZ == TICKWHEEL_HZ, "another header has changed HZ");
_Static_assert(INITIAL_JIFFIES == (uint32_t)(-300LL * HZ), "");
_Static_assert(MAX_JIFFY_OFFSET == 0x3FFFFFFE, "");
_Static_assert(MAX_SEC_IN_JIFFIES == 0x3FFFFFFEull / HZ, "");
_Static_assert(TICK_NSEC == (1000000000ull + HZ / 2) / HZ, "");

/* Seconds as constants: exact, then limited, as in 64 bits. */
#define EXACT(seconds) ((unsigned long long)(seconds) * HZ)
#define IS_RIGHT(seconds)                                                                                            \
    (secs_to_jiffies(seconds) == (EXACT(seconds) > MAX_JIFFY_OFFSET ? MAX_JIFFY_OFFSET : EXACT(seconds)))
_Static_assert(IS_RIGHT(0) && IS_RIGHT(1) && IS_RIGHT(5) && IS_RIGHT(10737) && IS_RIGHT(10738), "");
_Static_assert(IS_RIGHT(MAX_SEC_IN_JIFFIES) && IS_RIGHT(MAX_SEC_IN_JIFFIES + 1) && IS_RIGHT(0xFFFFFFFFu), "");
_Static_assert(secs_to_jiffies(-1) == MAX_JIFFY_OFFSET, "");

struct device {
    jiffies_t jiffies;
    struct timer_list poll;
};

void expired(struct timer_list *timer);
int timers(struct device *device, int cpu);
int ticks(struct device *device, unsigned char seconds, unsigned long moment);
uint64_t times(uint64_t number);

static jiffies_t interval = secs_to_jiffies(5);
static const jiffies_t intervals[] = {secs_to_jiffies(1), 2 * HZ, MAX_JIFFY_OFFSET};
static DEFINE_TIMER(lone, expired);

void expired(struct timer_list *timer)
{
    struct device *device = timer_container_of(device, timer, poll);
    struct device *const same = from_timer(same, timer, poll);
    device->jiffies = jiffies;
    (void)mod_timer(&same->poll, container_of(timer, struct device, poll)->poll.expires + interval);
}

int timers(struct device *device, int cpu)
{
    struct timer_list *const timer = &device->poll;
    int pending = timer_pending(&lone);
    timer_setup(timer, expired, TIMER_DEFERRABLE | TIMER_PINNED | TIMER_IRQSAFE);
    add_timer(timer);
    add_timer_on(timer, cpu);
    add_timer_local(timer);
    add_timer_global(timer);
    pending += mod_timer(timer, jiffies + intervals[0]) + mod_timer_pending(timer, jiffies + intervals[1]);
    pending += timer_reduce(timer, jiffies + HZ / 2) + timer_delete(timer) + timer_delete_sync(timer);
    pending += timer_delete_sync_try(timer) + timer_shutdown(timer) + timer_shutdown_sync(timer);
    pending += del_timer(timer) + del_timer_sync(timer) + try_to_del_timer_sync(timer);
    pending += del_singleshot_timer_sync(timer);
    timer_setup_on_stack(timer, expired, 0);
    timer_destroy_on_stack(timer);
    destroy_timer_on_stack(timer);
    return pending;
}

int ticks(struct device *device, unsigned char seconds, unsigned long moment)
{
    const jiffies_t now = jiffies;
    const uint64_t now_64 = get_jiffies_64();
    device->jiffies = secs_to_jiffies(seconds) + msecs_to_jiffies(20) + usecs_to_jiffies(30) + round_jiffies(now) +
                      round_jiffies_up(now) + round_jiffies_relative(HZ) + round_jiffies_up_relative(HZ) +
                      nsecs_to_jiffies(now_64) + clock_t_to_jiffies(now) + jiffies_to_msecs(now) +
                      jiffies_to_usecs(now) + jiffies_to_secs(now) + jiffies_to_clock_t(now) +
                      jiffies_delta_to_msecs(now) + jiffies_delta_to_clock_t(now);
    return time_after(moment, now) + time_before(moment, now) + time_after_eq(moment, now) +
           time_before_eq(moment, now) + time_in_range(now, moment, now) + time_in_range_open(now, moment, now) +
           time_is_before_jiffies(moment) + time_is_after_jiffies(moment) + time_is_before_eq_jiffies(moment) +
           time_is_after_eq_jiffies(moment) + time_after32(now, device->jiffies) +
           time_before32(now, device->jiffies) + time_between32(now, device->jiffies, interval) +
           time_after64(now, now_64) + time_before64(now, now_64) + time_after_eq64(now, now_64) +
           time_before_eq64(now, now_64) + time_in_range64(now, now_64, now_64) + time_is_before_jiffies64(now_64) +
           time_is_after_jiffies64(now_64) + time_is_before_eq_jiffies64(now_64) + time_is_after_eq_jiffies64(now_64);
}

uint64_t times(uint64_t number)
{
    return nsecs_to_jiffies64(number) + jiffies64_to_nsecs(number) + jiffies64_to_msecs(number) +
           jiffies_to_nsecs((jiffies_t)number);
}
