// SPDX-License-Identifier: MIT
// A timer shell on the board's console: type `help`. SysTick counts, callbacks run
// in PendSV and leave a record each, and the loop below prints them between the
// lines that somebody types. Each firing is judged: its tick against the one that
// was asked for, its place among the timers of the same tick.
//
// A script (script.txt) starts with `hold`: its lines are collected while the
// clock stands, and `go` runs them in exact ticks, however slowly they came in.
#include <tickwheel/systick.h>
#include <tickwheel/tickwheel.h>

#include "../../boards/board.hpp"
#include "console.hpp"
#include "timers.hpp"

namespace
{

using console::print;
using console::print_line;

constexpr uint32_t longest_delay = 0x7FFFFFFF;

uint32_t clock_hz;
bool clock_runs;

// A script: its lines one after the other, each with a zero at its end.
enum class script_state { none, collecting, running };
script_state script;
char script_text[2048];
unsigned script_length;
unsigned script_next;
jiffies_t script_resumes;

struct arguments {
    uint32_t first;
    uint32_t second;
};

struct command {
    const char *name;
    unsigned numbers;
    void (*run)(const arguments &);
    const char *help;
};

void start_clock()
{
    if (tickwheel_systick_start(clock_hz) != 0) {
        print_line("SysTick cannot make ", uint32_t{TICKWHEEL_HZ}, " ticks a second of ", clock_hz, " Hz");
        board::exit(1);
    }
    clock_runs = true;
}

bool good_delay(uint32_t delay)
{
    if (delay >= 1 && delay <= longest_delay) {
        return true;
    }
    print_line("a number of ticks is 1 to ", longest_delay, ", not ", delay);
    return false;
}

bool good_number(uint32_t number)
{
    if (number >= 1 && number <= timers::count) {
        return true;
    }
    print_line("timers are numbered 1 to ", timers::count, ", not ", number);
    return false;
}

void print_timer(unsigned number)
{
    const timers::state timer = timers::look(number);
    console::hide_typing();
    print("timer ", number, ": tick ", timer.expires, ", in ", timer.expires - jiffies, " (tv", timer.level, ")");
    if (timer.period != 0) {
        print(", every ", timer.period);
    }
    print("\n");
    console::show_typing();
}

void arm(uint32_t delay, uint32_t period)
{
    if (!good_delay(delay)) {
        return;
    }
    const unsigned number = timers::arm(delay, period);
    if (number == 0) {
        print_line("no free timer: all ", timers::count, " are armed");
        return;
    }
    print_timer(number);
}

void after(const arguments &given)
{
    arm(given.first, 0);
}

void every(const arguments &given)
{
    arm(given.first, given.first);
}

void mod(const arguments &given)
{
    if (!good_number(given.first) || !good_delay(given.second)) {
        return;
    }
    if (timers::move(given.first, given.second)) {
        print_timer(given.first);
    } else {
        print_line("timer ", given.first, " is not armed");
    }
}

void del(const arguments &given)
{
    if (good_number(given.first)) {
        print_line("timer ", given.first, timers::remove(given.first) ? ": deleted" : " is not armed");
    }
}

void list(const arguments & /*none*/)
{
    bool any = false;
    for (unsigned number = 1; number <= timers::count; ++number) {
        if (timers::look(number).armed) {
            print_timer(number);
            any = true;
        }
    }
    if (!any) {
        print_line("no timer is armed");
    }
}

void now(const arguments & /*none*/)
{
    print_line("tick ", jiffies);
}

void skip(const arguments &given)
{
    if (good_delay(given.first)) {
        timers::skip(given.first);
        script_resumes += given.first;
        now(given);
    }
}

void print_firing(const timers::firing &it)
{
    static constexpr const char *words[] = {"exact", "skipped over", "WRONG TICK", "OUT OF ORDER"};
    console::hide_typing();
    print("  timer ", it.number, " fired: asked ", it.asked, ", got ", it.got, ", ",
          words[static_cast<unsigned>(it.what)], " (tv", it.level, ")");
    if (it.missed != 0) {
        print(", ", it.missed, " more skipped over");
    }
    print("\n");
    console::show_typing();
}

void print_firings()
{
    // Not all that are there: when more fire than can be printed, typing must still have its turn.
    timers::firing firing = {};
    for (unsigned printed = 0; printed < timers::count && timers::take_firing(firing); ++printed) {
        print_firing(firing);
    }
    static uint32_t told;
    const uint32_t unprinted = timers::unprinted();
    if (unprinted != told) {
        print_line("  ", unprinted - told, " more fired, too many at once to print");
        told = unprinted;
    }
}

void quit(const arguments & /*none*/)
{
    const timers::totals total = timers::stop();
    timers::firing firing = {};
    while (timers::take_firing(firing)) {
        print_firing(firing);
    }
    print_firings();
    uint32_t exact = 0;
    for (const uint32_t of_level : total.exact) {
        exact += of_level;
    }
    console::no_echo();
    print("fired in their exact tick: ", exact, " (tv1 ", total.exact[0], ", tv2 ", total.exact[1], ", tv3 ",
          total.exact[2], ", tv4 ", total.exact[3], ", tv5 ", total.exact[4], "); skipped over: ", total.skipped_over,
          "; in a wrong tick: ", total.wrong_tick, "; out of order: ", total.out_of_order, "; lost: ", total.lost,
          "\n");
    board::exit(total.wrong_tick != 0 || total.out_of_order != 0 || total.lost != 0);
}

void wait(const arguments &given)
{
    if (script != script_state::running) {
        print_line("wait: only in a script");
    } else if (good_delay(given.first)) {
        script_resumes += given.first;
    }
}

void hold(const arguments & /*none*/)
{
    print_line("hold: only as the first line of a script");
}

void go(const arguments & /*none*/)
{
    print_line("go: only at the end of a script");
}

void help(const arguments & /*none*/);

constexpr command commands[] = {
    {"after", 1, after, "after N    a timer fires once, N ticks from now"},
    {"every", 1, every, "every N    a timer fires every N ticks"},
    {"mod", 2, mod, "mod T N    moves timer T to N ticks from now"},
    {"del", 1, del, "del T      deletes timer T"},
    {"list", 0, list, "list       shows the armed timers"},
    {"skip", 1, skip, "skip N     N ticks pass at once"},
    {"now", 0, now, "now        shows the tick"},
    {"help", 0, help, "help       shows this"},
    {"quit", 0, quit, "quit       ends, and says whether all fired as they should"},
    {"wait", 1, wait, nullptr},
    {"hold", 0, hold, nullptr},
    {"go", 0, go, nullptr},
};

void help(const arguments & /*none*/)
{
    for (const command &each : commands) {
        if (each.help != nullptr) {
            print_line(each.help);
        }
    }
    print_line("a second has ", uint32_t{TICKWHEEL_HZ}, " ticks");
}

bool same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

// Cuts the next word off `text`: puts a zero behind it, moves `text` past it. Empty at the end of the line.
char *next_word(char *&text)
{
    while (*text == ' ') {
        ++text;
    }
    char *word = text;
    while (*text != 0 && *text != ' ') {
        ++text;
    }
    if (*text != 0) {
        *text++ = 0;
    }
    return word;
}

bool parse_number(const char *command_name, const char *word, uint32_t &value)
{
    if (*word == 0) {
        print_line(command_name, ": a number is missing");
        return false;
    }
    value = 0;
    for (const char *digit = word; *digit != 0; ++digit) {
        if (*digit < '0' || *digit > '9') {
            print_line(command_name, ": '", word, "' is not a number");
            return false;
        }
        const uint32_t units = static_cast<uint32_t>(*digit - '0');
        if (value > (0xFFFFFFFFu - units) / 10) {
            print_line(command_name, ": ", word, " is too large");
            return false;
        }
        value = value * 10 + units;
    }
    return true;
}

void run_with_arguments(const command &known, char *rest)
{
    arguments given = {};
    if (known.numbers >= 1 && !parse_number(known.name, next_word(rest), given.first)) {
        return;
    }
    if (known.numbers >= 2 && !parse_number(known.name, next_word(rest), given.second)) {
        return;
    }
    const char *extra = next_word(rest);
    if (*extra != 0) {
        print_line(known.name, ": what is '", extra, "'?");
        return;
    }
    known.run(given);
}

void run_line(const char *line)
{
    char words[console::longest_line + 1];
    unsigned length = 0;
    for (; length < console::longest_line && line[length] != 0; ++length) {
        words[length] = line[length];
    }
    words[length] = 0;
    char *rest = words;
    const char *name = next_word(rest);
    if (*name == 0 || *name == '#') {
        return;
    }
    for (const command &known : commands) {
        if (same(name, known.name)) {
            run_with_arguments(known, rest);
            return;
        }
    }
    print_line("'", name, "' is not a command; try help");
}

void collect(const char *line)
{
    if (same(line, "go")) {
        script = script_state::running;
        start_clock();
        script_resumes = jiffies;
        return;
    }
    do {
        if (script_length == sizeof script_text) {
            print_line("the script is longer than ", uint32_t{sizeof script_text}, " characters");
            board::exit(1);
        }
        script_text[script_length++] = *line;
    } while (*line++ != 0);
}

void take_line(const char *line)
{
    if (script == script_state::collecting) {
        collect(line);
    } else if (!clock_runs && same(line, "hold")) {
        script = script_state::collecting;
        console::no_echo();
    } else {
        if (!clock_runs) {
            start_clock();
        }
        run_line(line);
        console::show_typing();
    }
}

// Runs the script's next line when its tick has come. @return false when there is nothing to do yet
bool step_script()
{
    if (script_next == script_length) {
        print_line("the script ends without quit");
        board::exit(1);
    }
    if (tickwheel_time_before(jiffies, script_resumes)) {
        return false;
    }
    const char *line = script_text + script_next;
    print_line(*line == '#' ? "" : "> ", line);
    while (script_text[script_next++] != 0) {
    }
    run_line(line);
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
    print("tickwheel shell; help lists the commands\n");
    console::show_typing();
    for (;;) {
        print_firings();
        const bool worked = script == script_state::running ? step_script() : step_input();
        // A tick that comes between the look and the sleep costs one tick of waiting, no more: the next one wakes us.
        if (!worked && clock_runs) {
            board::idle();
        }
    }
}
