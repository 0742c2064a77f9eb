// SPDX-License-Identifier: MIT
// Runs the C files, in both orders of inclusion, and compiled as C++17 under a name of their own.
#include <tickwheel/timer.h>

#define C_FACE_NAME c_face_in_cpp
#include "c_face.c"

#include "support.hpp"

extern "C" int c_face(void);
extern "C" int c_face_time_first(void);

TEST_CASE("a driver compiles unchanged as C11 and as C++17, with <time.h> after the Linux names or before them")
{
    CHECK_EQ(c_face(), 0);
    CHECK_EQ(c_face_time_first(), 0);
    CHECK_EQ(c_face_in_cpp(), 0);
    unit::forget();
}
