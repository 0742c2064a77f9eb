/* SPDX-License-Identifier: MIT */
/* The vector table of a Cortex-M. Each SDK has its own names for the handlers, so each has its own vectors.c. */
#ifndef VECTORS_H
#define VECTORS_H

#include <stdint.h>

/* The numbers of the exceptions, less one. */
enum { reset = 0, hard_fault = 2, svc = 10, pendsv = 13, systick = 14, handlers = 15 };

struct vectors {
    uint32_t *stack_top;
    void (*handlers[handlers])(void);
};

/* From chip.ld. */
extern uint32_t stack_top[];

void Reset_Handler(void);

#endif
