// SPDX-License-Identifier: MIT
// What is reported when the checks are built in, with the lock free; and that the
// misused call does what is written for it with or without them. The misuse of
// single calls in each state is in contract_states.cpp.

#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/scoped_timer.hpp>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

extern "C" void tickwheel_bug(const char *what, const timer_list *timer)
{
#ifdef TICKWHEEL_TEST_HOST
    CHECK_EQ(tickwheel::interrupts.depth, 0u);
#endif
    ++unit::misused;
    unit::misuse = what;
    unit::misused_timer = timer;
}

namespace
{

void start_afresh(timer_list *self)
{
    unit::note(self);
    tickwheel_init(5);
}

void shutdown_then_rearm(timer_list *self)
{
    unit::note(self);
    CHECK_EQ(tickwheel_timer_shutdown_sync(self), -1);
    CHECK_EQ(tickwheel_mod_timer(self, jiffies + 1), 0);
    CHECK_EQ(tickwheel_timer_pending(self), 0);
}

bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

bool starts_with(const char *text, const char *start)
{
    while (*start != '\0' && *start == *text) {
        ++start;
        ++text;
    }
    return *start == '\0';
}

} // namespace

TEST_CASE("misuse: setup without a function makes a timer that ignores every arm")
{
    const unit::fresh wheel(1000);
    unit::noted a(nullptr);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_mod_timer(&a, 1001), 0);
    CHECK_EQ(tickwheel_timer_pending(&a), 0);
    CHECK_EQ(unit::pass(3), 0u);
}

TEST_CASE("misuse: setup with unknown flags ignores them")
{
    const unit::fresh wheel(1000);
    timer_list a = {};
    tickwheel_timer_setup(&a, unit::note, 0x80);
    CHECK_EQ(unit::misused, unit::reports(1));
    tickwheel_mod_timer(&a, 1002);
    CHECK_EQ(unit::next_from_now(), uint64_t{2});
    CHECK_EQ(unit::pass(3), 1u);
}

TEST_CASE("misuse: init below a callback is refused")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001, start_afresh);
    unit::armed b(1001);
    CHECK_EQ(unit::pass(1), 2u);
    CHECK_EQ(unit::now(), 1001u);
    CHECK_EQ(unit::misused, unit::reports(1));
}

TEST_CASE("misuse: a report names the call and the timer")
{
    const unit::fresh wheel(1000);
    unit::armed a(1005);
    tickwheel_add_timer(&a);
    CHECK_EQ(unit::misused, unit::reports(1));
    if (unit::misused != 0) {
        CHECK(starts_with(unit::misuse, "tickwheel_add_timer"));
        CHECK(!same_text(unit::misuse, "tickwheel_add_timer"));
        CHECK(unit::misused_timer == &a);
    }
    tickwheel_timer_delete(&a);
}

TEST_CASE("misuse: shutdown_sync from the own callback is -1, and the callback's own arms are ignored from then on")
{
    const unit::fresh wheel(1000);
    unit::armed a(1001, shutdown_then_rearm);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_mod_timer(&a, 1010), 0);
}

#if TICKWHEEL_DEBUG

// What follows breaks the wheel where nobody looks; with the checks the misused call is left undone.

namespace
{

tickwheel::wheel<tickwheel::port_lock, tickwheel::geometry<5, 2>> other_wheel;

constexpr char never_set_up[] = "arming a timer that was never set up";
constexpr char is_shut_down[] = "arming a timer that is shut down";
constexpr char links[] = "the links of a slot are overwritten";
constexpr char not_in_this_wheel[] =
    "a timer that is not in this wheel: overwritten, never set up, or in another wheel";

// Whether exactly one report has come since the last one, with these words and of this timer.
bool reported(const char *words, const timer_list *timer)
{
    const bool right = unit::misused == 1 && same_text(unit::misuse, words) && unit::misused_timer == timer;
    unit::forget();
    return right;
}

// Every call that arms: each must report, return 0 and arm nothing.
void check_every_arm(timer_list &timer, const char *words, bool also_where_shut_down)
{
    CHECK_EQ(tickwheel_mod_timer(&timer, unit::now() + 1), 0);
    CHECK(reported(words, &timer));
    CHECK_EQ(tickwheel_timer_reduce(&timer, unit::now() + 1), 0);
    CHECK(reported(words, &timer));
    tickwheel_add_timer(&timer);
    CHECK(reported(words, &timer));
    if (also_where_shut_down) {
        CHECK_EQ(tickwheel_mod_timer_idle(&timer, unit::now() + 1), 0);
        CHECK(reported(words, &timer));
        CHECK_EQ(tickwheel_mod_timer_pending(&timer, unit::now() + 1), 0);
        CHECK(reported(words, &timer));
    }
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
}

void check_every_removal(timer_list &timer, const char *words)
{
    CHECK_EQ(tickwheel_timer_delete(&timer), 0);
    CHECK(reported(words, &timer));
    CHECK_EQ(tickwheel_try_to_del_timer_sync(&timer), 0);
    CHECK(reported(words, &timer));
    CHECK_EQ(tickwheel_timer_delete_sync(&timer), 0);
    CHECK(reported(words, &timer));
    CHECK_EQ(tickwheel_timer_shutdown(&timer), 0);
    CHECK(reported(words, &timer));
    CHECK_EQ(tickwheel_timer_shutdown_sync(&timer), 0);
    CHECK(reported(words, &timer));
}

timer_list garbage()
{
    timer_list timer;
    __builtin_memset(&timer, 0xA5, sizeof timer);
    return timer;
}

} // namespace

TEST_CASE("misuse, B17: storage that was never a timer, of zeros and of anything else")
{
    const unit::fresh wheel(1000);
    timer_list zeroed = {};
    timer_list any = garbage();
    check_every_arm(zeroed, never_set_up, true);
    check_every_arm(any, never_set_up, true);
    // Zeros are an idle timer; nothing to remove.
    CHECK_EQ(tickwheel_timer_delete(&zeroed), 0);
    CHECK_EQ(unit::misused, 0u);
    check_every_removal(any, not_in_this_wheel);
    // Overwritten so that it looks set up.
    any = garbage();
    any.enabled = 1;
    check_every_arm(any, not_in_this_wheel, true);
    any.slot = 3;
    check_every_arm(any, not_in_this_wheel, true);
}

TEST_CASE("misuse: a timer that is shut down")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    CHECK_EQ(tickwheel_timer_shutdown(&a), 0);
    check_every_arm(a, is_shut_down, false);
    // These two are what a timer may rely on that a shutdown meets.
    CHECK_EQ(tickwheel_mod_timer_idle(&a, 1001), 0);
    CHECK_EQ(tickwheel_mod_timer_pending(&a, 1001), 0);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("misuse: a timer of another wheel, in each direction; both wheels go on")
{
    const unit::fresh wheel(1000);
    unit::noted other;
    other_wheel.init(1000);
    // The same slot in both.
    unit::armed mine(1005);
    CHECK_EQ(other_wheel.mod_timer(&other, 1005), 0);
    unit::armed beside(1005);
    CHECK_EQ(tickwheel_mod_timer(&other, 1003), 0);
    CHECK(reported(not_in_this_wheel, &other));
    CHECK_EQ(tickwheel_timer_delete(&other), 0);
    CHECK(reported(not_in_this_wheel, &other));
    CHECK_EQ(other_wheel.mod_timer(&mine, 1003), 0);
    CHECK(reported(not_in_this_wheel, &mine));
    CHECK_EQ(other_wheel.timer_delete(&mine), 0);
    CHECK(reported(not_in_this_wheel, &mine));
    // In a slot that the other wheel does not have.
    tickwheel_mod_timer(&mine, 1000 + (3u << unit::slot_bits(5)));
    CHECK_EQ(other_wheel.timer_delete(&mine), 0);
    CHECK(reported(not_in_this_wheel, &mine));
    CHECK_EQ(tickwheel_timer_delete(&mine), 1);
    CHECK_EQ(other_wheel.timer_delete(&other), 1);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("misuse, B17: set up again while pending")
{
    const unit::fresh wheel(1000);
    timer_list timers[3] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, 1005);
    }
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        CHECK(reported("tickwheel_timer_setup: pending", &timer));
        CHECK_EQ(tickwheel_timer_pending(&timer), 1);
    }
    CHECK_EQ(unit::pass(5), 3u);
}

TEST_CASE("misuse: a timer that lost its function is not called")
{
    const unit::fresh wheel(1000);
    unit::armed timer(1001, unit::note);
    timer.function = nullptr;
    CHECK_EQ(unit::pass(1), 0u);
    CHECK(reported(links, &timer));
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
}

TEST_CASE("misuse: a scoped timer that ends in its own callback")
{
    const unit::fresh wheel(1000);
    using closure = tickwheel::scoped_timer<tickwheel::closure_timer<void (*)(timer_list &)>>;
    // Its life ends by hand.
    union place {
        closure timer;
        place()
            : timer([](timer_list &self) {
                  static_cast<closure &>(self).~closure();
                  CHECK(reported("destroying a timer whose callback is running", &self));
              })
        {
        }
        ~place()
        {
        }
    } storage;
    (void)storage.timer.start_after_ticks(1);
    CHECK_EQ(unit::pass(3), 1u);
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
}

TEST_CASE("misuse: a period of 0 or of 2^31")
{
    const unit::fresh wheel(1000);
    tickwheel::periodic_timer timer{[] {}};
    constexpr char words[] = "periodic_timer: a period of 0, or of 2^31 ticks or more";
    timer.set_period(0);
    CHECK((unit::misused == 1 && same_text(unit::misuse, words)));
    timer.set_period(0x80000000);
    CHECK((unit::misused == 2 && same_text(unit::misuse, words)));
}

TEST_CASE("misuse: a lag of 2^31 or more is reported, by one call of advance or by several")
{
    constexpr char words[] = "tickwheel_advance: a lag of 2^31 ticks or more";
    {
        const unit::fresh wheel(1000);
        (void)tickwheel_advance(0x7FFFFFFFu);
        (void)tickwheel_run();
        CHECK_EQ(unit::misused, 0u);
        (void)tickwheel_advance(0x80000000u);
        CHECK((unit::misused == 1 && same_text(unit::misuse, words)));
        tickwheel_init(1000);
    }
    {
        const unit::fresh wheel(1000);
        unit::armed first(1001);
        (void)tickwheel_advance(0x7FFFFFFEu);
        (void)tickwheel_advance(1);
        CHECK_EQ(unit::misused, 0u);
        (void)tickwheel_advance(1);
        CHECK((unit::misused == 1 && same_text(unit::misuse, words)));
        tickwheel_timer_delete(&first);
        unit::forget();
        tickwheel_init(1000);
    }
}

TEST_CASE("misuse: a delay and a lag of 2^31 together; a lag within a block does not count")
{
    constexpr char words[] = "a delay and the lag of the runner are 2^31 ticks or more together";
    const unit::fresh wheel(1000);
    unit::armed first(1001);
    (void)tickwheel_advance(unit::block_ticks - 1);
    unit::armed far(unit::now() + unit::longest_delay);
    CHECK_EQ(unit::misused, 0u);
    tickwheel_timer_delete(&far);
    (void)tickwheel_advance(1);
    CHECK_EQ(tickwheel_mod_timer(&far, unit::now() + unit::longest_delay - unit::block_ticks), 0);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_mod_timer(&far, unit::now() + unit::longest_delay - unit::block_ticks + 1), 0);
    CHECK(reported(words, &far));
    CHECK_EQ(tickwheel_mod_timer(&far, unit::now() - 5), 1);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_run(), 2u);
}

TEST_CASE("misuse: the delay that once made next_expiry late: it passed 2^32 from the block")
{
    const unit::fresh wheel(0xFFFFFFFFu);
    unit::noted wrapped;
    // The longest lag: the block is still the one of tick 0.
    (void)tickwheel_advance(0x7FFFFFFFu);
    (void)tickwheel_advance(unit::block_ticks - 1);
    CHECK_EQ(tickwheel_clock.block, 0u);
    CHECK_EQ(unit::misused, 0u);
    CHECK_EQ(tickwheel_mod_timer(&wrapped, unit::block_ticks / 2), 0);
    CHECK(reported("a delay and the lag of the runner are 2^31 ticks or more together", &wrapped));
    (void)tickwheel_run();
    const jiffies_t delay = unit::block_ticks / 8 - unit::now();
    unit::armed sound(unit::now() + delay);
    CHECK_EQ(unit::next_from_now(), uint64_t{delay});
}

TEST_CASE("misuse: init with a timer pending is refused")
{
    const unit::fresh wheel(1000);
    unit::armed a(1005);
    tickwheel_init(5000);
    CHECK(reported("tickwheel_init: a timer is pending", nullptr));
    CHECK_EQ(unit::now(), 1000u);
    CHECK_EQ(unit::pass(5), 1u);
}

TEST_CASE("misuse: a null timer, and a null pointer for a tick")
{
    const unit::fresh wheel(1000);
    constexpr char words[] = "a null pointer";
    tickwheel_timer_setup(nullptr, unit::note, 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_mod_timer(nullptr, 1001), 0);
    CHECK(reported(words, nullptr));
    tickwheel_add_timer(nullptr);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_mod_timer_pending(nullptr, 1001), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_mod_timer_idle(nullptr, 1001), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_timer_reduce(nullptr, 1001), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_timer_delete(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_try_to_del_timer_sync(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_timer_delete_sync(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_timer_shutdown(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_timer_shutdown_sync(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_timer_pending(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_next_expiry(nullptr), 0);
    CHECK(reported(words, nullptr));
    CHECK_EQ(tickwheel_next_event(nullptr), 0);
    CHECK(reported(words, nullptr));
}
#endif
