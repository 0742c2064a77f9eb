// SPDX-License-Identifier: MIT
// A long timer that a full wheel refuses, and one that is cancelled in its own callback.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

using geometry = tickwheel::geometry<6, 2>;
tickwheel::wheel<tickwheel::port_lock, geometry, tickwheel::wheel_storage<geometry>, tickwheel::limited<1>>
    full_at_one;

void do_nothing()
{
}

struct cancels_itself {
    bool *cancelled;

    void operator()(tickwheel::long_timer<cancels_itself> &timer) const
    {
        *cancelled = timer.cancel();
    }
};

} // namespace

TEST_CASE("a far start that a full wheel refuses leaves a long timer idle")
{
    full_at_one.init(0);
    timer_list other = tickwheel::timer_initializer(unit::note, 0);
    CHECK_EQ(full_at_one.mod_timer(&other, 5), 0);
    tickwheel::long_timer<void (*)(), full_at_one> timer(do_nothing);
    CHECK(!timer.start_after_ticks(uint64_t{1} << 40));
    CHECK(!timer.pending());
    CHECK_EQ(full_at_one.timer_delete(&other), 1);
}

TEST_CASE("a long timer that its own callback cancels was not pending")
{
    const unit::fresh wheel(1000);
    bool cancelled = true;
    tickwheel::long_timer<cancels_itself> timer(cancels_itself{&cancelled});
    CHECK(!timer.start_after_ticks(3));
    CHECK_EQ(unit::pass(3), 1u);
    CHECK(!cancelled);
}
