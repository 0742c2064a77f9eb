// SPDX-License-Identifier: MIT
// The stand-in's core. SysTick is its own, so a library that has a SysTick_Handler does not link. A pin prints its
// levels.
#include "Arduino.h"

extern "C" {
#include <chip.h>
}

static volatile uint32_t milliseconds;
static int levels[LED_BUILTIN + 1];

extern "C" void SysTick_Handler()
{
    milliseconds = milliseconds + 1;
}

uint32_t millis()
{
    return milliseconds;
}

void pinMode(int, int)
{
}

void digitalWrite(int pin, int level)
{
    levels[pin] = level;
    chip_print_number(millis());
    chip_print(level == HIGH ? " ms: on\n" : " ms: off\n");
}

int digitalRead(int pin)
{
    return levels[pin];
}

int main()
{
    SysTick_Config(SystemCoreClock / 1000);
    setup();
    while (millis() < 2100) {
        loop();
    }
    return 0;
}
