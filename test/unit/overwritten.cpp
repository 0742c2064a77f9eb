// SPDX-License-Identifier: MIT
// Debug builds: a pending timer's memory is overwritten, and then each call is made. The result is a report or a
// defined result, never a fault, a hang, or a write through an unchecked link. Timers of other slots fire on time.
#include <initializer_list>

#include <tickwheel/timer.hpp>
#include <wheel/debug.hpp>

#include "support.hpp"

#if TICKWHEEL_DEBUG

namespace
{

enum who : unsigned { oldest, middle, youngest, alone };

constexpr unsigned slot_timers = 4;
timer_list timers[slot_timers];
timer_list newcomer;
timer_list bystanders[3];

unsigned bystanders_in_time;

void note_in_time(timer_list *timer)
{
    bystanders_in_time += timer->expires == unit::now();
}

void set_up_and_arm(timer_list &timer, void (*function)(timer_list *), jiffies_t tick, unsigned flags = 0)
{
    timer = {};
    tickwheel_timer_setup(&timer, function, flags);
    (void)tickwheel_mod_timer(&timer, tick);
}

template <unsigned char Byte>
void fill(timer_list &victim, timer_list &)
{
    __builtin_memset(static_cast<void *>(&victim), Byte, sizeof victim);
}

// The ways to overwrite a timer. The second argument is the oldest timer of its slot.
void (*const overwrites[])(timer_list &, timer_list &) = {
    fill<0xA5>,
    fill<0xFF>,
    fill<0>,
    [](timer_list &victim, timer_list &) { victim.next = &victim; },
    [](timer_list &victim, timer_list &) { victim.prev = victim.prev == &victim ? nullptr : &victim; },
    [](timer_list &victim, timer_list &first) { victim.next = &first; },
    [](timer_list &victim, timer_list &) { victim = tickwheel::timer_initializer(unit::note, 0); },
    [](timer_list &victim, timer_list &) { victim.expires += 1; },
    [](timer_list &victim, timer_list &) { victim.function = nullptr; },
    [](timer_list &victim, timer_list &) { victim.deferrable ^= TICKWHEEL_TIMER_DEFERRABLE; },
    [](timer_list &victim, timer_list &first) { victim = &victim == &first ? bystanders[0] : first; },
};
constexpr unsigned overwrite_count = sizeof overwrites / sizeof overwrites[0];

// The timers of a test: the overwritten one, and all `count` of its slot, armed for `tick`.
struct scene {
    timer_list *victim;
    unsigned count;
    jiffies_t tick;
};

void (*const calls[])(const scene &) = {
    [](const scene &) {},
    [](const scene &in) { (void)tickwheel_mod_timer(in.victim, in.tick + 3); },
    [](const scene &in) { (void)tickwheel_mod_timer(in.victim, in.tick); },
    [](const scene &in) { tickwheel_add_timer(in.victim); },
    [](const scene &in) { (void)tickwheel_mod_timer_pending(in.victim, in.tick + 3); },
    [](const scene &in) { (void)tickwheel_mod_timer_idle(in.victim, in.tick + 3); },
    [](const scene &in) { (void)tickwheel_timer_reduce(in.victim, unit::now() + 1); },
    [](const scene &in) { (void)tickwheel_timer_delete(in.victim); },
    [](const scene &in) { (void)tickwheel_try_to_del_timer_sync(in.victim); },
    [](const scene &in) { (void)tickwheel_timer_delete_sync(in.victim); },
    [](const scene &in) { (void)tickwheel_timer_shutdown(in.victim); },
    [](const scene &in) { (void)tickwheel_timer_shutdown_sync(in.victim); },
    [](const scene &in) { (void)tickwheel_timer_pending(in.victim); },
    [](const scene &in) {
        tickwheel::shared_word deadline(unit::now() + 1);
        tickwheel::tickwheel_arm_if_deadline_is_(in.victim, deadline, &deadline);
    },
    [](const scene &in) {
        tickwheel::shared_word word(0);
        (void)tickwheel::tickwheel_arm_idle_with_(in.victim, in.tick + 3, unit::note, &word, 0);
    },
    [](const scene &in) { set_up_and_arm(*in.victim, unit::note, in.tick + 3); },
    [](const scene &in) { set_up_and_arm(*in.victim, unit::note, in.tick); },
    // Its neighbours are deleted or moved.
    [](const scene &in) {
        for (unsigned i = 0; i < in.count; ++i) {
            (void)tickwheel_timer_delete(&timers[i]);
        }
    },
    [](const scene &in) {
        for (unsigned i = 0; i < in.count; ++i) {
            (void)tickwheel_mod_timer(&timers[i], in.tick + 1);
        }
    },
    [](const scene &in) { set_up_and_arm(newcomer, unit::note, in.tick); },
    [](const scene &) {
        jiffies_t tick = 0;
        CHECK_EQ(tickwheel_next_expiry(&tick), 1);
        CHECK_EQ(tickwheel_next_event(&tick), 1);
    },
};
constexpr unsigned call_count = sizeof calls / sizeof calls[0];

// Arms timers for one slot of this level and overwrites one of them. The wheel is at 1000.
scene one_overwritten(unsigned level, who which, unsigned with, unsigned flags)
{
    const jiffies_t tick = 1000 + (level == 1 ? 10 : 2u << unit::slot_bits(level));
    const unsigned count = which == alone ? 1 : slot_timers;
    for (unsigned i = 0; i < count; ++i) {
        set_up_and_arm(timers[i], unit::note, tick, flags);
    }
    timer_list &victim = timers[which == middle ? 1 : which == youngest ? count - 1 : 0];
    overwrites[with](victim, timers[0]);
    return {&victim, count, tick};
}

// One case. True when something was reported, and all else is as it should be.
bool ends_well(unsigned level, who which, unsigned with, unsigned call)
{
    const unit::fresh wheel(1000);
    const jiffies_t width = 1u << unit::slot_bits(level);
    const jiffies_t tick = 1000 + (level == 1 ? 10 : 2 * width);
    bystanders_in_time = 0;
    set_up_and_arm(bystanders[0], note_in_time, 1001);
    set_up_and_arm(bystanders[1], note_in_time, tick + width);
    set_up_and_arm(bystanders[2], note_in_time, tick + 5 * width);
    newcomer = {};
    calls[call](one_overwritten(level, which, with, 0));
    (void)unit::skip_to(1001);
    (void)unit::skip_to(tick + width);
    (void)unit::skip_to(tick + 5 * width);
    const unit::walk left = unit::walk_wheel(true);
    return unit::misused >= 1 && (unit::is_a_list || bystanders_in_time == 3) && left.timers == 0 &&
           left.found == unit::no_fault;
}

// requirement: TW-40
TEST_CASE("a timer that is overwritten while pending ends in a report, and other slots fire on time")
{
    for (unsigned level = 1; level <= 5; ++level) {
        for (const who which : {oldest, middle, youngest, alone}) {
            for (unsigned with = 0; with < overwrite_count; ++with) {
                for (unsigned call = 0; call < call_count; ++call) {
                    const jiffies_t where = which * 10000 + with * 100 + call;
                    CHECK_EQ(unit::moment{level, where, ends_well(level, which, with, call)},
                             unit::moment{level, where, 1});
                }
            }
        }
    }
}

TEST_CASE("next_expiry reports a slot with an overwritten timer, and continues behind it; in a list it ends there")
{
    for (unsigned level = 1; level <= 5; ++level) {
        for (const who which : {oldest, middle, youngest, alone}) {
            for (unsigned with = 0; with < overwrite_count; ++with) {
                const unit::fresh wheel(1000);
                bystanders[0] = {};
                const jiffies_t later = 1000 + (level == 1 ? 11 : 3u << unit::slot_bits(level));
                set_up_and_arm(bystanders[1], unit::note, later);
                // Deferrable, so that the search passes over all of them.
                const scene in = one_overwritten(level, which, with, TICKWHEEL_TIMER_DEFERRABLE);
                jiffies_t answer = 0;
                CHECK_EQ(tickwheel_next_expiry(&answer), !unit::is_a_list);
                CHECK_EQ(answer, unit::is_a_list ? 0 : later);
                CHECK_EQ(unit::misused, 1u);
                CHECK_EQ(tickwheel_next_event(&answer), 1);
                CHECK((answer == in.tick || !unit::is_a_list));
                CHECK_EQ(tickwheel_timer_delete(&bystanders[1]), !unit::is_a_list || which < youngest);
                (void)unit::skip_to(in.tick);
                CHECK_EQ(unit::walk_wheel(true).timers, 0u);
            }
        }
    }
}

// A pending timer gets back the bytes that it had earlier. Its seal is right then, and its links are old.
struct restored : unit::fresh {
    static constexpr jiffies_t tick = 1010;

    restored() : fresh(1000)
    {
    }
    // The timers from `first` to before `end`.
    static void arm(unsigned first, unsigned end)
    {
        for (unsigned i = first; i < end; ++i) {
            set_up_and_arm(timers[i], unit::note, tick);
        }
    }
    static void rearm(timer_list &timer)
    {
        CHECK_EQ(tickwheel_timer_delete(&timer), 1);
        CHECK_EQ(tickwheel_mod_timer(&timer, tick), 0);
    }
    // Deleting the timer is reported, and the run that comes to the slot ends.
    static void check_delete(timer_list &timer)
    {
        CHECK_EQ(tickwheel_timer_delete(&timer), 0);
        CHECK_EQ(unit::misused, 1u);
        (void)unit::skip_to(tick);
    }
};

TEST_CASE("a timer with an old link to the youngest, to an older or to a younger one is reported")
{
    // The oldest timer of a list has no such link.
    if (!unit::is_a_list) {
        const restored wheel;
        wheel.arm(0, 3);
        const timer_list oldest = timers[0];
        wheel.arm(3, 4);
        timers[0] = oldest;
        wheel.check_delete(timers[0]);
    }
    for (const bool to_older : {true, false}) {
        const restored wheel;
        wheel.arm(0, 4);
        timer_list &victim = timers[to_older ? 2 : 1];
        const timer_list earlier = victim;
        wheel.rearm(timers[to_older ? 1 : 2]);
        victim = earlier;
        wheel.check_delete(victim);
    }
}

TEST_CASE("an arm behind a youngest timer with an old link is reported, and so is a delete from a dropped slot")
{
    {
        const restored wheel;
        wheel.arm(0, 3);
        const timer_list oldest = timers[0];
        const timer_list youngest = timers[2];
        wheel.rearm(timers[1]);
        timers[0] = oldest;
        timers[2] = youngest;
        wheel.arm(3, 4);
        CHECK_EQ(unit::misused, 1u);
        CHECK_EQ(unit::skip_to(restored::tick), 1u);
    }
    const restored wheel;
    wheel.arm(0, 3);
    timers[1].next = nullptr;
    (void)unit::skip_to(restored::tick);
    CHECK_EQ(unit::misused, 1u);
    CHECK_EQ(tickwheel_timer_delete(&timers[2]), 0);
    CHECK_EQ(unit::misused, 2u);
}

constexpr unsigned address_bits = 8 * sizeof(void *);

template <class Pointer>
Pointer flipped(Pointer pointer, unsigned bit)
{
    return reinterpret_cast<Pointer>(reinterpret_cast<uintptr_t>(pointer) ^ uintptr_t{1} << bit);
}

TEST_CASE("a run that meets an overwritten timer reports it as a run, so that a run inside the report does nothing")
{
    const unit::fresh wheel(1000);
    set_up_and_arm(timers[0], unit::note, 1001);
    fill<0xA5>(timers[0], timers[0]);
    CHECK_EQ(unit::pass(1), 0u);
    // A list has lost all its timers, so it ends the run first.
    CHECK((unit::misused == 1 && unit::misused_in_run != unit::is_a_list));
}

TEST_CASE("a seal differs for each bit of the wheel's address, of both links, the function and the slot")
{
    const timer_list timer = tickwheel::timer_initializer(unit::note, 0);
    const void *const wheel = &timer;
    const uint32_t seal = tickwheel::seal_of(&timer, wheel);
    for (unsigned bit = 0; bit < address_bits; ++bit) {
        timer_list changed = timer;
        const uint32_t same = tickwheel::seal_of(&changed, wheel);
        CHECK((tickwheel::seal_of(&timer, flipped(wheel, bit)) != seal));
        changed.next = flipped(changed.next, bit);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
        changed.next = timer.next;
        changed.prev = flipped(changed.prev, bit);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
        changed.prev = timer.prev;
        changed.function = flipped(changed.function, bit);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
        changed.function = timer.function;
        changed.slot = static_cast<uint16_t>(changed.slot ^ 1u << bit % 16);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
    }
}

} // namespace

#endif
