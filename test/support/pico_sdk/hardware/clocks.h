/* SPDX-License-Identifier: MIT */
/* Stands in for the header of the pico-sdk: what examples/integration/pico_sdk calls. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum clock_index { clk_sys };

uint32_t clock_get_hz(enum clock_index clock);

#ifdef __cplusplus
}
#endif
