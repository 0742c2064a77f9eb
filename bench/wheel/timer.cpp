// SPDX-License-Identifier: MIT
// The size of this object is the size of a timer.
#include <tickwheel/tickwheel.h>

timer_list size_of_a_timer;
