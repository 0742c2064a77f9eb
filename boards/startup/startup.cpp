// SPDX-License-Identifier: MIT
// From reset to main() on every Cortex-M, and the vector table. A program replaces a
// weak handler by a function of the same name: SysTick_Handler, PendSV_Handler, ..,
// and IRQ0_Handler to IRQ239_Handler (Armv6-M: IRQ31_Handler) for the chip's own
// interrupts. The number is that of the chip's manual.
#include "core.hpp"
#include "program.hpp"
#include "semihosting.hpp"

// All external interrupts of the architecture; on Armv8-M, the first 240.
#define BOARD_TEN_INTERRUPTS(apply, tens)                                                                            \
    apply(tens##0) apply(tens##1) apply(tens##2) apply(tens##3) apply(tens##4) apply(tens##5) apply(tens##6)         \
        apply(tens##7) apply(tens##8) apply(tens##9)
#define BOARD_THIRTY_INTERRUPTS(apply, a, b, c)                                                                      \
    BOARD_TEN_INTERRUPTS(apply, a) BOARD_TEN_INTERRUPTS(apply, b) BOARD_TEN_INTERRUPTS(apply, c)
#if defined(__ARM_ARCH_6M__)
#define BOARD_INTERRUPTS(apply) BOARD_THIRTY_INTERRUPTS(apply, , 1, 2) apply(30) apply(31)
#else
#define BOARD_INTERRUPTS(apply)                                                                                      \
    BOARD_THIRTY_INTERRUPTS(apply, , 1, 2)                                                                           \
    BOARD_THIRTY_INTERRUPTS(apply, 3, 4, 5)                                                                          \
    BOARD_THIRTY_INTERRUPTS(apply, 6, 7, 8)                                                                          \
    BOARD_THIRTY_INTERRUPTS(apply, 9, 10, 11)                                                                        \
    BOARD_THIRTY_INTERRUPTS(apply, 12, 13, 14)                                                                       \
    BOARD_THIRTY_INTERRUPTS(apply, 15, 16, 17)                                                                       \
    BOARD_THIRTY_INTERRUPTS(apply, 18, 19, 20)                                                                       \
    BOARD_THIRTY_INTERRUPTS(apply, 21, 22, 23)
#endif

// A handler that the program does not define reports a fault and ends the program.
#define BOARD_WEAK_HANDLER(name) [[gnu::weak, gnu::alias("board_fault_entry")]] void name() noexcept;
#define BOARD_WEAK_INTERRUPT(number) BOARD_WEAK_HANDLER(IRQ##number##_Handler)
#define BOARD_INTERRUPT_VECTOR(number) IRQ##number##_Handler,
#define BOARD_INTERRUPT_COUNTED(number) +1

extern "C" {

using handler = void();

extern uint32_t board_stack_top[];

[[noreturn]] void Reset_Handler();
[[noreturn, gnu::used]] void board_fault(const uint32_t *frame);

// r0 is the frame that the exception stacked. BL, because a branch of Armv6-M may not reach board_fault().
[[gnu::naked]] void board_fault_entry() noexcept
{
    __asm__ volatile("mrs r0, msp\n\tbl board_fault");
}

BOARD_WEAK_HANDLER(NMI_Handler)
BOARD_WEAK_HANDLER(HardFault_Handler)
BOARD_WEAK_HANDLER(MemManage_Handler)
BOARD_WEAK_HANDLER(BusFault_Handler)
BOARD_WEAK_HANDLER(UsageFault_Handler)
BOARD_WEAK_HANDLER(SecureFault_Handler)
BOARD_WEAK_HANDLER(SVC_Handler)
BOARD_WEAK_HANDLER(DebugMon_Handler)
BOARD_WEAK_HANDLER(PendSV_Handler)
BOARD_WEAK_HANDLER(SysTick_Handler)
BOARD_INTERRUPTS(BOARD_WEAK_INTERRUPT)
}

namespace
{

struct vector_table {
    uint32_t *stack_top;
    handler *exceptions[15];
    handler *interrupts[BOARD_INTERRUPTS(BOARD_INTERRUPT_COUNTED)];
};

[[gnu::used, gnu::section(".vectors")]] const vector_table vectors = {
    board_stack_top,
    {Reset_Handler, NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler,
     SecureFault_Handler, nullptr, nullptr, nullptr, SVC_Handler, DebugMon_Handler, nullptr, PendSV_Handler,
     SysTick_Handler},
    {BOARD_INTERRUPTS(BOARD_INTERRUPT_VECTOR)}};

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
