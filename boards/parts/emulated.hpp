// SPDX-License-Identifier: MIT
// An emulated board prints the changes of its lamp, and tells the emulator when the program ends.
#ifndef BOARDS_PARTS_EMULATED_HPP
#define BOARDS_PARTS_EMULATED_HPP

#include "../board.hpp"
#include "../startup/cortex_m.hpp"

namespace parts
{

inline void show_lamp(bool on)
{
    for (const char *text = on ? "led on\n" : "led off\n"; *text != 0; ++text) {
        board::console_put(*text);
    }
}

} // namespace parts

void board::exit(int code)
{
    cortex_m::semihosting_exit(code);
}

#endif
