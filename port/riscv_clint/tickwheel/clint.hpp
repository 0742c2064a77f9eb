// SPDX-License-Identifier: MIT
/// @file
/// The timer of a RISC-V core in machine mode, mtime and mtimecmp, as the Counter of counter_tick.hpp and of
/// one_shot.hpp; and the software interrupt for the callbacks. A layout says where their registers are. Chips without
/// mtime, such as the CH32V003 and the ESP32-C3, need a Counter of their own.
#ifndef TICKWHEEL_CLINT_HPP
#define TICKWHEEL_CLINT_HPP

#include <stdint.h>

#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

// A layout has the addresses of mtime, of mtimecmp, and of the register that pends the software interrupt, and what
// to write there to pend it and to clear it.

/// SiFive's, as in the FE310 and in QEMU's machine `virt`. `Hart` is the number of this core.
template <uintptr_t Base = 0x2000000, unsigned Hart = 0>
struct sifive_clint {
    static constexpr uintptr_t mtime = Base + 0xBFF8;
    static constexpr uintptr_t mtimecmp = Base + 0x4000 + 8 * Hart;
    static constexpr uintptr_t softirq = Base + 4 * Hart;
    static constexpr uint32_t pend = 1;
    static constexpr uint32_t clear = 0;
};

/// The RP2350's, in its SIO. Each core has an mtimecmp at the same address, and bits of its own for the software
/// interrupt. Not run on hardware.
template <unsigned Core = 0>
struct rp2350_clint {
    static constexpr uintptr_t mtime = 0xD00001B0;
    static constexpr uintptr_t mtimecmp = 0xD00001B8;
    static constexpr uintptr_t softirq = 0xD00001A0;
    static constexpr uint32_t pend = 1u << Core;
    static constexpr uint32_t clear = 0x100u << Core;
};

/// The GD32VF103's. port/README.md says what its interrupt controller needs. Not run on hardware.
struct gd32vf103_clint {
    static constexpr uintptr_t mtime = 0xD1000000;
    static constexpr uintptr_t mtimecmp = 0xD1000008;
    static constexpr uintptr_t softirq = 0xD1000FFC;
    static constexpr uint32_t pend = 1;
    static constexpr uint32_t clear = 0;
};

/// `Hz` are the counts of mtime in a second. For one-shot mode with a faster mtime, a count of this Counter is
/// 2^`Shift` of them.
template <uint32_t Hz, class Layout = sifive_clint<>, unsigned Shift = 0>
struct clint {
    /// The lower half of mtime. It wraps; set_alarm() finds the upper half.
    static constexpr unsigned bits = 32;
    static constexpr uint32_t hz = Hz >> Shift;
    /// mtimecmp interrupts while it is not above mtime, so an alarm in the past comes at once.
    static constexpr uint32_t min_ahead = 0;

    /// Enables both interrupts. Call it after the start() of counter_tick, which sets the alarm: what mtimecmp holds
    /// after reset may be past.
    static void enable()
    {
        __asm__ volatile inline(TICKWHEEL_CSR("csrs mie, %0")::"r"(software | timer) : "memory");
    }

    static uint32_t read()
    {
        return Shift == 0 ? word(Layout::mtime) : static_cast<uint32_t>(mtime() >> Shift);
    }

    static void set_alarm(uint32_t at)
    {
        const uint64_t now = mtime() >> Shift;
        // The caller checks whether the alarm has passed, so this function need not.
        const uint64_t when = (now + (at - static_cast<uint32_t>(now))) << Shift;
        // Between these writes the alarm is never earlier than `when`, because it would interrupt for nothing.
        word(Layout::mtimecmp + 4) = ~0u;
        word(Layout::mtimecmp) = static_cast<uint32_t>(when);
        word(Layout::mtimecmp + 4) = static_cast<uint32_t>(when >> 32);
    }

    /// For one-shot mode. The interrupt comes at once.
    static void pend_alarm()
    {
        word(Layout::mtimecmp + 4) = 0;
        word(Layout::mtimecmp) = 0;
    }

    /// For a handler of the alarm that only pends the softirq: it would not end while the alarm is past.
    static void clear_alarm()
    {
        word(Layout::mtimecmp + 4) = ~0u;
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
        word(Layout::softirq) = Layout::pend;
    }

    /// Call this in the handler of the software interrupt, at the end. It runs the callbacks with interrupts on, the
    /// software interrupt excepted. A nested trap overwrites what mret needs, so this keeps both registers.
    static void run_softirq()
    {
        uintptr_t pc = 0;
        uintptr_t status = 0;
        word(Layout::softirq) = Layout::clear;
        __asm__ volatile inline(TICKWHEEL_CSR("csrr %0, mepc\n\tcsrr %1, mstatus")
                                : "=r"(pc), "=r"(status)::"memory");
        __asm__ volatile inline(TICKWHEEL_CSR("csrc mie, %0\n\tcsrs mstatus, %1")::"r"(software),
                                "r"(port_lock::interrupts_on)
                                : "memory");
#if TICKWHEEL_ONE_SHOT
        (void)tickwheel_interrupt();
#else
        (void)tickwheel_run();
#endif
        __asm__ volatile inline(TICKWHEEL_CSR("csrw mstatus, %1\n\tcsrw mepc, %0\n\tcsrs mie, %2")::"r"(pc),
                                "r"(status), "r"(software)
                                : "memory");
    }

private:
    /// Bits of mie.
    static constexpr uint32_t software = 1u << 3;
    static constexpr uint32_t timer = 1u << 7;

    static uint64_t mtime()
    {
        uint32_t upper = 0;
        uint32_t lower = 0;
        do {
            upper = word(Layout::mtime + 4);
            lower = word(Layout::mtime);
        } while (upper != word(Layout::mtime + 4));
        return uint64_t{upper} << 32 | lower;
    }

    static volatile uint32_t &word(uintptr_t address)
    {
        return *reinterpret_cast<volatile uint32_t *>(address);
    }
};

} // namespace tickwheel

#endif
