// SPDX-License-Identifier: MIT
/// @file
/// The timer of a RISC-V core in machine mode, mtime and mtimecmp, as the Counter of
/// counter_tick.hpp; and the software interrupt for the callbacks. Both are in the
/// CLINT, which most chips have at 0x2000000.
#ifndef TICKWHEEL_CLINT_HPP
#define TICKWHEEL_CLINT_HPP

#include <stdint.h>

#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// `Hz` are the counts of mtime in a second. `Hart` is the number of this core.
template <uint32_t Hz, uintptr_t Base = 0x2000000, unsigned Hart = 0>
struct clint {
    /// The lower half of mtime. It wraps; set_alarm() finds the upper half.
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = Hz;
    /// mtimecmp interrupts while it is not above mtime, so an alarm in the past comes at once.
    static constexpr uint32_t ahead = 0;

    /// Enables both interrupts. Call it after the start() of counter_tick, which sets the alarm: what mtimecmp holds
    /// after reset may be past.
    static void enable()
    {
        __asm__ volatile inline(TICKWHEEL_CSR("csrs mie, %0")::"r"(software | timer) : "memory");
    }

    static uint32_t read()
    {
        return word(mtime);
    }

    static void set_alarm(uint32_t at)
    {
        uint32_t upper = 0;
        uint32_t lower = 0;
        do {
            upper = word(mtime + 4);
            lower = read();
        } while (upper != word(mtime + 4));
        // counter_tick looks whether the alarm had passed, so this need not.
        const uint64_t when = (uint64_t{upper} << 32 | lower) + (at - lower);
        // In between, the alarm is never before its time: it would interrupt for nothing.
        word(mtimecmp + 4) = ~0u;
        word(mtimecmp) = static_cast<uint32_t>(when);
        word(mtimecmp + 4) = static_cast<uint32_t>(when >> 32);
    }

    static uint32_t mask()
    {
        return port_lock::irq_save();
    }

    static void unmask(uint32_t state)
    {
        port_lock::irq_restore(state);
    }

    /// WFI also wakes for an interrupt that mstatus masks, if mie has its bit.
    static void wait_for_interrupt()
    {
        __asm__ volatile("fence\n\twfi" ::: "memory");
    }

    static void ticks_passed(uint32_t /*ticks*/)
    {
    }

    static void pend_softirq()
    {
        word(msip) = 1;
    }

    /// Call this in the handler of the software interrupt, at the end. It runs the callbacks with interrupts on, the
    /// software interrupt excepted. A nested trap overwrites what mret needs, so this keeps both registers.
    static void run_softirq()
    {
        uintptr_t pc = 0;
        uintptr_t status = 0;
        word(msip) = 0;
        __asm__ volatile inline(TICKWHEEL_CSR("csrr %0, mepc\n\tcsrr %1, mstatus")
                                : "=r"(pc), "=r"(status)::"memory");
        __asm__ volatile inline(TICKWHEEL_CSR("csrc mie, %0\n\tcsrs mstatus, %1")::"r"(software),
                                "r"(port_lock::interrupts_on)
                                : "memory");
        (void)tickwheel_run();
        __asm__ volatile inline(TICKWHEEL_CSR("csrw mstatus, %1\n\tcsrw mepc, %0\n\tcsrs mie, %2")::"r"(pc),
                                "r"(status), "r"(software)
                                : "memory");
    }

private:
    static constexpr uintptr_t msip = Base + 4 * Hart;
    static constexpr uintptr_t mtimecmp = Base + 0x4000 + 8 * Hart;
    static constexpr uintptr_t mtime = Base + 0xBFF8;
    /// Bits of mie.
    static constexpr uint32_t software = 1u << 3;
    static constexpr uint32_t timer = 1u << 7;

    static volatile uint32_t &word(uintptr_t address)
    {
        return *reinterpret_cast<volatile uint32_t *>(address);
    }
};

} // namespace tickwheel

#endif
