// SPDX-License-Identifier: MIT
// From reset to main() on every Cortex-M, and the vector table. A handler that a
// program defines takes the place of the weak one here by its name:
// SysTick_Handler, PendSV_Handler, .. and IRQ0_Handler to IRQ31_Handler for the
// board's own interrupts, by their numbers in its manual.
#include "../board.hpp"

int main();

// Each of the first 32 external interrupts; a board that needs more lengthens the list.
#define BOARD_INTERRUPTS(apply)                                                                                      \
    apply(0) apply(1) apply(2) apply(3) apply(4) apply(5) apply(6) apply(7) apply(8) apply(9) apply(10) apply(11)    \
        apply(12) apply(13) apply(14) apply(15) apply(16) apply(17) apply(18) apply(19) apply(20) apply(21)          \
            apply(22) apply(23) apply(24) apply(25) apply(26) apply(27) apply(28) apply(29) apply(30) apply(31)

// A handler that nobody defined is a fault: it says so and stops.
#define BOARD_WEAK_HANDLER(name) [[gnu::weak, gnu::alias("board_fault_entry")]] void name() noexcept;
#define BOARD_WEAK_INTERRUPT(number) BOARD_WEAK_HANDLER(IRQ##number##_Handler)
#define BOARD_INTERRUPT_VECTOR(number) IRQ##number##_Handler,

extern "C" {

using handler = void();
using constructor = void();

// From linker/sections.ld.
extern uint32_t board_stack_top[];
extern const uint32_t board_data_load[];
extern uint32_t board_data_start[];
extern uint32_t board_data_end[];
extern uint32_t board_bss_start[];
extern uint32_t board_bss_end[];
extern constructor *const board_constructors_start[];
extern constructor *const board_constructors_end[];

[[noreturn]] void Reset_Handler();
[[noreturn, gnu::used]] void board_fault(const uint32_t *frame);

// r0 = the frame that the exception stacked. BL, since a branch of Armv6-M does not reach far.
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
    handler *interrupts[32];
};

[[gnu::used, gnu::section(".vectors")]] const vector_table vectors = {
    board_stack_top,
    {Reset_Handler, NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler,
     SecureFault_Handler, nullptr, nullptr, nullptr, SVC_Handler, DebugMon_Handler, nullptr, PendSV_Handler,
     SysTick_Handler},
    {BOARD_INTERRUPTS(BOARD_INTERRUPT_VECTOR)}};

void print(const char *text)
{
    for (; *text != 0; ++text) {
        board::console_put(*text);
    }
}

void print_hex(uint32_t value)
{
    print("0x");
    for (unsigned shift = 32; shift > 0; shift -= 4) {
        board::console_put("0123456789abcdef"[(value >> (shift - 4)) & 15u]);
    }
}

void enable_floating_point()
{
#if defined(__ARM_FP)
    // CP10 and CP11, full access; they are off after reset.
    *reinterpret_cast<volatile uint32_t *>(0xE000ED88) |= 0xFu << 20;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

} // namespace

void Reset_Handler()
{
    enable_floating_point();
    const uint32_t *from = board_data_load;
    for (uint32_t *to = board_data_start; to != board_data_end; ++to) {
        *to = *from++;
        __asm__ volatile(""); // or the compiler calls memcpy() here
    }
    for (uint32_t *word = board_bss_start; word != board_bss_end; ++word) {
        *word = 0;
        __asm__ volatile(""); // or the compiler calls memset() here
    }
    for (constructor *const *construct = board_constructors_start; construct != board_constructors_end; ++construct) {
        (*construct)();
    }
    board::exit(main());
}

void board_fault(const uint32_t *frame)
{
    constexpr unsigned stacked_pc = 6;
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    print("\nfault: exception ");
    print_hex(exception);
    print(" at pc ");
    print_hex(frame[stacked_pc]);
    print("\n");
    board::exit(1);
}
