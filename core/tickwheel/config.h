/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What may be chosen when tickwheel is built, in C and C++: the tick rate, the
 * geometry of the default wheel and the checks. Each is a plain decimal number
 * given by -D, the same for every file of a program and for the archive: the
 * number becomes part of a symbol's name, and a program whose parts disagree
 * does not link ("undefined reference to tickwheel_built_for_hz_250"), unless
 * its linker script discards sections named .note*, or its linker is LLVM's, which
 * does not look for the symbols that these ask for. Only ELF objects are checked:
 * those of macOS, Windows and WebAssembly link without the check.
 */
#ifndef TICKWHEEL_CONFIG_H
#define TICKWHEEL_CONFIG_H

#if defined(__cplusplus) && __cplusplus < 201703L
#error "tickwheel needs C++17: -std=c++17"
#endif

/** @{ Version of these headers; the file VERSION says the same. */
#define TICKWHEEL_VERSION_MAJOR 0
#define TICKWHEEL_VERSION_MINOR 1
#define TICKWHEEL_VERSION_PATCH 0
/** @} */

/** Ticks a second, 1 to 100000. Not called HZ: others define that name (newlib's sys/param.h says 60). */
#ifndef TICKWHEEL_HZ
#define TICKWHEEL_HZ 1000
#endif

/** log2 of the slots in tv1 of the default wheel: Linux's TVR_BITS, 8, or 6 for its small wheel. */
#ifndef TICKWHEEL_TVR_BITS
#define TICKWHEEL_TVR_BITS 8
#endif

/** log2 of the slots in each of tv2..tv5 of the default wheel: Linux's TVN_BITS, 6, or 4 for its small wheel. */
#ifndef TICKWHEEL_TVN_BITS
#define TICKWHEEL_TVN_BITS 6
#endif

/**
 * 1: misuse is reported to tickwheel_bug(), and most of it does nothing else. tickwheel.h has the table. The checks
 * take constant time, so such a build may be shipped. A timer is then four bytes larger.
 */
#ifndef TICKWHEEL_DEBUG
#define TICKWHEEL_DEBUG 0
#endif

#if TICKWHEEL_HZ < 1 || TICKWHEEL_HZ > 100000
#error "TICKWHEEL_HZ must be a plain number from 1 to 100000"
#endif
#if TICKWHEEL_DEBUG != 0 && TICKWHEEL_DEBUG != 1
#error "TICKWHEEL_DEBUG must be 0 or 1"
#endif

/** @{ The decimal number that a macro stands for, as a string. */
#define TICKWHEEL_STRING_(x) #x
#define TICKWHEEL_STRING(x) TICKWHEEL_STRING_(x)
/** @} */

/** @{ The three symbols that the archive defines and every user of the headers asks for. */
#define TICKWHEEL_BUILT_FOR_HZ "tickwheel_built_for_hz_" TICKWHEEL_STRING(TICKWHEEL_HZ)
#define TICKWHEEL_BUILT_FOR_GEOMETRY                                                                                 \
    "tickwheel_built_for_geometry_" TICKWHEEL_STRING(TICKWHEEL_TVR_BITS) "_" TICKWHEEL_STRING(TICKWHEEL_TVN_BITS)
#define TICKWHEEL_BUILT_FOR_DEBUG "tickwheel_built_for_debug_" TICKWHEEL_STRING(TICKWHEEL_DEBUG)
/** @} */

/*
 * Asks the linker for the archive built with the same three choices. A note is what neither --gc-sections nor -s
 * drops; this one is never loaded, so it costs no flash. Before the three words it has the sizes and the name that a
 * note begins with, for the tools that print notes.
 */
#if defined(__ELF__)
__asm__(".pushsection .note.tickwheel,\"\",%note\n.balign 4\n.long 10, 12, 0\n.asciz \"tickwheel\"\n.balign 4\n"
        ".long " TICKWHEEL_BUILT_FOR_HZ ", " TICKWHEEL_BUILT_FOR_GEOMETRY ", " TICKWHEEL_BUILT_FOR_DEBUG
        "\n.popsection");
#endif

#endif
