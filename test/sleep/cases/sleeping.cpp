// SPDX-License-Identifier: MIT
// Sleeps: the races that end them, deadlines, and the wheel's next event.
#include "../cases.hpp"

namespace
{

// --- B15: sleep races

// At each cycle from before idle() to its end an interrupt arms, moves or deletes.
constexpr void (*actions[])() = {
    [] { arm(timers[1], 2); },
    [] { arm(timers[0], 3); },
    [] { arm(timers[0], 150); },
    [] {
        disarm(timers[0]);
        arm(timers[1], 1);
    },
    [] { arm(timers[1], 0); },
};
// requirement: TW-35
SLEEP_CASE("B15: an interrupt at each cycle of idle()")
{
    for (void (*const action)() : actions) {
        for (uint32_t k = 0; k < sweep_cycles; ++k) {
            start(uneven, 1 + k % 3);
            cpu.handlers[model::foreign] = action;
            arm(timers[0], 100);
            cpu.foreign_at = cpu.cycle + 1 + k;
            idle_until_fired(1);
            check(fired == 1, "fired", fired);
            end_life();
        }
    }
}

// One after another, until the core stops.
uint32_t changes_left;
SLEEP_CASE("B15: interrupts that change timers one after another")
{
    for (uint32_t changes = 1; changes < 12; ++changes) {
        for (uint32_t apart = 1; apart < 40; ++apart) {
            start(even);
            changes_left = changes;
            static uint32_t each;
            each = apart;
            cpu.handlers[model::foreign] = [] {
                arm(timers[1], static_cast<int32_t>(20 + changes_left));
                if (--changes_left != 0) {
                    cpu.foreign_at = cpu.cycle + each;
                }
            };
            arm(timers[0], 60);
            cpu.foreign_at = cpu.cycle + 1;
            idle_until_fired(2);
            end_life();
        }
    }
}

// idle() does not sleep over work that an interrupt sets, whenever the interrupt comes.
volatile int work;
uint64_t set_at;
// requirement: TW-35
SLEEP_CASE("B15: work that an interrupt sets at each cycle of idle()")
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(uneven);
        work = 0;
        cpu.handlers[model::foreign] = [] {
            work = 1;
            set_at = cpu.cycle;
        };
        cpu.foreign_at = cpu.cycle + 1 + k;
        while (goes_on() && work == 0) {
            driver.idle(&work);
        }
        check(cpu.cycle - set_at < 200, "slept over for cycles", static_cast<int64_t>(cpu.cycle - set_at));
        end_life();
    }
}

// At least as long as it says, whenever in a tick it is called, also after a sleep and work.
SLEEP_CASE("sleep() is never short")
{
    for (const bool after_sleep : {false, true}) {
        for (uint32_t k = 0; k < sweep_cycles; ++k) {
            start(uneven);
            if (after_sleep) {
                start_in_long_period(uneven, 100, 30, 5000);
                cpu.pass(uint64_t{10} * tick_counts());
            }
            cpu.pass(k * 41);
            const int64_t from = now();
            driver.sleep(3);
            const int64_t took = now() - from;
            check(took >= 3 * int64_t{tick_counts()} && took < 4 * int64_t{tick_counts()} + 1000, "took", took);
            end_life();
        }
    }
}

// --- B6: a deadline that has passed, or passes meanwhile

SLEEP_CASE("B6: armed -2 to 5 ticks ahead, at each cycle around an edge or a tick")
{
    for (const bool in_long_period : {false, true}) {
        for (int32_t delta = -2; delta <= 5; ++delta) {
            for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
                // Long period: around a tick that has no edge, and where a restart is only just possible.
                const int64_t before =
                    k < sweep_cycles ? sweep_cycles / 2 - int64_t{k} : 400 + int64_t{k} - sweep_cycles;
                if (in_long_period) {
                    start_in_long_period(uneven, 100, 30, before);
                } else {
                    start(uneven);
                    cpu.pass(20);
                    work_until_edge_in(static_cast<uint32_t>(before < 0 ? 2 * sweep_cycles + before : before));
                }
                late_limit = 700;
                arm(timers[1], delta);
                idle_until_fired(1);
                check(fired == 1 && !timers[1].armed, "the other one fired", delta);
                end_life();
            }
        }
    }
}

// Armed by the interrupt that ended the sleep, jiffies being right in it.
int32_t foreign_delta;
SLEEP_CASE("B6: armed -2 to 5 ticks ahead by what ends the sleep")
{
    for (foreign_delta = -2; foreign_delta <= 5; ++foreign_delta) {
        for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
            start(even);
            late_limit = 1000;
            cpu.handlers[model::foreign] = [] {
                check(counted() >= tick_at(static_cast<int64_t>(cpu.woken_at)), "jiffies in it", counted());
                arm(timers[1], foreign_delta);
            };
            arm(timers[0], 100);
            interrupt_at(tick_start(40) - 2 * sweep_cycles + 10 + k);
            idle_until_fired(1);
            check(!timers[1].armed, "the other one fired", foreign_delta);
            end_life();
        }
    }
}

// Its tick has come before idle() looks: it is due as soon as interrupts are on, and nothing sleeps.
SLEEP_CASE("B6: passed before idle() looks")
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        start(even);
        arm(timers[0], 1);
        const bool state = cpu.mask();
        cpu.pass(cpu.systick.to_edge() + k);
        idle();
        check(driver.counts().sleeps == 0, "sleeps", driver.counts().sleeps);
        cpu.unmask(state);
        check(fired == 1, "fired", fired);
    }
}

SLEEP_CASE("B5: the edge comes when the reload is written")
{
    for (uint32_t k = 0; k < sweep_cycles; ++k) {
        for (const uint32_t woken : {0u, 1u, 2u}) {
            start(uneven, 1 + k % 4);
            late_limit = 1000;
            arm(timers[0], 50);
            work_until_edge_in(woken != 0 ? 600 : k + 1);
            if (woken != 0) {
                // Another interrupt takes the long period back about when the edge comes.
                interrupt_at(tick_start(1) - sweep_cycles / 2 + k + woken);
            }
            idle_until_fired(1);
            end_life();
        }
    }
}

// --- B7: what it sleeps for

void check_fires(uint32_t number, int64_t tick)
{
    idle_until_fired(number);
    check_tick(tick);
}

/// Sleeps that the counter forces on the way to a timer so far away.
uint32_t forced_sleeps(int32_t ticks)
{
    const uint32_t longest = (1u << 24) / ((clock_hz + TICKWHEEL_HZ - 1) / TICKWHEEL_HZ);
    return 2 * (static_cast<uint32_t>(ticks) / longest);
}

// Each event, a cascade too: an edge of the tick under way, and the long period.
void check_wakes(uint32_t before, uint32_t most)
{
    check(driver.counts().sleeps - before <= most, "sleeps", driver.counts().sleeps - before);
}

SLEEP_CASE("B7: armed for 300, asked at 250")
{
    start(even);
    arm(timers[0], 300);
    arm(timers[1], 250);
    check_fires(1, 250);
    arm(timers[1], 200);
    check_fires(2, 300);
    check_fires(3, 450);
    check_wakes(0, 10 + forced_sleeps(450));
    end_life();
}

SLEEP_CASE("B7: wrapped slots")
{
    // Around the end of a block, and of the first slot of every level that a sleep of minutes reaches.
    for (const int32_t start_at : {1, 63, 200, 255, 256, 1000, 16383}) {
        for (const int32_t delta : {2, 56, 57, 255, 256, 257, 511, 4096, 16384}) {
            start(even);
            arm(timers[0], start_at);
            idle_until_fired(1);
            const uint32_t before = driver.counts().sleeps;
            arm(timers[1], delta);
            check_fires(2, start_at + delta);
            check_wakes(before, 12 + forced_sleeps(delta));
        }
    }
    end_life();
}

// A deferrable timer fires in its tick as well.
SLEEP_CASE("B7: deferrable timers fire in their tick")
{
    start(even);
    arm(timers[5], 10);
    arm(timers[0], 500);
    check_fires(1, 10);
    check_fires(2, 500);
    check_wakes(0, 6 + forced_sleeps(500));
    end_life();
}

SLEEP_CASE("B7: nothing pending is the longest period")
{
    for (const uint32_t clock : {even, uneven, 168000000u}) {
        start(clock);
        const int64_t longest = (int64_t{1} << 24) / ((clock + TICKWHEEL_HZ - 1) / TICKWHEEL_HZ);
        for (unsigned i = 1; i <= 20 && goes_on(); ++i) {
            idle();
            look_at_time();
            check(counted() == (1 + longest) * i, "ticks after a sleep", counted());
        }
        check(cpu.systick.edges == 40, "edges", static_cast<int64_t>(cpu.systick.edges));
        end_life();
    }
}

SLEEP_CASE("B7: further away than the counter reaches")
{
    for (const int32_t length : {1047, 1048, 1049, 1050, 2096, 2097, 2098, 100000}) {
        start(even);
        arm(timers[0], length);
        check_fires(1, length);
        check_wakes(0, 12 + forced_sleeps(length));
        end_life();
    }
}

} // namespace
