/* SPDX-License-Identifier: MIT */
/* Stands in for the header of a C library: what examples/integration/pico_sdk calls. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

int puts(const char *text);

#ifdef __cplusplus
}
#endif
