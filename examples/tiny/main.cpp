// SPDX-License-Identifier: MIT
// A whole firmware for a chip with 16 KB of flash and 2 KB of RAM: a heater with a button, a thermometer and a serial
// line. It has eight timers. chip.ld states the memory and the stack, and the linker refuses what does not fit.
#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/periodic_timer.hpp>

#include "../../boards/print.hpp"
#include "device.hpp"

namespace
{

// Interrupts and callbacks set these, and the main loop takes them.
volatile bool sample_due;
volatile bool frame_ended;
volatile bool heats;

bool lit;
bool pressed;
bool wanted;

void turn(bool on);

// A lamp shows that the tick runs.
tickwheel::periodic_timer heartbeat{[] { board::led(lit = !lit); }};

// The main loop reads the thermometer, because its answer may take longer than a tick.
tickwheel::periodic_timer sampling{[] { sample_due = true; }};

// A heater that nobody turns off turns itself off.
tickwheel::closure_timer forgotten{[] { turn(false); }};

// A relay that has opened rests, so that its contacts cool.
tickwheel::closure_timer rest{[] { turn(wanted); }};

// A button that is held for a second turns the heater off.
tickwheel::closure_timer long_press{[] { turn(false); }};

// Each change of the contact restarts this one, so it fires when the contact has been quiet.
tickwheel::inactivity_timer debounce{[] {
    if (pressed == device::contact_is_closed()) {
        return; // the contact has changed back
    }
    pressed = !pressed;
    if (pressed) {
        turn(!wanted);
        long_press.start_after_at_least(tickwheel_msecs_to_jiffies(1000));
    } else {
        long_press.cancel();
    }
}};

// Each byte restarts this one. A line that has been quiet for 5 ms ends the frame.
tickwheel::inactivity_timer silence{[] { frame_ended = true; }};

// Each turn of the main loop restarts the watchdog.
tickwheel::inactivity_timer watchdog{[] {
    print(device::now(), " ms: the watchdog barks, because the main loop hangs\n");
    board::exit(0); // a chip would reset itself
}};

void turn(bool on)
{
    wanted = on;
    if (!on) {
        forgotten.cancel();
        if (heats) {
            heats = false;
            rest.start_after_at_least(tickwheel_msecs_to_jiffies(500));
        }
    } else if (!rest.pending()) {
        heats = true;
        forgotten.start_after_at_least(tickwheel_msecs_to_jiffies(3000));
    }
}

bool take(volatile bool &flag)
{
    const bool was_set = flag;
    if (was_set) {
        flag = false;
    }
    return was_set;
}

} // namespace

extern "C" void SysTick_Handler()
{
    tickwheel_interrupt();
    if (device::contact_changes()) { // a real pin has an interrupt of its own
        debounce.restart_after_at_least(tickwheel_msecs_to_jiffies(20));
    }
    if (device::byte_comes()) { // so has a UART
        silence.restart_after_at_least(tickwheel_msecs_to_jiffies(5));
    }
}

int main()
{
    board::init();
    board::tick_start(TICKWHEEL_HZ);
    heartbeat.start_after_ticks(TICKWHEEL_HZ, TICKWHEEL_HZ);
    sampling.start_after_ticks(TICKWHEEL_HZ / 10, TICKWHEEL_HZ / 10);
    unsigned degrees = 0;
    bool shown = false;
    for (;;) {
        watchdog.restart_after_at_least(tickwheel_msecs_to_jiffies(250));
        if (take(sample_due)) {
            degrees = device::temperature();
        }
        if (take(frame_ended)) {
            print(device::now(), " ms: a frame of the serial line, ", degrees, " degrees\n");
        }
        if (shown != heats) {
            shown = !shown;
            print(device::now(), shown ? " ms: heater on\n" : " ms: heater off\n");
        }
        board::idle();
    }
}
