// SPDX-License-Identifier: MIT
// Sleeps: the races that end them, deadlines, and the wheel's next event.
#include "../cases.hpp"

namespace
{

// --- sleep races

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
SLEEP_CASE("an interrupt at each cycle of idle()")
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

// idle() does not sleep over work that an interrupt sets, whenever the interrupt comes.
volatile int work;
uint64_t set_at;
// requirement: TW-35
SLEEP_CASE("work that an interrupt sets at each cycle of idle()")
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
                start_in_long_period(100, 30, 5000);
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

// --- a deadline that has passed, or passes meanwhile

SLEEP_CASE("armed -2 to 5 ticks ahead, at each cycle around an edge or a tick")
{
    for (const bool in_long_period : {false, true}) {
        for (int32_t delta = -2; delta <= 5; ++delta) {
            for (uint32_t k = 0; k < 2 * sweep_cycles; ++k) {
                // Long period: around a tick that has no edge, and where a restart is only just possible.
                const int64_t before =
                    k < sweep_cycles ? sweep_cycles / 2 - int64_t{k} : 400 + int64_t{k} - sweep_cycles;
                if (in_long_period) {
                    start_in_long_period(100, 30, before);
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

// Its tick has come before idle() looks: it is due as soon as interrupts are on, and nothing sleeps.
SLEEP_CASE("passed before idle() looks")
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

// --- what it sleeps for

// Around the end of a block, and of the first slot of every level that a sleep of minutes reaches; 250 and then 50 is
// the 300 that hides behind a block's end. Longer delays are further away than the counter reaches.
SLEEP_CASE("a timer wakes the core in its tick, and seldom before")
{
    for (const int32_t start_at : {1, 63, 200, 250, 255, 256, 1000, 16383}) {
        for (const int32_t delta : {2, 50, 56, 57, 255, 256, 257, 511, 1047, 1050, 2098, 4096, 16384, 100000}) {
            for (const bool armed_before : {false, true}) {
                start(even);
                arm(timers[0], start_at);
                // Deferrable, and in its tick all the same.
                arm(timers[5], start_at);
                if (armed_before) {
                    arm(timers[1], start_at + delta);
                }
                idle_until_fired(2);
                check_tick(start_at);
                if (!armed_before) {
                    arm(timers[1], delta);
                }
                const uint32_t before = driver.counts().sleeps;
                idle_until_fired(3);
                check_tick(start_at + delta);
                // Each event, a cascade too, is an edge of the tick under way and a long period. The counter forces
                // others.
                const uint32_t forced = 2 * static_cast<uint32_t>(delta) / tickwheel::systick_grid(even).longest;
                const uint32_t sleeps = driver.counts().sleeps - before;
                check(sleeps <= 12 + forced, "sleeps", sleeps, start_at);
                end_life();
            }
        }
    }
}

SLEEP_CASE("nothing pending is the longest period")
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

// The timer's tick begins a block, so it is the wheel's next event.
SLEEP_CASE("a sleep that is about as long as the longest period ends in its timer's tick")
{
    for (const uint32_t clock : {even, uneven}) {
        const jiffies_t longest = tickwheel::systick_grid(clock).longest;
        for (jiffies_t ahead = longest - 3; ahead <= longest + 3; ++ahead) {
            start(clock);
            constexpr jiffies_t block = jiffies_t{1} << (TICKWHEEL_GEOMETRY / 10);
            const jiffies_t tick = (jiffies + ahead) / block * block + block;
            work_until(counted() + static_cast<int32_t>(tick - ahead - jiffies), -200);
            arm(timers[0], static_cast<int32_t>(ahead));
            idle_until_fired(fired + 1);
            end_life();
        }
    }
}

// The first stop is for the rest of the tick, the second for the long period. One tick needs no long period, so
// idle() returns before it.
SLEEP_CASE("idle() stops twice if more than two ticks are left, else once")
{
    for (const int32_t ticks : {1, 2, 3, 10}) {
        start(even);
        arm(timers[0], ticks);
        idle();
        check(driver.counts().sleeps == (ticks > 2 ? 2 : 1), "sleeps", driver.counts().sleeps, ticks);
        check_tick(ticks > 2 ? ticks : 1);
        end_life();
    }
}

} // namespace
