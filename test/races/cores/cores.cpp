// SPDX-License-Identifier: MIT
// The stress test for two cores, in an emulator with a thread for each core. Each
// core ticks and runs its own wheel in its main loop, and both work on the timers of
// both wheels. An interrupt of each core works above them. timers.hpp says what is
// checked. The runs differ: the threads race.
#include "../../support/command_line.hpp"
#include "timers.hpp"

namespace cores_stress
{

uint32_t wanted;
volatile bool core_1_has_ended;

void work(state &self, bool in_main_loop)
{
    const unsigned here = cores::here();
    const unsigned wheel = self.numbers.below(2);
    const uint32_t which = self.numbers.below(64);
    if (!in_main_loop || which < 24) {
        work_on_common(self, common[wheel][self.numbers.below(common_count)]);
    } else {
        owned_timer &own = owned[here][wheel][self.numbers.below(owned_count)];
        own.armed ? delete_and_poison(self, own) : set_up_and_arm(self, own);
    }
    ++self.operations;
}

/// Many ticks at once, so that arms of the other core come within a tick.
void tick_and_run(uint32_t count)
{
    const unsigned here = cores::here();
    ticks[here] += count;
    for (; count != 0; --count) {
        (void)on_wheel(here, [](auto &wheel) { return wheel.interrupt(); });
    }
}

void start_interrupts()
{
    // 50 microseconds of the host's time.
    board::tick_start(20000);
}

extern "C" void SysTick_Handler()
{
    work(states[context_here()], false);
}

/// Both cores have ended their work.
void check_sums()
{
    for (unsigned wheel = 0; wheel < cores::count; ++wheel) {
        for (unsigned i = 0; i < common_count; ++i) {
            uint32_t balance = 0;
            for (const state &each : states) {
                balance += each.balance[wheel][i];
            }
            const int pending = tickwheel::core_wheel<cores, 0>::timer_pending(&common[wheel][i].timer);
            check(balance == static_cast<uint32_t>(pending), "armed is not cancelled + fired + pending", i);
        }
    }
    ++passed;
}

uint32_t operations_of(unsigned core)
{
    return states[2 * core].operations + states[2 * core + 1].operations;
}

void run_core()
{
    const unsigned here = cores::here();
    state &self = states[2 * here];
    start_interrupts();
    while (operations_of(here) < wanted / cores::count) {
        work(self, true);
        if (self.numbers.below(8) == 0) {
            tick_and_run(1 + self.numbers.below(100));
        }
    }
}

[[noreturn]] void core_1()
{
    run_core();
    const masked without_interrupts;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    core_1_has_ended = true;
    for (;;) {
        board::idle();
    }
}

void set_up()
{
    for (unsigned i = 0; i < contexts; ++i) {
        states[i].numbers.state = 0x9E3779B9u * (i + 1);
    }
    for (unsigned wheel = 0; wheel < cores::count; ++wheel) {
        for (unsigned i = 0; i < common_count; ++i) {
            common[wheel][i].timer = tickwheel::timer_initializer(common_fired, 0);
            common[wheel][i].wheel = static_cast<uint8_t>(wheel);
            common[wheel][i].number = static_cast<uint8_t>(i);
        }
        for (unsigned owner = 0; owner < cores::count; ++owner) {
            for (owned_timer &own : owned[owner][wheel]) {
                own.owner = static_cast<uint8_t>(owner);
                own.wheel = static_cast<uint8_t>(wheel);
            }
        }
    }
}

void report()
{
    for (unsigned core = 0; core < cores::count; ++core) {
        const state &main_loop = states[2 * core];
        print("    core ", core, ": ", operations_of(core), " operations, ", ticks[core], " ticks, ", main_loop.fired,
              " fired\n");
    }
}

} // namespace cores_stress

int main()
{
    using namespace cores_stress;
    (void)board::init();
    if (!number_from_command_line(1, 1000000000, wanted)) {
        print("the command line needs a number of operations, 1 to 1000000000\n");
        return 2;
    }
    set_up();
    cores::start([] { core_1(); });
    run_core();
    {
        const masked without_interrupts;
        while (!core_1_has_ended) {
            cores::wait();
        }
        check_sums();
    }
    report();
    print(passed, " passed, ", failed, " failed\n");
    return failed != 0;
}
