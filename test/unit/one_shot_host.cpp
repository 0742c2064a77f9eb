// SPDX-License-Identifier: MIT
// One-shot wheels on the model of a counter. No timer fires early or out of order, and wherever thread code is not
// interrupted, the alarm comes in time for each timer (I11).
#include "one_shot_host.hpp"

using namespace one_shot;

namespace
{

using tickwheel::geometry;
using counter_16 = model_counter<16, false, 2>;
// As LPTIM of an STM32, whose alarm takes effect some counts after it is set.
using counter_lptim = model_counter<16, false, 5>;
using counter_24 = model_counter<24, false, 2>;
using counter_32 = model_counter<32, false, 1>;
using counter_64 = model_counter<32, true, 0>;

template <unsigned Bits>
struct farthest : tickwheel::one_shot_wheel<model_counter<Bits, false, 1>, model_lock> {
    static constexpr int32_t alarm = farthest::max_ahead;
};
static_assert(farthest<16>::alarm == 0x7FFF && farthest<29>::alarm == 0xFFFFFFF && farthest<30>::alarm == 1 << 28,
              "half a turn, and at most 2^28");

} // namespace

TEST_CASE("a one-shot wheel by a counter of 16 bits, in three geometries, and as a list")
{
    trial<counter_16, tickwheel::ordered_list>::run_all();
    trial<counter_16, geometry<8, 6>>::run_all();
    trial<counter_lptim, geometry<6, 4>, handlers::two>::run_all();
    trial<counter_16, geometry<6, 2>, handlers::one, true>::run_all();
}

TEST_CASE("a one-shot wheel by a counter of 24 bits, in three geometries")
{
    trial<counter_24, geometry<8, 6>, handlers::two>::run_all();
    trial<counter_24, geometry<6, 4>, handlers::two, true>::run_all();
    trial<counter_24, geometry<6, 2>>::run_all();
}

TEST_CASE("a one-shot wheel by a counter of 32 bits, in three geometries")
{
    trial<counter_32, geometry<8, 6>, handlers::one>::run_all();
    trial<counter_32, geometry<8, 6>, handlers::two, true>::run_all();
    trial<counter_32, geometry<6, 4>>::run_all();
    trial<counter_32, geometry<6, 2>, handlers::two>::run_all();
}

TEST_CASE("a one-shot wheel by the level of a counter of 64 bits, in three geometries, and as a list")
{
    trial<counter_64, tickwheel::ordered_list, handlers::two, true>::run_all();
    trial<counter_64, geometry<8, 6>>::run_all();
    trial<counter_64, geometry<8, 6>, handlers::two>::run_all();
    trial<counter_64, geometry<6, 4>, handlers::two, true>::run_all();
    trial<counter_64, geometry<6, 2>, handlers::one>::run_all();
}

using simple = trial<counter_32, geometry<8, 6>>;

TEST_CASE("an interrupt that begins a crowded block in its last tick but one moves its timers in time")
{
    constexpr uint64_t block = 0x80004280;
    simple::begin(0x80001000, simple::most);
    for (unsigned i = 0; i < simple::most; ++i) {
        simple::arm(simple::probes[i], block + (i < 50 ? i : 127));
    }
    simple::sleep_for(block - 2 - hardware.time);
    CHECK_EQ(simple::fired, 0u);
    simple::serve();
    simple::sleep_for(0x10000);
    CHECK(simple::fired >= simple::most);
    simple::end();
}

TEST_CASE("a wheel starts at any count of its counter, and keeps what was armed before")
{
    for (const uint64_t start : {uint64_t{5}, uint64_t{0x90000000}, uint64_t{0xFFFFFFF0}}) {
        simple::begin(start);
        CHECK_EQ(simple::wheel.get_jiffies_64(), hardware.time);
        simple::arm(simple::probes[0], hardware.time + 1000);
        simple::sleep_for(999);
        CHECK_EQ(simple::fired, 0u);
        simple::sleep_for(1);
        CHECK_EQ(simple::fired, 1u);
        simple::end();
    }
    simple::prepare(TICKWHEEL_INITIAL_JIFFIES + uint64_t{50}, 1, 1, 0);
    const uint64_t due = hardware.time + 1000;
    simple::arm(simple::probes[0], due);
    // The counter may not even have a clock yet.
    CHECK_EQ(hardware.alarm, never);
    hardware.pass(990);
    simple::start();
    simple::sleep_for(due - 1 - hardware.time);
    CHECK_EQ(simple::fired, 0u);
    simple::sleep_for(1);
    CHECK_EQ(simple::fired, 1u);
    simple::end();
    // An arm leaves the interrupt alone that start() has pended.
    using level = trial<counter_64, geometry<8, 6>>;
    level::prepare(0x90000000, 1, 1, 0);
    level::wheel.start();
    level::arm(level::probes[0], hardware.time + 1000);
    CHECK(hardware.alarm_came());
    level::end();
}

TEST_CASE("an arm that interrupts another arm of its timer before the end of that one sets the alarm of the timer")
{
    static uint64_t alarm;
    static void (*again)();
    static tickwheel::basic_timer<simple::wheel> timer{[](timer_list *) {}};
    for (void (*const call)() :
         {+[] { timer.start_at(0x1100); }, +[] { timer.start_no_later_than(0x1180); },
          +[] { timer.start_within(0x1000, 0x1180); }, +[] { (void)simple::wheel.mod_timer_idle(&timer, 0x1100); }}) {
        simple::begin(0x1000);
        again = call;
        hardware.on_thread = [] {
            if (timer.pending()) {
                hardware.on_thread = [] {};
                hardware.call(machine::device_level, again);
                alarm = hardware.alarm;
            }
        };
        timer.start_at(0x1100);
        CHECK_EQ(alarm, uint64_t{0x1100});
        CHECK(timer.cancel());
        simple::end();
    }
}

TEST_CASE("an interrupt calls all timers that are due by its end, and one with a budget pends the rest")
{
    static unsigned nested;
    static unsigned depth;
    static tickwheel::basic_timer<simple::wheel> first{[](timer_list *) {
        hardware.pass(20);
        nested = simple::wheel.interrupt();
        depth = hardware.depth;
    }};
    static tickwheel::basic_timer<simple::wheel> second{[](timer_list *) {}};
    for (const bool budget : {false, true}) {
        simple::begin(0x1000);
        hardware.interrupts = 0;
        nested = depth = ~0u;
        first.start_after_ticks(10);
        // For the tick that has begun, so it waits for the next one.
        second.start_at(0x1000);
        simple::sleep_for(5);
        CHECK_EQ(hardware.interrupts, 1u);
        second.start_after_ticks(20);
        second.start_after_ticks(15);
        CHECK_EQ(simple::arms, 3u);
        CHECK_EQ(simple::moves, 1u);
        hardware.pass(5);
        hardware.level = machine::alarm_level;
        CHECK_EQ(budget ? simple::wheel.interrupt_budget(100) : simple::wheel.interrupt(), budget ? 1u : 2u);
        CHECK_EQ(nested, 0u);
        CHECK_EQ(depth, 0u);
        hardware.level = 0;
        hardware.open();
        CHECK(!second.pending());
        simple::end();
    }
}

TEST_CASE("a counter that stands still at the start or goes back is reported, and the wheel counts on")
{
    unit::misused = 0;
    simple::prepare(0x1000, 1, 1, 0);
    hardware.stands_still = true;
    simple::start();
    CHECK_EQ(unit::misused, unit::reports(1));
#if TICKWHEEL_DEBUG
    hardware.time -= 1;
    (void)simple::wheel.interrupt();
    CHECK_EQ(unit::misused, 2u);
    hardware.time += 1;
    CHECK_EQ(simple::wheel.get_jiffies_64(), hardware.time);
    // A narrow one interrupts until it has caught up.
    using narrow = trial<counter_24, geometry<8, 6>>;
    narrow::begin(0x1000, 1, 3);
    hardware.interrupts = 0;
    hardware.time -= 1000;
    (void)narrow::wheel.interrupt();
    CHECK(hardware.interrupts > 100);
    narrow::sleep_for(0x1000);
    const jiffies_t tick = narrow::wheel.jiffies();
    CHECK(hardware.time - tick < hardware.slow);
    // An interrupt may be late by three quarters of a turn.
    using shortest = trial<counter_16, geometry<8, 6>>;
    for (const bool reported : {false, true}) {
        shortest::begin(0x1000, 1, 3);
        unit::misused = 0;
        hardware.time += reported ? 0xC010 : 0xBF00;
        (void)shortest::wheel.interrupt();
        CHECK_EQ(unit::misused != 0, reported);
    }
#endif
    unit::misused = 0;
    simple::end();
}

TEST_CASE("delays count from the counter, however long ago the last interrupt was")
{
    static unsigned calls;
    static tickwheel::basic_timer<simple::wheel> plain{[](timer_list *) { ++calls; }};
    const auto call = [] { ++calls; };
    static tickwheel::periodic_timer<decltype(call), tickwheel::missed_periods::skip, simple::wheel> often{call};
    static tickwheel::long_timer<decltype(call), simple::wheel> far{call};
    constexpr uint64_t start = 0x1000;
    constexpr uint64_t quiet = (1u << 28) - 5;
    for (const uint64_t delay : {uint64_t{10}, uint64_t{0x5FFFFFFF}, uint64_t{0x7FFFFFFF}}) {
        const uint64_t expected = delay < simple::wheel.longest_delay ? delay : simple::wheel.longest_delay;
        for (const bool at_least : {false, true}) {
            simple::begin(start);
            simple::sleep_for(quiet);
            calls = 0;
            at_least ? (void)plain.start_after_at_least(delay) : (void)plain.start_after_ticks(delay);
            const uint64_t ticks = expected + (at_least && expected == delay && delay < simple::wheel.longest_delay);
            CHECK_EQ(plain.remaining(), ticks);
            simple::sleep_for(ticks - 1);
            CHECK_EQ(calls, 0u);
            simple::sleep_for(1);
            CHECK_EQ(calls, 1u);
        }
    }
    simple::begin(start);
    simple::sleep_for(quiet);
    calls = 0;
    often.start_after_ticks(100, 100);
    far.start_after_ticks(uint64_t{1} << 33);
    CHECK_EQ(often.remaining(), 100u);
    for (unsigned i = 0; i < 10; ++i) {
        simple::sleep_for(100);
        CHECK_EQ(calls, i + 1);
    }
    CHECK(often.stop());
    CHECK_EQ(far.remaining(), (uint64_t{1} << 33) - 1000);
    calls = 0;
    simple::sleep_for((uint64_t{1} << 33) - 1001);
    CHECK_EQ(calls, 0u);
    simple::sleep_for(1);
    CHECK_EQ(calls, 1u);
    simple::end();
}

TEST_CASE("a lone timer costs one interrupt a call, whatever its delay, and many timers hardly more")
{
    static unsigned calls;
    const auto call = [] { ++calls; };
    using periodic = tickwheel::periodic_timer<decltype(call), tickwheel::missed_periods::skip, simple::wheel>;
    static periodic often{call};
    for (unsigned bits = 4; bits <= 26; ++bits) {
        const jiffies_t period = (1u << bits) + (1u << bits) / 3;
        simple::begin(0x1234567);
        often.start_after_ticks(period, period);
        calls = hardware.interrupts = 0;
        simple::sleep_for(uint64_t{50} * period);
        CHECK_EQ(calls, 50u);
        CHECK_EQ(hardware.interrupts, 50u);
        CHECK(often.stop());
        simple::end();
    }
    // With periods of 1 ms to 1 s, if a count is a microsecond.
    alignas(periodic) static unsigned char places[100 * sizeof(periodic)];
    for (const unsigned timers : {10u, 100u}) {
        simple::begin(0x1234567);
        random_numbers periods;
        for (unsigned i = 0; i < timers; ++i) {
            const jiffies_t shortest = 1u << (10 + periods.below(10));
            const jiffies_t period = shortest + periods.below(shortest);
            (new (places + i * sizeof(periodic)) periodic{call})->start_after_ticks(period, period);
        }
        calls = hardware.interrupts = 0;
        simple::sleep_for(1u << 25);
        CHECK(calls > 100 * timers);
        CHECK(hardware.interrupts * 100 <= calls * 115);
        for (unsigned i = 0; i < timers; ++i) {
            (void)reinterpret_cast<periodic *>(places + i * sizeof(periodic))->stop();
        }
        simple::end();
    }
}
