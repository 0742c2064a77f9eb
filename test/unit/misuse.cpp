// SPDX-License-Identifier: MIT
// What is reported when the checks are built in, with the lock free; and that the
// misused call does what is written for it with or without them. The misuse of
// single calls in each state is in contract_states.cpp.
#include <new>

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
    timer_list a = {};
    tickwheel_timer_setup(&a, nullptr, 0);
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
    timer_list a = {};
    unit::noted b;
    tickwheel_timer_setup(&a, start_afresh, 0);
    tickwheel_mod_timer(&a, 1001);
    tickwheel_mod_timer(&b, 1001);
    CHECK_EQ(unit::pass(1), 2u);
    CHECK_EQ(unit::now(), 1001u);
    CHECK_EQ(unit::misused, unit::reports(1));
}

TEST_CASE("misuse: a report names the call and the timer")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    tickwheel_mod_timer(&a, 1005);
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
    timer_list a = {};
    tickwheel_timer_setup(&a, shutdown_then_rearm, 0);
    tickwheel_mod_timer(&a, 1001);
    CHECK_EQ(unit::pass(5), 1u);
    CHECK_EQ(unit::misused, unit::reports(1));
    CHECK_EQ(tickwheel_mod_timer(&a, 1010), 0);
}

#if TICKWHEEL_DEBUG

// What follows breaks the wheel where nobody looks; with the checks the misused call is left undone.

namespace
{

tickwheel::wheel<tickwheel::port_lock, tickwheel::geometry<5, 2>> other_wheel;

constexpr char never_set_up[] = "arming a timer that was never set up, or was moved away";
constexpr char is_shut_down[] = "arming a timer that is shut down";
constexpr char held_idle[] = "arming a timer that was set up or overwritten while pending";
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
    timer_list to = {};
    tickwheel_timer_move(&timer, &to);
    CHECK(reported(words, &timer));
    CHECK_EQ(to.set_up, 0u);
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
    any.set_up = 1;
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
    unit::noted mine;
    unit::noted other;
    other_wheel.init(1000);
    // The same slot in both.
    tickwheel_mod_timer(&mine, 1005);
    CHECK_EQ(other_wheel.mod_timer(&other, 1005), 0);
    unit::noted beside;
    tickwheel_mod_timer(&beside, 1005);
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

TEST_CASE("misuse, B17: set up again while pending, as it is and after its storage was overwritten")
{
    const unit::fresh wheel(1000);
    timer_list timers[3] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, 1005);
    }
    tickwheel_timer_setup(&timers[1], unit::note, 0);
    CHECK(reported("tickwheel_timer_setup: pending", &timers[1]));
    CHECK_EQ(tickwheel_timer_pending(&timers[1]), 1);
    // What the timer itself says is not believed. The walk goes on over it only if its links are as they were.
    const timer_list before = timers[1];
    timers[1].prev = nullptr;
    timers[1].set_up = 0;
    timers[1].function = nullptr;
    tickwheel_timer_setup(&timers[1], unit::note, 0);
    CHECK(reported("tickwheel_timer_setup: pending", &timers[1]));
    timers[1] = {};
    tickwheel_timer_setup(&timers[1], unit::note, 0);
    CHECK(reported("tickwheel_timer_setup: pending", &timers[1]));
    timers[1] = before;
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(5), 3u);
}

TEST_CASE("misuse: armed again after it was made anew while pending: nothing is armed, and the wheel goes on")
{
    for (unsigned which = 0; which < 3; ++which) {
        for (unsigned what = 0; what < 3; ++what) {
            const unit::fresh wheel(1000);
            other_wheel.init(1000);
            timer_list timers[3] = {};
            const bool other = what == 2;
            for (timer_list &timer : timers) {
                tickwheel_timer_setup(&timer, unit::note, 0);
                (void)(other ? other_wheel.mod_timer(&timer, 1005) : tickwheel_mod_timer(&timer, 1005));
            }
            timer_list &broken = timers[which];
            const timer_list before = broken;
            if (what == 0) {
                broken.prev = nullptr;
            } else {
                broken = tickwheel::timer_initializer(unit::note, 0);
            }
            const auto check_arm = [&](int returned) {
                CHECK_EQ(returned, 0);
                CHECK(reported(held_idle, &broken));
            };
            if (other) {
                check_arm(other_wheel.mod_timer(&broken, 1006));
                check_arm(other_wheel.timer_reduce(&broken, 1006));
                check_arm(other_wheel.mod_timer_idle(&broken, 1006));
                check_arm(other_wheel.mod_timer_pending(&broken, 1006));
            } else {
                check_arm(tickwheel_mod_timer(&broken, 1006));
                check_arm(tickwheel_timer_reduce(&broken, 1006));
                check_arm(tickwheel_mod_timer_idle(&broken, 1006));
                check_arm(tickwheel_mod_timer_pending(&broken, 1006));
                check_arm((tickwheel_add_timer(&broken), 0));
            }
            broken = before;
            CHECK_EQ(unit::wheel_fault(), unit::no_fault);
            CHECK_EQ((other ? (other_wheel.advance(5), other_wheel.run()) : unit::pass(5)), 3u);
            CHECK_EQ(unit::misused, 0u);
        }
    }
}

TEST_CASE("misuse: a list that runs into itself, or is cut, ends each walk of other timers' calls, and is reported")
{
    const unit::fresh wheel(1000);
    timer_list timers[3] = {};
    timer_list idle = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, 1005);
    }
    for (unsigned into = 0; into < 3; ++into) {
        timers[2].next = &timers[into];
        tickwheel_timer_setup(&idle, unit::note, 0);
        CHECK(reported(links, &timers[0]));
        // Not its misuse, so it is armed.
        CHECK_EQ(tickwheel_mod_timer(&idle, 1007), 0);
        CHECK(reported(links, &timers[0]));
        CHECK_EQ(tickwheel_timer_delete(&idle), 1);
        timer_list to = {};
        tickwheel_timer_move(&idle, &to);
        CHECK(reported(links, &timers[0]));
    }
    timers[2].next = nullptr;
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(5), 3u);
    CHECK_EQ(unit::misused, 0u);
}

TEST_CASE("misuse: links that were overwritten are found by a move and a removal of any timer of the slot")
{
    const unit::fresh wheel(1000);
    timer_list timers[3] = {};
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, unit::note, 0);
        tickwheel_mod_timer(&timer, 1005);
    }
    unsigned found = 0;
    for (timer_list &broken : timers) {
        const timer_list before = broken;
        for (unsigned what = 0; what < 4; ++what) {
            switch (what) {
            case 0:
                broken.prev = &broken;
                break;
            case 1:
                broken.next = &timers[0];
                break;
            case 2:
                broken.next = broken.next != nullptr ? nullptr : &timers[1];
                break;
            default:
                broken.slot = static_cast<uint16_t>(broken.slot + 1);
                break;
            }
            for (timer_list &timer : timers) {
                unit::forget();
                CHECK_EQ(tickwheel_timer_delete(&timer), 0);
                CHECK_EQ(unit::misused, 1u);
                CHECK((same_text(unit::misuse, links) || same_text(unit::misuse, not_in_this_wheel)));
                found += same_text(unit::misuse, links);
                CHECK_EQ(tickwheel_mod_timer(&timer, 1007), 0);
                CHECK_EQ(unit::misused, 2u);
            }
            broken = before;
        }
    }
    CHECK(found > 20);
    unit::forget();
    CHECK_EQ(unit::wheel_fault(), unit::no_fault);
    CHECK_EQ(unit::pass(5), 3u);
    CHECK_EQ(unit::misused, 0u);
}

namespace
{

// In as many ways as this, one timer of three.
constexpr unsigned ways = 9;
void overwrite(timer_list (&timers)[3], timer_list &broken, unsigned way)
{
    switch (way) {
    case 0:
    case 1:
    case 2:
        broken.next = &timers[way];
        break;
    case 3:
        broken.next = nullptr;
        break;
    case 4:
    case 5:
    case 6:
        broken.prev = &timers[way - 4];
        break;
    case 7:
        broken.slot = static_cast<uint16_t>(broken.slot + 1);
        break;
    default:
        // As if it were set up again.
        broken.next = nullptr;
        broken.prev = nullptr;
        broken.slot = 0;
        break;
    }
}

bool same_links(const timer_list &a, const timer_list &b)
{
    return a.next == b.next && a.prev == b.prev && a.slot == b.slot;
}

// The same three timers of one slot, broken in each way: `look` must end, and report it.
template <class Look>
void check_each_way(jiffies_t tick, unsigned flags, Look look)
{
    for (unsigned which = 0; which < 3; ++which) {
        for (unsigned way = 0; way < ways; ++way) {
            const unit::fresh wheel(1000);
            timer_list timers[3] = {};
            for (timer_list &timer : timers) {
                tickwheel_timer_setup(&timer, unit::note, flags);
                tickwheel_mod_timer(&timer, tick);
            }
            timer_list &broken = timers[which];
            const timer_list before = broken;
            overwrite(timers, broken, way);
            if (!same_links(before, broken)) {
                look(timers, broken, before);
            }
            tickwheel_init(1000);
        }
    }
}

} // namespace

TEST_CASE("misuse: links that were overwritten are found by the run that comes to them, which then drops the slot")
{
    for (unsigned level = 1; level <= 5; ++level) {
        const jiffies_t tick = level == 1 ? 1005 : 1000 + (3u << unit::slot_bits(level));
        check_each_way(tick, 0, [&](timer_list(&)[3], timer_list &, const timer_list &) {
            (void)unit::skip_to(tick);
            CHECK_EQ(unit::misused, 1u);
            CHECK(same_text(unit::misuse, links));
            CHECK(unit::fired <= 3);
            CHECK_EQ(unit::walk_wheel(true).timers, 0u);
            // And goes on.
            unit::forget();
            timer_list timer = {};
            tickwheel_timer_setup(&timer, unit::note, 0);
            tickwheel_mod_timer(&timer, tick + 5);
            CHECK_EQ(unit::pass(5), 1u);
            CHECK_EQ(unit::misused, 0u);
        });
    }
}

TEST_CASE("misuse: a timer that lost its function is not called")
{
    const unit::fresh wheel(1000);
    timer_list timer = {};
    tickwheel_timer_setup(&timer, unit::note, 0);
    tickwheel_mod_timer(&timer, 1001);
    timer.function = nullptr;
    CHECK_EQ(unit::pass(1), 0u);
    CHECK(reported(links, &timer));
    CHECK_EQ(unit::walk_wheel(true).timers, 0u);
}

TEST_CASE("misuse: next_expiry ends where links were overwritten, and reports those that it has followed")
{
    for (unsigned level = 1; level <= 5; ++level) {
        const jiffies_t tick = level == 1 ? 1005 : 1000 + (3u << unit::slot_bits(level));
        for (unsigned flags = 0; flags <= TICKWHEEL_TIMER_DEFERRABLE; ++flags) {
            check_each_way(tick, flags, [&](timer_list(&timers)[3], timer_list &broken, const timer_list &before) {
                jiffies_t next = 0;
                CHECK_EQ(tickwheel_next_expiry(&next), flags == 0);
                CHECK((flags != 0 || next == tick));
                // Of a list that ends early it sees nothing, nor of the first timer's prev and slot; of a slot of tv1
                // it wants one tick only.
                const bool all = level != 1 || flags != 0;
                const bool leads_astray = broken.next != before.next && broken.next != nullptr;
                CHECK((unit::misused == 1 || !(all && leads_astray)));
                CHECK((unit::misused == 1 || !all || &broken == &timers[0] ||
                       (broken.prev == before.prev && broken.slot == before.slot)));
                CHECK((unit::misused == 0 || (unit::misused == 1 && same_text(unit::misuse, links))));
            });
        }
    }
}

TEST_CASE("misuse: moved onto a pending timer: nothing is done")
{
    const unit::fresh wheel(1000);
    unit::noted a;
    unit::noted b;
    tickwheel_mod_timer(&a, 1005);
    tickwheel_mod_timer(&b, 1007);
    tickwheel_timer_move(&a, &b);
    CHECK(reported("tickwheel_timer_move: onto a pending timer", &b));
    CHECK_EQ(unit::walk_wheel(true).timers, 2u);
    CHECK_EQ(unit::pass(7), 2u);
}

TEST_CASE("misuse: a scoped timer moved onto a pending one stays what it was")
{
    struct counts_up {
        unsigned *calls;
        void operator()() const
        {
            ++*calls;
        }
    };
    using scoped = tickwheel::scoped_timer<tickwheel::closure_timer<counts_up>>;
    const unit::fresh wheel(1000);
    static unsigned calls;
    alignas(scoped) static unsigned char storage[2][sizeof(scoped)];
    calls = 0;
    scoped *const from = new (storage[0]) scoped(counts_up{&calls});
    scoped *const to = new (storage[1]) scoped(counts_up{&calls});
    (void)from->start_at(1005);
    (void)to->start_at(1007);
    (void)new (storage[1]) scoped(static_cast<scoped &&>(*from));
    CHECK(reported("tickwheel_timer_move: onto a pending timer", to));
    CHECK(from->pending());
    CHECK_EQ(unit::pass(6), 1u);
    CHECK_EQ(calls, 1u);
    // What was made anew while it was pending has left its slot broken.
    tickwheel_init(1010);
}

TEST_CASE("misuse: moved in its own callback: what the callback does to the old place is lost")
{
    const unit::fresh wheel(1000);
    static timer_list to;
    timer_list from = {};
    tickwheel_timer_setup(
        &from,
        [](timer_list *self) {
            tickwheel_timer_move(self, &to);
            CHECK(reported("tickwheel_timer_move: its callback is running", self));
        },
        0);
    tickwheel_mod_timer(&from, 1001);
    CHECK_EQ(unit::pass(3), 1u);
    CHECK_EQ(tickwheel_timer_pending(&to), 0);
    to.function = unit::note;
    CHECK_EQ(tickwheel_mod_timer(&to, 1005), 0);
    CHECK_EQ(unit::pass(3), 1u);
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

TEST_CASE("misuse: advance by 2^31 or more is reported")
{
    const unit::fresh wheel(1000);
    (void)tickwheel_advance(0x80000000u);
    CHECK_EQ(unit::misused, 1u);
    tickwheel_init(1000);
}
#endif
