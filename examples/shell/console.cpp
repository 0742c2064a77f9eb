// SPDX-License-Identifier: MIT
#include "console.hpp"

namespace
{

char line[console::longest_line + 1];
unsigned length;
bool line_too_long;
bool last_was_return;
bool echoing = true;
bool line_is_shown;

// A cursor key sends Esc, then '[' or 'O', then perhaps digits, then one letter or '~'.
enum class escape { none, started, inside } escape_sequence;

void echo(const char *text)
{
    if (echoing) {
        print(text);
    }
}

const char *complete()
{
    echo("\n");
    line_is_shown = false;
    line[length] = 0;
    length = 0;
    if (line_too_long) {
        line_too_long = false;
        console::print_line("this line is ignored: it has more than ", console::longest_line, " characters");
        return nullptr;
    }
    return line;
}

void append(char c)
{
    if (length == console::longest_line) {
        line_too_long = true;
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

// @return true if `c` belongs to an escape sequence
bool skip_escape_sequence(char c)
{
    constexpr char esc = 27;
    if (c == esc) {
        escape_sequence = escape::started;
        return true;
    }
    if (escape_sequence == escape::started) {
        escape_sequence = c == '[' || c == 'O' ? escape::inside : escape::none;
        return true;
    }
    if (escape_sequence == escape::inside) {
        escape_sequence = c >= '@' ? escape::none : escape::inside;
        return true;
    }
    return false;
}

} // namespace

void console::print_right(uint32_t number, unsigned width)
{
    uint32_t power_of_ten = 10;
    for (unsigned digits = 1; digits < width; ++digits, power_of_ten *= 10) {
        if (number < power_of_ten) {
            print(" ");
        }
    }
    print(number);
}

const char *console::take(char c)
{
    constexpr char backspace = 8;
    constexpr char del = 127;
    const bool second_half = c == '\n' && last_was_return;
    last_was_return = c == '\r';
    if (second_half) {
        return nullptr;
    }
    if (c == '\r' || c == '\n') {
        escape_sequence = escape::none;
        return complete();
    }
    if (skip_escape_sequence(c)) {
        return nullptr;
    }
    if (c == backspace || c == del) {
        erase();
    } else if (c >= ' ' && c < del) {
        append(c);
    }
    return nullptr;
}

void console::no_echo()
{
    echoing = false;
}

void console::hide_line()
{
    if (line_is_shown) {
        print("\r\x1b[K");
        line_is_shown = false;
    }
}

void console::show_line()
{
    if (echoing && !line_is_shown) {
        line[length] = 0;
        print("> ", line);
        line_is_shown = true;
    }
}
