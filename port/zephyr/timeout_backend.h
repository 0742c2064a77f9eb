/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The kernel's timeout queue on the wheel. A file of this port includes it once, behind the statics of the kernel's
 * timeout.c that it moves: curr_tick, announce_remaining, inflight_timeout and timeout_lock. All functions are
 * called with timeout_lock held. DESIGN.md has the rules that are cited here (Z1 ..).
 */
#ifndef TICKWHEEL_TIMEOUT_BACKEND_H
#define TICKWHEEL_TIMEOUT_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include <zephyr/kernel.h>
#include <zephyr/sys/dlist.h>

#include <tickwheel/tickwheel.h>
#include <tickwheel/zephyr.h>

/* 1: A timeout is marked before its function is called (Z6). */
#ifndef TICKWHEEL_MARKS_ANNOUNCING
#define TICKWHEEL_MARKS_ANNOUNCING 0
#endif

/* A timer of the wheel lies over the kernel's timeout (Z1). */
BUILD_ASSERT(offsetof(struct timer_list, prev) == offsetof(struct _timeout, node.next),
             "tickwheel: prev must lie over the pointer that says whether a timeout is active");
BUILD_ASSERT(offsetof(struct timer_list, next) == offsetof(struct _timeout, node.prev),
             "tickwheel: the links of a timer must be those of a node");
BUILD_ASSERT(offsetof(struct timer_list, function) == offsetof(struct _timeout, fn),
             "tickwheel: this kernel has the function of a timeout in another place");
BUILD_ASSERT(sizeof(struct timer_list) <= sizeof(struct _timeout), "tickwheel: a timer is larger than a timeout");
BUILD_ASSERT(sizeof(k_ticks_t) == 8, "tickwheel: needs CONFIG_TIMEOUT_64BIT");
BUILD_ASSERT(sizeof(curr_tick) == 8 && sizeof(announce_remaining) >= 4, "tickwheel: this kernel counts otherwise");

enum {
    /** The wheel holds what is due in less than so many ticks, and looks for more of it so often (Z3). */
    TICKWHEEL_NEAR = 1 << 30,
    TICKWHEEL_LOOK_EVERY = 1 << 29,
    /** How many timers a search for the earliest one may look at. Then it returns a lower bound. */
    TICKWHEEL_MAX_SEARCHED = 16,
    /** The bit of `enabled` that a parked timeout has, and no timer of the wheel. */
    TICKWHEEL_PARKED = 0x80
};

static struct {
    /** The tick of the wheel that has come. A test may set curr_tick, so that one may differ from it (Z2). */
    jiffies_t now;
    /** No timeout in the wheel is due before this tick. It is not known if it is not after `now` (Z4). */
    jiffies_t earliest;
    /** What is due before this tick is in the wheel. The rest is parked (Z3). */
    jiffies_t horizon;
    k_spinlock_key_t key;
    /** The tick of the last look, in 64 bits. */
    uint64_t looked;
    /** A look empties one of the two lists, and puts into the other one what stays parked. */
    sys_dlist_t parked[2];
    unsigned filled;
} tickwheel_queue = {
    .now = TICKWHEEL_INITIAL_JIFFIES,
    .earliest = TICKWHEEL_INITIAL_JIFFIES + TICKWHEEL_NEAR + TICKWHEEL_LOOK_EVERY,
    .horizon = TICKWHEEL_INITIAL_JIFFIES + TICKWHEEL_NEAR + TICKWHEEL_LOOK_EVERY,
    .looked = TICKWHEEL_INITIAL_JIFFIES,
    .parked = {SYS_DLIST_STATIC_INIT(&tickwheel_queue.parked[0]), SYS_DLIST_STATIC_INIT(&tickwheel_queue.parked[1])},
};

static struct timer_list *tickwheel_timer_of(struct _timeout *to)
{
    return (struct timer_list *)(void *)to;
}

/** `now` in 64 bits. */
static uint64_t tickwheel_now_64(void)
{
    return tickwheel_queue.looked + (jiffies_t)(tickwheel_queue.now - (jiffies_t)tickwheel_queue.looked);
}

/** The kernel's time comes up to a tick of the wheel. */
static void tickwheel_move_to(jiffies_t tick)
{
    const jiffies_t ticks = tick - tickwheel_queue.now;

    tickwheel_queue.now = tick;
    curr_tick += ticks;
    announce_remaining -= ticks;
}

static void tickwheel_open_lock(void)
{
    k_spin_unlock(&timeout_lock, tickwheel_queue.key);
    tickwheel_queue.key = k_spin_lock(&timeout_lock);
}

void tickwheel_zephyr_callback_begins(struct timer_list *timer)
{
    /* No timer is armed for a tick that is over (Z2), so it fires in its own. */
    tickwheel_move_to(timer->expires);
    inflight_timeout = (struct _timeout *)(void *)timer;
#if TICKWHEEL_MARKS_ANNOUNCING
    inflight_timeout->dticks = TIMEOUT_DTICKS_ANNOUNCING;
#endif
    k_spin_unlock(&timeout_lock, tickwheel_queue.key);
}

void tickwheel_zephyr_callback_ends(void)
{
    tickwheel_queue.key = k_spin_lock(&timeout_lock);
    inflight_timeout = NULL;
}

void tickwheel_zephyr_interrupt_window(void)
{
    jiffies_t finished = 0;

    /* During a run this is the last finished tick. If nothing follows, it may be in the future. */
    (void)tickwheel_next_event(&finished);
    tickwheel_move_to(tickwheel_time_before(finished, jiffies) ? finished : jiffies);
    tickwheel_open_lock();
}

/** Puts an idle timeout into the wheel. Returns true if no other one is known to be due as early. */
static bool tickwheel_arm(struct timer_list *timer, jiffies_t due)
{
    const bool is_earliest = tickwheel_time_before(due, tickwheel_queue.earliest);

    timer->deferrable = 0;
    timer->enabled = 1;
    (void)tickwheel_mod_timer(timer, due);
    if (is_earliest) {
        tickwheel_queue.earliest = due;
    }
    return is_earliest;
}

static bool tickwheel_is_parked(const struct timer_list *timer)
{
    return (timer->enabled & TICKWHEEL_PARKED) != 0;
}

/** Writes the 63 bits of a tick into the fields of a timer that is not in the wheel. */
static void tickwheel_park(struct _timeout *to, uint64_t due)
{
    struct timer_list *const timer = tickwheel_timer_of(to);

    timer->expires = (jiffies_t)due;
    timer->slot = (uint16_t)(due >> 32);
    timer->deferrable = (uint8_t)(due >> 48);
    timer->enabled = (uint8_t)(due >> 56 | TICKWHEEL_PARKED);
    sys_dlist_append(&tickwheel_queue.parked[tickwheel_queue.filled], &to->node);
}

/** The ticks until a parked timeout is due: less than 2^63, so the highest bit is not needed. */
static k_ticks_t tickwheel_parked_for(const struct timer_list *timer)
{
    const uint64_t due = (uint64_t)timer->enabled << 56 | (uint64_t)timer->deferrable << 48 |
                         (uint64_t)timer->slot << 32 | timer->expires;

    return (k_ticks_t)((due - tickwheel_now_64()) & INT64_MAX);
}

/** Moves what is near by now into the wheel, oldest first. Opens the lock after each timeout. */
static void tickwheel_look_at_parked(void)
{
    sys_dlist_t *const from = &tickwheel_queue.parked[tickwheel_queue.filled];
    sys_dlist_t *const to = &tickwheel_queue.parked[!tickwheel_queue.filled];
    sys_dnode_t *node;

    /* What is parked meanwhile goes to the end of the list that is being emptied. */
    while ((node = sys_dlist_get(from)) != NULL) {
        struct timer_list *const timer = (struct timer_list *)(void *)node;

        if (tickwheel_parked_for(timer) < (k_ticks_t)TICKWHEEL_NEAR + TICKWHEEL_LOOK_EVERY) {
            (void)tickwheel_arm(timer, timer->expires);
        } else {
            sys_dlist_append(to, node);
        }
        tickwheel_open_lock();
    }
    tickwheel_queue.filled = !tickwheel_queue.filled;
    tickwheel_queue.looked += TICKWHEEL_LOOK_EVERY;
    /* Not earlier: a timeout that is armed above for one of these ticks must go behind those of the list (Z3). */
    tickwheel_queue.horizon += TICKWHEEL_LOOK_EVERY;
    tickwheel_queue.earliest = tickwheel_queue.now;
}

static bool z_timeout_q_insert(struct _timeout *to, k_ticks_t dticks)
{
    const jiffies_t now = tickwheel_queue.now;

    /* Only in a function of a timeout has the current tick time left. */
    if (dticks == 0 && inflight_timeout == NULL) {
        dticks = 1;
    }
    if (dticks >= (k_ticks_t)(jiffies_t)(tickwheel_queue.horizon - now)) {
        tickwheel_park(to, tickwheel_now_64() + (uint64_t)dticks);
        /* If the wheel is empty, the next expiry may be another one now. */
        return tickwheel_queue.earliest == tickwheel_queue.horizon;
    }
    return tickwheel_arm(tickwheel_timer_of(to), now + (jiffies_t)dticks);
}

static bool z_timeout_q_remove(struct _timeout *to)
{
    struct timer_list *const timer = tickwheel_timer_of(to);
    bool was_earliest;

    if (tickwheel_is_parked(timer)) {
        sys_dlist_remove(&to->node);
        return tickwheel_queue.earliest == tickwheel_queue.horizon;
    }
    was_earliest = timer->expires == tickwheel_queue.earliest;
    (void)tickwheel_timer_delete(timer);
    if (was_earliest) {
        tickwheel_queue.earliest = tickwheel_queue.now;
    }
    return was_earliest;
}

static k_ticks_t z_timeout_q_remainder(const struct _timeout *to)
{
    const struct timer_list *const timer = (const struct timer_list *)(const void *)to;

    return tickwheel_is_parked(timer) ? tickwheel_parked_for(timer)
                                      : (k_ticks_t)(jiffies_t)(timer->expires - tickwheel_queue.now);
}

static k_ticks_t z_timeout_q_next_expiry(void)
{
    const jiffies_t now = tickwheel_queue.now;

    if (tickwheel_time_before_eq(tickwheel_queue.earliest, now)) {
        /* Stays so if the wheel is empty. */
        tickwheel_queue.earliest = tickwheel_queue.horizon;
        (void)tickwheel_next_expiry_locked(&tickwheel_queue.earliest, TICKWHEEL_MAX_SEARCHED);
    }
    if (tickwheel_queue.earliest == tickwheel_queue.horizon && sys_dlist_is_empty(&tickwheel_queue.parked[0]) &&
        sys_dlist_is_empty(&tickwheel_queue.parked[1])) {
        return K_TICKS_FOREVER;
    }
    return tickwheel_time_before(tickwheel_queue.earliest, now) ? 0 : (k_ticks_t)(tickwheel_queue.earliest - now);
}

static k_spinlock_key_t z_timeout_q_announce(k_spinlock_key_t key)
{
    tickwheel_queue.key = key;
    /* Another CPU may announce more meanwhile. */
    while (announce_remaining != 0) {
        const jiffies_t look = tickwheel_queue.horizon - TICKWHEEL_NEAR;
        const jiffies_t before_look = look - tickwheel_queue.now;
        const jiffies_t ticks = announce_remaining < before_look ? (jiffies_t)announce_remaining : before_look;
        const jiffies_t end = tickwheel_queue.now + ticks;

        if (tickwheel_advance(ticks) != 0) {
            (void)tickwheel_run();
            /* The rest of the run and the front end's search for the next expiry are two masked sections. */
            tickwheel_move_to(end);
            tickwheel_open_lock();
        }
        tickwheel_move_to(end);
        if (end == look) {
            tickwheel_look_at_parked();
        }
    }
    return tickwheel_queue.key;
}

#endif
