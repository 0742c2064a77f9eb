// SPDX-License-Identifier: MIT
// Two simulated cores and their wheels: a test says which core it is. The locks that they share, the sleep of a core
// whose wheel the other one arms, and the wait for a callback of the other one.
#include <setjmp.h>
#include <stdlib.h>

#include <atomic>
#include <thread>

#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/ticket_lock.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

/// Where a test goes on when a core waits for the other one, which cannot go on in one thread. The build for coverage
/// has no exceptions.
jmp_buf waits_for_ever;
bool may_wait_for_ever;

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
            if (!may_wait_for_ever) {
                abort();
            }
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
    // Core 0 may take it as any other, and what was masked before stays masked.
    const auto masked = tickwheel::port_lock::irq_save();
    const auto first = lock::irq_save();
    CHECK(spin::held);
    lock::irq_restore(first);
    CHECK(!spin::held);
    CHECK_EQ(tickwheel::interrupts.depth, 1u);
    tickwheel::port_lock::irq_restore(masked);
    spin::taken = 0;
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
    unsigned points = 0;
    {
        const unit::interrupt_at_preemption_points interrupt([&] { ++points; });
        lock::preemption_point(outer);
    }
    CHECK_EQ(points, 1u);
    CHECK_EQ(spin::taken, 2u);
    lock::irq_restore(outer);
    CHECK(!spin::held);
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
}

namespace tickets
{
unsigned waited;
struct cores {
    static void wait();
};
using lock = tickwheel::ticket_lock<cores, 0>;
void cores::wait()
{
    ++waited;
    lock::release();
}
} // namespace tickets

TEST_CASE("a ticket lock waits for its turn, and only then")
{
    using tickets::lock;
    for (unsigned i = 0; i < 3; ++i) {
        lock::take();
        lock::release();
    }
    CHECK_EQ(tickets::waited, 0u);
    lock::take();
    lock::take();
    CHECK_EQ(tickets::waited, 1u);
    lock::release();
}

TEST_CASE("an arm by the other core ends a sleep, if it is earlier than the end of the sleep")
{
    using cores = simulated_cores<1>;
    auto &wheel = wheels<1>::of_0;
    constexpr jiffies_t now = 0x10000010;
    // A sleep until a timer so many ticks from now, or without one: 0.
    struct row {
        jiffies_t asleep_for;
        jiffies_t ahead;
        unsigned interrupts;
    };
    for (const row &each :
         {row{100, 101, 0}, row{100, 100, 0}, row{100, 99, 1}, row{100, 0, 1}, row{0x7FFFFFF0, 0u - 5u, 1},
          row{0, 1, 1}, row{0, 0, 1}, row{0, 0u - 5u, 1}, row{0, 0x7FFFFFFE, 1}, row{0, 0x7FFFFFFF, 1}}) {
        timer_list end = tickwheel::timer_initializer([](timer_list *) {}, 0);
        timer_list armed = end;
        cores::core = 0;
        cores::interrupted = 0;
        wheel.init(now);
        if (each.asleep_for != 0) {
            (void)wheel.mod_timer(&end, now + each.asleep_for);
        }
        jiffies_t tick = 0;
        CHECK_EQ(wheel.begin_sleep(&tick), each.asleep_for != 0);
        // The core's own arm, or one while it is awake, does not interrupt it.
        (void)wheel.mod_timer(&armed, now + 1);
        CHECK_EQ(cores::interrupted, 0u);
        (void)wheel.timer_delete(&armed);
        cores::core = 1;
        (void)wheel.mod_timer(&armed, now + each.ahead);
        CHECK_EQ(unit::moment{each.asleep_for, each.ahead, cores::interrupted},
                 unit::moment{each.asleep_for, each.ahead, each.interrupts});
        wheel.end_sleep();
        (void)wheel.mod_timer(&armed, now + 1);
        CHECK_EQ(cores::interrupted, each.interrupts);
        (void)wheel.timer_delete(&armed);
        (void)wheel.timer_delete(&end);
    }
}

TEST_CASE("each call that arms ends a sleep, but does not interrupt a core that has never slept")
{
    using cores = simulated_cores<2>;
    auto &wheel = wheels<2>::of_0;
    timer_list a = tickwheel::timer_initializer([](timer_list *) {}, 0);
    jiffies_t tick = 0;
    const jiffies_t now = wheel.jiffies();
    cores::core = 1;
    (void)wheel.mod_timer(&a, now + 10);
    CHECK_EQ(cores::interrupted, 0u);
    (void)wheel.timer_delete(&a);
    cores::core = 0;
    wheel.init(now);
    CHECK_EQ(wheel.begin_sleep(&tick), 0);
    cores::core = 1;
    (void)wheel.mod_timer_idle(&a, now + 99);
    CHECK_EQ(cores::interrupted, 1u);
    (void)wheel.mod_timer_pending(&a, now + 98);
    CHECK_EQ(cores::interrupted, 2u);
    (void)wheel.timer_reduce(&a, now + 97);
    CHECK_EQ(cores::interrupted, 3u);
    (void)wheel.timer_delete(&a);
    a.expires = now + 99;
    wheel.add_timer(&a);
    CHECK_EQ(cores::interrupted, 4u);
    (void)wheel.timer_delete(&a);
    wheel.end_sleep();
    cores::core = 0;
    // The first tick looks after the timer that was deleted, the second is idle.
    CHECK_EQ(wheel.interrupt() + wheel.interrupt(), 0u);
}

// requirement: TW-39
TEST_CASE("a tick that is pending on a core counts for the wheel of that core, and not for the other")
{
    using cores = simulated_cores<7>;
    wheels<7>::of_0.init(100);
    wheels<7>::of_1.init(200);
    tickwheel::interrupts.uncounted_ticks = 1;
    cores::core = 0;
    CHECK_EQ(wheels<7>::of_0.current_tick(), 101u);
    CHECK_EQ(wheels<7>::of_1.current_tick(), 200u);
    cores::core = 1;
    CHECK_EQ(wheels<7>::of_0.current_tick(), 100u);
    CHECK_EQ(wheels<7>::of_1.current_tick(), 201u);
    tickwheel::interrupts.uncounted_ticks = 0;
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
#if TICKWHEEL_DEBUG
    CHECK_EQ(wheels<3>::of_0.timer_shutdown_sync(nullptr), 0);
    CHECK_EQ(unit::misused, 2u);
#endif
}

// Core `First` runs b, the other core runs a. b waits for a. Then a asks for b.
template <int Test, unsigned First>
struct corner {
    using cores = simulated_cores<Test>;
    static inline timer_list a;
    static inline timer_list b;

    static auto &first()
    {
        if constexpr (First == 0) {
            return wheels<Test>::of_0;
        } else {
            return wheels<Test>::of_1;
        }
    }
    static auto &second()
    {
        if constexpr (First == 0) {
            return wheels<Test>::of_1;
        } else {
            return wheels<Test>::of_0;
        }
    }

    static void start()
    {
        a = tickwheel::timer_initializer(
            [](timer_list *) {
                cores::core = First;
                cores::on_wait = [] {
                    cores::core = 1 - First;
                    deleted = first().timer_delete_sync(&b);
                    cores::core = First;
                };
                (void)second().timer_delete_sync(&a);
            },
            0);
        b = tickwheel::timer_initializer(
            [](timer_list *) {
                cores::core = 1 - First;
                call_next(second(), a);
            },
            0);
        cores::core = First;
        call_next(first(), b);
    }

    static void try_it()
    {
        unit::misused = 0;
        deleted = 0;
        may_wait_for_ever = true;
        if (setjmp(waits_for_ever) == 0) {
            start();
            CHECK(!"the first callback waits for ever");
        }
        may_wait_for_ever = false;
        CHECK_EQ(deleted, -1);
        CHECK_EQ(unit::misused, unit::reports(1));
    }
};

TEST_CASE("of two callbacks that delete each other's timers, the second is refused")
{
    corner<4, 1>::try_it();
    corner<8, 0>::try_it();
}

namespace ended
{
// The interrupt also comes before the runner takes its lock again.
struct cores : simulated_cores<7> {
    using mask = unit::watched_lock;
};
tickwheel::core_wheel<cores, 0> first;
tickwheel::core_wheel<cores, 1> second;
timer_list a;
timer_list b;
bool callback_of_a_ended;

// The callback of a has ended. Core 1 runs b, which waits for a. Then the interrupt asks for b.
void interrupt_of_core_0()
{
    if (!callback_of_a_ended) {
        return;
    }
    cores::core = 1;
    call_next(second, b);
}
void start()
{
    a = tickwheel::timer_initializer([](timer_list *) { callback_of_a_ended = true; }, 0);
    b = tickwheel::timer_initializer(
        [](timer_list *) {
            cores::on_wait = [] {
                cores::core = 0;
                deleted = second.timer_delete_sync(&b);
                cores::core = 1;
            };
            (void)first.timer_delete_sync(&a);
        },
        0);
    cores::core = 0;
    call_next(first, a);
}
} // namespace ended

TEST_CASE("an interrupt between a callback and its runner is above that callback")
{
    unit::misused = 0;
    deleted = 0;
    may_wait_for_ever = true;
    const unit::interrupt_at_preemption_points interrupt(ended::interrupt_of_core_0);
    if (setjmp(waits_for_ever) == 0) {
        ended::start();
        CHECK(!"the callback of b waits for ever");
    }
    unit::in_handler = false;
    may_wait_for_ever = false;
    CHECK(ended::callback_of_a_ended);
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
    may_wait_for_ever = true;
    if (setjmp(waits_for_ever) == 0) {
        thread::start();
        CHECK(!"the callback waits for ever");
    }
    may_wait_for_ever = false;
    CHECK(thread::asked);
    CHECK_EQ(deleted, 0);
    CHECK_EQ(unit::misused, 0u);
}

namespace turns
{
using cores = simulated_cores<6>;
timer_list a;
timer_list b;
std::atomic<unsigned> turn{0};
int of_b;
int of_a;

void wait_for_turn(unsigned core)
{
    while (turn != core) {
        std::this_thread::yield();
    }
    cores::core = core;
}
void give_turn(unsigned core)
{
    turn = core;
}
// The other core goes on, until it gives the turn back.
void pass_turn()
{
    const unsigned here = cores::core;
    give_turn(1 - here);
    wait_for_turn(here);
}

void set_up(void (*function_a)(timer_list *), void (*function_b)(timer_list *))
{
    a = tickwheel::timer_initializer(function_a, 0);
    b = tickwheel::timer_initializer(function_b, 0);
}

// Core 1 runs b four times, whenever it has the turn.
void on_core_1()
{
    for (unsigned i = 0; i < 4; ++i) {
        wait_for_turn(1);
        call_next(wheels<6>::of_1, b);
        give_turn(0);
    }
}
} // namespace turns

TEST_CASE("a wait that has ended is forgotten, and one that an interrupt waits above is not")
{
    using namespace turns;
    unit::misused = 0;
    std::thread core_1(on_core_1);
    // b runs. a waits for it, and an interrupt above a does too. b ends, and begins again while a still waits: it may
    // not wait for a.
    set_up(
        [](timer_list *) {
            cores::on_wait = [] {
                cores::on_wait = pass_turn;
                CHECK_EQ(wheels<6>::of_1.timer_delete_sync(&b), 0);
                b.function = [](timer_list *) {
                    cores::on_wait = pass_turn;
                    of_a = wheels<6>::of_0.timer_delete_sync(&a);
                };
                cores::on_wait = nullptr;
                pass_turn();
            };
            of_b = wheels<6>::of_1.timer_delete_sync(&b);
        },
        [](timer_list *) { pass_turn(); });
    cores::core = 0;
    pass_turn();
    call_next(wheels<6>::of_0, a);
    CHECK_EQ(of_b, 0);
    CHECK_EQ(of_a, -1);
    CHECK_EQ(unit::misused, unit::reports(1));
    // a runs, and waits for nobody. b may wait for it.
    set_up([](timer_list *) { pass_turn(); },
           [](timer_list *) {
               cores::on_wait = pass_turn;
               of_a = wheels<6>::of_0.timer_delete_sync(&a);
           });
    call_next(wheels<6>::of_0, a);
    pass_turn();
    CHECK_EQ(of_a, 0);
    // b ends between the first look at it and the second.
    set_up(
        [](timer_list *) {
            bool open = false;
            const unit::interrupt_at_preemption_points interrupt([&open] {
                if (!open) {
                    open = true;
                    pass_turn();
                }
            });
            cores::on_wait = [] { CHECK(!"it waits"); };
            of_b = wheels<6>::of_1.timer_delete_sync(&b);
        },
        [](timer_list *) { pass_turn(); });
    of_b = 1;
    pass_turn();
    call_next(wheels<6>::of_0, a);
    core_1.join();
    CHECK_EQ(of_b, 0);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK(!cores::spin<2>::held);
}

namespace
{
timer_list c;
}

TEST_CASE("a callback may not wait for one that waits for it below an interrupt that waits for another")
{
    using namespace turns;
    unit::misused = 0;
    of_a = 1;
    of_b = 1;
    // a runs on core 0. b, on core 1, waits for it, and an interrupt above b waits for c, which runs after a. Then a
    // runs again.
    set_up(
        [](timer_list *self) {
            pass_turn();
            self->function = [](timer_list *) { of_b = wheels<6>::of_1.timer_delete_sync(&b); };
            (void)wheels<6>::of_0.mod_timer(self, wheels<6>::of_0.jiffies() + 1);
        },
        [](timer_list *) {
            cores::on_wait = [] {
                pass_turn();
                cores::on_wait = pass_turn;
                CHECK_EQ(wheels<6>::of_0.timer_delete_sync(&c), 0);
            };
            of_a = wheels<6>::of_0.timer_delete_sync(&a);
        });
    c = tickwheel::timer_initializer([](timer_list *) { pass_turn(); }, 0);
    std::thread core_1([] {
        wait_for_turn(1);
        call_next(wheels<6>::of_1, b);
        give_turn(0);
    });
    cores::core = 0;
    (void)wheels<6>::of_0.mod_timer(&a, wheels<6>::of_0.jiffies() + 1);
    call_next(wheels<6>::of_0, c);
    (void)wheels<6>::of_0.interrupt();
    CHECK_EQ(of_b, -1);
    pass_turn();
    core_1.join();
    CHECK_EQ(of_a, 0);
    CHECK_EQ(unit::misused, unit::reports(1));
}
