// SPDX-License-Identifier: MIT
// Runs the C files, in both orders of inclusion.
#include "c_face.h"

#include "support.hpp"

TEST_CASE("C11: a driver's calls by their Linux names, <time.h> included after them or before")
{
    CHECK_EQ(c_face(), 0);
    CHECK_EQ(c_face_time_first(), 0);
    unit::forget();
}
