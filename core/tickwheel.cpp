// SPDX-License-Identifier: MIT
// The default wheel, and the C API bound to it: the one source file. A linker with --gc-sections keeps only the
// calls that a firmware makes.
#include <tickwheel/default_wheel.hpp>
#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/timer.hpp>
#if TICKWHEEL_ONE_SHOT
#include <tickwheel/one_shot.hpp>

// Your file, or one of port/one_shot. It defines the class tickwheel_counter.
#include "tickwheel_counter.hpp"
#endif

// These symbols occupy no memory. Each file asks for those of its own choices, so that a mismatch does not link.
TICKWHEEL_DEFINE(TICKWHEEL_BUILT_FOR_HZ);
TICKWHEEL_DEFINE(TICKWHEEL_BUILT_FOR_GEOMETRY);
TICKWHEEL_DEFINE(TICKWHEEL_BUILT_FOR_ONE_SHOT);
TICKWHEEL_DEFINE(TICKWHEEL_BUILT_FOR_DEBUG);
TICKWHEEL_DEFINE(TICKWHEEL_BUILT_FOR_INITIAL_JIFFIES);
TICKWHEEL_DEFINE(TICKWHEEL_BUILT_FOR_HOOKS);

using tickwheel::default_geometry;
using default_clock = tickwheel::clock_of<default_geometry>;

extern "C" {

// Two objects, so that only the 20 bytes that are not zero at reset have an image in flash.
[[gnu::used]] default_clock tickwheel_clock =
    default_clock::at(TICKWHEEL_INITIAL_JIFFIES, default_geometry::block_mask);
tickwheel::slots_of<default_geometry> tickwheel_slots = {};

// `jiffies` is the first word of the clock, so that a tick needs one address for all that it touches. The address
// sanitizer would treat an alias in C++ as a separate variable, and poison the rest of the clock, so there the
// assembler defines it. In one-shot mode it is the counter, which tickwheel_counter.hpp may give as a number.
#if TICKWHEEL_ONE_SHOT
#ifdef TICKWHEEL_JIFFIES_ADDRESS
__asm__(".globl jiffies\n.set jiffies, " TICKWHEEL_STRING(TICKWHEEL_JIFFIES_ADDRESS));
#endif
#elif defined(__SANITIZE_ADDRESS__)
__asm__(".globl jiffies\n.set jiffies, tickwheel_clock\n.type jiffies, %object\n.size jiffies, 4");
#else
extern volatile jiffies_t jiffies __attribute__((alias("tickwheel_clock")));
#endif
static_assert(offsetof(default_clock, jiffies) == 0, "jiffies is the clock's first word");
static_assert(sizeof(tickwheel_clock) <= 20, "no more than 20 bytes of .data");
static_assert(sizeof(void *) != 4 || sizeof(timer_list) == (TICKWHEEL_DEBUG ? 24 : 20),
              "20 bytes a timer, 24 with a seal");

// Weak: a program may define its own. This one stops while the stack still shows the caller.
[[gnu::weak]] void tickwheel_bug(const char *what, const timer_list *timer)
{
    (void)what;
    (void)timer;
    __builtin_trap();
}
}

namespace
{

struct default_storage {
    static default_clock &clock()
    {
        return tickwheel_clock;
    }
    static tickwheel::slots_of<default_geometry> &slots()
    {
        return tickwheel_slots;
    }
};

// An inactivity timer of C is one of C++ with a function as its closure.
struct c_function {
    void operator()(tickwheel::inactivity_timer<c_function> &timer) const
    {
        function(reinterpret_cast<tickwheel_inactivity_timer *>(&timer));
    }
    void (*function)(tickwheel_inactivity_timer *);
};
using inactivity_timer = tickwheel::inactivity_timer<c_function>;
static_assert(sizeof(inactivity_timer) == sizeof(tickwheel_inactivity_timer), "the same in C and in C++");

bool is_null(const tickwheel_inactivity_timer *timer)
{
    return tickwheel::report_misuse(tickwheel::checks_of<default_geometry>::misuse_of_pointer(timer), nullptr);
}

#if TICKWHEEL_ONE_SHOT
static_assert(tickwheel_counter::hz == TICKWHEEL_HZ, "TICKWHEEL_ONE_SHOT=1: TICKWHEEL_HZ is the rate of the counter");
tickwheel::one_shot_wheel<tickwheel_counter, tickwheel::port_lock, default_geometry, default_storage,
                          tickwheel::program_hooks>
    wheel;
static_assert(decltype(wheel)::longest_delay == TICKWHEEL_LONGEST_DELAY, "the headers in C have the same limit");
#else
// The wheel is empty, because its state lies in the two objects above. The runner passes its address to a jump, so an
// object of its own would take 4 bytes.
using default_wheel =
    tickwheel::wheel<tickwheel::port_lock, default_geometry, default_storage, tickwheel::program_hooks>;
auto &wheel = reinterpret_cast<default_wheel &>(tickwheel_slots);
static_assert(default_wheel::longest_delay == TICKWHEEL_LONGEST_DELAY, "the headers in C have the same limit");
#endif

} // namespace

extern "C" {

uint64_t tickwheel_get_jiffies_64()
{
    return wheel.get_jiffies_64();
}

// Weak, because a driver that knows more about its tick defines its own.
[[gnu::weak]] jiffies_t tickwheel_current_tick()
{
    return wheel.current_tick();
}

void tickwheel_timer_setup(timer_list *timer, void (*function)(timer_list *), unsigned flags)
{
    if (TICKWHEEL_DEBUG) {
        const char *const fault = wheel.misuse_of_setup(timer);
        if (fault != nullptr) {
            tickwheel_bug(fault, timer);
            return;
        }
        if (function == nullptr) {
            tickwheel_bug("tickwheel_timer_setup: no function", timer);
        }
        if ((flags & ~unsigned{TICKWHEEL_TIMER_DEFERRABLE}) != 0) {
            tickwheel_bug("tickwheel_timer_setup: unknown flags", timer);
        }
    }
    *timer = tickwheel::timer_initializer(function, flags);
    timer->enabled = function != nullptr;
}

int tickwheel_mod_timer(timer_list *timer, jiffies_t expires)
{
    return wheel.mod_timer(timer, expires);
}

void tickwheel_add_timer(timer_list *timer)
{
    wheel.add_timer(timer);
}

int tickwheel_mod_timer_pending(timer_list *timer, jiffies_t expires)
{
    return wheel.mod_timer_pending(timer, expires);
}

int tickwheel_mod_timer_idle(timer_list *timer, jiffies_t expires)
{
    return wheel.mod_timer_idle(timer, expires);
}

bool tickwheel_arm_idle_with_(timer_list *timer, jiffies_t expires, void (*function)(timer_list *),
                              tickwheel::shared_word *word, uint32_t value)
{
    return wheel.arm_idle_with(timer, expires, function, *word, value);
}

int tickwheel_timer_reduce(timer_list *timer, jiffies_t expires)
{
    return wheel.timer_reduce(timer, expires);
}

int tickwheel_mod_timer_within(timer_list *timer, jiffies_t first, jiffies_t last)
{
    return wheel.mod_timer_within(timer, first, last);
}

int tickwheel_timer_delete(timer_list *timer)
{
    return wheel.timer_delete(timer);
}

int tickwheel_try_to_del_timer_sync(timer_list *timer)
{
    return wheel.try_to_del_timer_sync(timer);
}

int tickwheel_timer_delete_sync(timer_list *timer)
{
    return wheel.timer_delete_sync(timer);
}

int tickwheel_timer_shutdown(timer_list *timer)
{
    return wheel.timer_shutdown(timer);
}

int tickwheel_timer_shutdown_sync(timer_list *timer)
{
    return wheel.timer_shutdown_sync(timer);
}

int tickwheel_timer_pending(const timer_list *timer)
{
    return wheel.timer_pending(timer);
}

void tickwheel_arm_if_deadline_is_(timer_list *timer, jiffies_t expires, const tickwheel::shared_word *deadline)
{
    wheel.arm_if_deadline_is(timer, expires, *deadline);
}

bool tickwheel_end_wait_(timer_list *timer, tickwheel::shared_word *deadline, bool in_callback)
{
    return wheel.end_wait(timer, *deadline, in_callback);
}

void tickwheel_inactivity_setup(tickwheel_inactivity_timer *timer, void (*function)(tickwheel_inactivity_timer *),
                                unsigned flags)
{
    if (!is_null(timer)) {
        tickwheel_timer_setup(&timer->timer, function == nullptr ? nullptr : inactivity_timer::call, flags);
        // A debug build leaves a timer alone that it has reported as pending.
        if (!tickwheel::pending_now(&timer->timer)) {
            timer->timer.slot = tickwheel::not_waiting;
        }
        timer->function = function;
    }
}

void tickwheel_inactivity_restart_at(tickwheel_inactivity_timer *timer, jiffies_t expires)
{
    if (!is_null(timer)) {
        reinterpret_cast<inactivity_timer *>(timer)->restart_at(expires);
    }
}

int tickwheel_inactivity_stop(tickwheel_inactivity_timer *timer)
{
    return !is_null(timer) && reinterpret_cast<inactivity_timer *>(timer)->stop();
}

int tickwheel_inactivity_pending(const tickwheel_inactivity_timer *timer)
{
    return !is_null(timer) && tickwheel::is_waiting(&timer->timer);
}

unsigned tickwheel_interrupt()
{
    return wheel.interrupt();
}

#if TICKWHEEL_ONE_SHOT
void tickwheel_start()
{
    wheel.start();
}

unsigned tickwheel_interrupt_budget(unsigned steps)
{
    return wheel.interrupt_budget(steps);
}
#else
int tickwheel_tick()
{
    return wheel.tick();
}

int tickwheel_advance(uint32_t ticks)
{
    return wheel.advance(ticks);
}

unsigned tickwheel_run()
{
    return wheel.run();
}

unsigned tickwheel_run_budget(unsigned steps)
{
    return wheel.run_budget(steps);
}

int tickwheel_due()
{
    return wheel.due();
}
#endif

int tickwheel_next_event(jiffies_t *tick)
{
    return wheel.next_event(tick);
}

int tickwheel_next_expiry(jiffies_t *expires)
{
    return wheel.next_expiry(expires);
}

int tickwheel_next_expiry_locked(jiffies_t *tick, unsigned limit)
{
    return wheel.next_expiry_locked(tick, limit);
}

#if TICKWHEEL_DEBUG
void tickwheel_timer_set_function_(timer_list *timer, void (*function)(timer_list *))
{
    wheel.set_function(timer, function);
}
#endif

#if !TICKWHEEL_ONE_SHOT
void tickwheel_init(jiffies_t start)
{
    wheel.init(start);
}
#endif
}
