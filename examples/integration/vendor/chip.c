/* SPDX-License-Identifier: MIT */
#include "chip.h"

enum { clock_hz = 25000000, baud = 115200 };

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_STATE_TRANSMIT_FULL (UINT32_C(1) << 0)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_CONTROL_TRANSMIT (UINT32_C(1) << 0)
#define UART_BAUD_DIVIDER REGISTER(0x40004010)

#define SYSTICK_CONTROL REGISTER(0xE000E010)
#define SYSTICK_CONTROL_ENABLE (UINT32_C(1) << 0)
#define SYSTICK_CONTROL_INTERRUPT (UINT32_C(1) << 1)
#define SYSTICK_CONTROL_PROCESSOR_CLOCK (UINT32_C(1) << 2)
#define SYSTICK_RELOAD REGISTER(0xE000E014)
#define SYSTICK_CURRENT REGISTER(0xE000E018)

uint32_t SystemCoreClock;

void SystemInit(void)
{
    SystemCoreClock = clock_hz;
    UART_BAUD_DIVIDER = clock_hz / baud;
    UART_CONTROL = UART_CONTROL_TRANSMIT;
}

uint32_t SysTick_Config(uint32_t cycles)
{
    if (cycles - 1 > 0xFFFFFF) {
        return 1;
    }
    SYSTICK_CONTROL = 0;
    SYSTICK_RELOAD = cycles - 1;
    SYSTICK_CURRENT = 0;
    SYSTICK_CONTROL = SYSTICK_CONTROL_PROCESSOR_CLOCK | SYSTICK_CONTROL_INTERRUPT | SYSTICK_CONTROL_ENABLE;
    return 0;
}

static void print_character(char c)
{
    while ((UART_STATE & UART_STATE_TRANSMIT_FULL) != 0) {
    }
    UART_DATA = (uint8_t)c;
}

void chip_print(const char *text)
{
    for (; *text != 0; ++text) {
        print_character(*text);
    }
}

void chip_print_number(uint32_t number)
{
    uint32_t power = 1;
    while (number / power >= 10) {
        power *= 10;
    }
    for (; power != 0; power /= 10) {
        print_character((char)('0' + number / power % 10));
    }
}

void chip_exit(int code)
{
    /* Semihosting: SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit. */
    const uint32_t block[2] = {0x20026, (uint32_t)code};
    register uint32_t operation __asm__("r0") = 0x20;
    register const uint32_t *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
    for (;;) {
    }
}
