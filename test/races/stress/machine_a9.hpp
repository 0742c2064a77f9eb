// SPDX-License-Identifier: MIT
// The stress test's machine with a Cortex-A9, in QEMU: the interrupt controller has a
// priority for each context. Interrupt 1, which software raises, is the lowest. The
// watcher is an FIQ. Three timers count at 100 MHz, 6.4 counts an instruction. That of
// the watcher counts at 1 MHz.
#ifndef TICKWHEEL_TEST_STRESS_MACHINE_A9_HPP
#define TICKWHEEL_TEST_STRESS_MACHINE_A9_HPP

#include "../../../boards/parts/registers.hpp"
#include "../../../boards/startup/cortex_ar/cortex_ar.hpp"

#define STRESS_LOW_HANDLER stress_low
#define STRESS_HIGH_HANDLER stress_high
#define STRESS_WATCHER_HANDLER stress_watcher
extern "C" void PendSV_Handler();
extern "C" void STRESS_LOW_HANDLER();
extern "C" void STRESS_HIGH_HANDLER();
extern "C" void STRESS_WATCHER_HANDLER();

namespace stress
{

using parts::at;

/// The instructions of software on the way into a handler. It is short.
constexpr uint32_t longest_entry = 0;

/// Two interrupts that call the wheel, and one above the lock that does not.
enum line : unsigned { low, high, watcher, line_count };

constexpr uintptr_t controller_enable = 0x1E000100;
constexpr uintptr_t acknowledge = 0x1E00010C;
constexpr uintptr_t end_of_interrupt = 0x1E000110;
constexpr uintptr_t running_priority = 0x1E000114;
constexpr uintptr_t distributor_enable = 0x1E001000;
constexpr uintptr_t groups = 0x1E001080;
constexpr uintptr_t enable_set = 0x1E001100;
constexpr uintptr_t pending_set = 0x1E001200;
constexpr uintptr_t pending_clear = 0x1E001280;
constexpr uintptr_t priorities = 0x1E001400;
constexpr uintptr_t targets = 0x1E001800;
constexpr uintptr_t software = 0x1E001F00;

constexpr unsigned soft_number = 1;
constexpr unsigned high_number = 27;    // the global timer's comparator
constexpr unsigned systick_number = 29; // the private timer
constexpr unsigned low_number = 30;     // the watchdog, as a timer
constexpr unsigned watcher_number = 34; // the SP804 of the motherboard

constexpr uint32_t soft_priority = 0xF0;
constexpr uint32_t low_priority = 0x80;
constexpr uint32_t systick_priority = 0x40;
constexpr uint32_t high_priority = 0x20;

constexpr uintptr_t private_timer = 0x1E000600;
constexpr uintptr_t watchdog = 0x1E000620;
constexpr uintptr_t global_timer = 0x1E000200;
constexpr uintptr_t sp804 = 0x10011000;

constexpr uint32_t counts(uint32_t instructions)
{
    return instructions * 32 / 5;
}

inline void systick_stop()
{
    at(private_timer + 0x08) = 0;
    at(private_timer + 0x0C) = 1;
    at(pending_clear) = 1u << systick_number;
}

inline void systick_start_once(uint32_t counts)
{
    at(private_timer + 0x00) = counts;
    at(private_timer + 0x08) = 5;
}

inline void timer_stop(line which)
{
    if (which == low) {
        at(watchdog + 0x08) = 0;
        at(watchdog + 0x0C) = 1;
    } else if (which == high) {
        at(global_timer + 0x08) = 1;
        at(global_timer + 0x0C) = 1;
    } else {
        at(sp804 + 0x08) = 0;
        at(sp804 + 0x0C) = 1;
    }
}

inline void timer_start(line which, uint32_t instructions)
{
    if (which == low) {
        at(watchdog + 0x00) = counts(instructions);
        at(watchdog + 0x08) = 5;
    } else if (which == high) {
        const uint32_t now = at(global_timer);
        const uint32_t when = now + counts(instructions);
        at(global_timer + 0x10) = when;
        at(global_timer + 0x14) = at(global_timer + 0x04) + (when < now);
        at(global_timer + 0x08) = 7;
    } else {
        constexpr uint32_t enable_interrupt_32_bits_once = 0xA3;
        at(sp804 + 0x00) = instructions / 16 + 1;
        at(sp804 + 0x08) = enable_interrupt_32_bits_once;
    }
}

inline void pend_run()
{
    constexpr uint32_t to_this_core = 2u << 24;
    at(software) = to_this_core | soft_number;
}

inline void pend(line which)
{
    at(pending_set) = 1u << (which == low ? low_number : high_number);
}

inline void priority(unsigned number, uint32_t value)
{
    volatile uint32_t &four = at(priorities + number / 4 * 4);
    const unsigned shift = number % 4 * 8;
    four = (four & ~(0xFFu << shift)) | value << shift;
}

inline void interrupts_init()
{
    // Group 0 is FIQ, and has the watcher alone.
    constexpr uint32_t both_groups = 3;
    constexpr uint32_t both_groups_and_fiq = 0xF;
    at(groups) = ~0u;
    at(groups + 4) = ~(1u << (watcher_number - 32));
    priority(soft_number, soft_priority);
    priority(low_number, low_priority);
    priority(systick_number, systick_priority);
    priority(high_number, high_priority);
    at(targets + watcher_number / 4 * 4) = 0x01010101;
    at(enable_set) = 1u << high_number | 1u << systick_number | 1u << low_number;
    at(enable_set + 4) = 1u << (watcher_number - 32);
    at(distributor_enable) = both_groups;
    at(controller_enable) = both_groups_and_fiq;
    at(global_timer + 0x08) = 1;
}

constexpr bool watcher_above_lock = true;
constexpr uint32_t irq_masked = 1u << 7;

/// Whether the wheel's interrupts are masked.
inline bool masked_now()
{
    uint32_t cpsr = 0;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr)::"memory");
    return (cpsr & irq_masked) != 0;
}

/// For the watcher: whether they were masked when it came.
inline bool came_masked()
{
    uint32_t cpsr = 0;
    __asm__ volatile("mrs %0, spsr" : "=r"(cpsr)::"memory");
    return (cpsr & irq_masked) != 0;
}

inline void set_mask(bool masked)
{
    if (masked) {
        __asm__ volatile("cpsid i" ::: "memory");
    } else {
        __asm__ volatile("cpsie i\n\tisb" ::: "memory");
    }
}

inline void barrier()
{
    __asm__ volatile("" ::: "memory");
}

constexpr unsigned first_interrupt = 0;

/// 0 in thread code, 14 and 15 in the soft interrupt and the tick, 16 and more in the board's interrupts: as on a
/// Cortex-M.
inline uint32_t exception_number()
{
    switch (at(running_priority)) {
    case soft_priority:
        return 14;
    case low_priority:
        return 16 + low;
    case systick_priority:
        return 15;
    case high_priority:
        return 16 + high;
    default:
        return 0;
    }
}

} // namespace stress

extern "C" void IRQ_Handler(uint32_t number)
{
    if (number == stress::soft_number) {
        PendSV_Handler();
    } else if (number == stress::low_number) {
        STRESS_LOW_HANDLER();
    } else if (number == stress::high_number) {
        STRESS_HIGH_HANDLER();
    } else {
        STRESS_WATCHER_HANDLER();
    }
}

/// An IRQ that came at the same time may have acknowledged the watcher.
extern "C" void FIQ_Handler()
{
    const uint32_t number = stress::at(stress::acknowledge);
    if (number == stress::watcher_number) {
        STRESS_WATCHER_HANDLER();
        stress::at(stress::end_of_interrupt) = number;
    }
}

#endif
