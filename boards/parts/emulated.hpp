// SPDX-License-Identifier: MIT
// An emulated board prints the changes of its lamp, and tells the emulator when the program ends.
#ifndef BOARDS_PARTS_EMULATED_HPP
#define BOARDS_PARTS_EMULATED_HPP

#include "../print.hpp"
#include "../startup/semihosting.hpp"

namespace parts
{

inline void show_lamp(bool on)
{
    print(on ? "led on\n" : "led off\n");
}

} // namespace parts

void board::exit(int code)
{
    semihosting_exit(code);
}

#endif
