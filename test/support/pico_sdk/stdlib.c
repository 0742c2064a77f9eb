/* SPDX-License-Identifier: MIT */
#include "pico/stdlib.h"

#include <stdio.h>

#include "chip.h"
#include "hardware/clocks.h"

bool stdio_init_all(void)
{
    return true;
}

uint32_t clock_get_hz(enum clock_index clock)
{
    return clock == clk_sys ? SystemCoreClock : 0;
}

int puts(const char *text)
{
    chip_print(text);
    chip_print("\n");
    return 0;
}
