// SPDX-License-Identifier: MIT
// From reset to main() on an RV32 core in machine mode, its traps, and its tick. A
// program replaces a weak handler by a function of the same name.
#include "../../parts/registers.hpp"
#include "../core.hpp"
#include "../program.hpp"

// Csr instructions. GCC since 12 has them in the extension Zicsr, which few name in -march. clang knows them without.
#if defined(__riscv_zicsr) || defined(__clang__)
#define CSR(instructions) instructions
#else
#define CSR(instructions) ".option push\n\t.option arch, +zicsr\n\t" instructions "\n\t.option pop"
#endif

extern "C" {

[[noreturn, gnu::used]] void board_begin();
[[gnu::used, gnu::interrupt("machine")]] void board_trap();

// A handler that the program does not define reports a fault and ends the program.
void board_unhandled();
[[gnu::weak, gnu::alias("board_unhandled")]] void SysTick_Handler();
[[gnu::weak, gnu::alias("board_unhandled")]] void MSI_Handler();
/// The machine timer interrupt is the tick, unless the program has its own handler.
[[gnu::weak]] void MTI_Handler();

// Interrupts are on from the start, as on a Cortex-M. None comes before its bit in mie is set.
[[gnu::naked, gnu::section(".vectors")]] void Reset_Handler()
{
    __asm__ volatile(CSR("la sp, board_stack_top\n\tla t0, board_traps + 1\n\tcsrw mtvec, t0\n\t"
                         "csrw mie, zero\n\tcsrsi mstatus, 8\n\tj board_begin"));
}

// Where mtvec leads. Its lowest bit asks for vectored mode, in which an interrupt enters at the jump of its number.
// In direct mode, which some cores have alone, each trap enters at the first jump. Some cores have vectored mode
// alone, and want the table at a multiple of 256.
[[gnu::used, gnu::naked, gnu::aligned(256)]] void board_traps()
{
    __asm__ volatile(".option push\n\t.option norvc\n\t.rept 32\n\tj board_trap\n\t.endr\n\t.option pop");
}
}

namespace
{

using parts::at;

constexpr uintptr_t mtimecmp = 0x2004000;
constexpr uintptr_t mtime = 0x200BFF8;

uint32_t period;
uint64_t next_tick;

uint64_t now()
{
    uint32_t upper = 0;
    uint32_t lower = 0;
    do {
        upper = at(mtime + 4);
        lower = at(mtime);
    } while (upper != at(mtime + 4));
    return uint64_t{upper} << 32 | lower;
}

/// The first write keeps the alarm in the future while the halves do not belong together.
void set_alarm(uint64_t when)
{
    at(mtimecmp + 4) = ~0u;
    at(mtimecmp) = static_cast<uint32_t>(when);
    at(mtimecmp + 4) = static_cast<uint32_t>(when >> 32);
}

} // namespace

void board_begin()
{
    run_program();
}

void MTI_Handler()
{
    next_tick += period;
    set_alarm(next_tick);
    SysTick_Handler();
}

void board_trap()
{
    constexpr uint32_t interrupt = 1u << 31;
    constexpr uint32_t software = interrupt | 3;
    constexpr uint32_t timer = interrupt | 7;
    uint32_t cause = 0;
    __asm__ volatile(CSR("csrr %0, mcause") : "=r"(cause));
    if (cause == timer) {
        MTI_Handler();
    } else if (cause == software) {
        MSI_Handler();
    } else {
        board_unhandled();
    }
}

void board_unhandled()
{
    uint32_t cause = 0;
    uint32_t pc = 0;
    __asm__ volatile(CSR("csrr %0, mcause\n\tcsrr %1, mepc") : "=r"(cause), "=r"(pc));
    end_by_fault(cause, pc);
}

void core::tick_start(uint32_t counts)
{
    constexpr uint32_t machine_timer = 1u << 7;
    period = counts;
    next_tick = now() + counts;
    set_alarm(next_tick);
    __asm__ volatile(CSR("csrs mie, %0")::"r"(machine_timer) : "memory");
}

void core::wait_for_interrupt()
{
    // FENCE: all writes must reach their devices before the core sleeps.
    __asm__ volatile("fence\n\twfi" ::: "memory");
}
