// SPDX-License-Identifier: MIT
// The code of port/smp on two threads, forced through the steps of a trail of Spin. The
// scenarios are those of the models, and a broken variant has the name that its model has.
//   replay <model> code       the code as it is
//   replay <model> <variant>  the code, broken as the model was
#include <string.h>

#include <atomic>

#include <tickwheel/core_wheel.hpp>
#include <tickwheel/ticket_lock.hpp>
#include <tickwheel/timer.hpp>

#include "steps.hpp"

namespace replay
{

// The broken variant, or "code".
static const char *variant;
static bool is(const char *name)
{
    return strcmp(variant, name) == 0;
}

/// A thread has no interrupts.
struct no_mask {
    static uint32_t irq_save()
    {
        return 0;
    }
    static void irq_restore(uint32_t /*state*/)
    {
    }
    static void irq_mask()
    {
    }
    static void preemption_point(uint32_t /*state*/)
    {
    }
};

struct cores {
    using mask = no_mask;
    static constexpr unsigned count = 2;

    static unsigned here()
    {
        return replay::here();
    }
    static void wait()
    {
        replay::wait();
    }
    static void interrupt(unsigned /*core*/)
    {
    }

    template <unsigned Number>
    struct spin;
};

/// The wheel of a core, and its words.
template <unsigned Core>
struct wheel : tickwheel::core_wheel<cores, Core> {
    using single_core = tickwheel::wheel_under_shared_lock<cores, Core, tickwheel::linux_geometry>;
};
static wheel<0> wheel_0;
static wheel<1> wheel_1;

/// By core. Core 0 may free the second one.
static timer_list *timers[cores::count];

static timer_list *&running(unsigned core)
{
    return core == 0 ? wheel_0.slots().running : wheel_1.slots().running;
}
/// callback_waits::awaited, which is private.
extern "C" const timer_list *awaited[cores::count] __asm__("_ZN9tickwheel14callback_waitsIN6replay5coresEE7awaitedE");

static void touch(const timer_list *timer)
{
    __asm__ volatile("" ::"r"(timer->expires));
    done("touch");
}

// --- The locks

/// From where a delete on this core finds the callback running until it finds it ended. It must order nothing, or
/// ThreadSanitizer takes that for an order of the code.
static std::atomic<bool> waits[cores::count];

/// What a lock does in a broken variant. `order` is the lock of both cores.
namespace broken
{
constexpr unsigned order = cores::count;
// Each core has its own.
static bool was_running[cores::count];
static bool running_is_late[cores::count];
static const timer_list *note[cores::count];

// ThreadSanitizer reports no volatile access. Here it would report the fault itself, before its effect.
template <class Word>
void write_unlocked(Word &word, Word value)
{
    *static_cast<volatile Word *>(&word) = value;
}

static void taken(unsigned number)
{
    if (number == order && is("NOT_REFUSED")) {
        // begin() finds that the other core waits for nothing.
        note[here()] = awaited[1 - here()];
        awaited[1 - here()] = nullptr;
    } else if (number == order && is("END_UNLOCKED")) {
        note[here()] = awaited[here()];
    }
}

static void opens(unsigned number)
{
    if (number == order && is("NOT_REFUSED")) {
        awaited[1 - here()] = note[here()];
    } else if (number == order && note[here()] != nullptr) {
        // end() has no effect yet.
        awaited[here()] = note[here()];
    } else if (number == here() && is("RUNNING_LATE") && !was_running[number] && running(number) == timers[number]) {
        running_is_late[number] = true;
        running(number) = nullptr;
    }
}

static void opened(unsigned number, bool runs)
{
    if (number == 1 - here() && is("END_UNLOCKED") && note[here()] != nullptr) {
        note[here()] = nullptr;
        write_unlocked<const timer_list *>(awaited[here()], nullptr);
    } else if (number == here()) {
        if (running_is_late[number]) {
            running_is_late[number] = false;
            write_unlocked(running(number), timers[number]);
        } else if (is("TIMER_READ_LATE") && was_running[number] && !runs) {
            touch(timers[number]);
        }
        was_running[number] = runs;
    }
}
} // namespace broken

template <unsigned Number>
struct cores::spin {
    using lock = tickwheel::ticket_lock<cores, Number>;
    static bool is_left_out()
    {
        return Number == broken::order && is("NO_ORDER");
    }

    static void take()
    {
        if (!is_left_out()) {
            lock::take();
            done("take", Number);
            broken::taken(Number);
        }
    }

    static void release()
    {
        if (!is_left_out()) {
            const bool runs = Number != broken::order && running(Number) == timers[Number];
            if (Number == 1 - here()) {
                waits[here()].store(runs, std::memory_order_relaxed);
            }
            broken::opens(Number);
            lock::release();
            done("release", Number);
            broken::opened(Number, runs);
        }
    }
};

// --- tick_and_arm

static void called_in_its_tick(timer_list *timer)
{
    done("called");
    if (wheel_1.jiffies() != timer->slot) {
        fail("a timer is called in another tick than that of its slot");
    }
}

static void tick_and_arm(unsigned core)
{
    if (core == 0) {
        (void)wheel_1.mod_timer(timers[1], 2);
        return;
    }
    for (unsigned left = 3; left != 0; --left) {
        (void)(is("UNLOCKED_TICK") ? wheel_1.single_core::interrupt() : wheel_1.interrupt());
    }
}

// --- delete_sync

static void arms_itself(timer_list *timer)
{
    touch(timer);
    (void)wheel_1.mod_timer(timer, wheel_1.jiffies() + 1);
    touch(timer);
}

static void delete_sync(unsigned core)
{
    if (core == 0) {
        (void)(is("IGNORES_RUNNING") ? wheel_1.timer_shutdown(timers[1]) : wheel_1.timer_shutdown_sync(timers[1]));
        delete timers[1];
        done("alive");
        return;
    }
    for (unsigned left = 3; left != 0; --left) {
        (void)wheel_1.interrupt();
    }
}

// --- waits

static void deletes_the_other(timer_list * /*timer*/)
{
    const unsigned other = 1 - here();
    const int deleted = other == 0 ? wheel_0.timer_delete_sync(timers[0]) : wheel_1.timer_delete_sync(timers[1]);
    if (deleted < 0 && !waits[other].load(std::memory_order_relaxed)) {
        fail("a delete is refused, and the other core does not wait");
    }
    waits[here()].store(false, std::memory_order_relaxed);
}

template <class Wheel>
void arm_and_run(Wheel &wheel, timer_list *timer)
{
    for (unsigned left = 2; left != 0; --left) {
        (void)wheel.mod_timer(timer, wheel.jiffies() + 1);
        (void)wheel.interrupt();
    }
}

static void delete_each_other(unsigned core)
{
    core == 0 ? arm_and_run(wheel_0, timers[0]) : arm_and_run(wheel_1, timers[1]);
}

struct scenario {
    const char *model;
    void (*core)(unsigned core);
    void (*callback)(timer_list *timer);
};
constexpr scenario scenarios[] = {
    {"tick_and_arm", tick_and_arm, called_in_its_tick},
    {"delete_sync", delete_sync, arms_itself},
    {"waits", delete_each_other, deletes_the_other},
};

} // namespace replay

int main(int count, char **arguments)
{
    using namespace replay;
    for (const scenario &each : scenarios) {
        if (count != 3 || strcmp(arguments[1], each.model) != 0) {
            continue;
        }
        variant = arguments[2];
        without_release = is("NO_RELEASE_BARRIER");
        for (timer_list *&timer : timers) {
            timer = new timer_list(tickwheel::timer_initializer(each.callback, 0));
        }
        timer_list *const timer = timers[1];
        // The names of the models are those of the code.
        const word words[] = {
            {"jiffies", any, &wheel_1.clock().jiffies, 4, written_as::number, nullptr},
            {"next_event", any, &wheel_1.clock().next_event, 4, written_as::number, nullptr},
            {"slot", any, &timer->slot, 2, written_as::number, nullptr},
            {"pending", any, &timer->prev, sizeof timer->prev, written_as::is_set, nullptr},
            {"shut_down", any, &timer->enabled, 1, written_as::is_zero, nullptr},
            {"running", any, &running(1), sizeof timer, written_as::is_timer, timer},
            {"running", 0, &running(0), sizeof timer, written_as::is_timer, timers[0]},
            {"running", 1, &running(1), sizeof timer, written_as::is_timer, timer},
            {"awaited", 0, &awaited[0], sizeof timer, written_as::other_core, nullptr},
            {"awaited", 1, &awaited[1], sizeof timer, written_as::other_core, nullptr},
        };
        const char *const marks[] = {"take", "release", "called", "touch", "alive"};
        read(words, sizeof words / sizeof words[0], marks, sizeof marks / sizeof marks[0]);
        wheel_1.init(0);
        if (each.core == delete_sync) {
            (void)wheel_1.mod_timer(timer, 1);
        }
        run(each.core);
    }
    return 2;
}
