// SPDX-License-Identifier: MIT
// A script is text between the lines `hold` and `go`. Its lines are collected while
// the clock stands still. They run in exact ticks then, however slowly they came in.
#ifndef SHELL_SCRIPT_HPP
#define SHELL_SCRIPT_HPP

#include <tickwheel/tickwheel.h>

#include "../../boards/print.hpp"

class script {
public:
    /// `none` before the line `hold`, `running` after the line `go`.
    enum class state : uint8_t { none, collecting, running };

    state now() const
    {
        return is;
    }

    /// Begins to collect.
    void hold()
    {
        is = state::collecting;
    }

    void add(const char *line)
    {
        do {
            check(length < sizeof text, "the script has more than 2048 characters\n");
            text[length++] = *line;
        } while (*line++ != 0);
    }

    /// Begins to run.
    void go()
    {
        is = state::running;
        next_tick = jiffies;
    }

    /// The next line waits for so many ticks more.
    void wait(uint32_t ticks)
    {
        next_tick += ticks;
    }

    /// @return the next line, or nullptr before its tick
    const char *next_line()
    {
        check(next < length, "the script ends without quit\n");
        if (tickwheel_time_before(jiffies, next_tick)) {
            return nullptr;
        }
        const char *line = text + next;
        while (text[next++] != 0) {
        }
        return line;
    }

private:
    static void check(bool ok, const char *message)
    {
        if (!ok) {
            print(message);
            board::exit(1);
        }
    }

    /// The lines, one after the other, each with a zero at its end.
    char text[2048] = {};
    unsigned length = 0;
    unsigned next = 0;
    jiffies_t next_tick = 0;
    state is = state::none;
};

#endif
