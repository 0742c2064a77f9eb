// SPDX-License-Identifier: MIT
// A timer shell on the board's console: type `help`. Interrupts count the ticks and
// run the callbacks (clock.hpp). Each callback leaves a record (timers.cpp). The loop
// below prints the records between the lines that somebody types. The shell checks
// each firing: its tick, and its place among the timers of the same tick.
#include <tickwheel/tickwheel.h>

#include "clock.hpp"
#include "command_line.hpp"
#include "script.hpp"
#include "timers.hpp"
#include "trace.hpp"

namespace
{

using command_line::arguments;

constexpr arguments largest = {timers::count, 0x7FFFFFFF};

line_editor input;
script lines;
uint32_t clock_hz;
bool clock_runs;

void start_clock()
{
    trace::start(clock_hz);
    if (!ticks_start(clock_hz)) {
        print("the clock cannot make ", uint32_t{TICKWHEEL_HZ}, " ticks a second of ", clock_hz, " Hz\n");
        board::exit(1);
    }
    clock_runs = true;
}

// --- What the check of the firings has found

/// Of the tick, since the start.
uint32_t milliseconds(jiffies_t tick)
{
    return tickwheel_jiffies_to_msecs(tick - TICKWHEEL_INITIAL_JIFFIES);
}

void print_firing(const timers::firing &it)
{
    static constexpr const char *verdicts[] = {", as asked", ", late: `skip` passed its tick ", ", late: asked for ",
                                               ", in the WRONG TICK: asked for ", ", OUT OF ORDER"};
    print("  ", milliseconds(it.got), " ms: timer ", it.number, " fired at tick ", it.got, verdicts[it.what]);
    if (it.what != timers::exact && it.what != timers::out_of_order) {
        print(it.asked);
    }
    print(" (tv", it.level, ")");
    if (it.missed != 0) {
        print(", periods missed: ", it.missed);
    }
    print("\n");
}

/// Prints the firings since the last call, but at most so many of them.
void print_firings(uint32_t most)
{
    timers::firing firing = {};
    for (; most != 0 && timers::take_firing(firing); --most) {
        input.hide();
        print_firing(firing);
    }
    static uint32_t reported;
    const uint32_t unprinted = timers::unprinted();
    if (unprinted != reported) {
        input.hide();
        print("  ", unprinted - reported, " more fired, too many at once to print\n");
        reported = unprinted;
    }
}

// --- The commands

void answer(unsigned number, uint32_t ticks)
{
    const timers::state timer = timers::look(number);
    print("timer ", number, " fires after ", ticks, " ticks, at tick ", timer.expires, ", in tv", timer.level);
    if (timer.period != 0) {
        print(", then every ", timer.period, " ticks");
    }
    print("\n");
}

void arm(uint32_t ticks, uint32_t period)
{
    const unsigned number = timers::arm(ticks, period);
    if (number != 0) {
        answer(number, ticks);
    } else {
        print("no timer is free: all ", timers::count, " are armed\n");
    }
}

void after(const arguments &given)
{
    arm(given.ticks, 0);
}

void every(const arguments &given)
{
    arm(given.ticks, given.ticks);
}

void not_armed(unsigned number)
{
    print("timer ", number, " is not armed\n");
}

void mod(const arguments &given)
{
    if (timers::move(given.timer, given.ticks)) {
        answer(given.timer, given.ticks);
    } else {
        not_armed(given.timer);
    }
}

void del(const arguments &given)
{
    if (timers::remove(given.timer)) {
        print("timer ", given.timer, " is deleted\n");
    } else {
        not_armed(given.timer);
    }
}

/// Prints a number in a column of `width` characters, 10 at most.
void print_right(uint32_t number, unsigned width)
{
    uint32_t power_of_ten = 10;
    for (unsigned digits = 1; digits < width; ++digits, power_of_ten *= 10) {
        if (number < power_of_ten) {
            print(" ");
        }
    }
    print(number);
}

void list(const arguments & /*none*/)
{
    const jiffies_t tick = jiffies; // the same for all rows
    bool any = false;
    for (unsigned number = 1; number <= timers::count; ++number) {
        const timers::state timer = timers::look(number);
        if (!timer.armed) {
            continue;
        }
        if (!any) {
            print("timer     at tick    in ticks       in ms  level  period\n");
        }
        any = true;
        print_right(number, 5);
        const jiffies_t left = timer.expires - tick;
        const uint32_t columns[] = {timer.expires, left, tickwheel_jiffies_to_msecs(left)};
        for (const uint32_t column : columns) {
            print("  ");
            print_right(column, 10);
        }
        print("  tv", timer.level);
        if (timer.period != 0) {
            print("    every ", timer.period);
        }
        print("\n");
    }
    if (!any) {
        print("no timer is armed\n");
    }
}

void now(const arguments & /*none*/)
{
    const jiffies_t tick = jiffies;
    print("now: tick ", tick, ", ", milliseconds(tick), " ms\n");
}

void skip(const arguments &given)
{
    timers::skip(given.ticks);
    lines.wait(given.ticks);
    print("skipped ", given.ticks, " ticks, now: tick ", jiffies, "\n");
}

void wait(const arguments &given)
{
    if (lines.now() == script::state::running) {
        lines.wait(given.ticks);
    } else {
        print("`wait` works in a script only\n");
    }
}

void quit(const arguments & /*none*/)
{
    const timers::totals total = timers::stop();
    print_firings(UINT32_MAX);
    print(total.of[timers::exact], " fired in their exact tick (tv1 ", total.exact[0], ", tv2 ", total.exact[1],
          ", tv3 ", total.exact[2], ", tv4 ", total.exact[3], ", tv5 ", total.exact[4], "), ");
    print(total.of[timers::skipped_over], " late after a skip, ", total.of[timers::wrong_tick], " in a wrong tick, ",
          total.of[timers::out_of_order], " out of order, ", total.lost, " lost\n");
    if (total.of[timers::late] != 0) {
        print(total.of[timers::late],
              " late. On a terminal the emulator keeps the PC's time, which cannot judge a tick. "
              "A script can.\n");
    }
    trace::finish();
    board::exit(total.of[timers::wrong_tick] != 0 || total.of[timers::out_of_order] != 0 || total.lost != 0);
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

constexpr command_line::command commands[] = {
    {"after N", after, "arms a timer that fires once, N ticks from now"},
    {"every N", every, "arms a timer that fires every N ticks"},
    {"mod T N", mod, "moves timer T: it fires N ticks from now"},
    {"del T", del, "deletes timer T"},
    {"list", list, "lists the armed timers"},
    {"skip N", skip, "lets N ticks pass at once"},
    {"now", now, "shows the current tick"},
#if TICKWHEEL_HOOKS
    {"stats", stats, "shows what the wheel has done since the start"},
    {"trace", save_trace, "saves what the wheel does to the file tickwheel.trace, by semihosting"},
#endif
    {"help", help, "shows this text"},
    {"quit", quit, "deletes all timers, says how many fired in their ticks, and leaves"},
    {"wait N", wait, nullptr},
};

void help(const arguments & /*none*/)
{
    for (const command_line::command &each : commands) {
        if (each.help != nullptr) {
            const char *padding = "          ";
            for (const char *c = each.usage; *c != 0; ++c) {
                ++padding;
            }
            print(each.usage, padding, each.help, "\n");
        }
    }
    print("N is 1 to ", largest.ticks, ", and ", uint32_t{TICKWHEEL_HZ}, " ticks make a second. T is 1 to ",
          largest.timer, ".\n");
    print("The wheel has five levels: tv1 holds the nearest timers, tv5 the farthest.\n");
}

// --- Where the lines come from

bool same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

void take_line(const char *line)
{
    if (lines.now() == script::state::collecting) {
        if (!same(line, "go")) {
            lines.add(line);
            return;
        }
        timers::expect_exact_ticks();
        start_clock();
        lines.go();
    } else if (!clock_runs && same(line, "hold")) {
        lines.hold();
        input.no_echo();
    } else {
        if (!clock_runs) {
            start_clock();
        }
        command_line::run(line, commands, largest);
    }
}

/// Runs the next line of the script. @return false if its tick has not come yet
bool step_script()
{
    const char *line = lines.next_line();
    if (line == nullptr) {
        return false;
    }
    print(*line == '#' ? "" : "> ", line, "\n");
    command_line::run(line, commands, largest);
    return true;
}

bool step_input()
{
    const int c = board::console_get();
    if (c < 0) {
        return false;
    }
    const char *line = input.take(static_cast<char>(c));
    if (line != nullptr) {
        take_line(line);
    }
    return true;
}

} // namespace

int main()
{
    clock_hz = board::init();
    timers::init();
    print("tickwheel shell: `help` lists the commands, `quit` leaves\n");
    for (;;) {
        // A limited number at once: if timers fire faster than the console prints, input must still have its turn.
        print_firings(timers::count);
        input.show();
        trace::save();
        const bool worked = lines.now() == script::state::running ? step_script() : step_input();
        // A tick between step_..() and the sleep is seen one tick later, since the next tick wakes the core.
        if (!worked && clock_runs) {
            board::idle();
        }
    }
}
