// SPDX-License-Identifier: MIT
// The locks that two cores share, and the sleep of a core whose wheel the other one arms.
#include <tickwheel/ticket_lock.hpp>

#include "two_cores_host.hpp"

using namespace two_cores;

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
    lock::interrupt_window(inner);
    lock::irq_mask_all();
    CHECK_EQ(spin::taken, 1u);
    lock::irq_restore(inner);
    CHECK(spin::held);
    CHECK(tickwheel::interrupts.depth != 0);
    unsigned points = 0;
    {
        const unit::interrupt_at_interrupt_windows interrupt([&] { ++points; });
        lock::interrupt_window(outer);
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
// An explicit instantiation may name what is private.
void serve_from(uint32_t number);
template <uint32_t *Next, uint32_t *Serving>
struct numbers {
    friend void serve_from(uint32_t number)
    {
        *Next = number;
        *Serving = number;
    }
};
template struct numbers<&lock::next, &lock::serving>;
} // namespace tickets

TEST_CASE("a ticket lock waits for its turn, and only then, also when its numbers wrap")
{
    using tickets::lock;
    for (const uint32_t number : {0u, 0xFFFFFFFEu, 0xFFFFFFFFu}) {
        tickets::serve_from(number);
        tickets::waited = 0;
        lock::take();
        lock::take();
        CHECK_EQ(tickets::waited, 1u);
        lock::release();
        lock::take();
        lock::release();
        CHECK_EQ(tickets::waited, 1u);
    }
}

TEST_CASE("a core owns a shared lock from its turn until it releases it, whatever the other core does meanwhile")
{
    using cores = simulated_cores<9>;
    using spin = cores::spin<0>;
    using lock = tickwheel::shared_lock<spin, cores>;
    spin::after_release = [] { (void)lock::irq_save(); };
    lock::irq_restore(lock::irq_save());
    CHECK_EQ(spin::taken, 2u);
    cores::core = 1;
    (void)lock::irq_save();
    CHECK_EQ(spin::taken, 2u);
    cores::core = 0;
    spin::before_take = [] { lock::irq_restore(1); };
    const uint32_t outer = lock::irq_save();
    CHECK_EQ(spin::taken, 3u);
    (void)lock::irq_save();
    CHECK_EQ(spin::taken, 3u);
    lock::irq_restore(outer);
    tickwheel::port_lock::irq_restore(0);
}

TEST_CASE("a tick, the 64-bit clock and both ends of a sleep take the lock of the wheel")
{
    using cores = simulated_cores<10>;
    auto &wheel = wheels<10>::of_0;
    jiffies_t tick = 0;
    (void)wheel.tick();
    CHECK_EQ(cores::spin<0>::taken, 1u);
    (void)wheel.advance(1);
    CHECK_EQ(cores::spin<0>::taken, 2u);
    (void)wheel.get_jiffies_64();
    CHECK_EQ(cores::spin<0>::taken, 3u);
    (void)wheel.begin_sleep(&tick);
    CHECK_EQ(cores::spin<0>::taken, 4u);
    wheel.end_sleep();
    CHECK_EQ(cores::spin<0>::taken, 5u);
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
