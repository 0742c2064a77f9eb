// SPDX-License-Identifier: MIT
// get_jiffies_64(): the low word is jiffies, the upper one counts its wraps.
#include "support.hpp"

namespace
{

uint64_t seen_inside;

void look(timer_list *self)
{
    unit::note(self);
    seen_inside = tickwheel_get_jiffies_64();
}

} // namespace

// requirement: TW-25
TEST_CASE("get_jiffies_64 counts single ticks across both half-wraps, run in every tick or late")
{
    constexpr jiffies_t starts[] = {0x80000000u - 700, 0u - 700u, 0x80000000u - 1, 0u - 1u};
    for (const jiffies_t base : starts) {
        for (unsigned every = 1; every < 1000; every = every * 3 + 1) {
            const unit::fresh wheel(base);
            uint64_t count = base;
            bool right = true;
            for (unsigned i = 0; i < 1400; ++i) {
                (void)tickwheel_tick();
                ++count;
                right = right && tickwheel_get_jiffies_64() == count;
                if (i % every == 0) {
                    (void)tickwheel_run();
                    right = right && tickwheel_get_jiffies_64() == count;
                }
            }
            CHECK_EQ(unit::moment{base, every, right}, unit::moment{base, every, 1});
            (void)tickwheel_run();
        }
    }
}

TEST_CASE("get_jiffies_64 counts long steps over many wraps, from an upper half of 0")
{
    constexpr uint32_t steps[] = {0x7FFFFFFFu, 0x7FFFFF00u, 0x40000000u, 0x12345678u, 0x7FFFFFFEu};
    for (const uint32_t step : steps) {
        for (const jiffies_t base : unit::bases) {
            const unit::fresh wheel(base);
            unit::noted far;
            uint64_t count = base;
            CHECK_EQ(tickwheel_get_jiffies_64(), count);
            for (unsigned i = 0; i < 20; ++i) {
                if (i % 3 == 0) {
                    tickwheel_mod_timer(&far, unit::now() + unit::longest_delay);
                }
                (void)tickwheel_advance(step);
                count += step;
                CHECK_EQ(tickwheel_get_jiffies_64(), count);
                (void)tickwheel_run();
                CHECK_EQ(tickwheel_get_jiffies_64(), count);
            }
        }
    }
}

TEST_CASE("get_jiffies_64 is whole while the runner lags behind the wrap, also in callbacks")
{
    const unit::fresh wheel(0xFFFFFF00u);
    unit::armed a(0xFFFFFFF0u, look);
    unit::armed b(0xFFFFFFF0u);
    (void)tickwheel_advance(0x7FFFFFFF);
    const uint64_t count = 0xFFFFFF00ull + 0x7FFFFFFF;
    CHECK_EQ(tickwheel_get_jiffies_64(), count);
    while (unit::fired == 0) {
        CHECK(tickwheel_run_budget(1) <= 1u);
        CHECK_EQ(tickwheel_get_jiffies_64(), count);
    }
    CHECK_EQ(seen_inside, count);
    CHECK_EQ(tickwheel_run(), 1u);
    CHECK_EQ(tickwheel_get_jiffies_64(), count);
}
