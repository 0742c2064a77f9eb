// SPDX-License-Identifier: MIT
// What the wheel was before any test had started it afresh; test cases come in
// any order, so main() takes it down first. The checks are in before_main.cpp.
#ifndef TICKWHEEL_TEST_BEFORE_MAIN_HPP
#define TICKWHEEL_TEST_BEFORE_MAIN_HPP

namespace unit
{

/// Reads the untouched wheel, then drives a statically initialised timer on it.
void look_before_main();

} // namespace unit

#endif
