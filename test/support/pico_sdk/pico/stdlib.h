/* SPDX-License-Identifier: MIT */
/* Stands in for the header of the pico-sdk: what examples/integration/pico_sdk calls. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

bool stdio_init_all(void);

#ifdef __cplusplus
}
#endif
