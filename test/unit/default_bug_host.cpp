// SPDX-License-Identifier: MIT
// The tickwheel_bug() of the archive, under another name: the tests define one of their own.
#include <setjmp.h>
#include <signal.h>

#define tickwheel_bug default_tickwheel_bug
#include <tickwheel_bug.cpp>
#undef tickwheel_bug

#include "unit_test.hpp"

namespace
{
sigjmp_buf before_the_trap;
}

TEST_CASE("the default tickwheel_bug stops the program")
{
    bool stopped = true;
    const auto saved = signal(SIGILL, [](int) { siglongjmp(before_the_trap, 1); });
    if (sigsetjmp(before_the_trap, 1) == 0) {
        default_tickwheel_bug("misuse", nullptr);
        stopped = false;
    }
    (void)signal(SIGILL, saved);
    CHECK(stopped);
}
