// SPDX-License-Identifier: MIT
// A wheel so small that every delay can be tried from every base around the ends of all its levels: 64 + 4x4 slots,
// which reach 2^14 ticks, and two beyond.
#include <vector>

#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

using small_wheel = tickwheel::wheel<tickwheel::port_lock, tickwheel::geometry<6, 2>>;

small_wheel wheel;
jiffies_t base;
unsigned calls;
unsigned wrong;
jiffies_t last_delta;

struct tried : timer_list {
    jiffies_t delta;
};

// Timers of one tick fire as armed, here by growing delta; two deltas share a tick only at 0 and 1.
void fires(timer_list *self)
{
    const jiffies_t delta = static_cast<tried *>(self)->delta;
    const jiffies_t tick = base + (delta == 0 ? 1 : delta);
    ++calls;
    wrong += wheel.jiffies() != tick || (calls != 1 && delta != last_delta + 1);
    last_delta = delta;
}

// One timer for each delay up to `longest`, from each base in turn.
template <class Bases>
void try_every_delay(jiffies_t longest, Bases each_base)
{
    std::vector<tried> timers(longest + 1);
    for (jiffies_t delta = 0; delta <= longest; ++delta) {
        tickwheel_timer_setup(&timers[delta], fires, 0);
        timers[delta].delta = delta;
    }
    each_base([&](jiffies_t from) {
        base = from;
        calls = 0;
        wrong = 0;
        wheel.init(base);
        for (tried &timer : timers) {
            wheel.mod_timer(&timer, base + timer.delta);
        }
        unsigned ran = 0;
        for (jiffies_t tick = 0; tick < longest; ++tick) {
            ran += wheel.interrupt();
        }
        CHECK_EQ(unit::moment{base, calls, wrong}, unit::moment{base, longest + 1, 0});
        CHECK_EQ(ran, calls);
    });
}

} // namespace

// requirement: TW-02
TEST_CASE("a wheel of 64 + 4x4 slots fires every delay to more than its reach in its tick")
{
    try_every_delay(20000, [](auto try_base) {
        constexpr jiffies_t ends[] = {0u, 0x2000u, 0x4000u, 0x80000000u, 0x12345800u};
        for (const jiffies_t end : ends) {
            // One base is enough where the checks take the time.
            for (jiffies_t from = end - 34; from != end + 3; from += TICKWHEEL_DEBUG ? 37 : 1) {
                try_base(from);
            }
        }
    });
}

TEST_CASE("a wheel of 64 + 4x4 slots fires every short delay in its tick, from every base around tick 0")
{
    try_every_delay(70, [](auto try_base) {
        for (jiffies_t from = 0; from < 0x2000; ++from) {
            try_base(from - 0x1000);
        }
    });
}
