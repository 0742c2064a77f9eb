// SPDX-License-Identifier: MIT
// Where the shell's lines come from: somebody who types, or a script.
#ifndef SHELL_INPUT_HPP
#define SHELL_INPUT_HPP

#include "../../boards/print.hpp"

inline bool same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

/// The line that somebody types. A message may come meanwhile: hide() and show() go around it.
class typed_line {
public:
    /// Prints the prompt and the unfinished line.
    void show()
    {
        if (!shown) {
            text[length] = 0;
            print("> ", text);
            shown = true;
        }
    }

    /// Erases both. They fit into one row of 80 columns.
    void hide()
    {
        if (shown) {
            print("\r\x1b[K");
            shown = false;
        }
    }

    /// Takes what has been typed. @return a whole line, or nullptr. The next call overwrites the line.
    const char *read()
    {
        for (int c = board::console_get(); c >= 0; c = board::console_get()) {
            if (c == '\r' || c == '\n') {
                print("\n");
                text[length] = 0;
                length = 0;
                shown = false;
                return text;
            }
            if (c == backspace || c == del) {
                print(length > 0 ? "\b \b" : "");
                length -= length > 0 ? 1 : 0;
            } else if (c >= ' ' && length < longest) {
                text[length++] = static_cast<char>(c);
                board::console_put(static_cast<char>(c));
            }
        }
        return nullptr;
    }

private:
    static constexpr int backspace = 8;
    static constexpr int del = 127;
    static constexpr unsigned longest = 77;
    char text[longest + 1] = {};
    unsigned length = 0;
    bool shown = false;
};

/// The lines between `hold` and `go`. They are read while the clock stands still, and run in exact ticks then,
/// however slowly they came in.
class script {
public:
    bool runs() const
    {
        return length != 0;
    }

    /// Reads all lines, up to `go`.
    void read()
    {
        for (unsigned line = 0; !same(text + line, "go");) {
            line = length;
            do {
                check(length < sizeof text, "the script has more than 2048 characters\n");
                text[length] = next_character();
            } while (text[length++] != 0);
        }
    }

    const char *next_line()
    {
        const char *line = text + next;
        check(!same(line, "go"), "the script ends without quit\n");
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

    /// 0 for the end of a line.
    static char next_character()
    {
        int c = board::console_get();
        while (c < 0) {
            c = board::console_get();
        }
        return c == '\n' ? '\0' : static_cast<char>(c);
    }

    /// Each line has a zero at its end.
    char text[2048] = {};
    unsigned length = 0;
    unsigned next = 0;
};

#endif
