// SPDX-License-Identifier: MIT
// What each port of the contexts test has: the masks of the core, a soft interrupt that
// the tick interrupts, and interrupts that call the wheel though the lock may not mask
// them.
#ifndef TICKWHEEL_TEST_CONTEXTS_PORTS_HPP
#define TICKWHEEL_TEST_CONTEXTS_PORTS_HPP

#include "../../unit/support.hpp"

/// Calls the wheel from an interrupt of `sources`. The test defines it.
extern "C" void foreign_interrupt();

#if defined(__riscv)

#include <tickwheel/clint.hpp>

#include "../../support/target.hpp"

using clint = tickwheel::clint<10000000>;

/// The next alarm is set from the last one, and the past ones come one after the other.
constexpr bool tick_pends_once = false;

/// All of mstatus: machine mode, MPIE and MIE. The first one lets all interrupts in. A trap would set MPIE, but none
/// comes.
constexpr uint32_t mask_states[] = {0x1808, 0x1800, 0x1880};

inline uint32_t masks_now()
{
    uint32_t status = 0;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status)::"memory");
    return status;
}

inline void set_masks(uint32_t status)
{
    __asm__ volatile("csrw mstatus, %0" ::"r"(status) : "memory");
}

/// The soft interrupt runs the wheel, or is foreign.
inline volatile bool runs_wheel;

inline void pend_softirq()
{
    runs_wheel = true;
    enable_interrupt(software_interrupt);
    clint::pend_softirq();
}

struct source {
    bool masked;
    void raise() const
    {
        enable_interrupt(software_interrupt);
        at(msip) = 1;
    }
};
constexpr source sources[] = {{true}};

extern "C" void MSI_Handler()
{
    if (runs_wheel) {
        runs_wheel = false;
        clint::run_softirq();
    } else {
        at(msip) = 0;
        foreign_interrupt();
    }
}

#elif __ARM_ARCH_PROFILE == 'M'

#include "../../support/core_registers.hpp"

#if defined(TICKWHEEL_LOCK_BASEPRI)
constexpr bool basepri = true;
#else
constexpr bool basepri = false;
#endif

/// A tick that has not been handled is lost when the next one comes.
constexpr bool tick_pends_once = true;

/// PRIMASK in bit 8, and BASEPRI. The first one lets all interrupts in.
constexpr uint32_t mask_states[] = {0, 0x100, 0x20, 0xE0, 0x120};

inline uint32_t masks_now()
{
    uint32_t primask = 0;
    uint32_t priority = 0;
    __asm__ volatile("mrs %0, primask\n\tmrs %1, basepri" : "=r"(primask), "=r"(priority));
    return primask << 8 | priority;
}

inline void set_masks(uint32_t to)
{
    __asm__ volatile("msr basepri, %1\n\tmsr primask, %0\n\tisb" ::"r"(to >> 8), "r"(to & 0xFF) : "memory");
}

/// PendSV has the lowest priority. The tick is above it.
inline void pend_softirq()
{
    at(system_priorities) = 0xC0E00000;
    at(interrupt_control) = pend_pendsv;
}

constexpr unsigned nmi = 2;
constexpr unsigned hard_fault = 3;
constexpr unsigned memory_fault = 4;
constexpr unsigned supervisor_call = 11;
constexpr unsigned interrupt_0 = 16;
constexpr unsigned interrupt_30 = 46;

struct source {
    unsigned exception;
    uint32_t priority;
    bool masked;
    void raise() const
    {
        constexpr uintptr_t system_handlers = 0xE000ED24;
        constexpr uint32_t memory_fault_enabled_and_pending = 1u << 16 | 1u << 13;
        if (exception == nmi) {
            at(interrupt_control) = pend_nmi;
        } else if (exception == hard_fault) {
            __asm__ volatile("udf #0" ::: "memory");
        } else if (exception == memory_fault) {
            at(0xE000ED18) = priority;
            at(system_handlers) = memory_fault_enabled_and_pending;
        } else if (exception == supervisor_call) {
            at(0xE000ED1C) = priority << 24;
            __asm__ volatile("svc 0" ::: "memory");
        } else {
            enable_interrupt(exception - interrupt_0, priority);
            at(interrupt_set_pending) = 1u << (exception - interrupt_0);
        }
        take_pending_interrupts();
        at(system_handlers) = 0;
    }
};

/// A core has at least the upper three bits of a priority. The lock by BASEPRI has 0x40.
constexpr source sources[] = {
    {interrupt_30, 0x00, !basepri},    {interrupt_30, 0x20, !basepri}, {interrupt_30, 0x40, true},
    {interrupt_30, 0xE0, true},        {interrupt_0, 0x20, !basepri},  {interrupt_0, 0x60, true},
    {supervisor_call, 0x20, !basepri}, {supervisor_call, 0x60, true},  {memory_fault, 0x20, !basepri},
    {memory_fault, 0x60, true},        {hard_fault, 0, false},         {nmi, 0, false},
};

extern "C" {
void PendSV_Handler()
{
    (void)tickwheel_run();
}

void IRQ0_Handler()
{
    foreign_interrupt();
}
[[gnu::alias("IRQ0_Handler")]] void IRQ30_Handler();
[[gnu::alias("IRQ0_Handler")]] void SVC_Handler();
[[gnu::alias("IRQ0_Handler")]] void MemManage_Handler();
[[gnu::alias("IRQ0_Handler")]] void NMI_Handler();

// Goes on after the instruction, which has two bytes.
[[gnu::naked]] void HardFault_Handler()
{
    __asm__ volatile("ldr r0, [sp, #24]\n\tadds r0, #2\n\tstr r0, [sp, #24]\n\tb %c0" ::"i"(foreign_interrupt));
}
}

#else

#include "../../../boards/parts/registers.hpp"
#include "../../../boards/startup/cortex_ar/cortex_ar.hpp"

using parts::at;

/// A tick that has not been handled is lost when the next one comes.
constexpr bool tick_pends_once = true;

/// I and F of CPSR, and Supervisor mode. The first one lets all interrupts in.
constexpr uint32_t mask_states[] = {0x13, 0x93, 0x53, 0xD3};

inline uint32_t masks_now()
{
    uint32_t cpsr = 0;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
    return cpsr & 0xDFu;
}

inline void set_masks(uint32_t control)
{
    __asm__ volatile("msr cpsr_c, %0\n\tisb" ::"r"(control) : "memory");
}

#if __ARM_ARCH_PROFILE == 'R'

// The Integrator/CP: bit 0 of its controller is a soft interrupt.
constexpr uintptr_t irq_enable = 0x14000008;
constexpr uintptr_t irq_disable = 0x1400000C;
constexpr uintptr_t soft_set = 0x14000010;
constexpr uintptr_t soft_clear = 0x14000014;
constexpr uintptr_t fiq_enable = 0x14000028;
constexpr uintptr_t fiq_disable = 0x1400002C;
constexpr uint32_t soft_interrupt = 1u << 0;

inline void raise_irq()
{
    at(irq_enable) = soft_interrupt;
    at(soft_set) = soft_interrupt;
}

inline void raise_fiq()
{
    at(irq_disable) = soft_interrupt;
    at(fiq_enable) = soft_interrupt;
    at(soft_set) = soft_interrupt;
    at(fiq_disable) = soft_interrupt;
}

inline void end_irq()
{
    at(soft_clear) = soft_interrupt;
}

inline void end_fiq()
{
    end_irq();
}

#else

// The Versatile Express: software raises interrupts 0 to 15. The controller signals those of group 0 as FIQ if it is
// told to. Then all others belong in group 1.
constexpr uintptr_t controller_enable = 0x1E000100;
constexpr uintptr_t acknowledge = 0x1E00010C;
constexpr uintptr_t end_of_interrupt = 0x1E000110;
constexpr uintptr_t distributor_enable = 0x1E001000;
constexpr uintptr_t group = 0x1E001080;
constexpr uintptr_t priorities = 0x1E001400;
constexpr uintptr_t software = 0x1E001F00;
constexpr uint32_t to_this_core = 2u << 24;
constexpr uint32_t irq_number = 1;
constexpr uint32_t fiq_number = 2;

/// The tick keeps priority 0, the highest.
inline void raise_irq()
{
    at(priorities) = 0x0000F000;
    at(software) = to_this_core | irq_number;
}

inline void raise_fiq()
{
    constexpr uint32_t both_groups_and_fiq = 0xF;
    at(group) = ~(1u << fiq_number);
    at(distributor_enable) = 3;
    at(controller_enable) = both_groups_and_fiq;
    at(software) = to_this_core | fiq_number;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    at(controller_enable) = 1;
    at(distributor_enable) = 1;
    at(group) = 0;
}

inline void end_irq()
{
}

inline void end_fiq()
{
    at(end_of_interrupt) = at(acknowledge);
}

#endif

/// The soft interrupt runs the wheel, or is foreign.
inline volatile bool runs_wheel;

inline void pend_softirq()
{
    runs_wheel = true;
    raise_irq();
}

struct source {
    void (*raise)();
    bool masked;
};
constexpr source sources[] = {{raise_irq, true}, {raise_fiq, false}};

extern "C" void IRQ_Handler(uint32_t /*number*/)
{
    end_irq();
    if (runs_wheel) {
        runs_wheel = false;
        __asm__ volatile("cpsie i" ::: "memory");
        (void)tickwheel_run();
        __asm__ volatile("cpsid i" ::: "memory");
    } else {
        foreign_interrupt();
    }
}

extern "C" void FIQ_Handler()
{
    end_fiq();
    foreign_interrupt();
}

#endif

#endif
