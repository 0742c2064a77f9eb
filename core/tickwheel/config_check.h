/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Checks the choices of config.h: each is a plain number within its limits, and all files of a program have the same
 * ones. If two files differ, the program does not link: "undefined reference to tickwheel_built_for_hz_250".
 */
#ifndef TICKWHEEL_CONFIG_CHECK_H
#define TICKWHEEL_CONFIG_CHECK_H

#include <tickwheel/config.h>

/** @{ 1 for 0 and 1 as they are written: `true` is 1 in C++ and 0 in C11, where a timer would be smaller. */
#define TICKWHEEL_DIGIT_0 1
#define TICKWHEEL_DIGIT_1 1
#define TICKWHEEL_DIGIT_(x) TICKWHEEL_DIGIT_##x
#define TICKWHEEL_IS_0_OR_1_(x) TICKWHEEL_DIGIT_(x)
/** @} */

#if defined(TICKWHEEL_LINK_CHECK) && !TICKWHEEL_IS_0_OR_1_(TICKWHEEL_LINK_CHECK)
#error "TICKWHEEL_LINK_CHECK must be 0 or 1"
#endif
/**
 * 0: the linker does not check that all files were compiled for the same choices. The check needs ELF files, GCC 11
 * or clang 13 with their assemblers, and GNU's linker.
 */
#ifndef TICKWHEEL_LINK_CHECK
#if defined(__ELF__) && defined(__clang__)
#define TICKWHEEL_LINK_CHECK (__clang_major__ >= 13)
#elif defined(__ELF__)
#define TICKWHEEL_LINK_CHECK (__GNUC__ >= 11)
#else
#define TICKWHEEL_LINK_CHECK 0
#endif
#endif

/* Where the preprocessor cannot read a choice, it takes the #else, which says what is wanted. */
#if TICKWHEEL_HZ >= 1 && TICKWHEEL_HZ <= 4000000
#else
#error "TICKWHEEL_HZ must be a plain number from 1 to 4000000"
#endif
#if !TICKWHEEL_IS_0_OR_1_(TICKWHEEL_DEBUG)
#error "TICKWHEEL_DEBUG must be 0 or 1"
#endif
#if !TICKWHEEL_IS_0_OR_1_(TICKWHEEL_ARM_RUNNING_TICK)
#error "TICKWHEEL_ARM_RUNNING_TICK must be 0 or 1"
#endif
#if !TICKWHEEL_IS_0_OR_1_(TICKWHEEL_ONE_SHOT)
#error "TICKWHEEL_ONE_SHOT must be 0 or 1"
#endif
#if !TICKWHEEL_IS_0_OR_1_(TICKWHEEL_HOOKS)
#error "TICKWHEEL_HOOKS must be 0 or 1"
#endif

/** @{ The decimal number that a macro stands for, as a string. */
#define TICKWHEEL_STRING_(...) #__VA_ARGS__
#define TICKWHEEL_STRING(...) TICKWHEEL_STRING_(__VA_ARGS__)
/** @} */

/**
 * @{ The number of characters of a choice as it is written, and of its value in decimal. The two differ if the
 * choice is an expression, a hexadecimal number, or a number that begins with 0 and is therefore octal.
 */
#define TICKWHEEL_LENGTH_(x) (sizeof TICKWHEEL_STRING(x) - 1)
#define TICKWHEEL_DIGITS_(x)                                                                                         \
    (1 + ((x) > 9) + ((x) > 99) + ((x) > 999) + ((x) > 9999) + ((x) > 99999) + ((x) > 999999) + ((x) > 9999999) +    \
     ((x) > 99999999) + ((x) > 999999999))
#ifdef __cplusplus
#define TICKWHEEL_CHECK_(holds, text) static_assert(holds, text)
#else
#define TICKWHEEL_CHECK_(holds, text) _Static_assert(holds, text)
#endif
/** @} */

/** @cond */
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_HZ) == TICKWHEEL_DIGITS_(TICKWHEEL_HZ),
                 "TICKWHEEL_HZ must be a plain number from 1 to 4000000");
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_GEOMETRY) == 2 - (TICKWHEEL_GEOMETRY == 1),
                 "TICKWHEEL_GEOMETRY must be 86, 64, 62 or 1");
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_DEBUG) == 1, "TICKWHEEL_DEBUG must be 0 or 1");
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_ARM_RUNNING_TICK) == 1, "TICKWHEEL_ARM_RUNNING_TICK must be 0 or 1");
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_ONE_SHOT) == 1, "TICKWHEEL_ONE_SHOT must be 0 or 1");
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_HOOKS) == 1, "TICKWHEEL_HOOKS must be 0 or 1");
#ifndef TICKWHEEL_BUILT_FOR_INITIAL_JIFFIES
TICKWHEEL_CHECK_(TICKWHEEL_LENGTH_(TICKWHEEL_INITIAL_JIFFIES) == TICKWHEEL_DIGITS_(TICKWHEEL_INITIAL_JIFFIES) + 1,
                 "TICKWHEEL_INITIAL_JIFFIES must be a plain number from 0u to 4294967295u");
#endif
/** @endcond */

/** @{ The library defines these symbols, and every file that includes the headers asks for them. */
#define TICKWHEEL_BUILT_FOR_HZ "tickwheel_built_for_hz_" TICKWHEEL_STRING(TICKWHEEL_HZ)
#define TICKWHEEL_BUILT_FOR_GEOMETRY "tickwheel_built_for_geometry_" TICKWHEEL_STRING(TICKWHEEL_GEOMETRY)
#define TICKWHEEL_BUILT_FOR_ONE_SHOT "tickwheel_built_for_one_shot_" TICKWHEEL_STRING(TICKWHEEL_ONE_SHOT)
#define TICKWHEEL_BUILT_FOR_DEBUG "tickwheel_built_for_debug_" TICKWHEEL_STRING(TICKWHEEL_DEBUG)
#ifndef TICKWHEEL_BUILT_FOR_INITIAL_JIFFIES
#define TICKWHEEL_BUILT_FOR_INITIAL_JIFFIES                                                                          \
    "tickwheel_built_for_initial_jiffies_" TICKWHEEL_STRING(TICKWHEEL_INITIAL_JIFFIES)
#endif
/** @} */

/** The sources of the library and of a sleep driver ask for this symbol too. */
#define TICKWHEEL_BUILT_FOR_HOOKS "tickwheel_built_for_hooks_" TICKWHEEL_STRING(TICKWHEEL_HOOKS)

/**
 * @{ Makes the linker look for a symbol, or defines one, by assembly that adds no byte to the program. The
 * relocation does nothing, and has the same name for every core. The section is .comment, in which a compiler
 * leaves its name, so linker scripts place it, and it is never loaded. A linker script that discards .comment
 * turns the check off. The flag R keeps the section from --gc-sections. A loaded section would also keep the debug
 * information of functions that the linker discards, but this one does not.
 */
#if TICKWHEEL_LINK_CHECK
#define TICKWHEEL_IN_SECTION_(code) __asm__(".pushsection .comment,\"R\",%progbits\n.globl " code "\n.popsection")
#else
#define TICKWHEEL_IN_SECTION_(code) struct timer_list
#endif
#define TICKWHEEL_ASK_FOR(symbol) TICKWHEEL_IN_SECTION_(symbol "\n.reloc ., BFD_RELOC_NONE, " symbol)
/* The symbol is a number, which debuggers list. A position-independent program for a PC needs a label instead. */
#if defined(__x86_64__) || defined(__i386__)
#define TICKWHEEL_DEFINE(symbol) TICKWHEEL_IN_SECTION_(symbol "\n" symbol ":")
#else
#define TICKWHEEL_DEFINE(symbol) TICKWHEEL_IN_SECTION_(symbol "\n.set " symbol ", 0")
#endif
/** @} */

/** @cond */
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_HZ);
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_GEOMETRY);
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_ONE_SHOT);
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_DEBUG);
TICKWHEEL_ASK_FOR(TICKWHEEL_BUILT_FOR_INITIAL_JIFFIES);
/** @endcond */

#endif
