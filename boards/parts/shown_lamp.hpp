// SPDX-License-Identifier: MIT
// What an emulated board says of its lamp, since the emulator shows none.
#ifndef BOARDS_PARTS_SHOWN_LAMP_HPP
#define BOARDS_PARTS_SHOWN_LAMP_HPP

#include "../board.hpp"

namespace parts
{

inline void show_lamp(bool on)
{
    for (const char *text = on ? "led on\n" : "led off\n"; *text != 0; ++text) {
        board::console_put(*text);
    }
}

} // namespace parts

#endif
