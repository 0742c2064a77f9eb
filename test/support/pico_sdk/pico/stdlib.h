/* SPDX-License-Identifier: MIT */
/* Stands in for the header of the pico-sdk: what examples/integration/pico_sdk and docs/recipes.md call. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

bool stdio_init_all(void);
void hardware_alarm_claim(unsigned alarm_num);

#ifdef __cplusplus
}
#endif
