/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The choices for a build: the tick rate, the geometry of the default wheel, and the checks. Give each by -D, as a
 * plain decimal number, the same for every file of a program and for the archive. If they differ, the program does
 * not link: "undefined reference to tickwheel_built_for_hz_250". The check needs ELF files and GNU's linker. A linker
 * script that discards .note* sections switches it off.
 */
#ifndef TICKWHEEL_CONFIG_H
#define TICKWHEEL_CONFIG_H

#if defined(__cplusplus) && __cplusplus < 201703L
#error "tickwheel needs C++17: -std=c++17"
#endif

/** @{ The version of these headers, as in the file VERSION. */
#define TICKWHEEL_VERSION_MAJOR 0
#define TICKWHEEL_VERSION_MINOR 1
#define TICKWHEEL_VERSION_PATCH 0
/** @} */

/** Ticks a second, 1 to 100000. Others define the name HZ (newlib's sys/param.h says 60). */
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
 * 1: the wheel reports misuse to tickwheel_bug(). The table in tickwheel.h lists each case. The checks take constant
 * time, so you may ship such a build. A timer is then four bytes larger.
 */
#ifndef TICKWHEEL_DEBUG
#define TICKWHEEL_DEBUG 0
#endif

/**
 * 1: the wheel behind the C face calls the class tickwheel_hooks of your file tickwheel_hooks.hpp, for a trace or for
 * statistics. It matters only to the sources of the library. docs/tracing.md explains it.
 */
#ifndef TICKWHEEL_HOOKS
#define TICKWHEEL_HOOKS 0
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

/** @{ The archive defines these three symbols, and every file that includes the headers asks for them. */
#define TICKWHEEL_BUILT_FOR_HZ "tickwheel_built_for_hz_" TICKWHEEL_STRING(TICKWHEEL_HZ)
#define TICKWHEEL_BUILT_FOR_GEOMETRY                                                                                 \
    "tickwheel_built_for_geometry_" TICKWHEEL_STRING(TICKWHEEL_TVR_BITS) "_" TICKWHEEL_STRING(TICKWHEEL_TVN_BITS)
#define TICKWHEEL_BUILT_FOR_DEBUG "tickwheel_built_for_debug_" TICKWHEEL_STRING(TICKWHEEL_DEBUG)
/** @} */

/*
 * Asks the linker for an archive that was built with the same three choices. Neither --gc-sections nor -s drops a
 * note. It is never loaded, so it costs no flash. It begins with two sizes, a type and a name, as tools expect of a
 * note.
 */
#if defined(__ELF__)
__asm__(".pushsection .note.tickwheel,\"\",%note\n.balign 4\n.long 10, 12, 0\n.asciz \"tickwheel\"\n.balign 4\n"
        ".long " TICKWHEEL_BUILT_FOR_HZ ", " TICKWHEEL_BUILT_FOR_GEOMETRY ", " TICKWHEEL_BUILT_FOR_DEBUG
        "\n.popsection");
#endif

#endif
