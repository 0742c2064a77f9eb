// SPDX-License-Identifier: MIT
// SysTick counts and PendSV runs. One object file on purpose: a handler that
// stood alone in an archive would never be linked, since the start-up code's weak
// one already satisfies the vector table. Registers as in the Armv6-M, v7-M and
// v8-M manuals, which agree on all that is used here.
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

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
constexpr uintptr_t reset_control = 0xE000ED0C;
constexpr uintptr_t handler_priorities_3 = 0xE000ED20;

constexpr uint32_t systick_enable = 1u << 0;
constexpr uint32_t systick_interrupt = 1u << 1;
constexpr uint32_t systick_processor_clock = 1u << 2;
constexpr uint32_t pend_systick_clear = 1u << 25;
constexpr uint32_t pendsv_set = 1u << 28;

// A tick takes reload + 1 cycles. Reload 0 would stop SysTick for good.
constexpr uint32_t shortest_tick = 2;
constexpr uint32_t longest_tick = 1u << 24;

// What clock_hz / HZ leaves over; owed cycles come to one whole cycle each time that they reach HZ.
uint32_t remainder_per_tick;
uint32_t owed;
uint32_t short_reload;

struct division {
    uint32_t quotient;
    uint32_t remainder;
};

// By shift and subtract: cores without a divide instruction would ask libgcc for it, and this object asks for
// nothing. The remainder stays below TICKWHEEL_HZ <= 100000, so doubling it cannot overflow.
constexpr division by_hz(uint32_t value)
{
    division result = {0, 0};
    for (unsigned bit = 32; bit-- > 0;) {
        result.remainder = result.remainder * 2 + ((value >> bit) & 1u);
        result.quotient *= 2;
        if (result.remainder >= TICKWHEEL_HZ) {
            result.remainder -= TICKWHEEL_HZ;
            result.quotient += 1;
        }
    }
    return result;
}

static_assert(by_hz(0xFFFFFFFFu).quotient == 0xFFFFFFFFu / TICKWHEEL_HZ, "the shift and subtract must divide");
static_assert(by_hz(0xFFFFFFFFu).remainder == 0xFFFFFFFFu % TICKWHEEL_HZ, "the shift and subtract must divide");

// A core has only the upper two to eight bits of each priority; the others read as zero. The step must also be one
// that pre-empts: the lower PRIGROUP + 1 bits order pending interrupts only. Words, since Armv6-M has no others here.
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

} // namespace

int tickwheel_systick_start(uint32_t clock_hz)
{
    const division cycles = by_hz(clock_hz);
    const uint32_t longest = cycles.quotient + (cycles.remainder != 0 ? 1 : 0);
    if (cycles.quotient < shortest_tick || longest > longest_tick) {
        return -1;
    }
    at(systick_control) = 0;
    short_reload = cycles.quotient - 1;
    remainder_per_tick = cycles.remainder;
    owed = 0;
    set_priorities();
    at(systick_reload) = short_reload;
    // Any write makes it 0, so that the first tick is a whole one. A tick that a boot loader's SysTick left pending
    // would count as ours.
    at(systick_current) = 0;
    at(interrupt_control) = pend_systick_clear;
    // What the handler reads must have been written before it can run.
    __asm__ volatile("" ::: "memory");
    // In two steps: QEMU before 7 takes the clock source only while SysTick stands.
    at(systick_control) = systick_processor_clock;
    at(systick_control) = systick_processor_clock | systick_interrupt | systick_enable;
    return 0;
}

extern "C" void SysTick_Handler()
{
    // SysTick has taken its reload for the running tick already: this one is for the next. It comes in time as long
    // as this handler is held up for less than a tick, and when it is not, a tick is lost anyway.
    if (remainder_per_tick != 0) {
        owed += remainder_per_tick;
        const bool a_cycle_more = owed >= TICKWHEEL_HZ;
        owed -= a_cycle_more ? TICKWHEEL_HZ : 0;
        at(systick_reload) = short_reload + (a_cycle_more ? 1 : 0);
    }
    if (tickwheel_tick() != 0) {
        at(interrupt_control) = pendsv_set;
    }
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}
