/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The Linux kernel's own names, so that timer code of Linux drivers compiles unchanged, in C11 and C++17. Linux has
 * renamed calls: 6.1 and 6.12 have the older names, and 7.2 has only the newer ones. Both are here. Each name is the
 * one of tickwheel.h without its prefix. That header says what each call does, and docs/migrating.md what differs
 * from Linux. linux_jiffies.h has the names of ticks and times.
 */
#ifndef TICKWHEEL_TIMER_H
#define TICKWHEEL_TIMER_H

#include <tickwheel/linux_jiffies.h>
#include <tickwheel/timer_state.h>

/*
 * POSIX has a timer_delete() too. A hosted <time.h> must come first: in C++ the two then overload, and in C a
 * macro replaces the name.
 */
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ && defined(__has_include)
#if __has_include(<time.h>)
#include <time.h>
#endif
#endif

/** @{ Flags of timer_setup(). The last two do nothing: a wheel has one core, and a sync delete never waits. */
#define TIMER_DEFERRABLE TICKWHEEL_TIMER_DEFERRABLE
#define TIMER_PINNED 0
#define TIMER_IRQSAFE 0
/** @} */

#ifndef __cplusplus

/**
 * Defines a static timer, ready to be armed. In C++ it is constant-initialised, so constructors of other objects
 * may arm it.
 */
#define DEFINE_TIMER(name, callback) struct timer_list name = {.function = (callback), .enabled = 1}

/** The object whose member `field` is `timer`. `variable` is a pointer that gives the type of the object. */
#define timer_container_of(variable, timer, field)                                                                   \
    ((__typeof__(*(variable)) *)(void *)((unsigned char *)(timer) - offsetof(__typeof__(*(variable)), field)))

#ifndef container_of
/**
 * The object of this type whose member `member` is at `pointer`. Many headers define this macro, and the first
 * definition is used.
 */
#define container_of(pointer, type, member) ((type *)(void *)((unsigned char *)(pointer) - offsetof(type, member)))
#endif

/** The function with the prefix tickwheel_. */
#define timer_delete tickwheel_timer_delete

#else

#define DEFINE_TIMER(name, callback) struct timer_list name = tickwheel::timer_initializer(callback, 0)

#define timer_container_of(variable, timer, field)                                                                   \
    (tickwheel::object_around<__typeof__(*(variable))>((timer), offsetof(__typeof__(*(variable)), field)))

#ifndef container_of
#define container_of(pointer, type, member) (tickwheel::object_around<type>((pointer), offsetof(type, member)))
#endif

/* Drivers wrap includes in extern "C". Templates and the overload of timer_delete() must not have C linkage. */
extern "C++" {

namespace tickwheel
{

template <class Container>
Container *object_around(void *member, size_t offset)
{
    return static_cast<Container *>(static_cast<void *>(static_cast<unsigned char *>(member) - offset));
}

} // namespace tickwheel

static inline int timer_delete(struct timer_list *timer)
{
    return tickwheel_timer_delete(timer);
}

} /* extern "C++" */

#endif

/** The older name of timer_container_of(). */
#define from_timer(variable, timer, field) timer_container_of(variable, timer, field)

/** @{ The function with the prefix tickwheel_: the same returns, from the same contexts. */
static inline void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *), unsigned flags)
{
    tickwheel_timer_setup(timer, function, flags);
}

static inline int mod_timer(struct timer_list *timer, jiffies_t expires)
{
    return tickwheel_mod_timer(timer, expires);
}

static inline void add_timer(struct timer_list *timer)
{
    tickwheel_add_timer(timer);
}

static inline int mod_timer_pending(struct timer_list *timer, jiffies_t expires)
{
    return tickwheel_mod_timer_pending(timer, expires);
}

static inline int timer_reduce(struct timer_list *timer, jiffies_t expires)
{
    return tickwheel_timer_reduce(timer, expires);
}

static inline int timer_delete_sync_try(struct timer_list *timer)
{
    return tickwheel_try_to_del_timer_sync(timer);
}

static inline int timer_delete_sync(struct timer_list *timer)
{
    return tickwheel_timer_delete_sync(timer);
}

static inline int timer_shutdown(struct timer_list *timer)
{
    return tickwheel_timer_shutdown(timer);
}

static inline int timer_shutdown_sync(struct timer_list *timer)
{
    return tickwheel_timer_shutdown_sync(timer);
}

static inline int timer_pending(const struct timer_list *timer)
{
    return tickwheel_timer_pending(timer);
}
/** @} */

/** @{ As add_timer(): a wheel has one core. */
static inline void add_timer_on(struct timer_list *timer, int cpu)
{
    (void)cpu;
    tickwheel_add_timer(timer);
}

static inline void add_timer_local(struct timer_list *timer)
{
    tickwheel_add_timer(timer);
}

static inline void add_timer_global(struct timer_list *timer)
{
    tickwheel_add_timer(timer);
}
/** @} */

/** @{ For a timer on the stack. Delete the timer before its storage ends. The second call has nothing to do. */
static inline void timer_setup_on_stack(struct timer_list *timer, void (*function)(struct timer_list *),
                                        unsigned flags)
{
    tickwheel_timer_setup(timer, function, flags);
}

static inline void timer_destroy_on_stack(struct timer_list *timer)
{
    (void)timer;
}
/** @} */

/** The older name of timer_destroy_on_stack(). */
static inline void destroy_timer_on_stack(struct timer_list *timer)
{
    (void)timer;
}

/** @{ The older name of the same delete. */
static inline int del_timer(struct timer_list *timer)
{
    return tickwheel_timer_delete(timer);
}

static inline int del_timer_sync(struct timer_list *timer)
{
    return tickwheel_timer_delete_sync(timer);
}

static inline int try_to_del_timer_sync(struct timer_list *timer)
{
    return tickwheel_try_to_del_timer_sync(timer);
}
/** @} */

/** As del_timer_sync(), for a timer that does not re-arm itself. */
static inline int del_singleshot_timer_sync(struct timer_list *timer)
{
    return tickwheel_timer_delete_sync(timer);
}

#endif
