/* SPDX-License-Identifier: MIT */
/* A typical vendor's start-up code: from reset to main(). */
#include "chip.h"
#include "vectors.h"

int main(void);

/* From chip.ld. */
extern const uint32_t data_load[];
extern uint32_t data_start[];
extern uint32_t data_end[];
extern uint32_t bss_start[];
extern uint32_t bss_end[];

void Reset_Handler(void)
{
    const uint32_t *from = data_load;
    for (uint32_t *to = data_start; to != data_end; ++to) {
        *to = *from++;
        __asm__ volatile(""); /* keeps the compiler from calling memcpy() */
    }
    for (uint32_t *word = bss_start; word != bss_end; ++word) {
        *word = 0;
        __asm__ volatile(""); /* or memset() */
    }
    SystemInit();
    chip_exit(main());
}
