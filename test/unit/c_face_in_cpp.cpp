// SPDX-License-Identifier: MIT
// The C files compiled as C++17, under names of their own.
#include <tickwheel/timer.h>

#define C_FACE_NAME c_face_in_cpp
#include "c_face.c"

#include "support.hpp"

TEST_CASE("C++17: the same driver compiles unchanged")
{
    CHECK_EQ(c_face_in_cpp(), 0);
    unit::forget();
}
