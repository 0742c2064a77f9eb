// SPDX-License-Identifier: MIT
// The wheel before any test has started it. Test cases come in any order, so main() looks first; before_main.cpp
// checks.
#ifndef TICKWHEEL_TEST_BEFORE_MAIN_HPP
#define TICKWHEEL_TEST_BEFORE_MAIN_HPP

namespace unit
{

/// Reads the untouched wheel, then drives a statically initialised timer on it.
void look_before_main();

} // namespace unit

#endif
