// SPDX-License-Identifier: MIT
// A core waits for a callback of the other one.
#include <atomic>
#include <thread>

#include "two_cores_host.hpp"

using namespace two_cores;

namespace
{
int deleted;

// One thread plays both cores, so a callback that waits for one below it never returns.
bool never_ends(void (*start)())
{
    unit::misused = 0;
    deleted = 0;
    may_wait_for_ever = true;
    if (setjmp(waits_for_ever) == 0) {
        start();
        return false;
    }
    return true;
}
} // namespace

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

// Core `Core` runs b on `First`, the other core runs a. b waits for a. Then a asks for b.
template <class Cores, unsigned Core, auto &First, auto &Second>
struct corner {
    static inline timer_list a;
    static inline timer_list b;

    static void start()
    {
        a = tickwheel::timer_initializer(
            [](timer_list *) {
                Cores::core = Core;
                Cores::on_wait = [] {
                    Cores::core = 1 - Core;
                    deleted = First.timer_delete_sync(&b);
                    Cores::core = Core;
                };
                (void)Second.timer_delete_sync(&a);
            },
            0);
        b = tickwheel::timer_initializer(
            [](timer_list *) {
                Cores::core = 1 - Core;
                call_next(Second, a);
            },
            0);
        Cores::core = Core;
        call_next(First, b);
    }

    static void try_it()
    {
        CHECK(never_ends(start));
        CHECK_EQ(deleted, -1);
        CHECK_EQ(unit::misused, unit::reports(1));
    }
};

TEST_CASE("of two callbacks that delete each other's timers, the second is refused")
{
    corner<simulated_cores<4>, 1, wheels<4>::of_1, wheels<4>::of_0>::try_it();
    corner<simulated_cores<8>, 0, wheels<8>::of_0, wheels<8>::of_1>::try_it();
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
    const unit::interrupt_at_interrupt_windows interrupt(ended::interrupt_of_core_0);
    CHECK(never_ends(ended::start));
    unit::in_handler = false;
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
    CHECK(never_ends(thread::start));
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
    // b runs. a waits for it, and an interrupt above a does too. b ends, and starts again while a still waits, so b
    // may not wait for a.
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
    // Two waits began and ended, and one was refused, each with both cores kept out.
    CHECK_EQ(cores::spin<2>::taken, 5u);
    // a runs and does not wait, so b may wait for it.
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
            const unit::interrupt_at_interrupt_windows interrupt([&open] {
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
