// SPDX-License-Identifier: MIT
// Timers of all kinds, on all levels, in three wheels, and three places where GDB stops.
#include <tickwheel/inactivity_timer.hpp>
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/timer.hpp>
#include <tickwheel/wheel.hpp>

#include "../../../boards/board.hpp"

// Arms the timers of devices.c.
extern "C" void devices_start();

// GDB stops here.
extern "C" [[gnu::noinline, gnu::used]] void stop_here(const char *volatile)
{
    __asm__ volatile("");
}

namespace
{

using radio_wheel = tickwheel::wheel<tickwheel::port_lock, tickwheel::geometry<6, 2>>;
radio_wheel on_air;
using radio_list = tickwheel::wheel<tickwheel::port_lock, tickwheel::ordered_list>;
radio_list few;

// A wheel inside an object, with a timer on each level. Its levels lie in another order than those of smaller ones.
struct {
    int power = 0;
    tickwheel::wheel<tickwheel::port_lock, tickwheel::geometry<6, 5>> on_air;
    timer_list answers[5] = {};
} radio;

class lamp {
public:
    void start()
    {
        blink.start_after_ticks(3, 500);
        off.start_after_ticks(100);
        wear.start_after_ticks(uint64_t{1} << 33);
    }

private:
    void toggle()
    {
        lit = !lit;
    }
    void switch_off(timer_list &)
    {
        lit = false;
    }
    void replace()
    {
        lit = false;
    }

    bool lit = false;
    tickwheel::periodic_timer<tickwheel::member<&lamp::toggle>> blink{this};
    tickwheel::closure_timer<tickwheel::member<&lamp::switch_off>> off{this, TICKWHEEL_TIMER_DEFERRABLE};
    tickwheel::long_timer<tickwheel::member<&lamp::replace>> wear{this};
};

struct door {
    int number;
    lamp lamps[2];
};
door doors[2] = {{1, {}}, {2, {}}};

void state_is_old(timer_list *)
{
}
// devices.c has another `state`.
tickwheel::timer state{state_is_old};

unsigned sent;
tickwheel::closure_timer beacon{[] { stop_here("in a callback"); }};
tickwheel::periodic_timer often{[](auto &self) { self.set_period(++sent == 0 ? 1 : 7); }};
// A lambda that is a plain function.
tickwheel::timer patience{[](timer_list *) { ++sent; }};
// All code of this lambda is a loop of a function that is inlined.
volatile unsigned answers[4];
inline void forget_answers()
{
    for (volatile unsigned &answer : answers) {
        answer = 0;
    }
}
tickwheel::closure_timer forget{[] { forget_answers(); }};

struct counting {
    unsigned *count;
    void operator()() const
    {
        ++*count;
    }
};
tickwheel::periodic_timer<counting, tickwheel::missed_periods::skip, on_air> slot{counting{&sent}};
tickwheel::inactivity_timer<counting, on_air> silence{counting{&sent}};
tickwheel::basic_timer<on_air> quiet{state_is_old, TICKWHEEL_TIMER_DEFERRABLE};
tickwheel::basic_timer<on_air> far_off{state_is_old};
tickwheel::basic_timer<few> in_a_list{state_is_old};

struct watch : tickwheel::timer {
    int before;
    watch() : tickwheel::timer(state_is_old), before(0)
    {
    }
};

void start()
{
    devices_start();
    doors[1].lamps[0].start();
    state.start_after_ticks(20000000);
    often.start_after_ticks(1, 6);
    patience.start_after_ticks(600);
    forget.start_after_ticks(700);
    slot.start_after_ticks(1, 2);
    silence.restart_after_ticks(90);
    silence.restart_after_ticks(95);
    quiet.start_after_ticks(100);
    far_off.start_after_ticks(5000);
    in_a_list.start_after_ticks(40);
    jiffies_t tick = jiffies;
    for (timer_list &answer : radio.answers) {
        tickwheel_timer_setup(&answer, state_is_old, 0);
        (void)radio.on_air.mod_timer(&answer, tick += 20);
        tick += (tick - jiffies) * 32;
    }
}

} // namespace

extern "C" void SysTick_Handler()
{
    (void)tickwheel_tick();
}

extern "C" void PendSV_Handler()
{
    (void)tickwheel_run();
}

int main()
{
    (void)board::init();
    // The priorities of SysTick and PendSV.
    *reinterpret_cast<volatile uint32_t *>(0xE000ED20) = 0xC0E00000;
    start();
    tickwheel::scoped_timer pause{[] { ++sent; }};
    (void)pause.start_after_ticks(50);
    int lost = 0;
    static tickwheel::closure_timer resend{[&lost] { ++lost; }};
    (void)resend.start_after_ticks(300);
    {
        static watch inner;
        (void)inner.start_after_ticks(70);
    }
    (void)on_air.advance(9);
    (void)on_air.run();
    (void)tickwheel_advance(25);
    (void)tickwheel_run();
    stop_here("at rest");
    beacon.start_after_ticks(1);
    (void)tickwheel_interrupt();
    // Only the upper two bits of a priority preempt, and these are the same.
    *reinterpret_cast<volatile uint32_t *>(0xE000ED0C) = 0x05FA0500;
    // The clock has wrapped, and the runner has not.
    (void)tickwheel_advance(400000);
    stop_here("lagging");
    board::exit(lost);
}
