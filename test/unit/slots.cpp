// SPDX-License-Identifier: MIT
// The slots of the default wheel, and the blocks that cascade: what a list lacks. A program for a list leaves this
// file out.
#include "support.hpp"

namespace
{

using unit::block_before;
using unit::crowd_start;
using unit::crowded;

struct deferrable : unit::noted {
    explicit deferrable(jiffies_t tick) : noted(TICKWHEEL_TIMER_DEFERRABLE)
    {
        tickwheel_mod_timer(this, tick);
    }
};

// Passes the empty tick before this block begins. That and the end of the block take all steps, so the next block's
// timers are still in tv2.
void start_block(jiffies_t block)
{
    (void)unit::skip_to(block - 2);
    (void)tickwheel_tick();
    (void)tickwheel_run_budget(8);
}

// Each empty tick takes the step of its run, so no timer moves.
void pass_without_moves(jiffies_t last)
{
    while (unit::now() != last) {
        CHECK_EQ(unit::event_from_now(), 1u);
        CHECK_EQ(tickwheel_tick(), 1);
        (void)tickwheel_run_budget(1);
    }
}

// The wrong answers of a bitmap in which one slot of a level, or none, is marked.
template <class Geometry, class Level>
unsigned wrong_steps(Level level)
{
    unsigned wrong = 0;
    tickwheel::bitmap<Geometry> marks = {};
    for (unsigned index = 0; index < level.size(); ++index) {
        wrong += marks.steps_to_next_mark(level, index) != 0;
        for (unsigned marked = 0; marked < level.size(); ++marked) {
            marks.mark(level.first_slot + marked);
            wrong += marks.steps_to_next_mark(level, index) != ((marked - index - 1) & (level.size() - 1)) + 1;
            (void)marks.clear_mark(level.first_slot + marked);
        }
    }
    return wrong;
}

// Checks the answer of next_expiry_locked() when it may look at so many timers.
void answers(unsigned limit, int found, jiffies_t wanted)
{
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_expiry_locked(&tick, limit), found);
    CHECK_EQ(tick, wanted);
}

} // namespace

// requirement: TW-24
TEST_CASE("a run whose steps end while a late block cascades stops there, and each run moves one timer at least")
{
    const unit::fresh wheel(crowd_start);
    unit::armed far[4] = {unit::armed(crowded), unit::armed(crowded), unit::armed(crowded), unit::armed(crowded)};
    CHECK_EQ(unit::skip_to(block_before - 2), 0u);
    // Nothing runs in the block before, so all cascade after its last tick.
    CHECK_EQ(tickwheel_advance(unit::block_ticks + 1), 1);
    // Two empty ticks, the end of a block, and two timers. Then the last tick is an empty step of each run.
    struct {
        unsigned budget, cascaded;
    } constexpr runs[] = {{2 + 7 + 2, 2}, {1, 3}, {2, 4}};
    for (const auto &run : runs) {
        CHECK_EQ(tickwheel_due(), 1);
        CHECK_EQ(tickwheel_run_budget(run.budget), 0u);
        CHECK_EQ(unit::in_tv1(far, 4), run.cascaded);
    }
    CHECK_EQ(tickwheel_due(), 0);
    CHECK_EQ(unit::pass(1), 4u);
}

TEST_CASE("the wheel starts again while timers cascade")
{
    const unit::fresh wheel(crowd_start);
    {
        unit::armed far[2] = {unit::armed(crowded), unit::armed(crowded)};
        CHECK_EQ(unit::skip_to(block_before - 2), 0u);
        CHECK_EQ(tickwheel_tick(), 1);
        // The empty tick, the end of the block, and one of the two timers.
        CHECK_EQ(tickwheel_run_budget(1 + 7 + 1), 0u);
        CHECK_EQ(unit::in_tv1(far, 2), 1u);
        // Nothing is late, so nothing is due. The next tick says that there is work.
        CHECK_EQ(tickwheel_due(), 0);
    }
    tickwheel_init(5000);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_due(), 0);
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_event(&tick), 0);
    unit::armed a(5001);
    CHECK_EQ(unit::pass(1), 1u);
    CHECK_EQ(tickwheel_slots.cascade_unfinished, 0u);
}

#if !TICKWHEEL_DEBUG
TEST_CASE("without the checks, a start while a timer is pending empties the wheel")
{
    const unit::fresh wheel(1000);
    timer_list lost = tickwheel::timer_initializer(unit::note, 0);
    CHECK_EQ(tickwheel_mod_timer(&lost, 1005), 0);
    for (timer_list *&oldest : tickwheel_slots.first) {
        oldest = &lost;
    }
    tickwheel_init(5000);
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_event(&tick), 0);
    unit::armed next(5005);
    CHECK_EQ(unit::pass(2 * unit::tv1_ticks), 1u);
}
#endif

#if TICKWHEEL_DEBUG
// requirement: TW-40
TEST_CASE("init with a timer pending is reported and refused")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    for (timer_list *&oldest : tickwheel_slots.first) {
        oldest = &a;
        unit::forget();
        tickwheel_init(5000);
        CHECK((unit::misused == 1 && unit::misused_timer == nullptr));
        oldest = nullptr;
    }
    CHECK_EQ(unit::now(), 1000u);
}
#endif

TEST_CASE("the next mark of a level is found from each of its slots, around the level's end")
{
    using large = tickwheel::geometry<8, 6>;
    using small = tickwheel::geometry<6, 2>;
    CHECK_EQ(wrong_steps<large>(large::tv1()) + wrong_steps<large>(large::tv2()) + wrong_steps<large>(large::tv<5>()),
             0u);
    CHECK_EQ(wrong_steps<small>(small::tv1()) + wrong_steps<small>(small::tv2()) + wrong_steps<small>(small::tv<6>()),
             0u);
}

TEST_CASE("while a block cascades, next_expiry is exact among its timers and those of tv1")
{
    constexpr jiffies_t block = 2 * unit::tv1_ticks;
    {
        const unit::fresh wheel(0);
        const deferrable first(block - unit::block_ticks + 5);
        start_block(block - 2 * unit::block_ticks);
        // The search visits its slot once.
        answers(1, 0, 0);
        unit::armed sooner(block + 2);
        pass_without_moves(block - unit::block_ticks - unit::block_ticks / 4);
        unit::armed later(block + unit::block_ticks / 2);
        CHECK_EQ(unit::next_from_now(), sooner.expires - unit::now());
    }
    const unit::fresh wheel(0);
    unit::armed sooner(block - unit::block_ticks + 5);
    start_block(block - 2 * unit::block_ticks);
    pass_without_moves(block - unit::block_ticks - unit::block_ticks / 4);
    // One timer of a slot of tv1 is enough.
    unit::armed later(block + 1);
    unit::armed as_late(block + 1);
    answers(2, 1, sooner.expires);
}

TEST_CASE("next_expiry_locked is exact if a timer is due at the start of the slot, and looks at each slot once")
{
    {
        const unit::fresh wheel(0);
        unit::armed first(3 * unit::block_ticks);
        unit::armed second(3 * unit::block_ticks + 9);
        answers(1, 1, first.expires);
    }
    // The first tick for which tv1 has a slot.
    const unit::fresh wheel(0);
    const deferrable sleeper(unit::block_ticks);
    unit::armed far(5 * unit::block_ticks + 3);
    (void)unit::pass(unit::block_ticks - 1);
    answers(1, 2, 5 * unit::block_ticks);
}

TEST_CASE("next_expiry_locked without enough timers names the earliest of several slots")
{
    constexpr bool default_wheel = unit::tvn_bits == 6 && unit::tv1_bits == 8;
    const unit::fresh wheel(0);
    // It waits in tv3, in the slot of 0x4000.
    unit::armed elder(0x7F00);
    (void)unit::skip_to(0x3F00);
    unit::armed later(0x3F00 + 0x2700);
    if (default_wheel) {
        answers(0, 2, 0x4000);
        answers(2, 1, later.expires);
    }
    tickwheel_timer_delete(&elder);
    // tv2 goes round before its slot of 0x4100; tv3's next one begins before that.
    unit::armed sooner(0x3F00 + 0x4200);
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_expiry_locked(&tick, 0), 2);
    CHECK(!tickwheel_time_after(tick, later.expires));
    CHECK((!default_wheel || tick == (later.expires & ~127u)));
    CHECK((tickwheel_next_expiry_locked(&tick, ~0u) == 1 && tick == later.expires));
}

#if TICKWHEEL_DEBUG
TEST_CASE("a cascade to a slot whose oldest timer is overwritten reports it, and the timer that moves fires")
{
    const unit::fresh wheel(0);
    constexpr jiffies_t block = unit::geometry::block_size;
    timer_list timers[4];
    const auto arm = [&](unsigned i, jiffies_t tick) {
        timers[i] = tickwheel::timer_initializer(unit::note, 0);
        (void)tickwheel_mod_timer(&timers[i], tick);
    };
    for (unsigned i = 0; i < 3; ++i) {
        arm(i, 3 * block + i);
    }
    // Two blocks end, then one timer moves.
    (void)tickwheel_advance(2 * block - 1);
    while (tickwheel_due()) {
        (void)tickwheel_run_budget(1);
    }
    (void)tickwheel_tick();
    (void)tickwheel_run_budget(2);
    CHECK((timers[2].slot < 2 * block && timers[0].slot >= 2 * block));
    arm(3, 3 * block);
    __builtin_memset(static_cast<void *>(&timers[3]), 0xA5, sizeof timers[3]);
    CHECK_EQ(unit::pass(block + 2), 3u);
    CHECK_EQ(unit::misused, 1u);
}
#endif
