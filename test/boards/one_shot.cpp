// SPDX-License-Identifier: MIT
// One-shot mode on an emulated board. Timers of each kind, some restarted at random, fire neither early nor late.
// Arms for the past fire at once.
#include <initializer_list>

#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>

#include "../support/random.hpp"
#include "frame.hpp"
#include "tickwheel_counter.hpp"

namespace
{

/// Ticks that a callback may be late: some thousand instructions.
constexpr uint32_t allowed = TICKWHEEL_HZ / 20000;

unsigned alarms;
unsigned in_vain;

jiffies_t now()
{
    return tickwheel_current_tick();
}

/// What the callbacks of one timer have seen.
struct log {
    const char *name;
    jiffies_t due = 0;
    unsigned calls = 0;
    unsigned early = 0;
    uint32_t latest = 0;

    void note(jiffies_t tick)
    {
        const uint32_t late = now() - tick;
        ++calls;
        early += late >> 31;
        latest = late >> 31 == 0 && late > latest ? late : latest;
    }
    void tell() const
    {
        report(calls > 20 && early == 0 && latest <= allowed, name, ": ", calls, " calls, ", early,
               " early, at most ", latest, " ticks late");
    }
};

log past{"in the past"};
log fast{"every 100 ticks"};
log slow{"every 1000 ticks"};
log milliseconds{"after 2 ms"};
log once{"at random"};
log quiet{"400 quiet ticks"};
log far{"a long timer"};

tickwheel::timer past_timer{[](timer_list *) { past.note(past.due); }};
tickwheel::periodic_timer fast_timer{[](auto &timer) { fast.note(timer.expires()); }};
tickwheel::periodic_timer slow_timer{[](auto &timer) { slow.note(timer.expires()); }};
tickwheel::timer millisecond_timer{[](timer_list *) { milliseconds.note(milliseconds.due); }};
tickwheel::timer once_timer{[](timer_list *) { once.note(once.due); }};
tickwheel::inactivity_timer quiet_timer{[] { quiet.note(quiet.due); }};
tickwheel::long_timer far_timer{[] { far.note(far.due); }};

void spend(uint32_t ticks)
{
    for (const jiffies_t from = now(); now() - from < ticks;) {
    }
}

} // namespace

extern "C" void COUNTER_HANDLER()
{
    tickwheel_counter::clear_alarm();
    ++alarms;
    in_vain += tickwheel_interrupt() == 0;
}

int main()
{
    (void)board::init();
#ifdef COUNTER_START
    COUNTER_START;
#endif
    tickwheel_counter::enable();
    tickwheel_start();
    for (unsigned i = 0; i < 100; ++i) {
        past.due = now() - 5;
        (void)past_timer.start_at(past.due);
        spend(1000);
        check(past.calls == i + 1, "an arm for the past fires");
    }
    past.tell();
    alarms = in_vain = 0;
    random_numbers numbers;
    fast_timer.start_after_ticks(100, 100);
    slow_timer.start_after_ticks(1000, 1000);
    for (const jiffies_t from = now(); now() - from < 300000;) {
        if (!millisecond_timer.pending()) {
            milliseconds.due = now() + TICKWHEEL_HZ / 500;
            (void)tickwheel_start_after_ms(&millisecond_timer, 2);
        }
        if (!once_timer.pending()) {
            const uint32_t delay = numbers.below(3000);
            once.due = now() + delay;
            (void)once_timer.start_after_at_least(delay);
        }
        if (!far_timer.pending()) {
            far.due = now() + 5000;
            (void)far_timer.start_after_at_least(5000);
        }
        {
            const tickwheel::lock_guard<tickwheel::port_lock> lock;
            quiet.due = now() + 400;
            quiet_timer.restart_after_at_least(400);
        }
        spend(numbers.below(600));
        check(static_cast<jiffies_t>(tickwheel_get_jiffies_64()) - now() + 100 < 200, "both times agree");
    }
    const unsigned calls = fast.calls + slow.calls + milliseconds.calls + once.calls + quiet.calls + far.calls;
    for (const log *each : {&fast, &slow, &milliseconds, &once, &quiet, &far}) {
        each->tell();
    }
    report(alarms < calls + calls / 4, calls, " callbacks, ", alarms, " interrupts, ", in_vain, " of them in vain");
    end_checks();
}
