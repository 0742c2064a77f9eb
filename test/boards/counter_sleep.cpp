// SPDX-License-Identifier: MIT
// Half an hour of sleep by counter_tick on an emulated Cortex-M, with a Counter that has the five members of its chip
// and the others from cortex_m_counter_base.
#include <tickwheel/cortex_m_counter_base.hpp>
#include <tickwheel/counter_tick.hpp>

#include "../support/core_registers.hpp"
#include "counter_hours.hpp"

namespace
{

/// CMSDK TIMER0 of an MPS2 counts down and wraps. Half of the dual timer is the alarm, after so many counts.
struct counter : tickwheel::cortex_m_counter_base {
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = 25000000;
    static constexpr uint32_t min_ahead = 0;

    static void start()
    {
        at(clock + reload) = ~0u;
        at(clock + value) = ~0u;
        at(clock) = 1;
        enable_interrupt(10, 0x80);
    }
    static uint32_t read()
    {
        return ~at(clock + value);
    }
    static void set_alarm(uint32_t when)
    {
        constexpr uint32_t once_32_bits_interrupt = 0xA3;
        const uint32_t counts = when - read();
        at(alarm + control) = 0;
        at(alarm) = counts == 0 ? 1 : counts;
        at(alarm + control) = once_32_bits_interrupt;
    }
    static void clear_alarm()
    {
        constexpr uintptr_t interrupt_clear = 12;
        at(alarm + interrupt_clear) = 1;
    }
    static void ticks_passed(uint32_t ticks)
    {
        passed = passed + ticks;
    }

    static inline volatile uint32_t passed;

private:
    static constexpr uintptr_t clock = 0x40000000;
    static constexpr uintptr_t value = 4;
    static constexpr uintptr_t reload = 8;
    static constexpr uintptr_t alarm = 0x40002000;
    static constexpr uintptr_t control = 8;
};

tickwheel::counter_tick<counter> tick;

constexpr uint32_t tick_counts = counter::hz / TICKWHEEL_HZ;

/// The counter in 64 bits, since it began the first tick. Called at least once a wrap.
uint64_t counts_begun()
{
    static uint64_t counts;
    static uint32_t last;
    const uint32_t state = counter::mask();
    const uint32_t now = counter::read();
    counts += now - last;
    last = now;
    const uint64_t answer = counts;
    counter::unmask(state);
    return answer;
}

uint64_t first_count;

uint32_t primask()
{
    uint32_t state = 0;
    __asm__ volatile("mrs %0, primask" : "=r"(state)::"memory");
    return state;
}

void masks_nest()
{
    const uint32_t outer = counter::mask();
    const uint32_t inner = counter::mask();
    check(primask() == 1, "mask() masks");
    counter::unmask(inner);
    check(primask() == 1, "an inner unmask() leaves interrupts off");
    counter::unmask(outer);
    check(primask() == 0, "the outer one lets them in");
}

} // namespace

uint64_t ticks_begun()
{
    return TICKWHEEL_INITIAL_JIFFIES + (counts_begun() - first_count) / tick_counts;
}

void check_context()
{
    constexpr uint32_t pendsv = 14;
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception)::"memory");
    check(exception == pendsv && primask() == 0, "a callback runs in PendSV, with interrupts on");
}

extern "C" void IRQ10_Handler()
{
    counter::clear_alarm();
    tick.interrupt();
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

int main()
{
    (void)board::init();
    masks_nest();
    at(system_priorities) = 0xFFu << 16;
    counter::start();
    tick.start();
    // start() has read the counter a few counts ago.
    const auto moment = tick.now();
    first_count = counts_begun() - moment.counts;
    sleep_for_half_an_hour(tick);
    check(counter::passed == jiffies - TICKWHEEL_INITIAL_JIFFIES, "ticks_passed() has been told of each tick");
    end_checks();
}
