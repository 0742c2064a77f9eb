// SPDX-License-Identifier: MIT
#include "script.hpp"

#include <tickwheel/tickwheel.h>

#include "console.hpp"

namespace
{

enum class state { none, collecting, running } now;

// The lines, one after the other, each with a zero at its end.
char text[2048];
unsigned length;
unsigned next;
jiffies_t next_tick;

void check(bool ok, const char *message)
{
    if (!ok) {
        console::print_line(message);
        board::exit(1);
    }
}

} // namespace

void script::hold()
{
    now = state::collecting;
}

bool script::is_collecting()
{
    return now == state::collecting;
}

void script::add(const char *line)
{
    do {
        check(length < sizeof text, "the script has more than 2048 characters");
        text[length++] = *line;
    } while (*line++ != 0);
}

void script::go()
{
    now = state::running;
    next_tick = jiffies;
}

bool script::is_running()
{
    return now == state::running;
}

void script::wait(uint32_t ticks)
{
    next_tick += ticks;
}

const char *script::next_line()
{
    check(next < length, "the script ends without quit");
    if (tickwheel_time_before(jiffies, next_tick)) {
        return nullptr;
    }
    const char *line = text + next;
    while (text[next++] != 0) {
    }
    return line;
}
