/* SPDX-License-Identifier: MIT */
/** @file
 * tickwheel/timer.h, by the name that Linux drivers include. */
#include <tickwheel/timer.h>
