// SPDX-License-Identifier: MIT
// The wheel of a core, with two simulated cores: a test says which core it is.
#include <setjmp.h>

#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>

#include "support.hpp"

namespace
{

/// Where a test goes on when a core waits for the other one, which cannot go on in one thread. The build for coverage
/// has no exceptions.
jmp_buf waits_for_ever;

/// Each test has cores of its own, since some leave callbacks that never end.
template <int Test>
struct simulated_cores {
    using mask = tickwheel::port_lock;
    static constexpr unsigned count = 2;

    inline static unsigned core = 0;
    /// How often core 0 was interrupted.
    inline static unsigned interrupted = 0;
    inline static void (*on_wait)() = nullptr;

    static unsigned here()
    {
        return core;
    }
    static void wait()
    {
        if (on_wait == nullptr) {
            longjmp(waits_for_ever, 1);
        }
        void (*const once)() = on_wait;
        on_wait = nullptr;
        once();
    }
    static void interrupt(unsigned other)
    {
        CHECK_EQ(other, 0u);
        CHECK(tickwheel::interrupts.depth != 0);
        ++interrupted;
    }

    template <unsigned Number>
    struct spin {
        inline static bool held = false;
        inline static unsigned taken = 0;

        static void take()
        {
            CHECK(!held);
            CHECK(tickwheel::interrupts.depth != 0);
            held = true;
            ++taken;
        }
        static void release()
        {
            CHECK(held);
            held = false;
        }
    };
};

template <int Test>
struct wheels {
    using cores = simulated_cores<Test>;
    inline static tickwheel::core_wheel<cores, 0> of_0;
    inline static tickwheel::core_wheel<cores, 1> of_1;
};

/// Runs a wheel until a timer that is armed for the next tick has been called.
template <class Wheel>
void call_next(Wheel &wheel, timer_list &timer)
{
    (void)wheel.mod_timer(&timer, wheel.jiffies() + 1);
    (void)wheel.interrupt();
}

int deleted;

} // namespace

TEST_CASE("a core takes a shared lock again, and only the outermost opens it")
{
    using cores = simulated_cores<0>;
    using spin = cores::spin<0>;
    using lock = tickwheel::shared_lock<spin, cores>;
    cores::core = 1;
    const auto outer = lock::irq_save();
    const auto inner = lock::irq_save();
    CHECK_EQ(spin::taken, 1u);
    lock::preemption_point(inner);
    lock::irq_mask();
    CHECK_EQ(spin::taken, 1u);
    lock::irq_restore(inner);
    CHECK(spin::held);
    CHECK(tickwheel::interrupts.depth != 0);
    lock::preemption_point(outer);
    CHECK_EQ(spin::taken, 2u);
    lock::irq_restore(outer);
    CHECK(!spin::held);
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
}

TEST_CASE("an arm by the other core ends a sleep, if it is earlier than the end of the sleep")
{
    using cores = simulated_cores<1>;
    auto &wheel = wheels<1>::of_0;
    timer_list a = tickwheel::timer_initializer([](timer_list *) {}, 0);
    timer_list b = a;
    const jiffies_t now = wheel.jiffies();
    jiffies_t tick = 0;
    (void)wheel.mod_timer(&a, now + 100);
    CHECK_EQ(wheel.begin_sleep(&tick), 1);
    CHECK_EQ(tick, now + 100);
    (void)wheel.mod_timer(&b, now + 50);
    CHECK_EQ(cores::interrupted, 0u);
    cores::core = 1;
    (void)wheel.mod_timer(&b, now + 100);
    CHECK_EQ(cores::interrupted, 0u);
    (void)wheel.mod_timer(&b, now + 99);
    CHECK_EQ(cores::interrupted, 1u);
    (void)wheel.mod_timer_pending(&b, now + 98);
    CHECK_EQ(cores::interrupted, 2u);
    (void)wheel.timer_reduce(&b, now + 97);
    CHECK_EQ(cores::interrupted, 3u);
    (void)wheel.timer_delete(&b);
    (void)wheel.mod_timer_idle(&b, now + 99);
    CHECK_EQ(cores::interrupted, 4u);
    (void)wheel.timer_delete(&b);
    b.expires = now + 99;
    wheel.add_timer(&b);
    CHECK_EQ(cores::interrupted, 5u);
    wheel.end_sleep();
    (void)wheel.mod_timer(&b, now + 1);
    CHECK_EQ(cores::interrupted, 5u);
}

TEST_CASE("each arm ends the sleep of an empty wheel")
{
    using cores = simulated_cores<2>;
    auto &wheel = wheels<2>::of_0;
    timer_list a = tickwheel::timer_initializer([](timer_list *) {}, 0);
    jiffies_t tick = 0;
    CHECK_EQ(wheel.begin_sleep(&tick), 0);
    cores::core = 1;
    (void)wheel.mod_timer(&a, wheel.jiffies() + 0x7FFFFFFE);
    CHECK_EQ(cores::interrupted, 1u);
}

TEST_CASE("a callback's sync delete of its own timer is refused")
{
    unit::misused = 0;
    timer_list a = tickwheel::timer_initializer(
        [](timer_list *self) { deleted = wheels<3>::of_0.timer_shutdown_sync(self); }, 0);
    call_next(wheels<3>::of_0, a);
    CHECK_EQ(deleted, -1);
    CHECK_EQ(a.enabled, 0);
    CHECK_EQ(unit::misused, unit::reports(1));
}

namespace corner
{
using cores = simulated_cores<4>;
timer_list a;
timer_list b;

// Core 1 runs b, core 0 runs a. b waits for a. Then a asks for b.
void start()
{
    a = tickwheel::timer_initializer(
        [](timer_list *) {
            cores::core = 1;
            cores::on_wait = [] {
                cores::core = 0;
                deleted = wheels<4>::of_1.timer_delete_sync(&b);
                cores::core = 1;
            };
            (void)wheels<4>::of_0.timer_delete_sync(&a);
        },
        0);
    b = tickwheel::timer_initializer(
        [](timer_list *) {
            cores::core = 0;
            call_next(wheels<4>::of_0, a);
        },
        0);
    cores::core = 1;
    call_next(wheels<4>::of_1, b);
}
} // namespace corner

TEST_CASE("of two callbacks that delete each other's timers, the second is refused")
{
    unit::misused = 0;
    deleted = 0;
    if (setjmp(waits_for_ever) == 0) {
        corner::start();
        CHECK(!"the first callback waits for ever");
    }
    CHECK_EQ(deleted, -1);
    CHECK_EQ(unit::misused, unit::reports(1));
}

namespace thread
{
using cores = simulated_cores<5>;
timer_list a;
timer_list b;
timer_list ended = tickwheel::timer_initializer([](timer_list *) {}, 0);
bool asked;

// A callback of core 0 has ended. Core 1 runs b. A thread of core 0 waits for b. Above it, core 0 runs a. Then b asks
// for a, and waits.
void start()
{
    a = tickwheel::timer_initializer(
        [](timer_list *) {
            cores::core = 1;
            asked = true;
            deleted = wheels<5>::of_0.timer_delete_sync(&a);
        },
        0);
    b = tickwheel::timer_initializer(
        [](timer_list *) {
            cores::core = 0;
            cores::on_wait = [] { call_next(wheels<5>::of_0, a); };
            (void)wheels<5>::of_1.timer_delete_sync(&b);
        },
        0);
    call_next(wheels<5>::of_0, ended);
    cores::core = 1;
    call_next(wheels<5>::of_1, b);
}
} // namespace thread

TEST_CASE("a callback may wait for a core whose thread waits for it")
{
    unit::misused = 0;
    deleted = 0;
    if (setjmp(waits_for_ever) == 0) {
        thread::start();
        CHECK(!"the callback waits for ever");
    }
    CHECK(thread::asked);
    CHECK_EQ(deleted, 0);
    CHECK_EQ(unit::misused, 0u);
}
