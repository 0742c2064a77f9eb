// SPDX-License-Identifier: MIT
// Receives the frames of Modbus RTU on a serial line. A frame has no length and no end
// mark: a silence of three and a half characters ends it. Each byte's interrupt
// restarts a timer, and the frame is complete when the timer fires. line.hpp simulates
// the interrupt, for each byte of a script or of the console.
//
// "MODBUS over Serial Line, Specification and Implementation Guide V1.02", 2.5.1.
#include <tickwheel/timer.hpp>

#include "../print.hpp"
#include "line.hpp"

namespace
{

constexpr unsigned baud = 9600;
constexpr unsigned bits_of_a_character = 11;
constexpr unsigned silence_in_us = 7 * bits_of_a_character * 1000000 / (2 * baud);

class modbus_receiver {
public:
    static constexpr unsigned longest_frame = 256;
    volatile uint8_t frame[longest_frame] = {};

    /// Call this from the UART's interrupt.
    void received(uint8_t byte)
    {
        if (is_complete) {
            return; // the firmware still reads the last frame
        }
        // A frame that is too long is counted to its end and then dropped.
        if (count < longest_frame) {
            frame[count] = byte;
        }
        count = count + 1;
        silence.start_after_at_least(tickwheel_usecs_to_jiffies(silence_in_us));
    }

    /// @return the length of the complete frame, or 0. Call next() when you have read it.
    unsigned length() const
    {
        return is_complete ? count : 0;
    }

    void next()
    {
        count = 0;
        is_complete = false;
    }

private:
    void end()
    {
        if (count <= longest_frame) {
            is_complete = true;
        } else {
            count = 0;
        }
    }

    volatile unsigned count = 0;
    volatile bool is_complete = false;
    tickwheel::closure_timer<tickwheel::member<&modbus_receiver::end>> silence{this};
};

modbus_receiver rs485{};

/// @return 0 for a whole frame that ends with its correct CRC
uint32_t crc(const volatile uint8_t *bytes, unsigned count)
{
    uint32_t sum = 0xFFFF;
    for (; count != 0; --count) {
        sum ^= *bytes++;
        for (unsigned bit = 0; bit < 8; ++bit) {
            sum = sum >> 1 ^ (sum % 2 != 0 ? 0xA001u : 0);
        }
    }
    return sum;
}

void take_frame(unsigned length)
{
    if (length < 4 || crc(rs485.frame, length) != 0) {
        print("length ", length, ": broken\n");
    } else {
        print("length ", length, ": slave ", rs485.frame[0], ", function ", rs485.frame[1], "\n");
    }
}

} // namespace

extern "C" void IRQ31_Handler()
{
    rs485.received(line::read());
}

extern "C" void SysTick_Handler()
{
    line::tick();
    tickwheel_interrupt();
}

int main()
{
    board::init();
    print("frames end after ", silence_in_us, " us of silence\n");
    line::start();
    board::tick_start(TICKWHEEL_HZ);
    do {
        const unsigned length = rs485.length();
        if (length != 0) {
            take_frame(length);
            rs485.next();
        }
    } while (line::wait());
    return 0;
}
