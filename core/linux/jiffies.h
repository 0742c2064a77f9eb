/* SPDX-License-Identifier: MIT */
/* Linux drivers include this name. */
#include <tickwheel/timer.h>
