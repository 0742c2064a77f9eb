// SPDX-License-Identifier: MIT
// From reset to main() on every Cortex-M, and the vector table. A program replaces a
// weak handler by a function of the same name: SysTick_Handler, PendSV_Handler, ..,
// and IRQ0_Handler to IRQ239_Handler (Armv6-M: IRQ31_Handler) for the chip's own
// interrupts. The number is that of the chip's manual.
#include "core.hpp"
#include "program.hpp"
#include "semihosting.hpp"

#if defined(__ARM_ARCH_6M__)
#define BOARD_INTERRUPTS "32"
#else
#define BOARD_INTERRUPTS "240"
#endif

extern "C" {

[[noreturn, gnu::used]] void Reset_Handler();
[[noreturn, gnu::used]] void board_fault(const uint32_t *frame);

// r0 is the frame that the exception stacked. BL, because a branch of Armv6-M may not reach board_fault().
[[gnu::naked, gnu::used]] void board_fault_entry() noexcept
{
    __asm__ volatile("mrs r0, msp\n\tbl board_fault");
}
}

// All external interrupts of the architecture; on Armv8-M, the first 240. A handler that the program does not define
// reports a fault and ends the program.
__asm__(R"(
    .altmacro
    .macro vector handler
    .weak \handler
    .thumb_set \handler, board_fault_entry
    .word \handler
    .endm
    .macro vector_of_interrupt number
    vector IRQ\number\()_Handler
    .endm

    .section .vectors, "a"
    .word board_stack_top, Reset_Handler
    .irp exception, NMI, HardFault, MemManage, BusFault, UsageFault, SecureFault
    vector \exception\()_Handler
    .endr
    .word 0, 0, 0
    vector SVC_Handler
    vector DebugMon_Handler
    .word 0
    vector PendSV_Handler
    vector SysTick_Handler
    .set interrupt, 0
    .rept )" BOARD_INTERRUPTS R"(
    vector_of_interrupt %interrupt
    .set interrupt, interrupt + 1
    .endr
    .text
)");

namespace
{

void enable_floating_point()
{
#if defined(__ARM_FP)
    // Full access to CP10 and CP11, which are off after reset.
    *reinterpret_cast<volatile uint32_t *>(0xE000ED88) |= 0xFu << 20;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

} // namespace

void Reset_Handler()
{
    enable_floating_point();
    run_program();
}

void board_fault(const uint32_t *frame)
{
    while (program_has_ended) {
        core::wait_for_interrupt();
    }
    constexpr unsigned stacked_pc = 6;
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    end_by_fault(exception, frame[stacked_pc]);
}
