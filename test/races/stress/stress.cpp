// SPDX-License-Identifier: MIT
// The stress test. Five contexts work on the same timers as fast as they can: the main loop, an interrupt that runs
// the wheel, one that ticks, and one below and one above the tick. An alarm lets each in after any number of
// instructions (lines.hpp). Callbacks work too, in the context that runs the wheel. Only the wheel's own lock
// protects the wheel.
//
// The calls' results must add up: a timer was armed as often as it was cancelled or has fired, and once more while it
// is pending. Each answer and the order of firing are predicted for some timers (watched.hpp). Every few thousand
// operations the main loop stops all others, walks the wheel and adds up (checker.hpp).
#include "../../support/command_line.hpp"
#include "checker.hpp"

namespace stress
{

uint32_t alarms;
uint32_t alarms_in_lock;

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
    const bool nothing_owed = tickwheel_slots.running == nullptr && before(jiffies, tickwheel_clock.next_run);
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

/// Lets the runner run the wheel.
void tick_and_pend(state &self, uint32_t ticks)
{
    const int due = unmasked(self, [=] { return ticks == 1 ? tickwheel_tick() : tickwheel_advance(ticks); });
    // Only a tick makes a timer due, so this still holds at a later read.
    check(due != 0 || tickwheel_slots.running != nullptr || before(jiffies, tickwheel_clock.next_run),
          "a tick returned 0 with work due");
    if (due != 0) {
        owed = true;
        barrier();
        raise(in_runner);
    }
}

void tick(state &self)
{
    const uint32_t ticks = ticks_passed(self);
    counted += ticks;
    if (ticks == 1 && self.below(8) == 0) {
        tick_and_run(self);
    } else {
        tick_and_pend(self, ticks);
    }
    check(tickwheel_get_jiffies_64() == counted, "get_jiffies_64 is not the sum of the ticks");
}

/// Lets this interrupt come again after an odd number of instructions. The main loop must keep up with the others.
void come_again(context who, uint32_t shortest, uint32_t longest)
{
    state &self = states[who];
    const uint32_t more = self.operations > states[main_loop].operations ? 40000 : 0;
    raise_after(who, shortest + 2 * self.below((longest + more - shortest) / 2));
}

void enter(context who)
{
    const visit now(who);
    if (who == in_tick) {
        tick(now.self);
    } else if (who == in_runner && now.self.below(2) != 0) {
        // The main loop runs the other half. All other contexts can interrupt it there.
        (void)run_wheel(now.self, true);
    }
    work(now.self);
    if (who != in_runner) {
        come_again(who, who == in_low ? 151 : 97, who == in_tick ? 401 : who == in_high ? 801 : 1001);
    }
}

/// A lock may not mask the alarm, so it may only read jiffies.
void look_at_alarm()
{
    static jiffies_t last = jiffies;
    ++alarms;
    alarms_in_lock += alarm_came_masked() && !masked_here;
    const jiffies_t now = jiffies;
    check(!before(now, last), "jiffies went back");
    last = now;
    set_alarm(alarm_passed());
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
    enable_lines();
    raise_after(in_tick, 97);
    raise_after(in_low, 331);
    raise_after(in_high, 217);
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
    print("    nested at most: contexts ", contexts, ", interrupted operations ", operations, "; alarms ", alarms,
          ", of these while the lock was held ", alarms_in_lock, "; checksum ", checksum, "\n");
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
    check((alarms_in_lock != 0) == alarm_above_lock, "the lock held off the alarm above it, or let in one below");
    end_stretch();
    finish();
}

} // namespace stress

int main()
{
    return stress::main();
}
