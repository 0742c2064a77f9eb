// SPDX-License-Identifier: MIT
// The contexts test on a Cortex-M.
#pragma once

#include "../../support/core_registers.hpp"

// PRIMASK in bit 8, and BASEPRI. The lock by BASEPRI has 0x40.
#if defined(TICKWHEEL_LOCK_BASEPRI)
constexpr bool basepri = true;
constexpr uint32_t mask_states[][2] = {{0, 0x40}, {0x100, 0x140}, {0x20, 0x20}, {0xE0, 0x40}, {0x120, 0x120}};
#else
constexpr bool basepri = false;
constexpr uint32_t mask_states[][2] = {{0, 0x100}, {0x100, 0x100}, {0x20, 0x120}, {0xE0, 0x1E0}, {0x120, 0x120}};
#endif

inline uint32_t all_masks()
{
    uint32_t primask = 0;
    uint32_t priority = 0;
    __asm__ volatile("mrs %0, primask\n\tmrs %1, basepri" : "=r"(primask), "=r"(priority)::"memory");
    return primask << 8 | priority;
}

inline void set_all_masks(uint32_t to)
{
    __asm__ volatile("msr basepri, %1\n\tmsr primask, %0\n\tisb" ::"r"(to >> 8), "r"(to & 0xFF) : "memory");
}

/// The lower `bits` + 1 bits of a priority preempt nothing.
inline void set_prigroup(uint32_t bits)
{
    at(0xE000ED0C) = 0x05FA0000 | bits << 8;
}

/// Interrupt 30 executes SVC, at priority 0.
inline volatile bool supervisor_call_in_interrupt;

/// PendSV counts a tick before its run.
inline volatile bool count_in_pendsv;

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
        // The priorities of memory faults and of supervisor calls.
        at(0xE000ED18) = priority;
        at(0xE000ED1C) = priority << 24;
        if (exception == nmi) {
            at(interrupt_control) = pend_nmi;
        } else if (exception == hard_fault) {
            __asm__ volatile("udf #0" ::: "memory");
        } else if (exception == memory_fault) {
            at(system_handlers) = memory_fault_enabled_and_pending;
        } else if (exception == supervisor_call) {
            __asm__ volatile("svc 0" ::: "memory");
        } else {
            enable_interrupt(exception - interrupt_0, priority);
            at(interrupt_set_pending) = 1u << (exception - interrupt_0);
        }
        take_pending_interrupts();
        at(system_handlers) = 0;
    }
};

/// A core has at least the upper three bits of a priority.
constexpr source sources[] = {
    {interrupt_30, 0x00, !basepri}, {interrupt_30, 0x20, !basepri}, {interrupt_30, 0x40, true},
    {interrupt_30, 0xE0, true},     {interrupt_0, 0x20, !basepri},  {interrupt_0, 0x60, true},
    {supervisor_call, 0x00, true},  {supervisor_call, 0x60, true},  {memory_fault, 0x20, !basepri},
    {memory_fault, 0x60, true},     {hard_fault, 0, false},         {nmi, 0, false},
};

extern "C" {
void PendSV_Handler()
{
    if (count_in_pendsv) {
        (void)tickwheel_tick();
    }
    (void)tickwheel_run();
}

void IRQ0_Handler()
{
    unmasked_interrupt();
}

void IRQ30_Handler()
{
    if (supervisor_call_in_interrupt) {
        at(0xE000ED1C) = 0;
        __asm__ volatile("svc 0" ::: "memory");
    } else {
        unmasked_interrupt();
    }
}
[[gnu::alias("IRQ0_Handler")]] void SVC_Handler();
[[gnu::alias("IRQ0_Handler")]] void MemManage_Handler();
[[gnu::alias("IRQ0_Handler")]] void NMI_Handler();

// Returns behind the instruction, which has two bytes.
[[gnu::naked]] void HardFault_Handler()
{
    __asm__ volatile("ldr r0, [sp, #24]\n\tadds r0, #2\n\tstr r0, [sp, #24]\n\tb %c0" ::"i"(unmasked_interrupt));
}
}
