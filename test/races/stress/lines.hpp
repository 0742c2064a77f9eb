// SPDX-License-Identifier: MIT
// The contexts of the stress test: the main loop, four interrupts that software raises, each with its own priority,
// and above them an alarm. The alarm raises the others after any number of instructions: a count of its timer is
// shorter than an instruction of the emulator. A lock by BASEPRI, or of IRQ, does not mask the alarm.
#ifndef TICKWHEEL_TEST_STRESS_LINES_HPP
#define TICKWHEEL_TEST_STRESS_LINES_HPP

#include "../machine/machine.hpp"

namespace stress
{

using races::everything_masked;
using races::masked_now;
using races::set_mask;

/// From the least urgent on.
enum context : unsigned { main_loop, in_runner, in_low, in_tick, in_high, context_count };
constexpr const char *context_names[] = {
    "main loop", "runner", "interrupt below the tick", "tick", "interrupt above the tick", "alarm"};

/// The interrupts call this.
void enter(context which);
/// The alarm calls this.
void look_at_alarm();

#if defined(__riscv)

// The core has one level of interrupts, and software makes five of it: each handler runs with interrupts on, and a
// trap calls only handlers that are more urgent than the one it interrupts. mstatus.MIE masks all of them. mtime
// counts every 100 ns, and an instruction takes 128 ns.
constexpr uint32_t counts_of_32_instructions = 40;
constexpr bool alarm_above_lock = false;

/// Changed with interrupts off.
inline uint32_t waiting;
inline volatile unsigned under_way;
inline uint64_t alarm_began;

inline context here()
{
    return static_cast<context>(under_way);
}

inline void raise(context which)
{
    const everything_masked now;
    waiting |= 1u << which;
    at(msip) = 1;
}

inline void start_alarm(uint32_t counts)
{
    alarm_began = read_mtime();
    stop_alarm();
    at(mtimecmp) = static_cast<uint32_t>(alarm_began + counts);
    at(mtimecmp + 4) = static_cast<uint32_t>((alarm_began + counts) >> 32);
}

inline uint32_t alarm_passed()
{
    return static_cast<uint32_t>(read_mtime() - alarm_began);
}

inline bool alarm_came_masked()
{
    return false;
}

extern "C" void MSI_Handler()
{
    const unsigned below = under_way;
    uint32_t pc = 0;
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(pc), "=r"(status)::"memory");
    at(msip) = 0;
    for (unsigned which = in_high; which > below;) {
        if ((waiting >> which & 1) == 0) {
            --which;
            continue;
        }
        waiting &= ~(1u << which);
        under_way = which;
        set_mask(false);
        enter(static_cast<context>(which));
        set_mask(true);
        which = in_high;
    }
    under_way = below;
    __asm__ volatile("csrw mstatus, %1\n\tcsrw mepc, %0" ::"r"(pc), "r"(status) : "memory");
}

extern "C" void MTI_Handler()
{
    look_at_alarm();
    MSI_Handler();
}

inline void enable_lines()
{
    enable_interrupt(software_interrupt | timer_interrupt);
}

#elif __ARM_ARCH_PROFILE == 'M'

// Interrupts that belong to no device of the boards. SysTick, with priority 0, is the alarm: 25 MHz are 1.6 counts an
// instruction of 64 ns, 20 MHz 1.28, 16 MHz 1.02. Armv6-M has the two upper bits of a priority.
constexpr uint32_t counts_of_32_instructions = 50;
constexpr bool alarm_above_lock = races::basepri;
constexpr unsigned first_interrupt = 20;
constexpr uint32_t line_priorities[context_count] = {0xFF, 0xC0, 0x80, 0x40, 0x20};
static_assert(!races::basepri || races::locked == line_priorities[in_high], "the lock masks all but the alarm");

/// In the alarm, the one above all others.
inline context here()
{
    constexpr uint32_t systick = 15;
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    exception &= 0x1FFu;
    return exception == 0         ? main_loop
           : exception == systick ? context_count
                                  : static_cast<context>(exception - 16 - first_interrupt);
}

inline void raise(context which)
{
    at(interrupt_set_pending) = 1u << (first_interrupt + which);
}

inline void start_alarm(uint32_t counts)
{
    systick_start_once(counts);
}

inline uint32_t alarm_passed()
{
    constexpr uint32_t has_ended = 1u << 16;
    const uint32_t counts = at(systick_reload);
    const uint32_t left = at(systick_value);
    return (at(systick_control) & has_ended) != 0 ? counts : left == 0 ? 0 : counts - left;
}

inline bool alarm_came_masked()
{
    return masked_now();
}

extern "C" {
void IRQ21_Handler()
{
    enter(here());
}
[[gnu::alias("IRQ21_Handler")]] void IRQ22_Handler();
[[gnu::alias("IRQ21_Handler")]] void IRQ23_Handler();
[[gnu::alias("IRQ21_Handler")]] void IRQ24_Handler();
void SysTick_Handler()
{
    look_at_alarm();
}
}

inline void enable_lines()
{
    for (unsigned which = in_runner; which < context_count; ++which) {
        enable_interrupt(first_interrupt + which, line_priorities[which]);
    }
}

#else

// A Cortex-A9: its controller has a priority for each interrupt that software raises. The private timer, an FIQ, is
// the alarm: 100 MHz are 6.4 counts an instruction of 64 ns.
constexpr uint32_t counts_of_32_instructions = 205;
constexpr bool alarm_above_lock = true;
constexpr uint32_t line_priorities[context_count] = {0xFF, 0xF0, 0x80, 0x40, 0x20};
constexpr uint32_t alarm_number = 29;
constexpr uintptr_t alarm_load = 0x1E000600;
constexpr uintptr_t alarm_counter = 0x1E000604;
constexpr uintptr_t alarm_control = 0x1E000608;
constexpr uintptr_t alarm_status = 0x1E00060C;

/// In the alarm, the one above all others.
inline context here()
{
    const uint32_t running = at(races::running_priority);
    unsigned which = main_loop;
    while (which != context_count && line_priorities[which] != running) {
        ++which;
    }
    return static_cast<context>(which);
}

inline void raise(context which)
{
    races::raise_software(which);
}

inline void start_alarm(uint32_t counts)
{
    constexpr uint32_t enable_interrupt_once = 5;
    at(alarm_load) = counts;
    at(alarm_control) = enable_interrupt_once;
}

inline uint32_t alarm_passed()
{
    return at(alarm_load) - at(alarm_counter);
}

inline bool alarm_came_masked()
{
    uint32_t cpsr = 0;
    __asm__ volatile("mrs %0, spsr" : "=r"(cpsr)::"memory");
    return (cpsr & races::irq_masked) != 0;
}

extern "C" void SysTick_Handler()
{
    look_at_alarm();
}

extern "C" void IRQ_Handler(uint32_t number)
{
    enter(static_cast<context>(number));
}

/// An IRQ that came at the same time may have acknowledged the alarm: then the board calls SysTick_Handler().
extern "C" void FIQ_Handler()
{
    const uint32_t number = at(races::acknowledge);
    if (number == alarm_number) {
        at(alarm_status) = 1;
        look_at_alarm();
        at(races::end_of_interrupt) = number;
    }
}

inline void enable_lines()
{
    races::make_fiq(alarm_number);
    at(races::priorities) = line_priorities[3] << 24 | line_priorities[2] << 16 | line_priorities[1] << 8;
    at(races::priorities + 4) = line_priorities[4];
    at(races::enable_set) = 1u << alarm_number;
}

#endif

/// The counts until the alarm raises each context, 0 for never.
inline uint32_t counts_left[context_count];

/// `passed` are the counts since the last call. Raises those whose time has come, and sets the alarm for the next
/// one.
inline void set_alarm(uint32_t passed)
{
    constexpr uint32_t longest = 0xFFFFF;
    uint32_t nearest = longest;
    for (unsigned which = in_runner; which < context_count; ++which) {
        if (counts_left[which] != 0 && counts_left[which] <= passed) {
            counts_left[which] = 0;
            raise(static_cast<context>(which));
        } else if (counts_left[which] != 0) {
            counts_left[which] -= passed;
            nearest = counts_left[which] < nearest ? counts_left[which] : nearest;
        }
    }
    start_alarm(nearest);
}

/// Lets this interrupt come after so many instructions.
inline void raise_after(context which, uint32_t instructions)
{
    const everything_masked now;
    const uint32_t passed = alarm_passed();
    counts_left[which] = passed + instructions * counts_of_32_instructions / 32 + 1;
    set_alarm(passed);
}

} // namespace stress

#endif
