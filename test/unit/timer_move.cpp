// SPDX-License-Identifier: MIT
// tickwheel_timer_move: what is pending stays so, in the same place of the same
// tick. Where an interrupt comes between is in timer_move_host.cpp.
#include "support.hpp"

namespace
{

constexpr unsigned most = 4;
timer_list timers[most];
timer_list moved;
timer_list *neighbour;

void fill(timer_list &timer)
{
    __builtin_memset(&timer, 0xA5, sizeof timer);
}

void arm_all(unsigned count, jiffies_t tick)
{
    for (unsigned i = 0; i < count; ++i) {
        tickwheel_timer_setup(&timers[i], unit::note, 0);
        CHECK_EQ(tickwheel_mod_timer(&timers[i], tick), 0);
    }
}

// Whether they have fired in the order of arming, number `replaced` as `moved`.
bool fired_in_place(unsigned count, unsigned replaced, jiffies_t tick)
{
    bool right = unit::fired == count;
    for (unsigned i = 0; i < count && right; ++i) {
        right = unit::log[i].timer == (i == replaced ? &moved : &timers[i]) && unit::log[i].at == tick;
    }
    return right;
}

void move_the_neighbour(timer_list *self)
{
    unit::note(self);
    tickwheel_timer_move(neighbour, &moved);
}

} // namespace

TEST_CASE("timer_move: the only, the first, a middle and the last one of a slot, in every level")
{
    constexpr jiffies_t base = 1000;
    for (unsigned level = 1; level <= 5; ++level) {
        const jiffies_t tick = base + (level == 1 ? 5 : (3u << unit::slot_bits(level)) + 7);
        for (unsigned count = 1; count <= most; ++count) {
            for (unsigned which = 0; which < count; ++which) {
                const unit::fresh wheel(base);
                arm_all(count, tick);
                fill(moved);
                tickwheel_timer_move(&timers[which], &moved);
                CHECK_EQ(unit::wheel_fault(), unit::no_fault);
                CHECK_EQ(unit::walk_wheel(true).timers, count);
                CHECK_EQ(unit::slot_holding(&moved), unsigned{moved.slot});
                CHECK_EQ(tickwheel_timer_pending(&moved), 1);
                CHECK_EQ(moved.expires, tick);
                CHECK_EQ(tickwheel_timer_pending(&timers[which]), 0);
                CHECK_EQ(unit::misused, 0u);
                // Nobody looks at the old place again.
                fill(timers[which]);
                CHECK_EQ(unit::next_from_now(), uint64_t{tick - base});
                CHECK_EQ(unit::skip_to(tick - 1), 0u);
                CHECK_EQ(unit::wheel_fault(), unit::no_fault);
                CHECK_EQ(unit::pass(1), count);
                CHECK(fired_in_place(count, which, tick));
            }
        }
    }
}

TEST_CASE("timer_move: what was moved is deleted, moved on and armed like any other")
{
    for (unsigned which = 0; which < most; ++which) {
        for (unsigned then = 0; then < most; ++then) {
            const unit::fresh wheel(1000);
            arm_all(most, 1005);
            tickwheel_timer_move(&timers[which], &moved);
            timer_list *const deleted = then == which ? &moved : &timers[then];
            CHECK_EQ(tickwheel_timer_delete(deleted), 1);
            CHECK_EQ(unit::wheel_fault(), unit::no_fault);
            CHECK_EQ(unit::walk_wheel(true).timers, most - 1);
            CHECK_EQ(tickwheel_mod_timer(deleted, 1005), 0);
            if (then != which) {
                // And back.
                tickwheel_timer_move(&moved, &timers[which]);
            }
            CHECK_EQ(unit::pass(5), most);
            CHECK(unit::log[most - 1].timer == deleted);
            CHECK_EQ(unit::misused, 0u);
        }
    }
}

TEST_CASE("timer_move: the old place takes no arm, until it is set up again")
{
    const unit::fresh wheel(1000);
    arm_all(1, 1005);
    tickwheel_timer_move(&timers[0], &moved);
    CHECK_EQ(tickwheel_mod_timer(&timers[0], 1003), 0);
    CHECK_EQ(tickwheel_timer_pending(&timers[0]), 0);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_timer_delete(&timers[0]), 0);
    CHECK_EQ(unit::pass(4), 0u);
    tickwheel_timer_setup(&timers[0], unit::note, 0);
    CHECK_EQ(tickwheel_mod_timer(&timers[0], 1005), 0);
    CHECK_EQ(unit::pass(1), 2u);
    CHECK(unit::fired_in_order({&moved, &timers[0]}));
}

TEST_CASE("timer_move: an idle one stays idle, one that is shut down so, a deferrable one too")
{
    const unit::fresh wheel(1000);
    tickwheel_timer_setup(&timers[0], unit::note, TICKWHEEL_TIMER_DEFERRABLE);
    fill(moved);
    tickwheel_timer_move(&timers[0], &moved);
    CHECK_EQ(tickwheel_timer_pending(&moved), 0);
    CHECK_EQ(tickwheel_mod_timer(&moved, 1002), 0);
    CHECK_EQ(unit::next_from_now(), unit::none);
    CHECK_EQ(unit::pass(2), 1u);
    CHECK_EQ(tickwheel_timer_shutdown(&moved), 0);
    tickwheel_timer_move(&moved, &timers[1]);
    CHECK_EQ(tickwheel_mod_timer_idle(&timers[1], 1005), 0);
    CHECK_EQ(tickwheel_timer_pending(&timers[1]), 0);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("timer_move: of one that is due, in the tick that is being run, and left over by a budget")
{
    for (unsigned which = 1; which < most; ++which) {
        const unit::fresh wheel(1000);
        arm_all(most, 1001);
        timers[0].function = move_the_neighbour;
        neighbour = &timers[which];
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_run(), most);
        CHECK(fired_in_place(most, which, 1001));
    }
    for (unsigned which = 1; which < most; ++which) {
        const unit::fresh wheel(1000);
        arm_all(most, 1001);
        CHECK_EQ(tickwheel_tick(), 1);
        CHECK_EQ(tickwheel_run_budget(1), 1u);
        tickwheel_timer_move(&timers[which], &moved);
        CHECK_EQ(tickwheel_timer_pending(&moved), 1);
        CHECK_EQ(tickwheel_run(), most - 1);
        CHECK(fired_in_place(most, which, 1001));
    }
}
