// SPDX-License-Identifier: MIT
// A timer shell on the board's console: type `help`. An interrupt counts the ticks and runs the callbacks. Each
// callback checks its tick and leaves a record. The loop in main() prints the records between the lines that somebody
// types.
#include <tickwheel/lock.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"
#include "demo.hpp"

namespace
{

using masked = tickwheel::locked<tickwheel::port_lock>;

constexpr uint32_t longest_delay = 0x7FFFFFFF;
/// Timers have the numbers 1 to `timer_count`.
constexpr unsigned timer_count = 8;

struct numbered_timer : timer_list {
    /// A copy of the tick for the check, which does not trust `expires`: the wheel holds that.
    jiffies_t asked;
    /// Ticks between firings; 0 fires once.
    jiffies_t period;
};
numbered_timer timers[timer_count];

struct firing {
    unsigned number;
    jiffies_t asked;
    jiffies_t got;
};
/// The last firings. Those from `printed` on are still to be printed.
constexpr uint32_t kept = 16;
firing firings[kept];
uint32_t fired;
uint32_t printed;
uint32_t in_wrong_tick;

/// The lines of the demonstration that are still to run.
constexpr const char *const *end_of_demo = demo_lines + sizeof demo_lines / sizeof *demo_lines;
const char *const *demo_line = end_of_demo;
/// No line is read before this tick.
jiffies_t next_line_at = TICKWHEEL_INITIAL_JIFFIES;

unsigned number_of(const numbered_timer &timer)
{
    return static_cast<unsigned>(&timer - timers) + 1;
}

/// In a callback, or masked: the timer must not fire before its tick is noted.
void arm_at(numbered_timer &timer, jiffies_t expires)
{
    timer.asked = expires;
    (void)tickwheel_mod_timer(&timer, expires);
}

void on_expiry(timer_list *expired)
{
    numbered_timer &timer = *static_cast<numbered_timer *>(expired);
    firings[fired++ % kept] = {number_of(timer), timer.asked, jiffies};
    in_wrong_tick += jiffies != timer.asked;
    if (timer.period != 0) {
        // From the tick that was asked for, not from now, so there is no drift.
        arm_at(timer, timer.asked + timer.period);
    }
}

/// Of the tick, since the start.
uint32_t milliseconds(jiffies_t tick)
{
    return tickwheel_jiffies_to_msecs(tick - TICKWHEEL_INITIAL_JIFFIES);
}

/// Takes the oldest firing that is to be printed. @return false if there is none
bool take(firing &record)
{
    const masked interrupts;
    if (fired == printed) {
        return false;
    }
    // Newer ones have overwritten the others.
    printed = fired - printed > kept ? fired - kept : printed;
    record = firings[printed++ % kept];
    return true;
}

void print_firings()
{
    firing one = {};
    // Input must have its turn, so this prints a limited number at once.
    for (unsigned i = 0; i < kept && take(one); ++i) {
        print("  ", milliseconds(one.got), " ms: timer ", one.number, " fired at tick ", one.got);
        if (one.got == one.asked) {
            print(", as asked\n");
        } else {
            print(", WRONG: asked for ", one.asked, "\n");
        }
    }
}

// --- The commands. T is the number of a timer, N a number of ticks.

struct arguments {
    numbered_timer *timer;
    uint32_t ticks;
};

void print_state(const numbered_timer &timer, jiffies_t now)
{
    print("timer ", number_of(timer), " fires after ", timer.asked - now, " ticks, at tick ", timer.asked);
    if (timer.period != 0) {
        print(", then every ", timer.period, " ticks");
    }
    print("\n");
}

void arm(numbered_timer &timer, uint32_t ticks, uint32_t period)
{
    jiffies_t now = 0;
    {
        // A tick between the reading of the clock and the arm would make a delay of 1 late.
        const masked interrupts;
        now = jiffies;
        timer.period = period;
        arm_at(timer, now + ticks);
    }
    print_state(timer, now);
}

void arm_free_timer(uint32_t ticks, uint32_t period)
{
    for (numbered_timer &timer : timers) {
        if (tickwheel_timer_pending(&timer) == 0) {
            arm(timer, ticks, period);
            return;
        }
    }
    print("no timer is free: all ", timer_count, " are armed\n");
}

void after(const arguments &given)
{
    arm_free_timer(given.ticks, 0);
}

void every(const arguments &given)
{
    arm_free_timer(given.ticks, given.ticks);
}

bool is_armed(const numbered_timer &timer)
{
    const bool armed = tickwheel_timer_pending(&timer) != 0;
    if (!armed) {
        print("timer ", number_of(timer), " is not armed\n");
    }
    return armed;
}

void mod(const arguments &given)
{
    if (is_armed(*given.timer)) {
        arm(*given.timer, given.ticks, given.timer->period);
    }
}

void del(const arguments &given)
{
    if (is_armed(*given.timer)) {
        (void)tickwheel_timer_delete(given.timer);
        print("timer ", number_of(*given.timer), " is deleted\n");
    }
}

void list(const arguments & /*none*/)
{
    const jiffies_t now = jiffies; // the same for all rows
    print("now: tick ", now, ", ", milliseconds(now), " ms\n");
    for (const numbered_timer &timer : timers) {
        if (tickwheel_timer_pending(&timer) != 0) {
            print_state(timer, now);
        }
    }
}

/// Lets all ticks pass at once before the one in which the next timer fires.
void skip(const arguments & /*none*/)
{
    {
        const masked interrupts;
        jiffies_t next = 0;
        if (tickwheel_next_expiry_locked(&next, timer_count) != 0 && tickwheel_advance(next - 1 - jiffies) != 0) {
            (void)tickwheel_run();
        }
        next_line_at = jiffies;
    }
    print("now: tick ", next_line_at, "\n");
}

void wait(const arguments &given)
{
    next_line_at = jiffies + given.ticks;
}

void demo(const arguments & /*none*/)
{
    demo_line = demo_lines;
}

[[noreturn]] void quit(const arguments & /*none*/)
{
    for (numbered_timer &timer : timers) {
        (void)tickwheel_timer_delete(&timer);
    }
    print_firings();
    print(fired, " fired, ", in_wrong_tick, " of them in a wrong tick\n");
    board::exit(in_wrong_tick != 0);
}

void help(const arguments & /*none*/);

struct command {
    /// The name, then T or N for each argument.
    const char *usage;
    void (*run)(const arguments &);
    const char *help;
};

constexpr command commands[] = {
    {"demo", demo, "shows what timers do, in five seconds"},
    {"after N", after, "arms a timer that fires once, N ticks from now"},
    {"every N", every, "arms a timer that fires every N ticks"},
    {"mod T N", mod, "moves timer T: it fires N ticks from now"},
    {"del T", del, "deletes timer T"},
    {"list", list, "lists the armed timers"},
    {"skip", skip, "lets time pass at once until a timer is about to fire"},
    {"wait N", wait, "reads the next line N ticks from now"},
    {"help", help, "shows this text"},
    {"quit", quit, "deletes all timers, says how many have fired, and leaves"},
};

void help(const arguments & /*none*/)
{
    for (const command &each : commands) {
        print(each.usage, ": ", each.help, "\n");
    }
    print("N is 1 to ", longest_delay, ", and ", uint32_t{TICKWHEEL_HZ}, " ticks make a second. T is 1 to ",
          timer_count, ".\n");
}

// --- From a line to its command

/// Moves `text` past a number. @return the number, or 0 if there is none from 1 to `largest`
uint32_t take_number(const char *&text, uint32_t largest)
{
    while (*text == ' ') {
        ++text;
    }
    uint32_t number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
        const uint32_t units = static_cast<uint32_t>(*text - '0');
        if (units > largest || number > (largest - units) / 10) {
            return 0;
        }
        number = number * 10 + units;
    }
    return number;
}

/// @return false if the line names another command
bool run_if_named(const command &known, const char *line)
{
    const char *usage = known.usage;
    for (; *usage != 0 && *usage != ' '; ++usage) {
        if (*line++ != *usage) {
            return false;
        }
    }
    if (*line != 0 && *line != ' ') {
        return false;
    }
    arguments given = {};
    bool right = true;
    for (; *usage != 0; ++usage) {
        if (*usage == 'T') {
            const uint32_t number = take_number(line, timer_count);
            right = right && number != 0;
            given.timer = &timers[number != 0 ? number - 1 : 0];
        } else if (*usage == 'N') {
            given.ticks = take_number(line, longest_delay);
            right = right && given.ticks != 0;
        }
    }
    if (right && *line == 0) {
        known.run(given);
    } else {
        print("this command is `", known.usage, "`: `help` says what T and N may be\n");
    }
    return true;
}

void run_line(const char *line)
{
    if (*line == 0 || *line == '#') {
        return;
    }
    for (const command &each : commands) {
        if (run_if_named(each, line)) {
            return;
        }
    }
    print("'", line, "' is not a command: `help` lists the commands\n");
}

/// @return the line that somebody has typed, or nullptr while it has no end
const char *typed_line()
{
    static char text[80];
    static unsigned length;
    constexpr int del_character = 127;
    for (int c = board::console_get(); c >= 0; c = board::console_get()) {
        if (c == '\r' || c == '\n') {
            print("\n");
            text[length] = 0;
            length = 0;
            return text;
        }
        if ((c == '\b' || c == del_character) && length > 0) {
            print("\b \b");
            --length;
        } else if (c >= ' ' && c < del_character && length < sizeof text - 1) {
            text[length++] = static_cast<char>(c);
            board::console_put(static_cast<char>(c));
        }
    }
    return nullptr;
}

/// @return the next line, or nullptr if there is none yet
const char *next_line()
{
    if (demo_line == end_of_demo) {
        return typed_line();
    }
    const char *line = *demo_line++;
    print(*line == '#' ? "" : "> ", line, "\n");
    return line;
}

} // namespace

extern "C" void SysTick_Handler()
{
    (void)tickwheel_interrupt();
}

int main()
{
    (void)board::init();
    for (numbered_timer &timer : timers) {
        tickwheel_timer_setup(&timer, on_expiry, 0);
    }
    print("tickwheel shell: `demo` shows timers, `help` lists the commands, `quit` leaves\n");
    // The clock starts with the first line. So a demonstration without a terminal prints the same in every run.
    const char *line = nullptr;
    while (line == nullptr) {
        line = next_line();
    }
    board::tick_start(TICKWHEEL_HZ);
    for (;;) {
        if (line != nullptr) {
            run_line(line);
        }
        print_firings();
        line = nullptr;
        if (!tickwheel_time_before(jiffies, next_line_at)) {
            next_line_at = jiffies;
            line = next_line();
        }
        if (line == nullptr) {
            // A tick between the look and the sleep is seen one tick later, since the next tick wakes the core.
            board::idle();
        }
    }
}
