/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The choices for a build: the tick rate, the first tick, the geometry of the default wheel, and the checks. Give
 * each by -D as a plain decimal number. It must be the same for every file of the program and for the archive,
 * unless its description says otherwise. If two files differ, the program does not link: "undefined reference to
 * tickwheel_built_for_hz_250".
 */
#ifndef TICKWHEEL_CONFIG_H
#define TICKWHEEL_CONFIG_H

/* After an #error the compiler would continue, and print an error for each line of the headers that is not C++11. */
#if defined(__cplusplus) && __cplusplus < 201703L
#include "tickwheel needs C++17: -std=c++17"
#endif

/** @{ The version of tickwheel. CHANGELOG.md says what a change of each number means. */
#define TICKWHEEL_VERSION_MAJOR 0
#define TICKWHEEL_VERSION_MINOR 2
#define TICKWHEEL_VERSION_PATCH 0
/** @} */

/** Ticks a second, 1 to 4000000. Others define the name HZ, newlib for Arm as 100. */
#ifndef TICKWHEEL_HZ
#define TICKWHEEL_HZ 1000
#endif

/**
 * The geometry of the default wheel, in two digits: log2 of the slots in tv1, and of the slots in each upper
 * level. 86 means Linux's 256 + 64 x 4 slots. 64 is the geometry of Linux's small configuration, and 62 needs the
 * least RAM of a wheel. 1 means one ordered list in place of the wheel, for up to ten timers: it needs 36 bytes, and
 * an arm takes and masks longer the more timers are pending. docs/figures.md lists the cost of each.
 */
#ifndef TICKWHEEL_GEOMETRY
#define TICKWHEEL_GEOMETRY 86
#elif TICKWHEEL_GEOMETRY == 86 || TICKWHEEL_GEOMETRY == 64 || TICKWHEEL_GEOMETRY == 62 || TICKWHEEL_GEOMETRY == 1
#else
#error "TICKWHEEL_GEOMETRY must be 86, 64, 62 or 1"
#endif

/* Of 0.1.0. Without this line a program that has them would get the largest wheel. */
#if defined(TICKWHEEL_TVR_BITS) || defined(TICKWHEEL_TVN_BITS)
#error "TICKWHEEL_GEOMETRY replaces TICKWHEEL_TVR_BITS and TICKWHEEL_TVN_BITS"
#endif

/**
 * 1: the wheel reports misuse to tickwheel_bug(). The table in tickwheel.h lists each case. In a wheel the checks
 * take constant time, so you may ship such a build. A timer is then four bytes larger.
 */
#ifndef TICKWHEEL_DEBUG
#define TICKWHEEL_DEBUG 0
#endif

/**
 * 1: the default wheel calls the class tickwheel_hooks of your file tickwheel_hooks.hpp, for a log or
 * for statistics. Only the sources of the library and of a sleep driver depend on it. docs/debugging.md explains it.
 */
#ifndef TICKWHEEL_HOOKS
#define TICKWHEEL_HOOKS 0
#endif

/**
 * 1: if a callback arms a timer for the current tick, the timer fires in that tick, after the others, as kernels
 * do for a delay of 0. If a callback always arms its own timer this way, the run never ends. 0: such a timer fires
 * in the next tick. Only the sources of the library, and files with a wheel<> of their own, depend on it.
 */
#ifndef TICKWHEEL_ARM_RUNNING_TICK
#define TICKWHEEL_ARM_RUNNING_TICK 0
#endif

/**
 * 1: one-shot mode. A tick is one count of a counter that is never stopped, `jiffies` is that counter, and the only
 * interrupts are those of events. Your file tickwheel_counter.hpp has the counter, or one of port/one_shot.
 */
#ifndef TICKWHEEL_ONE_SHOT
#define TICKWHEEL_ONE_SHOT 0
#endif
#if TICKWHEEL_ONE_SHOT
#ifdef TICKWHEEL_INITIAL_JIFFIES
#error "TICKWHEEL_ONE_SHOT=1: jiffies is the counter, leave TICKWHEEL_INITIAL_JIFFIES out"
#endif
#define TICKWHEEL_INITIAL_JIFFIES 0u
#endif

/**
 * The longest exact delay. In one-shot mode the wheel counts from its last interrupt, at most 2^28 ticks ago, and the
 * next one may be late: 26 minutes at 1 MHz.
 */
#define TICKWHEEL_LONGEST_DELAY (TICKWHEEL_ONE_SHOT ? UINT32_C(0x5FFFFFFF) : UINT32_C(0x7FFFFFFF))

/**
 * The first value of `jiffies`, 0u to 4294967295u, with the u. By default it is five minutes before the wrap, as
 * in Linux, so that each boot and each test crosses the wrap.
 */
#ifndef TICKWHEEL_INITIAL_JIFFIES
#define TICKWHEEL_INITIAL_JIFFIES (UINT32_C(0) - UINT32_C(300) * TICKWHEEL_HZ)
/** The linker's name for the default first tick. The name of any other first tick contains its number. */
#define TICKWHEEL_BUILT_FOR_INITIAL_JIFFIES "tickwheel_built_for_initial_jiffies_of_linux"
/* A signed number would make the difference to `jiffies` signed, and wrong after the wrap. */
#elif TICKWHEEL_INITIAL_JIFFIES * 0 - 1 > 0 && TICKWHEEL_INITIAL_JIFFIES <= 4294967295
#else
#error "TICKWHEEL_INITIAL_JIFFIES must be a plain number from 0u to 4294967295u"
#endif

#endif
