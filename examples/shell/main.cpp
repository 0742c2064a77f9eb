// SPDX-License-Identifier: MIT
// A timer shell on the board's console: type `help`. Interrupts count the ticks and run the callbacks (clock.hpp).
// Each callback checks its tick and leaves a record (timers.hpp). The loop below prints the records between the lines
// that somebody types.
#include <tickwheel/tickwheel.h>

#include "clock.hpp"
#include "demo.hpp"
#include "input.hpp"
#include "timers.hpp"
#include "trace.hpp"

namespace
{

using timers::entry;
using timers::masked;

constexpr uint32_t longest_delay = 0x7FFFFFFF;
constexpr const char *const *end_of_demo = demo_lines + sizeof demo_lines / sizeof *demo_lines;

typed_line typed;
/// The lines of the demonstration that are still to run.
const char *const *demo_line = end_of_demo;
bool demo_has_run;
/// No line is read before this tick.
jiffies_t next_line_at = TICKWHEEL_INITIAL_JIFFIES;

/// Of the tick, since the start.
uint32_t milliseconds(jiffies_t tick)
{
    return tickwheel_jiffies_to_msecs(tick - TICKWHEEL_INITIAL_JIFFIES);
}

/// Prints what has fired since the last call. Input must have its turn, so this prints a limited number at once.
void print_firings()
{
    static const char *const how[] = {", as asked", ", late: `skip` passed its tick ", ", late: asked for ",
                                      ", EARLY: asked for "};
    timers::firing it = {};
    for (unsigned i = 0; i < timers::most_records && timers::take(it); ++i) {
        typed.make_room();
        print("  ", milliseconds(it.got), " ms: timer ", it.number, " fired at tick ", it.got, how[it.how]);
        if (it.how != timers::exact) {
            print(it.asked);
        }
        print(" (tv", it.level, ")\n");
    }
    if (const uint32_t more = timers::take_without_record(); more != 0) {
        print("  ", more, " more fired, too many at once to print\n");
    }
}

// --- The commands. T is the number of a timer, N a number of ticks.

struct arguments {
    entry *timer;
    uint32_t ticks;
};

void print_state(const entry &timer, jiffies_t now)
{
    print("timer ", timers::number_of(&timer), " fires after ", timer.asked - now, " ticks, at tick ", timer.asked,
          ", in tv", timer.level);
    if (timer.period != 0) {
        print(", then every ", timer.period, " ticks");
    }
    print("\n");
}

void arm(entry &timer, uint32_t ticks, uint32_t period)
{
    jiffies_t now = 0;
    {
        // A tick between the reading of the clock and the arm would make a delay of 1 late.
        const masked interrupts;
        now = jiffies;
        timer.period = period;
        timers::arm(timer, now + ticks);
    }
    print_state(timer, now);
}

void arm_free_timer(uint32_t ticks, uint32_t period)
{
    for (entry &timer : timers::entries) {
        if (tickwheel_timer_pending(&timer) == 0) {
            arm(timer, ticks, period);
            return;
        }
    }
    print("no timer is free: all ", timers::count, " are armed\n");
}

void after(const arguments &given)
{
    arm_free_timer(given.ticks, 0);
}

void every(const arguments &given)
{
    arm_free_timer(given.ticks, given.ticks);
}

bool is_armed(const entry &timer)
{
    const bool armed = tickwheel_timer_pending(&timer) != 0;
    if (!armed) {
        print("timer ", timers::number_of(&timer), " is not armed\n");
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
        print("timer ", timers::number_of(given.timer), " is deleted\n");
    }
}

void list(const arguments & /*none*/)
{
    const jiffies_t now = jiffies; // the same for all rows
    print("now: tick ", now, ", ", milliseconds(now), " ms\n");
    for (const entry &timer : timers::entries) {
        if (tickwheel_timer_pending(&timer) != 0) {
            print_state(timer, now);
        }
    }
}

void skip(const arguments &given)
{
    timers::skip(given.ticks);
    next_line_at = jiffies;
    print("skipped ", given.ticks, " ticks, now: tick ", jiffies, "\n");
}

void wait(const arguments &given)
{
    next_line_at = jiffies + given.ticks;
}

void demo(const arguments & /*none*/)
{
    demo_line = demo_lines;
    demo_has_run = true;
}

[[noreturn]] void quit(const arguments & /*none*/)
{
    for (entry &timer : timers::entries) {
        (void)tickwheel_timer_delete(&timer);
    }
    print_firings();
    using timers::counted;
    print(counted[timers::exact], " fired in their exact tick, ", counted[timers::skipped_over],
          " late after a skip, ", counted[timers::late], " late, ", counted[timers::early], " early\n");
    const bool late = counted[timers::late] != 0;
    if (late) {
        print("On a terminal the emulator keeps the PC's time, so a busy PC makes timers late.\n");
    }
    trace::finish();
    board::exit(counted[timers::early] != 0 || (late && demo_has_run));
}

#if TICKWHEEL_HOOKS
void stats(const arguments & /*none*/)
{
    trace::print_statistics();
}

void save_trace(const arguments & /*none*/)
{
    trace::open();
}
#endif

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
    {"skip N", skip, "lets N ticks pass at once"},
    {"wait N", wait, "reads the next line N ticks from now"},
#if TICKWHEEL_HOOKS
    {"stats", stats, "shows what the wheel has done since the start"},
    {"trace", save_trace, "saves what the wheel does to the file tickwheel.trace, by semihosting"},
#endif
    {"help", help, "shows this text"},
    {"quit", quit, "deletes all timers, says how many fired in their ticks, and leaves"},
};

void help(const arguments & /*none*/)
{
    for (const command &each : commands) {
        print(each.usage, ": ", each.help, "\n");
    }
    print("N is 1 to ", longest_delay, ", and ", uint32_t{TICKWHEEL_HZ}, " ticks make a second. T is 1 to ",
          timers::count, ".\n");
    print("The wheel has five levels: tv1 holds the nearest timers, tv5 the farthest.\n");
}

// --- From a line to its command

/// Moves `text` behind a number. @return the number, or 0 if there is none from 1 to `largest`
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
            const uint32_t number = take_number(line, timers::count);
            right = right && number != 0;
            given.timer = &timers::entries[number != 0 ? number - 1 : 0];
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

/// @return the next line, or nullptr if there is none yet
const char *next_line()
{
    if (demo_line == end_of_demo) {
        return typed.read();
    }
    const char *line = *demo_line++;
    print(*line == '#' ? "" : "> ", line, "\n");
    return line;
}

} // namespace

int main()
{
    const uint32_t clock_hz = board::init();
    timers::init();
    print("tickwheel shell: `demo` shows timers, `help` lists the commands, `quit` leaves\n");
    // The clock starts with the first line. So a demonstration without a terminal prints the same in every run.
    const char *line = nullptr;
    while (line == nullptr) {
        line = next_line();
    }
    trace::start(clock_hz);
    if (!ticks_start(clock_hz)) {
        print("the clock cannot make ", uint32_t{TICKWHEEL_HZ}, " ticks a second of ", clock_hz, " Hz\n");
        board::exit(1);
    }
    for (;;) {
        if (line != nullptr) {
            run_line(line);
        }
        print_firings();
        trace::save();
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
