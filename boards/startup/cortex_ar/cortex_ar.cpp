// SPDX-License-Identifier: MIT
// From reset to main() on a Cortex-R or Cortex-A, and its exceptions: "Arm Architecture
// Reference Manual, Armv7-A and Armv7-R", B1.8 and B1.9. All code runs in Supervisor
// mode and on one stack. The caches and the MMU stay off.
#include "cortex_ar.hpp"

#include "../core.hpp"
#include "../program.hpp"

extern "C" {

[[noreturn, gnu::used]] void board_begin();
[[noreturn, gnu::used]] void board_fault(uint32_t exception, uint32_t pc);

// A handler that the program does not define reports a fault and ends the program.
void board_unhandled();
[[gnu::weak, gnu::alias("board_unhandled")]] void SysTick_Handler();
[[gnu::weak, gnu::alias("board_unhandled")]] void FIQ_Handler();

[[gnu::weak]] void IRQ_Handler(uint32_t /*number*/)
{
    board_unhandled();
}

// The core enters exceptions in Arm state.
#define BOARD_EXCEPTION [[gnu::naked, gnu::target("arm")]] void

// An address for each exception, because a branch could not reach every handler. Number 5 is unused.
[[gnu::naked, gnu::target("arm"), gnu::used, gnu::section(".vectors")]] void board_vectors()
{
    __asm__ volatile(".rept 8\n\tldr pc, [pc, #24]\n\t.endr\n\t"
                     ".word Reset_Handler, board_undefined, board_supervisor_call, board_prefetch_abort\n\t"
                     ".word board_data_abort, board_undefined, board_irq, board_fiq");
}

BOARD_EXCEPTION Reset_Handler()
{
    __asm__ volatile("cpsid if, #0x13\n\tldr sp, =board_stack_top\n\t"
#if __ARM_ARCH_PROFILE == 'A'
                     "ldr r0, =board_vectors\n\tmcr p15, 0, r0, c12, c0, 0\n\t"
#endif
                     "isb\n\tcpsie if\n\tldr pc, =board_begin\n\t.ltorg");
}

// Saves the return address and CPSR on the stack of Supervisor mode, and goes on in that mode. The stack of the
// interrupted code may stand at an odd word.
BOARD_EXCEPTION board_irq()
{
    __asm__ volatile("sub lr, lr, #4\n\tsrsdb sp!, #0x13\n\tcps #0x13\n\tpush {r0-r3, r12}\n\t"
                     "and r1, sp, #4\n\tsub sp, sp, r1\n\tpush {r1, lr}\n\tbl board_interrupt\n\t"
                     "cpsid i\n\tpop {r1, lr}\n\tadd sp, sp, r1\n\tpop {r0-r3, r12}\n\trfeia sp!");
}

// It may interrupt board_irq(), so it stays in FIQ mode, on a stack of its own.
BOARD_EXCEPTION board_fiq()
{
    __asm__ volatile("ldr sp, =board_fiq_stack_top\n\tsub lr, lr, #4\n\tpush {r0-r3, r12, lr}\n\tbl FIQ_Handler\n\t"
                     "ldm sp!, {r0-r3, r12, pc}^\n\t.ltorg");
}

BOARD_EXCEPTION board_undefined()
{
    __asm__ volatile("mov r0, #1\n\tsub r1, lr, #4\n\tcps #0x13\n\tb board_fault");
}

BOARD_EXCEPTION board_supervisor_call()
{
    __asm__ volatile("mov r0, #2\n\tsub r1, lr, #4\n\tb board_fault");
}

BOARD_EXCEPTION board_prefetch_abort()
{
    __asm__ volatile("mov r0, #3\n\tsub r1, lr, #4\n\tcps #0x13\n\tb board_fault");
}

BOARD_EXCEPTION board_data_abort()
{
    __asm__ volatile("mov r0, #4\n\tsub r1, lr, #8\n\tcps #0x13\n\tb board_fault");
}
}

namespace
{

[[gnu::used]] uint32_t board_fiq_stack[128] __asm__("board_fiq_stack");
__asm__(".set board_fiq_stack_top, board_fiq_stack + 512");

} // namespace

void board_begin()
{
    run_program();
}

void board_fault(uint32_t exception, uint32_t pc)
{
    end_by_fault(exception, pc);
}

void board_unhandled()
{
    constexpr uint32_t irq = 6;
    end_by_fault(irq, 0);
}

void core::wait_for_interrupt()
{
    // DSB: all writes must reach their devices before the core sleeps (Arm's advice for WFI).
    __asm__ volatile("dsb\n\twfi" ::: "memory");
}
