// SPDX-License-Identifier: MIT
// The machine of the stress test on RISC-V. The core has one level of interrupts, and
// software makes five of it: each handler runs with interrupts on, and a trap calls
// only handlers that are more urgent than the one it interrupts. mtimecmp is set for
// the nearest of four timers. mstatus.MIE masks all of them.
//
// The emulator gives each instruction 128 ns, and mtime counts every 100 ns, so an
// interrupt can come after any number of instructions.
#ifndef TICKWHEEL_TEST_STRESS_MACHINE_RISCV_HPP
#define TICKWHEEL_TEST_STRESS_MACHINE_RISCV_HPP

#include "../../support/target.hpp"

#define STRESS_LOW_HANDLER stress_low
#define STRESS_HIGH_HANDLER stress_high
#define STRESS_WATCHER_HANDLER stress_watcher

extern "C" void PendSV_Handler();
extern "C" void SysTick_Handler();
extern "C" void stress_low();
extern "C" void stress_high();
extern "C" void stress_watcher();

namespace stress
{

/// The instructions of dispatch() on the way into a handler, at -Os. The main loop must have time left.
constexpr uint32_t longest_entry = 1000;

/// Two interrupts that call the wheel, and one that does not. Then the tick and the runner.
enum line : unsigned { low, high, watcher, line_count, tick_line = line_count, run_line, all_lines };

struct interrupt {
    void (*handler)();
    unsigned level;
    uint32_t exception;
};
constexpr unsigned first_interrupt = 8;
constexpr interrupt interrupts[all_lines] = {{stress_low, 2, 16 + first_interrupt + low},
                                             {stress_high, 4, 16 + first_interrupt + high},
                                             {stress_watcher, 5, 16 + first_interrupt + watcher},
                                             {SysTick_Handler, 3, 15},
                                             {PendSV_Handler, 1, 14}};

/// Changed with interrupts off.
inline uint32_t lines_waiting;
inline uint64_t due_at[all_lines];
constexpr uint64_t never = ~uint64_t{0};
inline volatile unsigned level;
inline volatile uint32_t exception;

/// Whether the wheel's interrupts are masked.
inline bool masked_now()
{
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status)::"memory");
    return (status & 8) == 0;
}

constexpr bool watcher_above_lock = false;

/// For the watcher: whether they were masked when it came.
inline bool came_masked()
{
    return masked_now();
}

inline void set_mask(bool masked)
{
    if (masked) {
        __asm__ volatile("csrci mstatus, 8" ::: "memory");
    } else {
        __asm__ volatile("csrsi mstatus, 8" ::: "memory");
    }
}

/// Takes the timers that have passed, and sets the alarm for the nearest other one.
inline void look_at_timers()
{
    const uint64_t now = read_mtime();
    uint64_t nearest = never;
    for (unsigned i = 0; i < all_lines; ++i) {
        if (due_at[i] <= now) {
            due_at[i] = never;
            lines_waiting |= 1u << i;
        }
        nearest = due_at[i] < nearest ? due_at[i] : nearest;
    }
    stop_alarm();
    at(mtimecmp) = static_cast<uint32_t>(nearest);
    at(mtimecmp + 4) = static_cast<uint32_t>(nearest >> 32);
}

inline void set_timer(unsigned which, uint64_t when)
{
    const bool was_masked = masked_now();
    set_mask(true);
    due_at[which] = when;
    look_at_timers();
    at(msip) = lines_waiting != 0;
    set_mask(was_masked);
}

inline void pend_any(unsigned which)
{
    const bool was_masked = masked_now();
    set_mask(true);
    lines_waiting |= 1u << which;
    at(msip) = 1;
    set_mask(was_masked);
}

inline void dispatch()
{
    const unsigned level_below = level;
    const uint32_t exception_below = exception;
    uint32_t pc = 0;
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(pc), "=r"(status)::"memory");
    at(msip) = 0;
    look_at_timers();
    for (;;) {
        const interrupt *next = nullptr;
        for (const interrupt &is : interrupts) {
            const bool waits = (lines_waiting >> (&is - interrupts) & 1) != 0;
            if (waits && is.level > (next == nullptr ? level_below : next->level)) {
                next = &is;
            }
        }
        if (next == nullptr) {
            break;
        }
        lines_waiting &= ~(1u << (next - interrupts));
        level = next->level;
        exception = next->exception;
        set_mask(false);
        next->handler();
        set_mask(true);
    }
    level = level_below;
    exception = exception_below;
    __asm__ volatile("csrw mstatus, %1\n\tcsrw mepc, %0" ::"r"(pc), "r"(status) : "memory");
}

extern "C" void MTI_Handler()
{
    dispatch();
}
extern "C" void MSI_Handler()
{
    dispatch();
}

constexpr uint32_t counts(uint32_t instructions)
{
    return instructions * 5 / 4;
}
inline void timer_stop(line which)
{
    set_timer(which, never);
}
inline void timer_start(line which, uint32_t instructions)
{
    set_timer(which, read_mtime() + counts(instructions));
}
inline void systick_stop()
{
    set_timer(tick_line, never);
}
inline void systick_start_once(uint32_t wanted)
{
    set_timer(tick_line, read_mtime() + wanted);
}

inline void pend(line which)
{
    pend_any(which);
}
inline void pend_run()
{
    pend_any(run_line);
}

inline void interrupts_init()
{
    for (uint64_t &due : due_at) {
        due = never;
    }
    stop_alarm();
    enable_interrupt(software_interrupt | timer_interrupt);
}

/// 0 in thread code, 14 in PendSV, 15 in SysTick, 16 and more in the others.
inline uint32_t exception_number()
{
    return exception;
}

} // namespace stress

#endif
