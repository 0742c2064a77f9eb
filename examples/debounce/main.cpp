// SPDX-License-Identifier: MIT
// A button, debounced. Its pin interrupts on every change, and each change restarts
// one timer. The timer fires when the contact has been quiet for 20 ms. Between
// presses nothing runs and nothing polls.
#include <tickwheel/timer.hpp>

#include "../../boards/print.hpp"
#include "pin.hpp"

namespace
{

class button {
public:
    enum class state { up, down, held };

    state now() const
    {
        return is;
    }

    /// Call this in the pin's interrupt.
    void changed()
    {
        quiet.start_after_at_least(tickwheel_msecs_to_jiffies(20));
    }

private:
    void settled()
    {
        const bool low = pin::is_low();
        if (low == (is != state::up)) {
            return; // the level has changed back
        }
        is = low ? state::down : state::up;
        if (low) {
            long_press.start_after_at_least(tickwheel_msecs_to_jiffies(1000));
        } else {
            long_press.cancel();
        }
    }

    void still_down()
    {
        is = state::held;
    }

    volatile state is = state::up;
    tickwheel::closure_timer<tickwheel::member<&button::settled>> quiet{this};
    tickwheel::closure_timer<tickwheel::member<&button::still_down>> long_press{this};
};

button door_bell{};

} // namespace

extern "C" void SysTick_Handler()
{
    tickwheel_interrupt();
    if (pin::tick()) { // a real pin has an interrupt of its own
        door_bell.changed();
    }
}

int main()
{
    board::init();
    const jiffies_t start = jiffies;
    board::tick_start(TICKWHEEL_HZ);
    button::state shown = button::state::up;
    while (!pin::finished()) {
        static constexpr const char *words[] = {"up", "down", "held for a second"};
        const button::state state = door_bell.now();
        if (state != shown) {
            print(tickwheel_jiffies_to_msecs(jiffies - start), " ms: ", words[static_cast<unsigned>(state)], "\n");
            shown = state;
        }
        board::idle();
    }
    return 0;
}
