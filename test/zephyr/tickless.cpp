// SPDX-License-Identifier: MIT
// A kernel that sleeps until the driver's time is over wakes as often on the wheel as on the list.
#include "../support/random.hpp"
#include "timeouts.hpp"

namespace
{

struct night {
    unsigned wakes;
    unsigned calls;
    unsigned late;
};

random_numbers numbers;
k_ticks_t longest;

// Sleeps for so many ticks, and counts.
night sleep(const kernel &of, uint32_t seed, k_ticks_t most, k_ticks_t ticks)
{
    static night passed;
    struct sleeper : noted {
        k_ticks_t due = 0;
        explicit sleeper(const kernel &its_kernel) : noted(its_kernel)
        {
            then = [](noted &self) {
                auto &one = static_cast<sleeper &>(self);
                ++passed.calls;
                passed.late += one.tick != one.due;
                one.due = one.add(in_ticks(1 + numbers.next() % longest));
            };
        }
    };
    sleeper timeouts[] = {sleeper(of), sleeper(of), sleeper(of), sleeper(of), sleeper(of), sleeper(of),
                          sleeper(of), sleeper(of), sleeper(of), sleeper(of), sleeper(of), sleeper(of)};
    passed = {};
    numbers = {seed};
    longest = most;
    of.set_tick(0);
    for (sleeper &timeout : timeouts) {
        timeout.due = timeout.add(in_ticks(1 + numbers.next() % longest));
    }
    while (of.tick() < ticks) {
        // An interrupt wakes the core at times, looks at the clock, and restarts a timeout.
        const uint32_t left = of.driver->wake_at - of.driver->elapsed;
        if (numbers.below(4) == 0 && left > 1) {
            of.driver->elapsed += 1 + numbers.next() % (left - 1);
            sleeper &restarted = timeouts[numbers.below(12)];
            (void)of.abort(&restarted);
            restarted.due = restarted.add(in_ticks(1 + numbers.next() % longest));
        } else {
            ++passed.wakes;
            of.driver->elapsed = 0;
            of.announce(of.driver->wake_at);
        }
    }
    return passed;
}

} // namespace

TEST_CASE("as many wakes as with the list, whatever the delays")
{
    for (const k_ticks_t most :
         {k_ticks_t{20}, k_ticks_t{300}, k_ticks_t{16384}, k_ticks_t{2000000}, k_ticks_t{1} << 29}) {
        const night on_list = sleep(*kernels[0], 1, most, most * 200);
        const night on_wheel = sleep(*kernels[1], 1, most, most * 200);
        CHECK(on_list.calls > 500);
        CHECK_EQ(on_list.late + on_wheel.late, 0u);
        CHECK_EQ(on_wheel.calls, on_list.calls);
        CHECK_EQ(on_wheel.wakes, on_list.wakes);
    }
}
