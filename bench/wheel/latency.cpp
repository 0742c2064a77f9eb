// SPDX-License-Identifier: MIT
// How long what is due has to wait, with real interrupts: a callback due at a
// block's first tick, behind a cascade of N timers (mode 0: of tv2 into tv1; mode 1:
// of tv3 into tv2), and a foreign interrupt while N callbacks are due (mode 2: run in
// PendSV, below it; mode 3: run in the tick interrupt, above it). Mode and N are
// written by the emulator's loader.
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../../boards/startup/cortex_m.hpp"
#include "measure.hpp"
#include "workload.hpp"

namespace
{

using namespace bench;

volatile uint32_t &reg(uintptr_t address)
{
    return *reinterpret_cast<volatile uint32_t *>(address);
}

constexpr uintptr_t wanted_mode = loaded + 4;
enum mode : uint32_t { cascade_tv2, cascade_tv3, foreign_above, foreign_below };

constexpr uintptr_t system_control = 0xE000ED04;
constexpr uintptr_t system_priority_3 = 0xE000ED20;
constexpr uint32_t pend_pendsv = 1u << 28;
constexpr uintptr_t interrupt_set_enable = 0xE000E100;
constexpr uintptr_t interrupt_priority = 0xE000E400;
/// CMSDK timers: they count down at the core's clock.
constexpr uintptr_t clock_timer = 0x40000000;
constexpr uintptr_t foreign_timer = 0x40001000;
constexpr unsigned foreign_number = 9;
constexpr uintptr_t control = 0x0;
constexpr uintptr_t value = 0x4;
constexpr uintptr_t reload = 0x8;
constexpr uintptr_t clear = 0xC;

constexpr unsigned most_timers = 10000;
timer_list timers[most_timers];
uint32_t count;
mode chosen;

/// Blocks at whose start a slot of tv2 cascades, and one of tv3, and the ticks before it that the clock has still to
/// count.
constexpr jiffies_t block_of_tv2 = 0x00012400;
constexpr jiffies_t block_of_tv3 = 0x00014000;
constexpr jiffies_t ticks_before = 8;
volatile jiffies_t boundary_ran_at;
volatile uint32_t fired;

void do_nothing(timer_list * /*timer*/)
{
    fired = fired + 1;
}

void boundary(timer_list * /*timer*/)
{
    end<op_boundary>();
    boundary_ran_at = jiffies;
}

/// N timers in one slot, which covers `span` ticks from the block on; the first of them due in its first tick: the
/// last to come down. The others are due `nearest` ticks later, or after that.
void wait_for_boundary(jiffies_t block, jiffies_t span, jiffies_t nearest)
{
    tickwheel_init(block - span - 1);
    tickwheel_timer_setup(&timers[0], boundary, 0);
    tickwheel_mod_timer(&timers[0], block);
    for (uint32_t i = 1; i < count; ++i) {
        tickwheel_timer_setup(&timers[i], do_nothing, 0);
        tickwheel_mod_timer(&timers[i], block + nearest + i % (span - nearest));
    }
    if (tickwheel_advance(span - ticks_before)) {
        (void)tickwheel_run();
    }
    // 25 000 instructions a tick at -icount shift=0, where a cycle of 25 MHz takes 40 of them.
    cortex_m::systick_start(625);
    while (boundary_ran_at == 0) {
    }
    print("late ");
    print(boundary_ran_at - block);
    print("\n");
}

// How long each foreign interrupt waited, in cycles: how many waited so long.
constexpr unsigned longest_wait = 4096;
uint32_t waits[longest_wait];
uint32_t waited_most;
volatile uint32_t foreign_taken;
uint32_t next_edge;

uint32_t cycles()
{
    return ~reg(clock_timer + value);
}

/// Not a divisor of anything here, so that the edges fall everywhere.
constexpr uint32_t foreign_period = 1009;

/// The least wait of which the given share, in percent, is no longer.
uint32_t quantile(uint32_t percent)
{
    uint32_t seen = 0;
    for (uint32_t wait = 0; wait < longest_wait; ++wait) {
        seen += waits[wait];
        if (seen * 100 >= foreign_taken * percent) {
            return wait;
        }
    }
    return waited_most;
}

void wait_for_foreign()
{
    const jiffies_t start = block_of_tv2;
    tickwheel_init(start);
    for (uint32_t i = 0; i < count; ++i) {
        tickwheel_timer_setup(&timers[i], do_nothing, 0);
        tickwheel_mod_timer(&timers[i], start + 2);
    }
    *reinterpret_cast<volatile uint8_t *>(interrupt_priority + foreign_number) = 0x60;
    reg(interrupt_set_enable) = 1u << foreign_number;
    reg(clock_timer + reload) = ~0u;
    reg(clock_timer + value) = ~0u;
    reg(foreign_timer + reload) = foreign_period - 1;
    reg(foreign_timer + value) = foreign_period - 1;
    constexpr uint32_t enable = 1;
    constexpr uint32_t enable_with_interrupt = 9;
    next_edge = foreign_period;
    reg(clock_timer + control) = enable;
    reg(foreign_timer + control) = enable_with_interrupt;
    cortex_m::systick_start(25000);
    while (fired < count || foreign_taken < 100) {
    }
    reg(foreign_timer + control) = 0;
    reg(0xE000E010) = 0;
    print("foreign ");
    print(foreign_taken);
    print(" ");
    print(quantile(50));
    print(" ");
    print(quantile(99));
    print(" ");
    print(waited_most);
    print("\n");
}

} // namespace

extern "C" void SysTick_Handler()
{
    if (chosen == foreign_below) {
        (void)tickwheel_interrupt();
        return;
    }
    // From ticks_before on the first block that begins is the one.
    if ((jiffies + 1) % 256 == 0 && chosen <= cascade_tv3) {
        begin<op_boundary>();
    }
    if (tickwheel_tick() != 0) {
        reg(system_control) = pend_pendsv;
    }
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

extern "C" void IRQ9_Handler()
{
    const uint32_t wait = cycles() - next_edge;
    reg(foreign_timer + clear) = 1;
    if (wait >> 31 != 0) {
        // An edge that came after the clearing and was counted with those before it.
        return;
    }
    // What came while one was pending is lost; the wait is that of the first.
    while (cycles() - next_edge < 1u << 31) {
        next_edge += foreign_period;
    }
    waited_most = wait > waited_most ? wait : waited_most;
    waits[wait < longest_wait ? wait : longest_wait - 1] += 1;
    foreign_taken = foreign_taken + 1;
}

int main()
{
    board::init();
    count = timers_wanted();
    chosen = static_cast<mode>(reg(wanted_mode));
    if (count == 0 || count > most_timers) {
        return 1;
    }
    // PendSV the lowest; SysTick above it, or above all.
    reg(system_priority_3) = chosen == foreign_below ? 0x00E00000 : 0xC0E00000;
    if (chosen == cascade_tv2) {
        wait_for_boundary(block_of_tv2, 1u << 8, 1);
    } else if (chosen == cascade_tv3) {
        // Beyond the block, and so into tv2.
        wait_for_boundary(block_of_tv3, 1u << 14, 1u << 8);
    } else {
        wait_for_foreign();
    }
    return 0;
}
