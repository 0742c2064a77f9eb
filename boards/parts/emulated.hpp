// SPDX-License-Identifier: MIT
// A board that only an emulator has prints the changes of its lamp, and tells the emulator when the program ends.
#pragma once

#include "../print.hpp"
#include "../startup/semihosting.hpp"

void board::led(bool on)
{
    print(on ? "led on\n" : "led off\n");
}

void board::exit(int code)
{
    semihosting_exit(code);
}
