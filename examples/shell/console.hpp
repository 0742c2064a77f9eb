// SPDX-License-Identifier: MIT
// Prints text, and collects the characters that somebody types into lines. A message
// may come while a line is typed: hide_line() and show_line() go around it. Thread
// code only.
#ifndef SHELL_CONSOLE_HPP
#define SHELL_CONSOLE_HPP

#include "../print.hpp"

namespace console
{

using ::print;

/// Longer lines are refused. The prompt and a whole line fit into one row of 80 columns, or hide_line() could not
/// erase them.
constexpr unsigned longest_line = 77;

template <class... Parts>
void print_line(Parts... parts)
{
    print(parts..., "\n");
}

/// Prints a number in a column: spaces first, up to `width` characters in all. `width` is 10 at most.
void print_right(uint32_t number, unsigned width);

/// Takes one character from the keyboard. @return the line that it ends, or nullptr. The next call overwrites the
/// line.
const char *take(char c);

/// The input is a script from now on: no prompt, no echo.
void no_echo();

/// Erases the prompt and the unfinished line.
void hide_line();

/// Prints the prompt and the unfinished line.
void show_line();

} // namespace console

#endif
