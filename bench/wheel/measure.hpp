// SPDX-License-Identifier: MIT
// Measured calls. A count begins at the BL and ends after the return. The arguments
// are in their registers before it. With BENCH_TIM2 a timer of the chip counts the
// same calls, once an instruction, instead of count.c.
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

/// TIM2's counts, by operation. Each call counts one too many: the first of the two loads of the counter.
inline uint32_t tim2_calls[operation_count];
inline uint32_t tim2_total[operation_count];

#if defined(BENCH_TIM2)

constexpr bool tim2 = true;
/// STM32 TIM2 as QEMU has it: 1 GHz, so that one count is one instruction at -icount shift=0.
constexpr uintptr_t tim2_counter = 0x40000024;

inline void tim2_start()
{
    constexpr uintptr_t control = 0x40000000;
    constexpr uintptr_t reload = 0x4000002C;
    *reinterpret_cast<volatile uint32_t *>(reload) = 0xFFFFFFFF;
    *reinterpret_cast<volatile uint32_t *>(control) = 1;
}

// The called function preserves r4 to r7. Early clobbers keep the results out of the inputs' registers.
#define BENCH_BEGIN "ldr r4, [r6]\n\t"
#define BENCH_END "ldr r5, [r6]"
#define BENCH_ASM(code, operands)                                                                                    \
    register uintptr_t counter __asm__("r6") = tim2_counter;                                                         \
    register uint32_t before __asm__("r4");                                                                          \
    register uint32_t after __asm__("r5");                                                                           \
    __asm__ volatile(BENCH_BEGIN code BENCH_END                                                                      \
                     : "+r"(r0), "+r"(r1), "=&r"(before), "=&r"(after)                                               \
                     : "r"(counter)operands                                                                          \
                     : "r2", "r3", "r12", "lr", "cc", "memory");                                                     \
    tim2_calls[Operation] += 1;                                                                                      \
    tim2_total[Operation] += after - before

#else

constexpr bool tim2 = false;

inline void tim2_start()
{
}

// A marker of count.c. A hint has its number in bits 4 to 7.
#define BENCH_MARKER(hint)                                                                                           \
    ".inst.n " hint "\n\t.inst.n 0xbf80 + ((%c[op] >> 3) << 4)\n\t.inst.n 0xbf80 + ((%c[op] & 7) << 4)\n\t"
#define BENCH_ASM(code, operands)                                                                                    \
    __asm__ volatile(BENCH_MARKER("0xbf50") code BENCH_MARKER("0xbf60")                                              \
                     : "+r"(r0), "+r"(r1)                                                                            \
                     : [op] "i"(Operation)operands                                                                   \
                     : "r2", "r3", "r12", "lr", "cc", "memory")

#endif

#define BENCH_COMMA ,

inline uint32_t word(uint32_t value)
{
    return value;
}

inline uint32_t word(const void *pointer)
{
    return reinterpret_cast<uint32_t>(pointer);
}

/// Calls Function with at most two arguments, each of one register.
template <operation Operation, auto *Function, class... Arguments>
uint32_t call(Arguments... arguments)
{
    const uint32_t words[] = {word(arguments)..., 0, 0};
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

/// Two markers with nothing between them.
template <operation Operation>
void nothing()
{
    register uint32_t r0 __asm__("r0") = 0;
    register uint32_t r1 __asm__("r1") = 0;
    BENCH_ASM("", );
}

/// Counts an event. The counts do not include the marker.
template <operation Operation>
void note()
{
#if !defined(BENCH_TIM2)
    __asm__ volatile(BENCH_MARKER("0xbf70")::[op] "i"(Operation));
#endif
}

#if !defined(BENCH_TIM2)
/// The two ends of a measurement that begins and ends in different functions.
template <operation Operation>
void begin()
{
    __asm__ volatile(BENCH_MARKER("0xbf50")::[op] "i"(Operation) : "memory");
}
template <operation Operation>
void end()
{
    __asm__ volatile(BENCH_MARKER("0xbf60")::[op] "i"(Operation) : "memory");
}
#endif

} // namespace bench

#endif
