// SPDX-License-Identifier: MIT
// test/unit/main.cpp runs the test cases. Before them come the first calls of a kernel, which no other test can make.
#include "timeouts.hpp"

namespace
{

bool first_is_told = true;
bool far_one_waits = true;

void ignore(_timeout * /*timeout*/)
{
}

} // namespace

namespace unit
{

void look_before_main()
{
    static _timeout timeout;
    for (const kernel *const of : kernels) {
        (void)of->add(&timeout, ignore, in_ticks((1 << 30) + 100));
        first_is_told = first_is_told && of->driver->wait == (1 << 30) + 101;
        (void)of->abort(&timeout);
        // Half of the wheel's ticks, and more than those that it takes.
        (void)of->add(&timeout, ignore, in_ticks((1ll << 31) + 5));
        of->announce(1);
        far_one_waits = far_one_waits && !z_is_inactive_timeout(&timeout);
        (void)of->abort(&timeout);
    }
}

} // namespace unit

TEST_CASE("the driver is told of a kernel's first timeout, and the first far one waits")
{
    CHECK(first_is_told);
    CHECK(far_one_waits);
}
