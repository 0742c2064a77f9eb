// SPDX-License-Identifier: MIT
#include "console.hpp"

namespace
{

char line[console::longest_line + 1];
unsigned length;
bool line_too_long;
bool last_was_return;
bool echoing = true;
bool typing_is_shown;

void echo(const char *text)
{
    if (echoing) {
        print(text);
    }
}

const char *complete()
{
    echo("\n");
    typing_is_shown = false;
    line[length] = 0;
    length = 0;
    if (line_too_long) {
        line_too_long = false;
        console::print_line("a line of more than ", console::longest_line, " characters: ignored");
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

} // namespace

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
        return complete();
    }
    if (c == backspace || c == del) {
        erase();
    } else if (c >= ' ') {
        append(c);
    }
    return nullptr;
}

void console::no_echo()
{
    echoing = false;
}

void console::hide_typing()
{
    if (typing_is_shown) {
        print("\r\x1b[K");
        typing_is_shown = false;
    }
}

void console::show_typing()
{
    if (echoing && !typing_is_shown) {
        line[length] = 0;
        print("> ", line);
        typing_is_shown = true;
    }
}
