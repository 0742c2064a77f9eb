// SPDX-License-Identifier: MIT
// A timer shell on the board's console: type `help`. SysTick counts the ticks.
// Callbacks run in PendSV and leave a record each (timers.cpp). The loop below prints
// the records between the lines that somebody types. The shell judges each firing:
// its tick, and its place among the timers of the same tick.
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "command_line.hpp"
#include "console.hpp"
#include "report.hpp"
#include "script.hpp"
#include "timers.hpp"

constexpr command_line::arguments command_line::largest = {timers::count, 0x7FFFFFFF};

namespace
{

using command_line::arguments;
using console::print;
using console::print_line;
using console::print_right;

uint32_t clock_hz;
bool clock_runs;

void start_clock()
{
    if (tickwheel_systick_start(clock_hz) != 0) {
        print_line("SysTick cannot make ", uint32_t{TICKWHEEL_HZ}, " ticks a second of ", clock_hz, " Hz");
        board::exit(1);
    }
    clock_runs = true;
}

void answer_every(unsigned number)
{
    const timers::state timer = timers::look(number);
    print_line("timer ", number, " fires every ", timer.period, " ticks, first at tick ", timer.expires, ", in tv",
               timer.level);
}

void answer_after(unsigned number, uint32_t ticks)
{
    const timers::state timer = timers::look(number);
    print("timer ", number, " fires after ", ticks, " ticks, at tick ", timer.expires, ", in tv", timer.level);
    if (timer.period != 0) {
        print(", then every ", timer.period, " ticks");
    }
    print("\n");
}

void no_free_timer()
{
    print_line("no timer is free: all ", timers::count, " are armed");
}

void not_armed(unsigned number)
{
    print_line("timer ", number, " is not armed");
}

void after(const arguments &given)
{
    const unsigned number = timers::arm(given.ticks, 0);
    if (number != 0) {
        answer_after(number, given.ticks);
    } else {
        no_free_timer();
    }
}

void every(const arguments &given)
{
    const unsigned number = timers::arm(given.ticks, given.ticks);
    if (number != 0) {
        answer_every(number);
    } else {
        no_free_timer();
    }
}

void mod(const arguments &given)
{
    if (timers::move(given.timer, given.ticks)) {
        answer_after(given.timer, given.ticks);
    } else {
        not_armed(given.timer);
    }
}

void del(const arguments &given)
{
    if (timers::remove(given.timer)) {
        print_line("timer ", given.timer, " is deleted");
    } else {
        not_armed(given.timer);
    }
}

void list_timer(unsigned number, const timers::state &timer, jiffies_t tick)
{
    const jiffies_t left = timer.expires - tick;
    print_right(number, 5);
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

void list(const arguments & /*none*/)
{
    const jiffies_t tick = jiffies; // the same for all rows
    bool any = false;
    for (unsigned number = 1; number <= timers::count; ++number) {
        const timers::state timer = timers::look(number);
        if (timer.armed) {
            if (!any) {
                print_line("timer     at tick    in ticks       in ms  level  period");
            }
            list_timer(number, timer, tick);
            any = true;
        }
    }
    if (!any) {
        print_line("no timer is armed");
    }
}

void now(const arguments & /*none*/)
{
    print_line("now: tick ", jiffies);
}

void skip(const arguments &given)
{
    timers::skip(given.ticks);
    script::wait(given.ticks);
    print_line("skipped ", given.ticks, " ticks, now: tick ", jiffies);
}

void quit(const arguments & /*none*/)
{
    const timers::totals total = timers::stop();
    report::firings(UINT32_MAX);
    console::no_echo();
    report::totals(total);
    board::exit(total.wrong_tick != 0 || total.out_of_order != 0 || total.lost != 0);
}

void wait(const arguments &given)
{
    if (script::is_running()) {
        script::wait(given.ticks);
    } else {
        print_line("`wait` works in a script only");
    }
}

void hold_or_go(const arguments & /*none*/)
{
    print_line("a script begins with the line `hold`, as the first line of all, and ends with the line `go`");
}

void help(const arguments & /*none*/);

constexpr command_line::command commands[] = {
    {"after N", after, "arms a timer that fires once, N ticks from now"},
    {"every N", every, "arms a timer that fires every N ticks"},
    {"mod T N", mod, "moves timer T: it fires N ticks from now"},
    {"del T", del, "deletes timer T"},
    {"list", list, "lists the armed timers"},
    {"skip N", skip, "lets N ticks pass at once"},
    {"now", now, "shows the current tick"},
    {"help", help, "shows this text"},
    {"quit", quit, "deletes all timers, says how many fired in their ticks, and leaves"},
    {"wait N", wait, nullptr},
    {"hold", hold_or_go, nullptr},
    {"go", hold_or_go, nullptr},
};

void help(const arguments & /*none*/)
{
    for (const command_line::command &each : commands) {
        if (each.help != nullptr) {
            const char *padding = "          ";
            for (const char *c = each.usage; *c != 0; ++c) {
                ++padding;
            }
            print_line(each.usage, padding, each.help);
        }
    }
    print_line("N is 1 to ", command_line::largest.ticks, ", and ", uint32_t{TICKWHEEL_HZ},
               " ticks make a second. T is 1 to ", timers::count, ".");
    print_line("The wheel has five levels: tv1 holds the nearest timers, tv5 the farthest.");
}

void run(const char *line)
{
    command_line::run(line, commands, commands + sizeof commands / sizeof commands[0]);
}

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
    if (script::is_collecting()) {
        if (!same(line, "go")) {
            script::add(line);
            return;
        }
        start_clock();
        script::go();
    } else if (!clock_runs && same(line, "hold")) {
        script::hold();
        console::no_echo();
    } else {
        if (!clock_runs) {
            start_clock();
        }
        run(line);
    }
}

// Runs the next line of the script. @return false if its tick has not come yet
bool step_script()
{
    const char *line = script::next_line();
    if (line == nullptr) {
        return false;
    }
    print_line(*line == '#' ? "" : "> ", line);
    run(line);
    return true;
}

bool step_input()
{
    const int c = board::console_get();
    if (c < 0) {
        return false;
    }
    const char *line = console::take(static_cast<char>(c));
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
    print_line("tickwheel shell: `help` lists the commands, `quit` leaves");
    for (;;) {
        // A limited number at once: if timers fire faster than the console prints, input must still have its turn.
        report::firings(timers::count);
        console::show_line();
        const bool worked = script::is_running() ? step_script() : step_input();
        // A tick between step_..() and the sleep is seen one tick later, since the next tick wakes the core.
        if (!worked && clock_runs) {
            board::idle();
        }
    }
}
