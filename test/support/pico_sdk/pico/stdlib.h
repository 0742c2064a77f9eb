/* SPDX-License-Identifier: MIT */
/* Stands in for the header of the pico-sdk: what examples/integration/pico_sdk calls. */
#ifndef STAND_IN_PICO_STDLIB_H
#define STAND_IN_PICO_STDLIB_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

bool stdio_init_all(void);

#ifdef __cplusplus
}
#endif

#endif
