// SPDX-License-Identifier: MIT
// NOT FreeRTOS: see FreeRTOS.h. The board of the stand-in in a firmware that has a vendor's chip library.
#include "../../../boards/board.hpp"

extern "C" {
void chip_print(const char *text);
[[noreturn]] void chip_exit(int code);
}

void board::console_put(char c)
{
    const char text[] = {c, 0};
    chip_print(text);
}

void board::exit(int code)
{
    chip_exit(code);
}
