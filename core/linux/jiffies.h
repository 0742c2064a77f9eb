/* SPDX-License-Identifier: MIT */
/** @file
 * tickwheel/linux_jiffies.h, by the name that Linux drivers include. */
#include <tickwheel/linux_jiffies.h>
