/* SPDX-License-Identifier: MIT */
/* c_face.c again, with <time.h> before tickwheel's header, and that through its Linux names. */
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <time.h>
#endif

#include <linux/timer.h>

#include <linux/jiffies.h>

#define C_FACE_NAME c_face_time_first
#include "c_face.c"
