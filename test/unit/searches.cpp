// SPDX-License-Identifier: MIT
// The searches for the next work. next_event is never later than the earliest expiry, comes at most once for each
// cascade before it, and is none when nothing is pending. next_expiry is exact, and passes over deferrable timers:
// contract_ticks.cpp has one timer at every distance, cpp_face.cpp a deferrable one of each kind, and test/fuzz
// compares each search with a look at every timer.
#include <initializer_list>

#include "support.hpp"

namespace
{

struct deferrable : unit::noted {
    explicit deferrable(jiffies_t tick) : noted(TICKWHEEL_TIMER_DEFERRABLE)
    {
        tickwheel_mod_timer(this, tick);
    }
};

uint64_t event_from_now()
{
    jiffies_t tick = 0;
    return tickwheel_next_event(&tick) ? tick - unit::now() : unit::none;
}

// Sleeps from event to event until a callback runs. How many sleeps it took; 0 when none came in `limit`.
unsigned sleeps_to_next_firing(unsigned limit)
{
    const unsigned before = unit::fired;
    for (unsigned sleeps = 1; sleeps <= limit; ++sleeps) {
        const uint64_t ticks = event_from_now();
        if (ticks == unit::none) {
            return 0;
        }
        (void)unit::skip_to(unit::now() + static_cast<jiffies_t>(ticks));
        if (unit::fired != before) {
            return sleeps;
        }
    }
    return 0;
}

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
        CHECK_EQ(event_from_now(), 1u);
        CHECK_EQ(tickwheel_tick(), 1);
        (void)tickwheel_run_budget(1);
    }
}

// One cascade for each upper level, and the timer's own tick. For a timer beyond the range of tv5 one more cascade in
// each range on the way.
constexpr unsigned sleeps_for(jiffies_t delta)
{
    return unit::geometry::has_overflow ? 6 + (delta >> unit::geometry::range_bits % 32) : 5;
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

} // namespace

TEST_CASE("the next mark of a level is found from each of its slots, around the level's end")
{
    using large = tickwheel::geometry<8, 6>;
    using small = tickwheel::geometry<6, 2>;
    CHECK_EQ(wrong_steps<large>(large::tv1()) + wrong_steps<large>(large::tv2()) + wrong_steps<large>(large::tv<5>()),
             0u);
    CHECK_EQ(wrong_steps<small>(small::tv1()) + wrong_steps<small>(small::tv2()) + wrong_steps<small>(small::tv<6>()),
             0u);
}

TEST_CASE("next_event and next_expiry leave the result alone when nothing is pending")
{
    for (const jiffies_t start : unit::starts) {
        const unit::fresh wheel(start);
        jiffies_t tick = 0xDEADu;
        CHECK_EQ(tickwheel_next_event(&tick) + tickwheel_next_expiry(&tick), 0);
        unit::armed a(start + 1000);
        tickwheel_timer_delete(&a);
        CHECK_EQ(tickwheel_next_expiry(&tick), 0);
        CHECK_EQ(tickwheel_next_expiry_locked(&tick, 0), 0);
        CHECK_EQ(tick, 0xDEADu);
    }
}

// requirement: TW-31, TW-32
TEST_CASE("a sleeper from event to event wakes in the timer's own tick, and before it once for each cascade of a "
          "shared slot")
{
    for (const jiffies_t start : unit::starts) {
        for (unsigned bit = 0; bit < (unit::has_short_range ? 24 : 31); ++bit) {
            for (jiffies_t delta = (1u << bit) - 1; delta <= (1u << bit) + 1; ++delta) {
                const bool in_range = !unit::geometry::has_overflow || delta >> unit::geometry::range_bits % 32 == 0;
                for (const bool shared : {false, true}) {
                    const unit::fresh wheel(start);
                    unit::armed a(start + delta);
                    unit::noted b;
                    if (shared) {
                        tickwheel_mod_timer(&b, start + delta);
                    }
                    const jiffies_t left = delta == 0 ? 1 : delta;
                    const uint64_t event = event_from_now();
                    const bool exact = (in_range && !shared) || left <= unit::block_ticks;
                    const bool woken = sleeps_to_next_firing(in_range && !shared ? 1 : sleeps_for(delta)) != 0;
                    const bool right = (exact ? event == left : event <= left) && woken;
                    CHECK_EQ(unit::moment{start, delta, right}, unit::moment{start, delta, 1});
                    CHECK_EQ(unit::now(), start + left);
                    CHECK_EQ(event_from_now(), unit::none);
                }
            }
        }
    }
}

// requirement: TW-32
TEST_CASE("a sleeper wakes once at most for a deleted timer, and for no cascade of it")
{
    for (const jiffies_t start : unit::starts) {
        for (unsigned bit = 0; bit < 31; ++bit) {
            const unit::fresh wheel(start);
            unit::armed a(start + (1u << bit));
            tickwheel_timer_delete(&a);
            const uint64_t event = event_from_now();
            CHECK((event == unit::none || event == 1u << bit));
            CHECK_EQ(sleeps_to_next_firing(1), 0u);
            CHECK_EQ(event_from_now(), unit::none);
        }
    }
    // However many ticks it had been armed for.
    const unit::fresh wheel(0);
    unit::noted a;
    for (jiffies_t tick = 1; tick < unit::block_ticks - 1; ++tick) {
        tickwheel_mod_timer(&a, tick);
    }
    tickwheel_timer_delete(&a);
    CHECK_EQ(event_from_now(), uint64_t{1});
    CHECK_EQ(sleeps_to_next_firing(1), 0u);
    CHECK_EQ(event_from_now(), unit::none);
}

// Checks the answer of next_expiry_locked() when it may look at so many timers.
static void answers(unsigned limit, int found, jiffies_t wanted)
{
    jiffies_t tick = 0;
    CHECK_EQ(tickwheel_next_expiry_locked(&tick, limit), found);
    CHECK_EQ(tick, wanted);
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

TEST_CASE("next_expiry_locked looks at no more timers than it may, and then names a tick that is not too late")
{
    const unit::fresh wheel(0);
    // Three timers of one slot of tv2.
    constexpr jiffies_t list = 3 * unit::block_ticks;
    unit::armed a(list + unit::block_ticks - 1);
    unit::armed b(list + 9);
    unit::armed c(list + 5);
    answers(0, 2, list);
    answers(2, 2, list);
    answers(3, 1, list + 5);
    // A timer in a nearer slot ends the search, and all timers of a slot of tv1 are due in one tick.
    unit::armed d(list - 3);
    answers(1, 1, list - 3);
    unit::armed e(9);
    unit::armed f(9);
    answers(1, 1, 9);
    answers(0, 2, 9);
    // A timer that it may not pass over counts.
    const deferrable sleeper(5);
    answers(1, 2, 9);
    answers(2, 1, 9);
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
