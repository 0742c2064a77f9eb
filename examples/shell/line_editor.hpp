// SPDX-License-Identifier: MIT
// Collects the characters that somebody types into lines. A message may come while a
// line is typed: hide() and show() go around it. Thread code only.
#ifndef SHELL_LINE_EDITOR_HPP
#define SHELL_LINE_EDITOR_HPP

#include "../../boards/print.hpp"

class line_editor {
public:
    /// Longer lines are refused. The prompt and a whole line fit into one row of 80 columns, or hide() could not
    /// erase them.
    static constexpr unsigned longest = 77;

    /// Takes one character from the keyboard. @return the line that it ends, or nullptr. The next call overwrites the
    /// line.
    const char *take(char c)
    {
        constexpr char backspace = 8;
        constexpr char del = 127;
        const bool second_half = c == '\n' && last == '\r';
        last = c;
        if (second_half) {
            return nullptr;
        }
        if (c == '\r' || c == '\n') {
            return complete();
        }
        if (!skip_escape_sequence(c)) {
            if (c == backspace || c == del) {
                erase();
            } else if (c >= ' ' && c < del) {
                append(c);
            }
        }
        return nullptr;
    }

    /// The input is a script from now on: no prompt, no echo.
    void no_echo()
    {
        echoing = false;
    }

    /// Erases the prompt and the unfinished line.
    void hide()
    {
        if (shown) {
            print("\r\x1b[K");
            shown = false;
        }
    }

    /// Prints the prompt and the unfinished line.
    void show()
    {
        if (echoing && !shown) {
            line[length] = 0;
            print("> ", line);
            shown = true;
        }
    }

private:
    void echo(const char *text) const
    {
        if (echoing) {
            print(text);
        }
    }

    const char *complete()
    {
        echo("\n");
        shown = false;
        escape_sequence = escape::none;
        line[length] = 0;
        length = 0;
        if (too_long) {
            too_long = false;
            print("this line is ignored: it has more than ", longest, " characters\n");
            return nullptr;
        }
        return line;
    }

    void append(char c)
    {
        if (length == longest) {
            too_long = true;
            echo("\a");
            return;
        }
        line[length++] = c;
        const char text[] = {c, 0};
        echo(text);
    }

    void erase()
    {
        if (length > 0) {
            --length;
            echo("\b \b");
        }
    }

    /// A cursor key sends Esc, then '[' or 'O', then perhaps digits, then one letter or '~'.
    enum class escape : uint8_t { none, started, inside };

    /// @return true if `c` belongs to an escape sequence
    bool skip_escape_sequence(char c)
    {
        constexpr char esc = 27;
        const escape before = escape_sequence;
        if (c == esc) {
            escape_sequence = escape::started;
        } else if (before == escape::started && (c == '[' || c == 'O')) {
            escape_sequence = escape::inside;
        } else if (before == escape::started || c >= '@') {
            escape_sequence = escape::none;
        }
        return c == esc || before != escape::none;
    }

    char line[longest + 1] = {};
    unsigned length = 0;
    char last = 0;
    escape escape_sequence = escape::none;
    bool too_long = false;
    bool echoing = true;
    bool shown = false;
};

#endif
