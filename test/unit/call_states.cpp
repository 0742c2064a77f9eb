// SPDX-License-Identifier: MIT
// Every call that takes a timer, in every state that a timer can be in: what it
// returns, what is pending afterwards, when it fires, what is reported. A row is
// one promise. The state "taken and not yet called" needs an interrupt at the right
// moment; popped_host.cpp has it.
#include "support.hpp"

namespace
{

enum class state { zeroed, idle, pending, due, running, rearmed, shut_down };

enum class call {
    mod,
    mod_same,
    add,
    mod_pending,
    mod_idle,
    reduce_to_later,
    reduce_to_earlier,
    del,
    del_timer,
    try_to_del,
    delete_sync,
    del_timer_sync,
    shutdown,
    shutdown_sync,
    setup,
    is_pending,
};

// Ticks from the call to a firing. A pending timer was armed for 10, a due one for 0; moves ask for 20, earlier ones
// for 5.
constexpr int never = -1;
constexpr int armed_for = 10;
constexpr int moved_to = 20;
constexpr int earlier = 5;

struct row {
    call what;
    state in;
    int returns;
    int fires_after;
    unsigned misuse = 0;
};

constexpr row table[] = {
    {call::mod, state::zeroed, 0, never, 1},
    {call::mod, state::idle, 0, moved_to},
    {call::mod, state::pending, 1, moved_to},
    {call::mod, state::due, 1, moved_to},
    {call::mod, state::running, 0, moved_to},
    {call::mod, state::rearmed, 1, moved_to},
    {call::mod, state::shut_down, 0, never, 1},

    {call::mod_same, state::zeroed, 0, never, 1},
    {call::mod_same, state::idle, 0, armed_for},
    {call::mod_same, state::pending, 1, armed_for},
    {call::mod_same, state::due, 1, 0},
    {call::mod_same, state::running, 0, armed_for},
    {call::mod_same, state::rearmed, 1, armed_for},
    {call::mod_same, state::shut_down, 0, never, 1},

    {call::add, state::zeroed, 0, never, 1},
    {call::add, state::idle, 0, moved_to},
    {call::add, state::pending, 0, armed_for, 1},
    {call::add, state::due, 0, 0, 1},
    {call::add, state::running, 0, moved_to},
    {call::add, state::rearmed, 0, armed_for, 1},
    {call::add, state::shut_down, 0, never, 1},

    {call::mod_pending, state::zeroed, 0, never, 1},
    {call::mod_pending, state::idle, 0, never},
    {call::mod_pending, state::pending, 1, moved_to},
    {call::mod_pending, state::due, 1, moved_to},
    {call::mod_pending, state::running, 0, never},
    {call::mod_pending, state::rearmed, 1, moved_to},
    {call::mod_pending, state::shut_down, 0, never},

    {call::mod_idle, state::zeroed, 0, never, 1},
    {call::mod_idle, state::idle, 0, moved_to},
    {call::mod_idle, state::pending, 1, armed_for},
    {call::mod_idle, state::due, 1, 0},
    {call::mod_idle, state::running, 0, moved_to},
    {call::mod_idle, state::rearmed, 1, armed_for},
    {call::mod_idle, state::shut_down, 0, never},

    {call::reduce_to_later, state::zeroed, 0, never, 1},
    {call::reduce_to_later, state::idle, 0, moved_to},
    {call::reduce_to_later, state::pending, 1, armed_for},
    {call::reduce_to_later, state::due, 1, 0},
    {call::reduce_to_later, state::running, 0, moved_to},
    {call::reduce_to_later, state::rearmed, 1, armed_for},
    {call::reduce_to_later, state::shut_down, 0, never, 1},

    {call::reduce_to_earlier, state::zeroed, 0, never, 1},
    {call::reduce_to_earlier, state::idle, 0, earlier},
    {call::reduce_to_earlier, state::pending, 1, earlier},
    {call::reduce_to_earlier, state::due, 1, 0},
    {call::reduce_to_earlier, state::running, 0, earlier},
    {call::reduce_to_earlier, state::rearmed, 1, earlier},
    {call::reduce_to_earlier, state::shut_down, 0, never, 1},

    {call::del, state::zeroed, 0, never},
    {call::del, state::idle, 0, never},
    {call::del, state::pending, 1, never},
    {call::del, state::due, 1, never},
    {call::del, state::running, 0, never},
    {call::del, state::rearmed, 1, never},
    {call::del, state::shut_down, 0, never},

    {call::del_timer, state::zeroed, 0, never},
    {call::del_timer, state::idle, 0, never},
    {call::del_timer, state::pending, 1, never},
    {call::del_timer, state::due, 1, never},
    {call::del_timer, state::running, 0, never},
    {call::del_timer, state::rearmed, 1, never},
    {call::del_timer, state::shut_down, 0, never},

    {call::try_to_del, state::zeroed, 0, never},
    {call::try_to_del, state::idle, 0, never},
    {call::try_to_del, state::pending, 1, never},
    {call::try_to_del, state::due, 1, never},
    {call::try_to_del, state::running, -1, never},
    {call::try_to_del, state::rearmed, -1, armed_for},
    {call::try_to_del, state::shut_down, 0, never},

    {call::delete_sync, state::zeroed, 0, never},
    {call::delete_sync, state::idle, 0, never},
    {call::delete_sync, state::pending, 1, never},
    {call::delete_sync, state::due, 1, never},
    {call::delete_sync, state::running, -1, never, 1},
    {call::delete_sync, state::rearmed, -1, armed_for, 1},
    {call::delete_sync, state::shut_down, 0, never},

    {call::del_timer_sync, state::zeroed, 0, never},
    {call::del_timer_sync, state::idle, 0, never},
    {call::del_timer_sync, state::pending, 1, never},
    {call::del_timer_sync, state::due, 1, never},
    {call::del_timer_sync, state::running, -1, never, 1},
    {call::del_timer_sync, state::rearmed, -1, armed_for, 1},
    {call::del_timer_sync, state::shut_down, 0, never},

    {call::shutdown, state::zeroed, 0, never},
    {call::shutdown, state::idle, 0, never},
    {call::shutdown, state::pending, 1, never},
    {call::shutdown, state::due, 1, never},
    {call::shutdown, state::running, 0, never},
    {call::shutdown, state::rearmed, 1, never},
    {call::shutdown, state::shut_down, 0, never},

    {call::shutdown_sync, state::zeroed, 0, never},
    {call::shutdown_sync, state::idle, 0, never},
    {call::shutdown_sync, state::pending, 1, never},
    {call::shutdown_sync, state::due, 1, never},
    {call::shutdown_sync, state::running, -1, never, 1},
    {call::shutdown_sync, state::rearmed, -1, armed_for, 1},
    {call::shutdown_sync, state::shut_down, 0, never},

    {call::setup, state::zeroed, 0, never},
    {call::setup, state::idle, 0, never},
    {call::setup, state::pending, 0, armed_for, 1},
    {call::setup, state::due, 0, 0, 1},
    {call::setup, state::running, 0, never},
    {call::setup, state::rearmed, 0, armed_for, 1},
    {call::setup, state::shut_down, 0, never},

    {call::is_pending, state::zeroed, 0, never},
    {call::is_pending, state::idle, 0, never},
    {call::is_pending, state::pending, 1, armed_for},
    {call::is_pending, state::due, 1, 0},
    {call::is_pending, state::running, 0, never},
    {call::is_pending, state::rearmed, 1, armed_for},
    {call::is_pending, state::shut_down, 0, never},
};

const row *current;
timer_list timer;
int returned;
int pending_after;
jiffies_t called_at;

int make(call what)
{
    const jiffies_t now = jiffies;
    switch (what) {
    case call::mod:
        return tickwheel_mod_timer(&timer, now + moved_to);
    case call::mod_same:
        return tickwheel_mod_timer(&timer, tickwheel_timer_pending(&timer) ? timer.expires : now + armed_for);
    case call::add:
        if (!tickwheel_timer_pending(&timer)) {
            timer.expires = now + moved_to;
        }
        tickwheel_add_timer(&timer);
        return 0;
    case call::mod_pending:
        return tickwheel_mod_timer_pending(&timer, now + moved_to);
    case call::mod_idle:
        return tickwheel_mod_timer_idle(&timer, now + moved_to);
    case call::reduce_to_later:
        return tickwheel_timer_reduce(&timer, now + moved_to);
    case call::reduce_to_earlier:
        return tickwheel_timer_reduce(&timer, now + earlier);
    case call::del:
        return tickwheel_timer_delete(&timer);
    case call::del_timer:
        return tickwheel_del_timer(&timer);
    case call::try_to_del:
        return tickwheel_try_to_del_timer_sync(&timer);
    case call::delete_sync:
        return tickwheel_timer_delete_sync(&timer);
    case call::del_timer_sync:
        return tickwheel_del_timer_sync(&timer);
    case call::shutdown:
        return tickwheel_timer_shutdown(&timer);
    case call::shutdown_sync:
        return tickwheel_timer_shutdown_sync(&timer);
    case call::setup:
        tickwheel_timer_setup(&timer, unit::note, 0);
        return 0;
    case call::is_pending:
        return tickwheel_timer_pending(&timer);
    }
    return -2;
}

void make_current()
{
    called_at = jiffies;
    returned = make(current->what);
    pending_after = tickwheel_timer_pending(&timer);
}

// What comes before the call; a firing of its own is not counted.
void call_from_callback(timer_list *self)
{
    self->function = unit::note;
    if (current->in == state::rearmed) {
        tickwheel_mod_timer(self, jiffies + armed_for);
    }
    make_current();
}

void bring_about(state wanted)
{
    timer = {};
    if (wanted == state::zeroed) {
        return;
    }
    const bool inside = wanted == state::running || wanted == state::rearmed;
    tickwheel_timer_setup(&timer, inside ? call_from_callback : unit::note, 0);
    if (wanted == state::pending) {
        tickwheel_mod_timer(&timer, jiffies + armed_for);
    } else if (wanted == state::due) {
        tickwheel_mod_timer(&timer, jiffies + 1);
        CHECK_EQ(tickwheel_tick(), 1);
    } else if (inside) {
        tickwheel_mod_timer(&timer, jiffies + 1);
        CHECK_EQ(unit::pass(1), 1u);
    } else if (wanted == state::shut_down) {
        tickwheel_timer_shutdown(&timer);
    }
}

void check_arms_are_ignored(bool still_pending)
{
    const jiffies_t expires = timer.expires;
    CHECK_EQ(tickwheel_mod_timer(&timer, jiffies + 3), 0);
    CHECK_EQ(tickwheel_timer_pending(&timer), still_pending ? 1 : 0);
    if (still_pending) {
        CHECK_EQ(timer.expires, expires);
        return;
    }
    CHECK_EQ(tickwheel_mod_timer_pending(&timer, jiffies + 3), 0);
    CHECK_EQ(tickwheel_mod_timer_idle(&timer, jiffies + 3), 0);
    CHECK_EQ(tickwheel_timer_reduce(&timer, jiffies + 3), 0);
    timer.expires = jiffies + 3;
    tickwheel_add_timer(&timer);
    CHECK_EQ(tickwheel_timer_pending(&timer), 0);
}

void check_row(const row &expected, jiffies_t base)
{
    const unit::fresh wheel(base);
    current = &expected;
    bring_about(expected.in);
    if (expected.in != state::running && expected.in != state::rearmed) {
        make_current();
    }
    const bool fires = expected.fires_after != never;
    // Three tables' worth of numbers at once, so that a failure names its row.
    const jiffies_t id = static_cast<jiffies_t>(&expected - table);
    CHECK_EQ(unit::moment{base, id, static_cast<jiffies_t>(returned)},
             unit::moment{base, id, static_cast<jiffies_t>(expected.returns)});
    if (expected.what != call::is_pending) {
        CHECK_EQ(unit::moment{base, id, static_cast<jiffies_t>(pending_after)}, unit::moment{base, id, fires});
    }
    CHECK_EQ(unit::moment{base, id, unit::misused}, unit::moment{base, id, unit::reports(expected.misuse)});
    if (unit::misused != 0) {
        CHECK(unit::misused_timer == &timer);
    }
    const bool ignores = expected.what == call::shutdown || expected.what == call::shutdown_sync ||
                         (expected.in == state::shut_down && expected.what != call::setup) ||
                         (expected.in == state::zeroed && expected.what != call::setup);
    if (ignores) {
        check_arms_are_ignored(fires);
    }

    CHECK_EQ(unit::fired, 0u);
    (void)tickwheel_run();
    (void)unit::pass(40);
    CHECK_EQ(unit::moment{base, id, unit::fired}, unit::moment{base, id, fires});
    if (fires && unit::fired != 0) {
        CHECK_EQ(unit::moment{base, id, unit::log[0].at},
                 unit::moment{base, id, called_at + static_cast<jiffies_t>(expected.fires_after)});
    }

    CHECK_EQ(tickwheel_timer_pending(&timer), 0);
    tickwheel_timer_setup(&timer, unit::note, 0);
    unit::forget();
    CHECK_EQ(tickwheel_mod_timer(&timer, jiffies + 2), 0);
    (void)unit::pass(4);
    CHECK_EQ(unit::fired, 1u);
}

} // namespace

TEST_CASE("contract: every call in every state")
{
    // In the middle of a block, before the end of one, and before the wrap.
    constexpr jiffies_t starts[] = {1000u, 243u, 0u - 9u};
    for (const jiffies_t base : starts) {
        for (const row &expected : table) {
            // Setting up a pending timer is undefined where nobody looks for it.
            if (TICKWHEEL_DEBUG || expected.what != call::setup || expected.misuse == 0) {
                check_row(expected, base);
            }
        }
    }
}

TEST_CASE("contract: setup of any storage makes an idle timer")
{
    const unit::fresh wheel(5000);
    unsigned char storage[sizeof(timer_list)];
    constexpr unsigned char fills[] = {0x00, 0xA5, 0xFF};
    for (const unsigned char fill : fills) {
        for (unsigned char &byte : storage) {
            byte = fill;
        }
        timer_list found;
        __builtin_memcpy(&found, storage, sizeof found);
        unit::forget();
        tickwheel_timer_setup(&found, unit::note, 0);
        CHECK_EQ(unit::misused, 0u);
        CHECK_EQ(tickwheel_timer_pending(&found), 0);
        CHECK_EQ(tickwheel_timer_delete(&found), 0);
        CHECK_EQ(tickwheel_mod_timer(&found, jiffies + 3), 0);
        CHECK_EQ(unit::pass(3), 1u);
        CHECK_EQ(unit::fired, 1u);
    }
}

TEST_CASE("contract: a move to the expiry that it has keeps its place, any other is a new arming")
{
    const unit::fresh wheel(5000);
    unit::noted a;
    unit::noted b;
    unit::noted c;
    const jiffies_t tick = jiffies + 5;
    tickwheel_mod_timer(&a, tick);
    tickwheel_mod_timer(&b, tick);
    tickwheel_mod_timer(&c, tick);
    CHECK_EQ(tickwheel_mod_timer(&a, tick), 1);
    CHECK_EQ(tickwheel_timer_reduce(&a, tick), 1);
    CHECK_EQ(tickwheel_mod_timer_pending(&a, tick), 1);
    CHECK_EQ(tickwheel_mod_timer(&b, tick + 1), 1);
    CHECK_EQ(tickwheel_mod_timer(&b, tick), 1);
    (void)unit::pass(5);
    CHECK(unit::fired_in_order({&a, &c, &b}));
}

TEST_CASE("contract: timer_reduce compares by signed difference, across the wrap too")
{
    const unit::fresh wheel(0u - 10u);
    unit::noted a;
    CHECK_EQ(tickwheel_mod_timer(&a, 5), 0);
    CHECK_EQ(tickwheel_timer_reduce(&a, 6), 1);
    CHECK_EQ(a.expires, 5u);
    CHECK_EQ(tickwheel_timer_reduce(&a, 0u - 2u), 1);
    CHECK_EQ(a.expires, 0u - 2u);
    CHECK_EQ(tickwheel_timer_reduce(&a, 0u), 1);
    CHECK_EQ(a.expires, 0u - 2u);
    CHECK_EQ(unit::ticks_to_next_firing(20), 8u);
}

TEST_CASE("contract: a timer is pending while due and not yet run")
{
    const unit::fresh wheel(5000);
    unit::noted a;
    tickwheel_mod_timer(&a, jiffies + 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_timer_pending(&a), 1);
    CHECK_EQ(tickwheel_tick(), 1);
    CHECK_EQ(tickwheel_timer_pending(&a), 1);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(tickwheel_timer_pending(&a), 0);
}
