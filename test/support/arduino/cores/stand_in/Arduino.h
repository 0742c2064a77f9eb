// SPDX-License-Identifier: MIT
// The part of Arduino's API that the sketch calls.
#pragma once

#include <stdint.h>

enum { LOW, HIGH, OUTPUT, LED_BUILTIN = 13 };

void setup();
void loop();

uint32_t millis();
void pinMode(int pin, int mode);
void digitalWrite(int pin, int level);
int digitalRead(int pin);
