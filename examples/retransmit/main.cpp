// SPDX-License-Identifier: MIT
// Sends one packet at a time over a radio that loses some. A packet that is not
// acknowledged is sent again after 50, 100, 200 and 400 ms; the fifth time-out gives up.
#include <tickwheel/timer.hpp>

#include "../../boards/print.hpp"
#include "radio.hpp"

namespace
{

class sender {
public:
    enum class state { idle, waiting, delivered, failed };

    state now() const
    {
        return is;
    }

    unsigned attempts() const
    {
        return attempt;
    }

    void send(uint32_t number)
    {
        packet = number;
        attempt = 0;
        is = state::waiting;
        transmit();
    }

    /// Call this in the radio's interrupt.
    void acknowledged(uint32_t number)
    {
        // Ignores a late acknowledgement: the packet was sent twice, or given up.
        if (number == packet && time_out.cancel()) {
            is = state::delivered;
        }
    }

private:
    static constexpr unsigned max_attempts = 5;

    void transmit()
    {
        // Start the timer first: the answer may come before the radio's driver returns.
        time_out.start_after_at_least(tickwheel_msecs_to_jiffies(50u << attempt));
        attempt = attempt + 1;
        radio::send(packet);
    }

    void timed_out()
    {
        if (attempt == max_attempts) {
            is = state::failed;
        } else {
            transmit();
        }
    }

    uint32_t packet = 0;
    volatile unsigned attempt = 0;
    volatile state is = state::idle;
    tickwheel::closure_timer<tickwheel::member<&sender::timed_out>> time_out{this};
};

sender uplink{};

} // namespace

extern "C" void SysTick_Handler()
{
    tickwheel_interrupt();
    const uint32_t packet = radio::acknowledged();
    if (packet != 0) { // a real radio has an interrupt of its own
        uplink.acknowledged(packet);
    }
}

int main()
{
    board::init();
    board::tick_start(TICKWHEEL_HZ);
    for (uint32_t number = 1; number <= 5; ++number) {
        uplink.send(number);
        while (uplink.now() == sender::state::waiting) {
            board::idle();
        }
        const bool delivered = uplink.now() == sender::state::delivered;
        print("packet ", number, delivered ? " delivered" : " given up", ", attempts: ", uplink.attempts(), "\n");
    }
    return 0;
}
