// SPDX-License-Identifier: MIT
// The stress test. Five contexts work on the same timers as fast as they can: the
// main loop, PendSV, SysTick, which ticks, and two interrupts. A timer of the board
// lets each of the two in after any number of instructions. Callbacks work too, in
// the context that runs the wheel. Only the wheel's own lock protects the wheel.
//
// The calls' results must add up: a timer was armed as often as it was cancelled or
// has fired, and once more while it is pending. Each answer and the order of firing
// are predicted for some timers (watched.hpp). Every few thousand operations the
// main loop stops all others, walks the wheel and adds up (checker.hpp).
#include "../../support/command_line.hpp"
#include "checker.hpp"

namespace stress
{

uint32_t watcher_came;
uint32_t watcher_in_lock;

/// An interrupt, from its entry to its end.
class visit {
public:
    explicit visit(context who) : self(states[who])
    {
        unsigned operations = 0;
        unsigned contexts = 1;
        for (unsigned i = 0; i < who; ++i) {
            operations += states[i].inside;
            contexts += states[i].active;
        }
        self.interrupted += operations != 0;
        self.active = true;
        self.most_operations = operations > self.most_operations ? operations : self.most_operations;
        self.most_contexts = contexts > self.most_contexts ? contexts : self.most_contexts;
    }
    ~visit()
    {
        self.active = false;
    }
    visit(const visit &) = delete;
    visit &operator=(const visit &) = delete;
    state &self;
};

/// Mostly one tick, sometimes those of a sleep. The ticks owed must stay below 2^31.
uint32_t ticks_passed(state &self)
{
    const uint32_t which = self.below(256);
    if (which >= 16) {
        return 1;
    }
    if (which >= 4) {
        return 1 + self.below(16);
    }
    const bool nothing_owed = tickwheel_slots.running == nullptr && before(jiffies, tickwheel_clock.next_event);
    if (which >= 1 || !nothing_owed) {
        return 1 + self.below(2000);
    }
    return self.numbers.next() >> (6 + self.below(16));
}

/// Runs the wheel here.
void tick_and_run(state &self)
{
    const bool refused = tickwheel_slots.running != nullptr;
    const uint32_t fired = self.fired;
    owed = false;
    barrier();
    const unsigned ran = unmasked(self, [] { return tickwheel_interrupt(); });
    check(ran == self.fired - fired, "tickwheel_interrupt returned a wrong number of callbacks");
    check(!refused || ran == 0, "a nested run was not refused");
}

/// Lets PendSV run the wheel.
void tick_and_pend(state &self, uint32_t ticks)
{
    const int due = unmasked(self, [=] { return ticks == 1 ? tickwheel_tick() : tickwheel_advance(ticks); });
    // Only a tick makes a timer due, so this still holds at a later read.
    check(due != 0 || tickwheel_slots.running != nullptr || before(jiffies, tickwheel_clock.next_event),
          "a tick returned 0 with work due");
    if (due != 0) {
        owed = true;
        barrier();
        pend_run();
    }
}

void tick(state &self)
{
    const uint32_t ticks = ticks_passed(self);
    counted += ticks;
    if (self.below(4) == 0) {
        provoke(self, 60);
    }
    if (ticks == 1 && self.below(8) == 0) {
        tick_and_run(self);
    } else {
        tick_and_pend(self, ticks);
    }
    check(tickwheel_get_jiffies_64() == counted, "get_jiffies_64 is not the sum of the ticks");
}

/// The instructions until an interrupt comes again, an odd number. The main loop must keep up with the others.
uint32_t pause(state &self, uint32_t shortest, uint32_t longest)
{
    const uint32_t more = self.operations > states[main_loop].operations ? 8000 : 0;
    return longest_entry + shortest + 2 * self.below((longest + more - shortest) / 2);
}

extern "C" void SysTick_Handler()
{
    systick_stop();
    visit now(in_systick);
    tick(now.self);
    work(now.self);
    systick_start_once(counts(pause(now.self, 97, 401)));
}

extern "C" void PendSV_Handler()
{
    visit now(in_pendsv);
    // The main loop runs the other half. All other contexts can interrupt it there.
    if (now.self.below(2) != 0) {
        (void)run_wheel(now.self, true);
    }
    work(now.self);
}

extern "C" void STRESS_LOW_HANDLER()
{
    timer_stop(low);
    visit now(in_low);
    work(now.self);
    timer_start(low, pause(now.self, 151, 1001));
}

extern "C" void STRESS_HIGH_HANDLER()
{
    timer_stop(high);
    visit now(in_high);
    work(now.self);
    timer_start(high, pause(now.self, 101, 801));
}

/// A lock may not mask this interrupt, so it may only read jiffies.
extern "C" void STRESS_WATCHER_HANDLER()
{
    static jiffies_t last = jiffies;
    timer_stop(watcher);
    ++watcher_came;
    watcher_in_lock += came_masked() && !masked_here;
    const jiffies_t now = jiffies;
    check(!before(now, last), "jiffies went back");
    last = now;
    timer_start(watcher, 301 + 8 * (watcher_came % 509));
}

void start()
{
    for (unsigned i = 0; i < context_count; ++i) {
        states[i].numbers.state = 0x9E3779B9u * (i + 1);
        states[i].seen = tickwheel_get_jiffies_64();
    }
    states[main_loop].active = true;
    counted = tickwheel_get_jiffies_64();
    for (unsigned i = 0; i < timer_count; ++i) {
        set_up(i);
    }
    interrupts_init();
    systick_start_once(counts(97));
    timer_start(low, 331);
    timer_start(high, 217);
    timer_start(watcher, 401);
}

void report()
{
    uint32_t checksum = 0;
    unsigned operations = 0;
    unsigned contexts = 0;
    print("    operations      armed  cancelled      fired    refused  interrupted another's\n");
    for (unsigned i = 0; i < context_count; ++i) {
        const state &is = states[i];
        checksum = checksum * 31 + is.checksum;
        operations = is.most_operations > operations ? is.most_operations : operations;
        contexts = is.most_contexts > contexts ? is.most_contexts : contexts;
        print("    ", padded{is.operations, 10}, padded{is.armed, 11}, padded{is.cancelled, 11}, padded{is.fired, 11},
              padded{is.refused, 11}, padded{is.interrupted, 11}, "  ", context_names[i], "\n");
    }
    print("    nested at most: contexts ", contexts, ", interrupted operations ", operations, "; above the lock ",
          watcher_came, ", of these while it was held ", watcher_in_lock, "; checksum ", checksum, "\n");
    check(contexts == context_count && operations > 1, "the contexts did not interrupt each other");
}

int main()
{
    (void)board::init();
    const uint32_t wanted = number_from_command_line();
    constexpr uint32_t stretch = 4000;
    uint32_t next_stand = stretch;
    start();
    state &self = states[main_loop];
    for (uint32_t done = 0; done < wanted; done = all_operations()) {
        work(self);
        if (owed) {
            (void)run_wheel(self, true);
        }
        check_nothing_is_lost();
        if (self.operations % 64 == 0) {
            hot = self.below(first_own - 4);
        }
        if (static_cast<int32_t>(done - next_stand) >= 0) {
            next_stand += stretch;
            stand_still();
        }
    }
    set_mask(true);
    check_sums();
    drain();
    report();
    if (watcher_above_lock) {
        check(watcher_in_lock != 0, "the lock held off an interrupt above it");
    } else {
        check(watcher_in_lock == 0, "an interrupt came while they were masked");
    }
    end_stretch();
    finish();
}

} // namespace stress

int main()
{
    return stress::main();
}
