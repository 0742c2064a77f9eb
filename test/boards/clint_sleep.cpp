// SPDX-License-Identifier: MIT
// Hours of sleep by port/riscv_clint on an emulated board. mtime itself says when each
// tick begins: every callback must run within its tick. Delays are longer and shorter
// than half of the counter's lower word. Some callbacks last several ticks. The ticks
// must count on meanwhile, and the callbacks must not nest.
#include <tickwheel/clint.hpp>
#include <tickwheel/counter_tick.hpp>
#include <tickwheel/timer.hpp>

#include "../support/random.hpp"
#include "../support/riscv_registers.hpp"
#include "frame.hpp"

namespace
{

using counter = tickwheel::clint<10000000>;
tickwheel::counter_tick<counter> tick;

constexpr uint32_t tick_counts = counter::hz / TICKWHEEL_HZ;
constexpr uint32_t interrupts_on = 1u << 3;

uint64_t first_count;

/// The ticks that have begun, by mtime. There are 10000 counts in a tick; libgcc divides.
uint64_t ticks_begun()
{
    return TICKWHEEL_INITIAL_JIFFIES + (read_mtime() - first_count) / tick_counts;
}

bool interrupts_are_on()
{
    uint32_t status = 0;
    uint32_t enabled = 0;
    __asm__ volatile("csrr %0, mstatus\n\tcsrr %1, mie" : "=r"(status), "=r"(enabled)::"memory");
    return (status & interrupts_on) != 0 && (enabled & software_interrupt) == 0;
}

random_numbers numbers;
timer_list timers[8];
unsigned callbacks;
bool in_callback;
uint64_t busy_until;

void note(timer_list *timer)
{
    check(interrupts_are_on(), "a callback runs with interrupts on, but for the software interrupt");
    check(!in_callback, "callbacks do not nest");
    in_callback = true;
    const uint64_t now = ticks_begun();
    check(tickwheel_get_jiffies_64() == now, "jiffies is the tick that mtime has reached");
    check(static_cast<jiffies_t>(now) == timer->expires || now <= busy_until, "a callback runs in its tick");
    ++callbacks;
    const uint32_t which = numbers.below(16);
    if (which == 0) {
        // Busy for 3 ticks and a part of one.
        while (ticks_begun() < now + 3) {
        }
        check(tickwheel_get_jiffies_64() == now + 3, "ticks count on during a callback");
        busy_until = now + 4;
    }
    const uint32_t longest = which < 8 ? 4 : which < 14 ? 4096 : 1u << 18;
    (void)tickwheel_mod_timer(timer, jiffies + 1 + (numbers.next() >> 8) % longest);
    in_callback = false;
}

volatile unsigned alarms;

extern "C" void MTI_Handler()
{
    alarms = alarms + 1;
    tick.interrupt();
}
extern "C" jiffies_t tickwheel_current_tick()
{
    return tick.current_tick();
}

extern "C" void MSI_Handler()
{
    counter::run_softirq();
}

/// The later alarm has a lower word that is past, and another upper word.
void replace_an_alarm()
{
    constexpr uint32_t second = counter::hz;
    while (counter::read() < (1u << 31) + second || counter::read() > 0u - 2 * second) {
        tick.idle();
    }
    counter::set_alarm(counter::read() + second);
    const unsigned before = alarms;
    counter::set_alarm(counter::read() + (1u << 31) - 1);
    check(alarms == before, "replacing an alarm interrupts for nothing");
}

/// "At least" counts the ticks that begin while the alarm is masked.
void arm_behind_pending_ticks()
{
    tickwheel::timer waiting{[](timer_list *) {}};
    const uint32_t state = counter::mask();
    const uint64_t begun = ticks_begun();
    while (ticks_begun() < begun + 3) {
    }
    waiting.start_after_at_least(5);
    const uint64_t armed_in = ticks_begun();
    counter::unmask(state);
    check(waiting.expires() == static_cast<jiffies_t>(armed_in + 6), "at least counts ticks that are masked");
    (void)waiting.cancel();
}

} // namespace

int main()
{
    (void)board::init();
    tick.start();
    counter::enable();
    // start() has read the counter a few counts ago.
    const auto moment = tick.now();
    first_count = read_mtime() - (moment.ticks - TICKWHEEL_INITIAL_JIFFIES) * tick_counts - moment.counts;
    const volatile int work = 1;
    const uint64_t before = read_mtime();
    tick.idle(&work);
    check(read_mtime() - before < tick_counts, "idle() does not sleep while there is work");
    for (timer_list &timer : timers) {
        tickwheel_timer_setup(&timer, note, 0);
        (void)tickwheel_mod_timer(&timer, jiffies + 1);
    }
    uint32_t sleeps = 0;
    constexpr uint64_t hour = uint64_t{3600} * TICKWHEEL_HZ;
    while (tickwheel_get_jiffies_64() - TICKWHEEL_INITIAL_JIFFIES < 4 * hour) {
        tick.idle();
        ++sleeps;
    }
    // Each callback ends a sleep, and so does each cascade and each half of the counter.
    print(callbacks, " callbacks, ", sleeps, " sleeps\n");
    check(callbacks > 1000 && sleeps < 4 * callbacks, "the core sleeps from timer to timer");
    replace_an_alarm();
    arm_behind_pending_ticks();
    end_checks();
}
