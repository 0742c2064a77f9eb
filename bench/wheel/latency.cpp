// SPDX-License-Identifier: MIT
// How long a callback or an interrupt waits, with real interrupts. The emulator's
// loader writes the mode and N.
//   mode 0  a callback is due at a block's first tick; N timers cascade from tv2 to tv1
//   mode 1  the same with a cascade from tv3 to tv2
//   mode 2  an interrupt comes while N callbacks are due in PendSV, below it
//   mode 3  the same with the callbacks in the tick interrupt, above it
#include <stdint.h>

#include <tickwheel/tickwheel.h>

#include "../../boards/parts/registers.hpp"
#include "../../boards/startup/cortex_m.hpp"
#include "workloads.hpp"

namespace
{

using namespace bench;
using parts::at;

constexpr uintptr_t wanted_mode = loaded + 4;
enum mode : uint32_t { cascade_tv2, cascade_tv3, foreign_above, foreign_below };

constexpr uintptr_t system_control = 0xE000ED04;
constexpr uintptr_t system_priority_3 = 0xE000ED20;
constexpr uint32_t pend_pendsv = 1u << 28;
constexpr uintptr_t interrupt_set_enable = 0xE000E100;
constexpr uintptr_t interrupt_priority = 0xE000E400;
/// CMSDK timers count down at the core's clock.
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

/// At the start of these blocks a slot of tv2 or of tv3 cascades. The clock starts so many ticks before.
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

/// N timers are in one slot, which covers `span` ticks from the block's start. The first timer is due in the first
/// tick and cascades last. The others are due at least `nearest` ticks later.
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
    // At -icount shift=0 a cycle of 25 MHz is 40 instructions, so a tick is 25 000.
    cortex_m::systick_start(625);
    while (boundary_ran_at == 0) {
    }
    print("late ", uint32_t{boundary_ran_at - block}, "\n");
}

// waits[n]: how many interrupts waited n cycles.
constexpr unsigned longest_wait = 4096;
uint32_t waits[longest_wait];
uint32_t waited_most;
volatile uint32_t foreign_taken;
uint32_t next_edge;

uint32_t cycles()
{
    return ~at(clock_timer + value);
}

/// A prime, so that the interrupts come at every phase of a tick.
constexpr uint32_t foreign_period = 1009;

/// The wait that `percent` of the interrupts do not exceed.
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
    at(interrupt_set_enable) = 1u << foreign_number;
    at(clock_timer + reload) = ~0u;
    at(clock_timer + value) = ~0u;
    at(foreign_timer + reload) = foreign_period - 1;
    at(foreign_timer + value) = foreign_period - 1;
    constexpr uint32_t enable = 1;
    constexpr uint32_t enable_with_interrupt = 9;
    next_edge = foreign_period;
    at(clock_timer + control) = enable;
    at(foreign_timer + control) = enable_with_interrupt;
    cortex_m::systick_start(25000);
    while (fired < count || foreign_taken < 100) {
    }
    at(foreign_timer + control) = 0;
    at(0xE000E010) = 0;
    print("foreign ", uint32_t{foreign_taken}, " ", quantile(50), " ");
    print(quantile(99), " ", waited_most, "\n");
}

} // namespace

extern "C" void SysTick_Handler()
{
    if (chosen == foreign_below) {
        (void)tickwheel_interrupt();
        return;
    }
    // The first block that begins after the start is the measured one.
    if ((jiffies + 1) % 256 == 0 && chosen <= cascade_tv3) {
        begin<op_boundary>();
    }
    if (tickwheel_tick() != 0) {
        at(system_control) = pend_pendsv;
    }
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

extern "C" void IRQ9_Handler()
{
    const uint32_t wait = cycles() - next_edge;
    at(foreign_timer + clear) = 1;
    if (wait >> 31 != 0) {
        // This edge came after the clear. The interrupt before it has counted it.
        return;
    }
    // Edges that came while one was pending are lost. The first one's wait counts.
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
    chosen = static_cast<mode>(at(wanted_mode));
    if (count == 0 || count > most_timers) {
        return 1;
    }
    // PendSV is the lowest. SysTick is above it, or in mode 3 above all.
    at(system_priority_3) = chosen == foreign_below ? 0x00E00000 : 0xC0E00000;
    if (chosen == cascade_tv2) {
        wait_for_boundary(block_of_tv2, 1u << 8, 1);
    } else if (chosen == cascade_tv3) {
        // They are due beyond the block, so they cascade to tv2.
        wait_for_boundary(block_of_tv3, 1u << 14, 1u << 8);
    } else {
        wait_for_foreign();
    }
    return 0;
}
