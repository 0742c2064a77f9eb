// SPDX-License-Identifier: MIT
// The machine of the sweep: a timer that interrupts after an exact number of instructions, and what the assembler
// does in an interrupt. One count of the timer must not last longer than one instruction of the emulator's virtual
// time.
#pragma once

#if defined(__riscv)
#include "../../support/riscv_registers.hpp"
#else
#include "../../support/core_registers.hpp"
#endif

// SWEEP_INTERRUPT calls sweep_interrupt() with the address that was interrupted.
#if defined(__riscv)

// board_trap() has saved the registers.
#define SWEEP_INTERRUPT                                                                                              \
    "addi sp, sp, -16\n\tsw ra, 12(sp)\n\tcsrr a0, mepc\n\tjal sweep_interrupt\n\tlw ra, 12(sp)\n\t"                 \
    "addi sp, sp, 16\n\tret"
#define SWEEP_HANDLER MTI_Handler

#else

// BL, because a branch of Armv6-M does not reach far. r3 keeps the stack aligned.
#define SWEEP_INTERRUPT "ldr r0, [sp, #24]\n\tpush {r3, lr}\n\tbl sweep_interrupt\n\tpop {r3, pc}"
#define SWEEP_HANDLER SysTick_Handler

#endif

namespace sweep
{

#if defined(__riscv)

// mtime counts every 100 ns, and an instruction takes 128 ns, -icount shift=7.

/// Each run begins at the same phase between instructions and counts, or the same count would come at another
/// instruction. Both phases are the same every 25 instructions. QEMU's mcycle counts ns. The loop has 9 instructions.
[[gnu::always_inline]] inline void align_clocks()
{
    __asm__ volatile("1:\tcsrr t0, mcycleh\n\tcsrr t1, mcycle\n\tli t2, 96\n\tmul t0, t0, t2\n\tli t2, 100\n\t"
                     "remu t1, t1, t2\n\tadd t0, t0, t1\n\tremu t0, t0, t2\n\tbnez t0, 1b" ::
                         : "t0", "t1", "t2", "memory");
}
inline void timer_init()
{
    stop_alarm();
    enable_interrupt(timer_interrupt);
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    const uint32_t now = at(mtime);
    const uint32_t upper = at(mtime + 4);
    at(mtimecmp) = now + count;
    at(mtimecmp + 4) = upper + (now + count < now ? 1 : 0);
}
inline void timer_stop()
{
    stop_alarm();
}

#else

/// SysTick begins a count when it is started, so all runs have the same phase.
inline void align_clocks()
{
}

// SysTick. It counts every 62.5 ns on the microbit, and an instruction takes 64 ns, -icount shift=6. On the
// netduinoplus2 it counts every 5.95 ns, and an instruction takes 8 ns, -icount shift=3.
inline void timer_init()
{
#if defined(TICKWHEEL_LOCK_BASEPRI)
    at(system_priorities) = uint32_t{2 * TICKWHEEL_LOCK_BASEPRI} << 24;
#endif
}
[[gnu::always_inline]] inline void timer_start(uint32_t count)
{
    systick_start_once(count);
}
inline void timer_stop()
{
    systick_stop();
}

#endif

} // namespace sweep
