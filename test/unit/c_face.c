/* SPDX-License-Identifier: MIT */
/*
 * The C face from C11; the same text is compiled as C++17 as well. Where there is
 * a hosted <time.h>, which has a timer_delete of its own, it comes after
 * tickwheel's header here and before it in c_face_time_first.c.
 */
#ifndef C_FACE_NAME
#define C_FACE_NAME c_face
#include <tickwheel/timer.h>
#endif
#include <tickwheel/tickwheel.h>

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <time.h>
#endif

/* The line of the first check that failed; 0: none. */
#define C_FACE_CHECK(condition)                                                                                      \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            return __LINE__;                                                                                         \
        }                                                                                                            \
    } while (0)

struct c_device {
    int polls;
    struct timer_list poll;
};

static void poll_device(struct timer_list *t)
{
    struct c_device *dev = from_timer(dev, t, poll);
    dev->polls++;
    mod_timer(&dev->poll, dev->poll.expires + HZ / 10 + 1);
}

static int plain_calls;

static void plain(struct timer_list *t)
{
    struct timer_list *const same = t;
    plain_calls += !timer_pending(same);
}

static DEFINE_TIMER(defined, plain);

/* Linux has them for initialisers, where C takes constants only. */
static const jiffies_t limits[] = {secs_to_jiffies(5), secs_to_jiffies(MAX_SEC_IN_JIFFIES + 1), TICK_NSEC,
                                   INITIAL_JIFFIES, MAX_JIFFY_OFFSET};

static void pass(jiffies_t ticks)
{
    while (ticks-- != 0) {
        if (tickwheel_tick()) {
            (void)tickwheel_run();
        }
    }
}

static int silences;

static void silent(struct tickwheel_inactivity_timer *t)
{
    silences += t->timer.expires == jiffies && !tickwheel_inactivity_pending(t);
}

static int drive_inactivity(void)
{
    static struct tickwheel_inactivity_timer t;
    silences = 0;
    tickwheel_inactivity_setup(&t, silent, 0);
    C_FACE_CHECK(!tickwheel_inactivity_pending(&t) && tickwheel_inactivity_stop(&t) == 0);
    tickwheel_inactivity_restart_at(&t, jiffies + 10);
    pass(9);
    tickwheel_inactivity_restart_at(&t, jiffies + 10);
    pass(9);
    C_FACE_CHECK(silences == 0 && tickwheel_inactivity_pending(&t) && t.deadline == jiffies + 1);
    pass(1);
    C_FACE_CHECK(silences == 1);
    tickwheel_inactivity_restart_at(&t, jiffies + 10);
    C_FACE_CHECK(tickwheel_inactivity_stop(&t) == 1 && tickwheel_inactivity_stop(&t) == 0);
    pass(10);
    return silences == 1 ? 0 : __LINE__;
}

static int drive(void)
{
    static struct c_device dev;
    const jiffies_t start = jiffies;
    const jiffies_t period = HZ / 10 + 1;
    jiffies_t next = 0;
    const struct c_device *const same = timer_container_of(same, &dev.poll, poll);
    unsigned long moment;
    volatile unsigned unknown = 6;
    volatile unsigned fortnight;

    dev.polls = 0;
    timer_setup(&dev.poll, poll_device, 0);
    dev.poll.expires = start + period;
    add_timer(&dev.poll);
    C_FACE_CHECK(timer_pending(&dev.poll) && same == &dev);
    C_FACE_CHECK(tickwheel_next_expiry(&next) == 1 && next == start + period);
    pass(3 * period);
    C_FACE_CHECK(dev.polls == 3);
    C_FACE_CHECK(time_is_after_jiffies(dev.poll.expires));
    C_FACE_CHECK(mod_timer_pending(&dev.poll, jiffies + 100) == 1);
    C_FACE_CHECK(timer_reduce(&dev.poll, jiffies + 200) == 1 && dev.poll.expires == jiffies + 100);
    C_FACE_CHECK(timer_delete(&dev.poll) == 1);
    C_FACE_CHECK(del_timer(&dev.poll) == 0);
    C_FACE_CHECK(timer_delete_sync_try(&dev.poll) == 0 && try_to_del_timer_sync(&dev.poll) == 0);
    C_FACE_CHECK(timer_delete_sync(&dev.poll) == 0 && del_timer_sync(&dev.poll) == 0);
    C_FACE_CHECK(timer_shutdown(&dev.poll) == 0 && timer_shutdown_sync(&dev.poll) == 0);
    C_FACE_CHECK(mod_timer(&dev.poll, jiffies + 1) == 0 && !timer_pending(&dev.poll));

    C_FACE_CHECK(container_of(&dev.poll, struct c_device, poll) == &dev);
    timer_setup_on_stack(&dev.poll, poll_device, TIMER_IRQSAFE | TIMER_PINNED);
    C_FACE_CHECK(mod_timer(&dev.poll, jiffies + 1) == 0 && del_singleshot_timer_sync(&dev.poll) == 1);
    C_FACE_CHECK(del_singleshot_timer_sync(&dev.poll) == 0);
    add_timer_on(&dev.poll, 0);
    C_FACE_CHECK(timer_delete_sync_try(&dev.poll) == 1);
    add_timer_local(&dev.poll);
    C_FACE_CHECK(timer_delete(&dev.poll) == 1);
    add_timer_global(&dev.poll);
    C_FACE_CHECK(timer_delete(&dev.poll) == 1);
    timer_destroy_on_stack(&dev.poll);
    destroy_timer_on_stack(&dev.poll);

    C_FACE_CHECK(mod_timer(&defined, jiffies + 2) == 0);
    plain_calls = 0;
    pass(2);
    C_FACE_CHECK(plain_calls == 1);

    C_FACE_CHECK(tickwheel_start_after_ms(&defined, 30000) == 0 && defined.expires == jiffies + 30 * HZ + 1);
    /* 14 days, and the longest delay. */
    fortnight = 1209600000u;
    C_FACE_CHECK(tickwheel_start_after_ms(&defined, fortnight) == 1 && defined.expires == jiffies + fortnight + 1);
    fortnight = 0x7FFFFFFEu;
    C_FACE_CHECK(tickwheel_start_after_ms(&defined, fortnight) == 1 && defined.expires == jiffies + 0x7FFFFFFFu);
    C_FACE_CHECK(timer_delete(&defined) == 1);

    /* A Linux driver keeps jiffies in an unsigned long, which has 64 bits on a 64-bit host. */
    moment = jiffies + 10;
    C_FACE_CHECK(time_after(moment, jiffies) && time_before(jiffies, moment));
    C_FACE_CHECK(time_in_range(jiffies, jiffies, moment) && !time_in_range_open(moment, jiffies, moment));
    C_FACE_CHECK(msecs_to_jiffies(1000) == HZ && jiffies_to_msecs(HZ) == 1000);
    C_FACE_CHECK(limits[0] == 5 * HZ && limits[1] == MAX_JIFFY_OFFSET);
    C_FACE_CHECK(secs_to_jiffies(unknown++) == 6 * HZ && unknown == 7);
    unknown = 0xFFFFFFFFu;
    C_FACE_CHECK(secs_to_jiffies(unknown) == MAX_JIFFY_OFFSET);
    C_FACE_CHECK((get_jiffies_64() & 0xFFFFFFFFu) == jiffies);
    return 0;
}

/* Returns the line of the first failed check, or 0. */
int C_FACE_NAME(void);
int C_FACE_NAME(void)
{
    int failed;
    tickwheel_init(INITIAL_JIFFIES);
    failed = drive();
    if (failed == 0) {
        failed = drive_inactivity();
    }
    tickwheel_init(INITIAL_JIFFIES);
    return failed;
}
