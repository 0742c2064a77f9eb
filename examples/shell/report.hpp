// SPDX-License-Identifier: MIT
// Prints what the judge of the timers has seen. Thread code only.
#ifndef SHELL_REPORT_HPP
#define SHELL_REPORT_HPP

#include "timers.hpp"

namespace report
{

/// Prints the firings since the last call, but at most so many of them.
void firings(uint32_t most);

void totals(const timers::totals &total);

} // namespace report

#endif
