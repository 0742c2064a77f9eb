// SPDX-License-Identifier: MIT
// Measured calls. A count begins at the BL and ends after the return. The arguments
// are in their registers before it.
#ifndef TICKWHEEL_BENCH_MEASURE_HPP
#define TICKWHEEL_BENCH_MEASURE_HPP

#include <stdint.h>

#include <tickwheel/tickwheel.h>

namespace bench
{

enum operation : unsigned {
#define OPERATION(name, text) op_##name,
#include "operations.def"
#undef OPERATION
    operation_count
};
static_assert(operation_count <= 64, "two digits of three bits name an operation");

// A marker of count.c. A hint has its number in bits 4 to 7.
#define BENCH_MARKER(hint)                                                                                           \
    ".inst.n " hint "\n\t.inst.n 0xbf80 + ((%c[op] >> 3) << 4)\n\t.inst.n 0xbf80 + ((%c[op] & 7) << 4)\n\t"
#define BENCH_ASM(code, operands)                                                                                    \
    __asm__ volatile(BENCH_MARKER("0xbf50") code BENCH_MARKER("0xbf60")                                              \
                     : "+r"(r0), "+r"(r1)                                                                            \
                     : [op] "i"(Operation)operands                                                                   \
                     : "r2", "r3", "r12", "lr", "cc", "memory")
#define BENCH_COMMA ,

/// Calls Function with at most two arguments, each of one register.
template <operation Operation, auto *Function, class... Arguments>
uint32_t call(Arguments... arguments)
{
    // A number or a pointer.
    const uint32_t words[] = {(uint32_t)arguments..., 0, 0};
    register uint32_t r0 __asm__("r0") = words[0];
    register uint32_t r1 __asm__("r1") = words[1];
    BENCH_ASM("bl %c[function]\n\t", BENCH_COMMA[function] "i"(Function));
    return r0;
}

/// A tick as a user pays for it: `if (tickwheel_tick()) tickwheel_run();` with everything it calls.
template <operation Operation>
void tick()
{
    register uint32_t r0 __asm__("r0") = 0;
    register uint32_t r1 __asm__("r1") = 0;
#if defined(__thumb2__)
    BENCH_ASM("bl tickwheel_tick\n\tcbz r0, 0f\n\tbl tickwheel_run\n0:\n\t", );
#else
    BENCH_ASM("bl tickwheel_tick\n\tcmp r0, #0\n\tbeq 0f\n\tbl tickwheel_run\n0:\n\t", );
#endif
}

} // namespace bench

#endif
