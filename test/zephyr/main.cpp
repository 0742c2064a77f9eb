// SPDX-License-Identifier: MIT
// test/unit/main.cpp runs the test cases. They need nothing before that.
#include "../unit/unit_test.hpp"

namespace unit
{

void look_before_main()
{
}

} // namespace unit
