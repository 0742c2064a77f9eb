// SPDX-License-Identifier: MIT
// SysTick counts and PendSV runs the callbacks. This is one object file on
// purpose. A handler alone in an archive member would never be linked, because
// the weak handler of the start-up code already satisfies the vector table. The
// manuals of Armv6-M, v7-M and v8-M agree on every register used here, but for
// PRIGROUP, which reads as 0 on Armv6-M.
#include <tickwheel/cortex_m_counter_base.hpp>
#include <tickwheel/systick.h>
#include <tickwheel/tickless.hpp>
#include <tickwheel/tickwheel.h>

extern "C" {
void TICKWHEEL_SYSTICK_HANDLER();
void TICKWHEEL_PENDSV_HANDLER();
}

namespace
{

using word_register = volatile uint32_t;

word_register &at(uintptr_t address)
{
    return *reinterpret_cast<word_register *>(address);
}

constexpr uintptr_t systick_control = 0xE000E010;
constexpr uintptr_t systick_reload = 0xE000E014;
constexpr uintptr_t systick_current = 0xE000E018;
constexpr uintptr_t interrupt_control = 0xE000ED04;
constexpr uintptr_t vector_table_offset = 0xE000ED08;
constexpr uintptr_t reset_control = 0xE000ED0C;
constexpr uintptr_t handler_priorities_3 = 0xE000ED20;

constexpr uint32_t systick_enable = 1u << 0;
constexpr uint32_t systick_interrupt = 1u << 1;
constexpr uint32_t systick_processor_clock = 1u << 2;
constexpr uint32_t systick_count_flag = 1u << 16;
constexpr uint32_t pend_systick_clear = 1u << 25;
constexpr uint32_t pend_systick_set = 1u << 26;

#ifndef TICKWHEEL_SYSTICK_RESTART_COST
// The cost of systick::restart() in 1/256 count, from its read of the counter to the reload. This is a Cortex-M3
// without wait states: LDR 2, SUBS, CMP, BHI and ADDS 1 each, both STR together 2 cycles, and one to the reload. To
// measure a board, divide the drift of tickwheel_now_us() by the number of restarts.
#define TICKWHEEL_SYSTICK_RESTART_COST (9 * 256)
#endif

struct systick : tickwheel::cortex_m_counter_base {
    static constexpr uint32_t restart_cost = TICKWHEEL_SYSTICK_RESTART_COST;

    static uint32_t current()
    {
        return at(systick_current);
    }
    static void set_reload(uint32_t counts)
    {
        at(systick_reload) = counts;
    }
    // This and restart() are assembly, so that no compiler makes them slower than write_margin allows.
    static bool set_reload_in_time(uint32_t min, uint32_t max, uint32_t reload)
    {
        uint32_t left = 0;
        uint32_t in_time = 0;
        __asm__ volatile(".syntax unified\n\t"
                         "ldr %0, [%2, #8]\n\t"
                         "subs %0, %0, %3\n\t"
                         "cmp %0, %4\n\t"
                         "bhi 1f\n\t"
                         "str %5, [%2, #4]\n\t"
                         "movs %1, #1\n"
                         "1:"
                         : "=&l"(left), "+l"(in_time)
                         : "l"(systick_control), "l"(min), "l"(max - min), "l"(reload)
                         : "cc", "memory");
        return in_time != 0;
    }
    // The counter takes the first reload one count after the counter is written (H2). The second one must wait for
    // that.
    static bool restart(uint32_t min, uint32_t max, uint32_t to, uint32_t reload)
    {
        uint32_t left = 0;
        __asm__ volatile(".syntax unified\n\t"
                         "ldr %0, [%2, #8]\n\t"
                         "subs %0, %0, %3\n\t"
                         "cmp %0, %1\n\t"
                         "bhi 2f\n\t"
                         "adds %0, %0, %4\n\t"
                         "str %0, [%2, #4]\n\t"
                         "str %0, [%2, #8]\n"
                         "1:\n\t"
                         "ldr %0, [%2, #8]\n\t"
                         "cmp %0, #0\n\t"
                         "beq 1b\n\t"
                         "str %5, [%2, #4]\n\t"
                         "movs %0, #1\n\t"
                         "b 3f\n"
                         "2:\n\t"
                         "movs %0, #0\n"
                         "3:"
                         : "=&l"(left)
                         : "l"(max - min), "l"(systick_control), "l"(min), "l"(to - (max - min)), "l"(reload)
                         : "cc", "memory");
        return left != 0;
    }
    static bool count_flag()
    {
        return (at(systick_control) & systick_count_flag) != 0;
    }
    static bool pending()
    {
        return (at(interrupt_control) & pend_systick_set) != 0;
    }
    static void clear_pending()
    {
        at(interrupt_control) = pend_systick_clear;
    }
};

tickwheel::tickless<systick> tick;

// PendSV gets the lowest priority and SysTick the next one that preempts it. A core has only the upper two to eight
// bits of a priority; the others read as 0. The lower PRIGROUP + 1 bits do not preempt, they only order pending
// interrupts. Armv6-M allows only word accesses here.
void set_priorities()
{
    constexpr uint32_t pendsv_shift = 16;
    constexpr uint32_t systick_shift = 24;
    word_register &priorities = at(handler_priorities_3);
    const uint32_t others = priorities & 0x0000FFFFu;
    priorities = others | 0xFFFF0000u;
    const uint32_t lowest = (priorities >> pendsv_shift) & 0xFFu;
    const uint32_t smallest_step = lowest & (0u - lowest);
    const uint32_t preempting_step = 2u << ((at(reset_control) >> 8) & 7u);
    const uint32_t step = smallest_step > preempting_step ? smallest_step : preempting_step;
    const uint32_t above = lowest > step ? lowest - step : 0;
    priorities = others | (lowest << pendsv_shift) | (above << systick_shift);
}

#define NOT_IN_THE_TABLE(handler)                                                                                    \
    "the vector table does not lead to " TICKWHEEL_STRING(handler) ": -D" #handler "=<the name in the table>"

// Both addresses have bit 0 set, for Thumb. A core without the offset register reads it as 0, and its table lies
// there.
void check_vector(uint32_t exception, void (*handler)(), const char *fault)
{
    const uintptr_t vector = at(at(vector_table_offset) + exception * sizeof(uint32_t));
    if (vector != reinterpret_cast<uintptr_t>(handler)) {
        tickwheel_bug(fault, nullptr);
    }
}

} // namespace

int tickwheel_systick_start(uint32_t clock_hz)
{
    const tickwheel::tick_grid grid = tickwheel::systick_grid(clock_hz);
    if (!grid.fits()) {
        return -1;
    }
    if (TICKWHEEL_DEBUG) {
        check_vector(15, TICKWHEEL_SYSTICK_HANDLER, NOT_IN_THE_TABLE(TICKWHEEL_SYSTICK_HANDLER));
        check_vector(14, TICKWHEEL_PENDSV_HANDLER, NOT_IN_THE_TABLE(TICKWHEEL_PENDSV_HANDLER));
    }
    // Masked, because a handler would wait for a stopped counter, or would see half of the new state.
    const uint32_t state = systick::mask();
    // Stops a boot loader's SysTick. QEMU before 7 changes the clock source only while SysTick is stopped.
    at(systick_control) = systick_processor_clock;
    tick.start(grid);
    set_priorities();
    // Any write makes the counter 0 (H2), so that the first tick is a whole one. A boot loader's SysTick may have
    // left its exception pending.
    at(systick_current) = 0;
    at(interrupt_control) = pend_systick_clear;
    at(systick_control) = systick_processor_clock | systick_interrupt | systick_enable;
    systick::unmask(state);
    return 0;
}

// The counter has already taken the reload of the current tick (H1), so this handler writes the one of the next tick.
// It is in time if it is delayed by less than a tick. If it is delayed by more, a tick is lost anyway (H5).
extern "C" void TICKWHEEL_SYSTICK_HANDLER()
{
    tick.interrupt();
}

extern "C" void TICKWHEEL_PENDSV_HANDLER()
{
    (void)tickwheel_run();
}

void tickwheel_idle()
{
    tick.idle();
}

void tickwheel_idle_unless(const volatile int *work)
{
    tick.idle(work);
}

int tickwheel_clock_changed(uint32_t clock_hz)
{
    return tick.clock_changed(clock_hz) ? 0 : -1;
}

struct tickwheel_sleeps tickwheel_sleep_counts()
{
    return tick.counts();
}

// Replaces the one of core, which sees no wrap between the start of SysTick's handler and its mask.
jiffies_t tickwheel_current_tick()
{
    return tick.current_tick();
}

uint64_t tickwheel_now_us()
{
    return tick.now_us();
}

void tickwheel_sleep(jiffies_t ticks)
{
    tick.sleep(ticks);
}
