// SPDX-License-Identifier: MIT
// Every call that takes a timer, in every state of a timer: what the call returns, whether the timer is pending
// afterwards, when it fires, what is reported. popped_host.cpp has one more state: popped and not yet called.
#include "support.hpp"

namespace
{

enum state : unsigned { zeroed, idle, pending, due, running, rearmed, shut_down, state_count };

// Ticks from the call to a firing. A pending timer was armed for 10, a due one for 0.
constexpr int never = -1;
constexpr int armed = 10;
constexpr int moved = 20;
constexpr int earlier = 5;

struct outcome {
    int returns;
    int fires_after;
    unsigned misuse = 0;
};
constexpr outcome no = {0, never};
constexpr outcome removed = {1, never};
constexpr outcome refused = {0, never, 1};

int set_up(timer_list *timer)
{
    tickwheel_timer_setup(timer, unit::note, 0);
    return 0;
}

// One call, and its outcome in each state, in the order of the states.
struct row {
    int (*make)(timer_list *);
    outcome in[state_count];
};

constexpr row table[] = {
    {[](timer_list *timer) { return tickwheel_mod_timer(timer, jiffies + moved); },
     {refused, {0, moved}, {1, moved}, {1, moved}, {0, moved}, {1, moved}, refused}},
    {[](timer_list *timer) {
         return tickwheel_mod_timer(timer, tickwheel_timer_pending(timer) ? timer->expires : jiffies + armed);
     },
     {refused, {0, armed}, {1, armed}, {1, 0}, {0, armed}, {1, armed}, refused}},
    {[](timer_list *timer) {
         timer->expires = tickwheel_timer_pending(timer) ? timer->expires : jiffies + moved;
         return tickwheel_add_timer(timer), 0;
     },
     {refused, {0, moved}, {0, armed, 1}, {0, 0, 1}, {0, moved}, {0, armed, 1}, refused}},
    {[](timer_list *timer) { return tickwheel_mod_timer_pending(timer, jiffies + moved); },
     {refused, no, {1, moved}, {1, moved}, no, {1, moved}, no}},
    {[](timer_list *timer) { return tickwheel_mod_timer_idle(timer, jiffies + moved); },
     {refused, {0, moved}, {1, armed}, {1, 0}, {0, moved}, {1, armed}, no}},
    {[](timer_list *timer) { return tickwheel_timer_reduce(timer, jiffies + moved); },
     {refused, {0, moved}, {1, armed}, {1, 0}, {0, moved}, {1, armed}, refused}},
    {[](timer_list *timer) { return tickwheel_timer_reduce(timer, jiffies + earlier); },
     {refused, {0, earlier}, {1, earlier}, {1, 0}, {0, earlier}, {1, earlier}, refused}},
    {[](timer_list *timer) { return tickwheel_mod_timer_within(timer, jiffies + moved, jiffies + moved); },
     {refused, {0, moved}, {1, moved}, {1, moved}, {0, moved}, {1, moved}, refused}},
    {[](timer_list *timer) {
         const jiffies_t tick = tickwheel_timer_pending(timer) ? timer->expires : jiffies + armed;
         return tickwheel_mod_timer_within(timer, tick, tick);
     },
     {refused, {0, armed}, {1, armed}, {1, 0}, {0, armed}, {1, armed}, refused}},
    {tickwheel_timer_delete, {no, no, removed, removed, no, removed, no}},
    {tickwheel_try_to_del_timer_sync, {no, no, removed, removed, {-1, never}, {-1, armed}, no}},
    {tickwheel_timer_delete_sync, {no, no, removed, removed, {-1, never, 1}, {-1, armed, 1}, no}},
    {tickwheel_timer_shutdown, {no, no, removed, removed, no, removed, no}},
    {tickwheel_timer_shutdown_sync, {no, no, removed, removed, {-1, never, 1}, {-1, armed, 1}, no}},
    {set_up, {no, no, {0, armed, 1}, {0, 0, 1}, no, {0, armed, 1}, no}},
    {[](timer_list *timer) { return tickwheel_timer_pending(timer); },
     {no, no, {1, armed}, {1, 0}, no, {1, armed}, no}},
};

const row *current;
unsigned current_state;
timer_list timer;
int returned;
int pending_after;
jiffies_t called_at;

void make_current()
{
    called_at = jiffies;
    returned = current->make(&timer);
    pending_after = tickwheel_timer_pending(&timer);
}

// The state's own firing is not counted.
void call_from_callback(timer_list *self)
{
    self->function = unit::note;
    if (current_state == rearmed) {
        tickwheel_mod_timer(self, jiffies + armed);
    }
    make_current();
}

void bring_about_and_make()
{
    const bool inside = current_state == running || current_state == rearmed;
    timer = {};
    if (current_state != zeroed) {
        tickwheel_timer_setup(&timer, inside ? call_from_callback : unit::note, 0);
    }
    if (current_state == pending) {
        tickwheel_mod_timer(&timer, jiffies + armed);
    } else if (current_state == due) {
        tickwheel_mod_timer(&timer, jiffies + 1);
        CHECK_EQ(tickwheel_tick(), 1);
    } else if (current_state == shut_down) {
        tickwheel_timer_shutdown(&timer);
    } else if (inside) {
        tickwheel_mod_timer(&timer, jiffies + 1);
        CHECK_EQ(unit::pass(1), 1u);
        return;
    }
    make_current();
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

void check(const row &call, unsigned in, jiffies_t base)
{
    const unit::fresh wheel(base);
    const outcome &expected = call.in[in];
    current = &call;
    current_state = in;
    bring_about_and_make();
    const bool fires = expected.fires_after != never;
    // The numbers of call and state, so that a failure names its place in the table.
    const jiffies_t id = static_cast<jiffies_t>(&call - table) * 10 + in;
    const auto same = [&](jiffies_t is, jiffies_t should) {
        CHECK_EQ(unit::moment{base, id, is}, unit::moment{base, id, should});
    };
    same(static_cast<jiffies_t>(returned), static_cast<jiffies_t>(expected.returns));
    same(static_cast<jiffies_t>(pending_after), fires);
    same(unit::misused, unit::reports(expected.misuse));
    CHECK((unit::misused == 0 || unit::misused_timer == &timer));
    const bool ends = call.make == tickwheel_timer_shutdown || call.make == tickwheel_timer_shutdown_sync;
    if (ends || (call.make != set_up && (in == shut_down || in == zeroed))) {
        check_arms_are_ignored(fires);
    }

    CHECK_EQ(unit::fired, 0u);
    (void)tickwheel_run();
    (void)unit::pass(40);
    same(unit::fired, fires);
    if (fires && unit::fired != 0) {
        same(unit::log[0].at, called_at + static_cast<jiffies_t>(expected.fires_after));
    }

    CHECK_EQ(tickwheel_timer_pending(&timer), 0);
    tickwheel_timer_setup(&timer, unit::note, 0);
    unit::forget();
    CHECK_EQ(tickwheel_mod_timer(&timer, jiffies + 2), 0);
    (void)unit::pass(4);
    CHECK_EQ(unit::fired, 1u);
}

} // namespace

// requirement: TW-09, TW-13, TW-16
TEST_CASE("every call in every state returns, reports and arms as the contract says")
{
    // In the middle of a block, before the end of one, and before the wrap.
    constexpr jiffies_t starts[] = {1000u, 243u, 0u - 9u};
    for (const jiffies_t base : starts) {
        for (const row &call : table) {
            for (unsigned in = 0; in < state_count; ++in) {
                // The set-up of a pending timer is undefined in a build without checks.
                if (TICKWHEEL_DEBUG || call.make != set_up || call.in[in].misuse == 0) {
                    check(call, in, base);
                }
            }
        }
    }
}

TEST_CASE("timer_setup makes an idle timer of any storage")
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

// requirement: TW-10
TEST_CASE("mod_timer to the same expiry keeps the place in the queue, to another one is a new arming")
{
    const unit::fresh wheel(5000);
    const jiffies_t tick = jiffies + 5;
    unit::armed a(tick);
    unit::armed b(tick);
    unit::armed c(tick);
    CHECK_EQ(tickwheel_mod_timer(&a, tick), 1);
    CHECK_EQ(tickwheel_timer_reduce(&a, tick), 1);
    CHECK_EQ(tickwheel_mod_timer_pending(&a, tick), 1);
    CHECK_EQ(tickwheel_mod_timer(&b, tick + 1), 1);
    CHECK_EQ(tickwheel_mod_timer(&b, tick), 1);
    (void)unit::pass(5);
    CHECK(unit::fired_in_order({&a, &c, &b}));
}

// requirement: TW-11
TEST_CASE("timer_reduce compares by signed difference, across the wrap too")
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
