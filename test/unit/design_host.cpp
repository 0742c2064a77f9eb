// SPDX-License-Identifier: MIT
// The numbers of core/DESIGN.md: what a callback of tick 0x190 sees, the cascade of that block, and I9's wrap.
#include <initializer_list>

#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

tickwheel::wheel<tickwheel::port_lock, tickwheel::linux_geometry> wheel;

timer_list idle_timer(void (*function)(timer_list *) = [](timer_list *) {})
{
    return tickwheel::timer_initializer(function, 0);
}

unsigned slot_for(jiffies_t expires)
{
    timer_list timer = idle_timer();
    (void)wheel.mod_timer(&timer, expires);
    const unsigned slot = timer.slot;
    (void)wheel.timer_delete(&timer);
    return slot;
}

void run_to(jiffies_t tick)
{
    while (wheel.jiffies() != tick) {
        (void)wheel.interrupt();
    }
}

timer_list a, b, c, d;

void in_tick_0x190(timer_list *)
{
    CHECK(wheel.clock().next_run == 0x191);
    CHECK(wheel.clock().next_block == 0x200);
    CHECK(wheel.clock().tv1_limit == 0x290);
    // The tables of an arm, and wheel.svg.
    constexpr jiffies_t expires[] = {0x4000, 0x1a0, 0x28f, 0x290, 0x190, 0x100, 0x9000, 0x300000, 0x8000000};
    constexpr unsigned slots[] = {448, 160, 143, 453, 145, 145, 384 + 2, 320 + 3, 256 + 2};
    for (unsigned i = 0; i != sizeof slots / sizeof *slots; ++i) {
        CHECK_EQ(slot_for(expires[i]), slots[i]);
    }
    // 17 runs have moved 125 each of the 2128 timers.
    CHECK(wheel.slots().first[448 + 4] == &a);
    CHECK(a.next == &b);
    CHECK(b.next == &c);
    CHECK(c.next == nullptr);
}

} // namespace

TEST_CASE("wheel: the worked moment of DESIGN.md")
{
    wheel.init(0);
    timer_list moment = idle_timer(in_tick_0x190);
    (void)wheel.mod_timer(&moment, 0x190);
    a = b = c = d = idle_timer();
    (void)wheel.mod_timer(&a, 0x205);
    (void)wheel.mod_timer(&b, 0x270);
    (void)wheel.mod_timer(&c, 0x205);
    static timer_list younger[2125];
    for (timer_list &timer : younger) {
        timer = idle_timer();
        (void)wheel.mod_timer(&timer, 0x210);
    }
    run_to(0x190);
    (void)wheel.mod_timer(&d, 0x205);
    CHECK(wheel.slots().first[5] == &a);
    CHECK(a.next == &c);
    CHECK(c.next == &d);
    CHECK_EQ(b.slot, 112);
    // The next expiry may be above the lowest level that has a timer.
    run_to(0x300);
    wheel.init(0x190);
    CHECK_EQ(slot_for(0x4300) / 64, 384u / 64);
    (void)wheel.mod_timer(&a, 0x4300);
    run_to(0x3000);
    CHECK(slot_for(0x4380) >= 448u);
    (void)wheel.timer_delete(&a);
}

// requirement: TW-25
TEST_CASE("wheel: the worked wrap of DESIGN.md")
{
    const auto count = [](uint32_t jiffies_halves, uint64_t ticks) {
        CHECK(wheel.clock().jiffies_halves == jiffies_halves);
        CHECK_EQ(wheel.get_jiffies_64(), ticks);
    };
    // The count of halves also passes 8, 16, 31 and nearly 32 bits.
    for (const uint32_t before : {0u, 0xFEu, 0xFFFEu, 0x7FFFFFFEu, 0xFFFFFFFCu}) {
        for (uint32_t half = 0; half != 2; ++half) {
            const jiffies_t last = half << 31 | 0x7FFFFFFF;
            const uint64_t last_64 = uint64_t{before} << 31 | last;
            wheel.init(last - 1);
            wheel.clock().jiffies_halves = before + half;
            (void)wheel.tick();
            count(before + half, last_64);
            (void)wheel.run();
            count(before + half + 1, last_64);
            CHECK(wheel.clock().tv1_limit - 1 - last == 256);
            (void)wheel.interrupt();
            count(before + half + 1, last_64 + 1);
        }
    }
}
