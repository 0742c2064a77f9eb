// SPDX-License-Identifier: MIT
// Simulates the serial line: each byte from the console's UART raises an interrupt.
//
// An emulator's input has no timing, so a script has its own. A script begins with
// `#`, and is read before the clock starts. It holds hexadecimal bytes, each one tick
// after the one before, `+N` for N ticks of silence, and `.` at the end.
#ifndef MODBUS_LINE_HPP
#define MODBUS_LINE_HPP

#include "../print.hpp"
#include "../simulated_interrupt.hpp"

namespace line
{

/// Each tick of the script brings a byte or silence.
constexpr int16_t silence = -1;
inline int16_t script[400];
inline unsigned script_length;
inline volatile unsigned script_next;
inline volatile uint8_t data;

/// @return the byte that has come. Call this from the interrupt.
inline uint8_t read()
{
    return data;
}

inline void bring(int byte)
{
    data = static_cast<uint8_t>(byte);
    simulated_interrupt::raise();
}

inline char next_character()
{
    int c = board::console_get();
    while (c < 0) {
        c = board::console_get();
    }
    return static_cast<char>(c);
}

inline void add(int16_t what, unsigned ticks)
{
    for (; ticks != 0; --ticks) {
        if (script_length == sizeof script / sizeof script[0]) {
            print("the script is too long\n");
            board::exit(1);
        }
        script[script_length++] = what;
    }
}

inline void take_script_in()
{
    unsigned value = 0;
    unsigned digits = 0;
    bool is_pause = false;
    bool is_comment = true;
    for (char c = '#'; c != '.' || is_comment; c = next_character()) {
        const bool is_decimal = c >= '0' && c <= '9';
        if (is_comment) {
            is_comment = c != '\n';
        } else if (is_decimal || (c >= 'A' && c <= 'F')) {
            value = value * (is_pause ? 10 : 16) + static_cast<unsigned>(is_decimal ? c - '0' : c - 'A' + 10);
            ++digits;
        } else {
            if (digits != 0) {
                add(is_pause ? silence : static_cast<int16_t>(value), is_pause ? value : 1);
            }
            value = 0;
            digits = 0;
            is_pause = c == '+';
            is_comment = c == '#';
        }
    }
}

/// Waits for the first byte of a script or of a frame.
inline void start()
{
    const char first = next_character();
    simulated_interrupt::enable();
    if (first == '#') {
        take_script_in();
    } else {
        bring(first);
    }
}

/// Call this once a tick.
inline void tick()
{
    const unsigned now = script_next;
    if (now != script_length) {
        script_next = now + 1;
        if (script[now] != silence) {
            bring(script[now]);
        }
    }
}

/// Call this in the main loop. @return false at the end of a script
inline bool wait()
{
    if (script_length != 0) {
        board::idle();
        return script_next != script_length;
    }
    const int c = board::console_get();
    if (c >= 0) {
        bring(c);
    }
    return true;
}

} // namespace line

#endif
