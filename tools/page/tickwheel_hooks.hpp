// SPDX-License-Identifier: MIT
// The hooks of the page's wheel. The function is in page.cpp.
#ifndef TICKWHEEL_HOOKS_OF_PAGE_HPP
#define TICKWHEEL_HOOKS_OF_PAGE_HPP

#include <tickwheel/hooks.hpp>

struct tickwheel_hooks : tickwheel::no_hooks {
    static void cascaded(const timer_list *timer);
};

#endif
