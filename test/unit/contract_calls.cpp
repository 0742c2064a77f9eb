// SPDX-License-Identifier: MIT
// The contract of the calls that take a timer: what each returns, reports and arms in every state of the timer. The
// fuzzer has every distance and range, and calls from callbacks for other timers. test/races/interleavings has a
// state more: taken by the runner and not yet called.
#include <initializer_list>

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

jiffies_t own_tick_or(const timer_list *timer, int delay)
{
    return tickwheel_timer_pending(timer) ? timer->expires : jiffies + static_cast<jiffies_t>(delay);
}

// One call, and its outcome in each state, in the order of the states.
struct row {
    int (*make)(timer_list *);
    outcome in[state_count];
};

constexpr row table[] = {
    {[](timer_list *timer) { return tickwheel_mod_timer(timer, jiffies + moved); },
     {refused, {0, moved}, {1, moved}, {1, moved}, {0, moved}, {1, moved}, refused}},
    {[](timer_list *timer) { return tickwheel_mod_timer(timer, own_tick_or(timer, armed)); },
     {refused, {0, armed}, {1, armed}, {1, 0}, {0, armed}, {1, armed}, refused}},
    {[](timer_list *timer) {
         timer->expires = own_tick_or(timer, moved);
         return tickwheel_add_timer(timer), 0;
     },
     {refused, {0, moved}, {0, armed, 1}, {0, 0, 1}, {0, moved}, {0, armed, 1}, refused}},
    {[](timer_list *timer) { return tickwheel_mod_timer_pending(timer, jiffies + moved); },
     {refused, no, {1, moved}, {1, moved}, no, {1, moved}, no}},
    {[](timer_list *timer) { return tickwheel_mod_timer_idle(timer, jiffies + moved); },
     {{TICKWHEEL_DEBUG ? 0 : -1, never, 1}, {0, moved}, {1, armed}, {1, 0}, {0, moved}, {1, armed}, {-1, never}}},
    {[](timer_list *timer) { return tickwheel_timer_reduce(timer, jiffies + moved); },
     {refused, {0, moved}, {1, armed}, {1, 0}, {0, moved}, {1, armed}, refused}},
    {[](timer_list *timer) { return tickwheel_timer_reduce(timer, jiffies + earlier); },
     {refused, {0, earlier}, {1, earlier}, {1, 0}, {0, earlier}, {1, earlier}, refused}},
    {[](timer_list *timer) { return tickwheel_mod_timer_within(timer, jiffies + moved, jiffies + moved); },
     {refused, {0, moved}, {1, moved}, {1, moved}, {0, moved}, {1, moved}, refused}},
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
jiffies_t called_at;

void make_current()
{
    called_at = jiffies;
    returned = current->make(&timer);
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
        // A set-up makes an idle timer of any storage.
        __builtin_memset(&timer, 0xA5, sizeof timer);
        tickwheel_timer_setup(&timer, inside ? call_from_callback : unit::note, 0);
    }
    if (inside) {
        tickwheel_mod_timer(&timer, jiffies + 1);
        CHECK_EQ(unit::pass(1), 1u);
        return;
    }
    if (current_state == pending) {
        tickwheel_mod_timer(&timer, jiffies + armed);
    } else if (current_state == due) {
        tickwheel_mod_timer(&timer, jiffies + 1);
        CHECK_EQ(tickwheel_tick(), 1);
    } else if (current_state == shut_down) {
        tickwheel_timer_shutdown(&timer);
    }
    make_current();
}

void check(const row &call, unsigned in, jiffies_t start)
{
    const unit::fresh wheel(start);
    const outcome &expected = call.in[in];
    current = &call;
    current_state = in;
    bring_about_and_make();
    // The numbers of call and state, so that a failure names its place in the table.
    const jiffies_t id = static_cast<jiffies_t>(&call - table) * 10 + in;
    const auto same = [&](jiffies_t seen, jiffies_t should) {
        CHECK_EQ(unit::moment{start, id, seen}, unit::moment{start, id, should});
    };
    const bool fires = expected.fires_after != never;
    same(static_cast<jiffies_t>(returned), static_cast<jiffies_t>(expected.returns));
    same(static_cast<jiffies_t>(tickwheel_timer_pending(&timer)), fires);
    same(unit::misused, unit::reports(expected.misuse));
    CHECK((unit::misused == 0 || unit::misused_timer == &timer));
    if (call.make == tickwheel_timer_shutdown || call.make == tickwheel_timer_shutdown_sync) {
        CHECK_EQ(tickwheel_mod_timer(&timer, jiffies + 3), 0);
    }
    CHECK_EQ(unit::fired, 0u);
    (void)tickwheel_run();
    (void)unit::pass(40);
    same(unit::fired, fires);
    same(fires ? unit::log[0].at - called_at : 0, fires ? static_cast<jiffies_t>(expected.fires_after) : 0);
    // A set-up makes a useful timer of all that is left.
    tickwheel_timer_setup(&timer, unit::note, 0);
    CHECK_EQ(tickwheel_mod_timer(&timer, jiffies + 2), 0);
    CHECK_EQ(unit::pass(2), 1u);
}

} // namespace

// requirement: TW-09, TW-13, TW-16
TEST_CASE("every call in every state returns, reports and arms as the contract says")
{
    // These are in the middle of a block, before the end of one, and before the wrap.
    for (const jiffies_t start : {1000u, 243u, 0u - 9u}) {
        for (const row &call : table) {
            for (unsigned in = 0; in < state_count; ++in) {
                // The set-up of a pending timer is undefined in a build without checks.
                if (TICKWHEEL_DEBUG || call.make != set_up || call.in[in].misuse == 0) {
                    check(call, in, start);
                }
            }
        }
    }
}

TEST_CASE("a timer that is pending within the range stays, with its place in the queue; outside of it, it moves")
{
    struct {
        jiffies_t start, roundest;
    } constexpr rows[] = {{1000, 1024}, {0u - 30u, 0}, {0x80000000u - 30u, 0x80000000}};
    for (const auto &row : rows) {
        const jiffies_t start = row.start;
        for (jiffies_t at = 1; at < 60; ++at) {
            const unit::fresh wheel(start);
            unit::armed timer(start + at);
            unit::armed next(start + at);
            const bool inside = at >= 20 && at <= 40;
            const jiffies_t tick = inside ? start + at : row.roundest;
            CHECK_EQ(tickwheel_mod_timer_within(&timer, start + 20, start + 40), 1);
            CHECK_EQ(unit::moment{start, at, timer.expires}, unit::moment{start, at, tick});
            CHECK_EQ(unit::pass(60), 2u);
            CHECK((!inside || unit::fired_in_order({&timer, &next})));
        }
    }
    // Between the ends of a range that ends before it begins, it moves too.
    const unit::fresh wheel(1000);
    unit::armed timer(1010);
    CHECK_EQ(tickwheel_mod_timer_within(&timer, 1050, 1009), 1);
    CHECK_EQ(unit::ticks_to_next_firing(20), 9u);
}
