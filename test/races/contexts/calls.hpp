// SPDX-License-Identifier: MIT
// The calls whose effect on the interrupt mask is tested.
#ifndef TICKWHEEL_TEST_CONTEXTS_CALLS_HPP
#define TICKWHEEL_TEST_CONTEXTS_CALLS_HPP

#include "../../unit/support.hpp"

/// Each call once, in the state in which it does most.
constexpr void (*calls[])(timer_list *) = {
    [](timer_list *timer) { (void)tickwheel_mod_timer(timer, unit::now() + 5); },
    [](timer_list *timer) { (void)tickwheel_mod_timer(timer, unit::now() + 5000); },
    [](timer_list *timer) { (void)tickwheel_mod_timer_pending(timer, unit::now() + 9); },
    [](timer_list *timer) { (void)tickwheel_timer_reduce(timer, unit::now() + 3); },
    [](timer_list *timer) { (void)tickwheel_timer_delete(timer); },
    [](timer_list *timer) { (void)tickwheel_timer_delete(timer); },
    [](timer_list *timer) {
        timer->expires = unit::now() + 1;
        tickwheel_add_timer(timer);
    },
    [](timer_list *timer) { (void)tickwheel_try_to_del_timer_sync(timer); },
    [](timer_list *timer) { (void)tickwheel_timer_delete_sync(timer); },
    [](timer_list *timer) { (void)tickwheel_mod_timer(timer, unit::now() + 1); },
    [](timer_list *) {
        jiffies_t expires = 0;
        (void)tickwheel_next_expiry(&expires);
    },
    [](timer_list *) { (void)tickwheel_tick(); },
    [](timer_list *) { (void)tickwheel_run(); },
    // Over the end of a block, and many empty blocks.
    [](timer_list *) { (void)tickwheel_advance(100000); },
    [](timer_list *) { (void)tickwheel_run_budget(0); },
    [](timer_list *) { (void)tickwheel_get_jiffies_64(); },
    [](timer_list *timer) { (void)tickwheel_timer_shutdown(timer); },
    [](timer_list *) { (void)tickwheel_interrupt(); },
};

#endif
