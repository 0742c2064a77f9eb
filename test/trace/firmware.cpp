// SPDX-License-Identifier: MIT
// A firmware that records. GDB stops it at three places, and test/trace/compare_traces.py looks at what it has
// recorded until then.
#include <tickwheel/hooks.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/systick.h>

#include "../../boards/board.hpp"

// GDB stops here.
extern "C" [[gnu::noinline, gnu::used]] void stop_here(const char *volatile)
{
    __asm__ volatile("");
}

namespace
{

void nothing(timer_list *)
{
}

// --- What the recorder is told, so that all of it is known.
struct told_core {
    static inline uint32_t time = 0;
    static inline uint32_t running = 0;
    static uint32_t now()
    {
        return time;
    }
    static uint32_t exception()
    {
        return running;
    }
};

tickwheel::trace_ring<32> told;
using hooks = tickwheel::recorder<tickwheel::port_lock, told_core, told>;
timer_list a;
timer_list b;
timer_list c;

// The 32 bits of the time wrap three ticks after this one.
constexpr jiffies_t first = 4294965;

enum exception : uint32_t { thread = 0, pendsv = 14, systick = 15, irq_4 = 20 };

// A hook is called in this tick after `first`, `within` it, in a context.
template <class Hook, class... Arguments>
void then(jiffies_t tick, uint32_t within, exception context, Hook *hook, Arguments... arguments)
{
    told_core::time = (first + tick) * 1000 + within;
    told_core::running = context;
    hook(arguments...);
}

void tell()
{
    told.time_hz = 1000000;
    told.counts_per_tick = 1000;
    a.expires = first + 2;
    a.slot = 7;
    b.expires = first + 9;
    then(0, 10, thread, hooks::armed, &a);
    then(0, 20, thread, hooks::armed, &b);
    b.expires = first + 4;
    then(0, 40, thread, hooks::moved, &b);
    then(2, 0, systick, hooks::tick_with_work, first + 2, first + 1);
    then(2, 10, pendsv, hooks::callback_begins, &a);
    // An interrupt above SysTick, before the tick is counted.
    c.expires = first + 1;
    then(1, 15, irq_4, hooks::armed, &c);
    then(5, 500, pendsv, hooks::callback_ends, &a);
    // The record of its end is lost.
    then(5, 510, pendsv, hooks::callback_begins, &b);
    then(5, 600, pendsv, hooks::callback_begins, &c);
    then(5, 700, pendsv, hooks::callback_ends, &c);
    then(6, 0, systick, hooks::cascade_begins, 300);
    then(6, 0, systick, hooks::cascaded, &a);
    then(6, 10, systick, hooks::cascade_ends, 300);
    then(6, 20, thread, hooks::sleeps, 90);
    then(96, 0, thread, hooks::wakes);
    then(96, 10, thread, hooks::armed, &a);
    then(96, 20, thread, hooks::cancelled, &a);
    then(96, 20, thread, hooks::armed, &b);
    then(96, 20, thread, hooks::moved, &b);
    then(96, 30, thread, hooks::cancelled, &c);
}

// --- A lock whose end lets an interrupt in, in the middle of a record. The interrupt records more than a whole turn.
tickwheel::trace_ring<8> turned;

struct interrupting_lock {
    static int irq_save()
    {
        return 0;
    }
    static void irq_restore(int);
};
using interrupted = tickwheel::recorder<interrupting_lock, told_core, turned>;

void interrupting_lock::irq_restore(int)
{
    static bool inside = false;
    if (inside) {
        return;
    }
    inside = true;
    for (jiffies_t tick = 0; tick < 10; ++tick) {
        interrupted::tick_with_work(tick, tick);
        if (tick == 0) {
            stop_here("in a record");
        }
    }
}

// --- Ticks and callbacks interrupt the thread, which arms all the time, so records nest.
struct sensor_driver {
    void measure()
    {
        // Each measurement is ready 40 ms after its start.
        (void)ready.start_after_ticks(40);
    }
    void read()
    {
        ++samples;
    }
    unsigned samples = 0;
    tickwheel::periodic_timer<tickwheel::member<&sensor_driver::measure>> poll{this};
    tickwheel::closure_timer<tickwheel::member<&sensor_driver::read>> ready{this};
};
sensor_driver sensor{};
tickwheel::timer pushed{nothing};
tickwheel::timer far_away{nothing};
tickwheel::periodic_timer often{[] { (void)pushed.start_after_ticks(300); }};

// In one of sixteen ticks the thread arms and cancels all the time. In the others it sleeps.
void work(jiffies_t ticks)
{
    const jiffies_t end = jiffies + ticks;
    while (tickwheel_time_before(jiffies, end)) {
        if (jiffies % 16 == 0) {
            (void)pushed.start_after_ticks(300 + jiffies % 8);
            (void)pushed.start_after_ticks(600);
            (void)pushed.cancel();
        } else {
            tickwheel_idle();
        }
    }
}

// --- Callbacks run one after the other, so while one of them erases flash the sensor's answer waits.
struct flash_driver {
    void wait_for_erase()
    {
        const jiffies_t end = jiffies + 150;
        while (tickwheel_time_before(jiffies, end)) {
        }
    }
    tickwheel::closure_timer<tickwheel::member<&flash_driver::wait_for_erase>> erase{this};
};
flash_driver flash{};

} // namespace

// The instructions of an event, for GDB. The emulator takes 8 ns for an instruction.
extern "C" uint32_t cost_of_an_event;
uint32_t cost_of_an_event;

int main()
{
    const uint32_t clock_hz = board::init();
    tickwheel::start_trace(clock_hz);
    if (tickwheel_systick_start(clock_hz) != 0) {
        board::exit(1);
    }
    tell();
    turned.time_hz = 1000;
    interrupted::cascade_ends(99);

    (void)far_away.start_after_ticks(600);
    often.start_after_ticks(3, 1);
    for (unsigned i = 0; i < 30; ++i) {
        work(57);
        stop_here("busy");
    }
    often.stop();
    (void)pushed.cancel();
    (void)far_away.cancel();

    {
        constexpr uint32_t rounds = 64;
        const tickwheel::lock_guard<tickwheel::port_lock> lock;
        const uint32_t before = tickwheel::systick_core::now();
        for (uint32_t i = 0; i < rounds; ++i) {
            tickwheel_hooks::armed(&far_away);
        }
        const uint32_t counts = tickwheel::systick_core::now() - before;
        cost_of_an_event = counts * (125000000 / (clock_hz / 100)) / 100 / rounds;
    }

    // The ring keeps all of this.
    sensor.poll.start_after_ticks(50, 500);
    (void)flash.erase.start_after_ticks(55);
    const jiffies_t end = jiffies + 550;
    while (tickwheel_time_before(jiffies, end)) {
        tickwheel_idle();
    }
    stop_here("late");
    board::exit(sensor.samples == 0);
}
