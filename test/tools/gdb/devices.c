/* SPDX-License-Identifier: MIT */
/* Timers in C: static ones, members, an array, a union, and a static one in a function. */
#include <tickwheel/timer.h>

struct modem {
    int state;
    struct {
        struct timer_list dial;
        struct timer_list hang_up;
    };
    union {
        uint32_t words[8];
        struct timer_list retry;
    } line[2];
};

static struct modem modem;
static struct timer_list keys[3];
static struct tickwheel_inactivity_timer link;

static void hung_up(struct timer_list *timer)
{
    struct modem *const self = from_timer(self, timer, hang_up);
    self->state = 0;
}
static void retried(struct timer_list *timer)
{
    (void)timer;
}
static void key_settled(struct timer_list *timer)
{
    mod_timer(timer, timer->expires + HZ);
}

static void link_lost(struct tickwheel_inactivity_timer *timer)
{
    tickwheel_inactivity_restart_at(timer, timer->timer.expires + HZ);
}

static DEFINE_TIMER(state, retried);

void devices_start(void);
void devices_start(void)
{
    static struct timer_list once;
    timer_setup(&once, retried, 0);
    timer_setup(&modem.hang_up, hung_up, 0);
    timer_setup(&modem.line[1].retry, retried, TIMER_DEFERRABLE);
    timer_setup(&keys[0], key_settled, 0);
    timer_setup(&keys[1], key_settled, 0);
    timer_setup(&keys[2], key_settled, 0);
    tickwheel_inactivity_setup(&link, link_lost, 0);
    tickwheel_inactivity_restart_at(&link, jiffies + 90);
    mod_timer(&once, jiffies + 40);
    mod_timer(&modem.hang_up, jiffies + 30000);
    mod_timer(&modem.line[1].retry, jiffies + 41);
    mod_timer(&keys[0], jiffies + 2000000);
    mod_timer(&keys[1], jiffies + 40);
    mod_timer(&keys[2], jiffies + 40);
    mod_timer(&state, jiffies + 1500000000);
}
