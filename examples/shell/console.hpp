// SPDX-License-Identifier: MIT
// Text out, and one line at a time in, so that what the program has to say never
// falls into a line that somebody is typing. Thread code only.
#ifndef SHELL_CONSOLE_HPP
#define SHELL_CONSOLE_HPP

#include "../print.hpp"

namespace console
{

using ::print;

/// The longest line that is taken.
constexpr unsigned longest_line = 79;

/// Prints a line; one that is being typed is taken away first and shown again below.
template <class... Parts>
void print_line(Parts... parts);

/// @return the line that `c` has completed, or nullptr. It stands until the next call.
const char *take(char c);

/// From now on nothing is echoed and no prompt shown: the input is a script.
void no_echo();

void hide_typing();
void show_typing();

template <class... Parts>
void print_line(Parts... parts)
{
    hide_typing();
    print(parts..., "\n");
    show_typing();
}

} // namespace console

#endif
