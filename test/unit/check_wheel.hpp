// SPDX-License-Identifier: MIT
// The walker of test/support, by the names that the tests know it by.
#ifndef TICKWHEEL_TEST_CHECK_WHEEL_HPP
#define TICKWHEEL_TEST_CHECK_WHEEL_HPP

#include "../support/walker.hpp"
#include <tickwheel/wheel.hpp>

namespace unit
{
using namespace support;
}

#endif
