// SPDX-License-Identifier: MIT
// What an interrupt does in a jump over empty blocks, and how each call leaves the mask. The host's port calls its
// hook at the beginning of each open stretch only, so the wheels that jump have a lock with a hook at both ends.
#include <tickwheel/wheel.hpp>

#include "interrupt_host.hpp"
#include "support.hpp"

namespace
{

template <class Geometry>
struct tried_wheel {
    tickwheel::wheel<unit::watched_lock, Geometry> wheel;
    timer_list early;
    timer_list late;
    timer_list far;

    void start(jiffies_t tick)
    {
        wheel.init(tick);
        unit::forget();
        for (timer_list *const timer : {&early, &late, &far}) {
            *timer = tickwheel::timer_initializer(unit::note, 0);
        }
    }
    // All is deleted, so that the wheel can start again.
    void end()
    {
        for (timer_list *const timer : {&early, &late, &far}) {
            (void)wheel.timer_delete(timer);
        }
        CHECK_EQ(tickwheel::interrupts.depth, 0u);
    }
};

template <class Geometry>
void check_jumps()
{
    // A sleep of 100000 ticks, over blocks that are all empty until an interrupt puts a timer into one of them.
    constexpr jiffies_t starts[] = {0u, 200u, 0u - 50000u, 0x3FFF0u, 0x7FFF0000u};
    constexpr jiffies_t offsets[] = {300, 2000, 16384 + 5, 60000, 99999, 100000};
    for (const jiffies_t start : starts) {
        for (const jiffies_t offset : offsets) {
            tried_wheel<Geometry> tried;
            const unsigned places = unit::at_every_opening(
                [&] {
                    tried.start(start);
                    tried.wheel.mod_timer(&tried.early, start + 70000);
                    tried.wheel.mod_timer(&tried.far, start + 0x40000000);
                    (void)tried.wheel.advance(100000);
                },
                [&] { (void)tried.wheel.run(); }, [&] { tried.wheel.mod_timer(&tried.late, start + offset); },
                [&](bool taken, bool /*last*/) {
                    (void)tried.wheel.interrupt();
                    CHECK_EQ(unit::moment{start, offset, unit::fired}, unit::moment{start, offset, 1u + taken});
                    CHECK_EQ(tried.wheel.timer_pending(&tried.far), 1);
                    tried.end();
                });
            CHECK(places > 2);
        }
    }
}

} // namespace

// requirement: TW-08
TEST_CASE(
    "a timer armed at either end of every open stretch of a run that jumps over empty blocks is not jumped over")
{
    check_jumps<tickwheel::linux_geometry>();
    check_jumps<tickwheel::linux_small_geometry>();
}

// requirement: TW-27
TEST_CASE("every call leaves interrupts off, or on, as it found them")
{
    const unit::fresh wheel(0u - 300u);
    unit::noted a;
    timer_list zero = {};
    for (unsigned off = 0; off < 2; ++off) {
        tickwheel::interrupts.depth = off;
        const unsigned long opened = tickwheel::interrupts.opened;
        const auto same = [&] { CHECK_EQ(unsigned{tickwheel::interrupts.depth}, off); };
        jiffies_t next = 0;
        tickwheel_timer_setup(&zero, unit::note, 0), same();
        tickwheel_add_timer(&zero), same();
        (void)tickwheel_mod_timer(&a, unit::now() + 10), same();
        (void)tickwheel_mod_timer(&a, unit::now() + 10), same();
        (void)tickwheel_mod_timer_pending(&a, unit::now() + 600), same();
        (void)tickwheel_timer_reduce(&a, unit::now() + 500), same();
        (void)tickwheel_timer_reduce(&a, unit::now() + 900), same();
        (void)tickwheel_next_expiry(&next), same();
        (void)tickwheel_timer_pending(&a), same();
        (void)tickwheel_get_jiffies_64(), same();
        (void)tickwheel_tick(), same();
        (void)tickwheel_interrupt(), same();
        (void)tickwheel_advance(700), same();
        (void)tickwheel_run_budget(0), same();
        (void)tickwheel_run(), same();
        (void)tickwheel_next_expiry(&next), same();
        (void)tickwheel_timer_delete(&a), same();
        (void)tickwheel_try_to_del_timer_sync(&a), same();
        (void)tickwheel_timer_delete_sync(&a), same();
        (void)tickwheel_timer_shutdown(&zero), same();
        (void)tickwheel_timer_shutdown_sync(&zero), same();
        unit::restart(0u - 300u), same();
        CHECK_EQ(tickwheel::interrupts.opened != opened, off == 0);
    }
    tickwheel::interrupts.depth = 0;
}

TEST_CASE("the host's lock is open at first, irq_mask takes it, and a preemption point opens it once")
{
    const tickwheel::host_interrupts first;
    CHECK_EQ(first.depth, 0u);
    CHECK_EQ(first.opened, 0ul);
    tickwheel::port_lock::irq_mask();
    CHECK_EQ(tickwheel::interrupts.depth, 1u);
    CHECK_EQ(tickwheel::port_lock::irq_save(), 1u);
    const unsigned long opened = tickwheel::interrupts.opened;
    tickwheel::port_lock::preemption_point(0);
    CHECK_EQ(tickwheel::interrupts.opened, opened + 1);
    CHECK_EQ(tickwheel::interrupts.depth, 1u);
    tickwheel::port_lock::irq_restore(0);
}
