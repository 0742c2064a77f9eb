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
    lock::preemption_point(inner);
    lock::irq_mask();
    CHECK_EQ(spin::taken, 1u);
    lock::irq_restore(inner);
    CHECK(spin::held);
    CHECK(tickwheel::interrupts.depth != 0);
    unsigned openings = 0;
    {
        const unit::interrupt_at_openings interrupt([&] { ++openings; });
        lock::preemption_point(outer);
    }
    CHECK_EQ(openings, 1u);
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
    const jiffies_t now = wheel.jiffies();
    unsigned arms = 0;
    const jiffies_t ticks[] = {now + 1, now, now - 5, now + 0x7FFFFFFE, now + 0x7FFFFFFF};
    for (const jiffies_t expires : ticks) {
        (void)wheel.mod_timer(&a, expires);
        CHECK_EQ(unit::moment{expires, 0, cores::interrupted}, unit::moment{expires, 0, ++arms});
    }
    (void)wheel.timer_delete(&a);
}

TEST_CASE("an overdue arm ends a sleep until a far tick")
{
    using cores = simulated_cores<9>;
    auto &wheel = wheels<9>::of_0;
    timer_list far = tickwheel::timer_initializer([](timer_list *) {}, 0);
    timer_list overdue = far;
    wheel.init(0x10000000);
    (void)wheel.mod_timer(&far, 0x10000000 + 0x7FFFFFF0u);
    jiffies_t tick = 0;
    CHECK_EQ(wheel.begin_sleep(&tick), 1);
    cores::core = 1;
    (void)wheel.mod_timer(&overdue, 0x10000000 - 5);
    CHECK_EQ(cores::interrupted, 1u);
    (void)wheel.timer_delete(&overdue);
    (void)wheel.timer_delete(&far);
}

TEST_CASE("an arm does not interrupt a core that is awake, and an idle tick calls nothing")
{
    using cores = simulated_cores<7>;
    auto &wheel = wheels<7>::of_0;
    timer_list a = tickwheel::timer_initializer([](timer_list *) {}, 0);
    cores::core = 1;
    (void)wheel.mod_timer(&a, wheel.jiffies() + 10);
    CHECK_EQ(cores::interrupted, 0u);
    cores::core = 0;
    CHECK_EQ(wheel.interrupt(), 0u);
    (void)wheel.timer_delete(&a);
}
