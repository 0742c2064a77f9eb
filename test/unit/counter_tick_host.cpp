// SPDX-License-Identifier: MIT
// The tick from a free-running counter, on a model of the counter. test/races/sleep has an interrupt at each cycle of
// the idle loop that it shares with SysTick.
#include <initializer_list>

#include <tickwheel/counter_tick.hpp>

#include "../support/random.hpp"
#include "support.hpp"

namespace
{

/// The sum of the ticks that ticks_passed() was given.
jiffies_t told;

/// A free-running counter: it counts on with every access, wraps, and misses an alarm that is set too late. It also
/// knows the passed time in 64 bits. All counters under test share it, one at a time.
struct hardware {
    uint64_t range = 0;
    uint32_t ahead = 0;
    /// Counts that an access takes: from `min` to `min + slow`.
    uint32_t slow = 0;
    uint32_t min = 0;
    random_numbers numbers;

    uint64_t time = 0;
    uint64_t alarm = ~uint64_t{0};
    bool alarm_pending = false;
    uint64_t other_interrupt_at = ~uint64_t{0};
    bool softirq_pending = false;
    bool masked = false;
    bool in_interrupt = false;
    uint64_t last_read = 0;
    unsigned accesses = 0;
    /// True from the end of a sleep until an alarm is set.
    bool woken = false;
    unsigned waits = 0;

    void (*on_alarm)() = nullptr;
    void (*on_other_interrupt)() = nullptr;

    void pass(uint64_t counts)
    {
        time += counts;
        while (alarm <= time) {
            alarm_pending = true;
            alarm += range;
        }
    }
    void access()
    {
        // Code that is faster than the counter takes a count now and then.
        const bool fast = slow == 0 && min == 0;
        pass(min + (slow == 0 ? 0 : numbers.next() % (slow + 1)) + (fast && ++accesses % 16 == 0));
        deliver();
    }
    void set_alarm(uint64_t at)
    {
        woken = false;
        const uint64_t distance = (at - time) & (range - 1);
        alarm = time + distance + (distance < ahead ? range : 0);
    }
    void deliver()
    {
        while (!masked && !in_interrupt && (alarm_pending || other_interrupt_at <= time || softirq_pending)) {
            in_interrupt = true;
            if (other_interrupt_at <= time) {
                other_interrupt_at = ~uint64_t{0};
                on_other_interrupt();
            } else if (alarm_pending) {
                alarm_pending = false;
                on_alarm();
            } else {
                softirq_pending = false;
                (void)tickwheel_run();
            }
            in_interrupt = false;
        }
    }
    void wait()
    {
        ++waits;
        woken = true;
        const uint64_t next = alarm < other_interrupt_at ? alarm : other_interrupt_at;
        if (!alarm_pending && !softirq_pending && next > time) {
            pass(next - time);
        }
    }
};

hardware model;

template <unsigned Bits, uint32_t Hz, uint32_t Ahead>
struct counter {
    static constexpr unsigned bits = Bits;
    static constexpr uint32_t hz = Hz;
    static constexpr uint32_t min_ahead = Ahead;

    static uint32_t read()
    {
        model.access();
        model.last_read = model.time;
        return static_cast<uint32_t>(model.time & (model.range - 1));
    }
    static void set_alarm(uint32_t at)
    {
        model.access();
        CHECK(at < model.range);
        model.set_alarm(at);
    }
    static uint32_t mask()
    {
        model.access();
        const bool before = model.masked;
        model.masked = true;
        return before;
    }
    static void unmask(uint32_t state)
    {
        model.masked = state != 0;
        model.access();
    }
    static void wait_for_interrupt()
    {
        CHECK(model.masked);
        model.access();
        model.wait();
    }
    static void ticks_passed(uint32_t ticks)
    {
        CHECK(ticks != 0);
        told += ticks;
    }
    static void pend_softirq()
    {
        model.softirq_pending = true;
    }
};

/// The model started afresh, at an odd place, with a wheel and a tick of this counter.
template <class Counter>
struct fixture : unit::fresh {
    static constexpr jiffies_t first = 0u - 300;
    static inline tickwheel::counter_tick<Counter> tick;
    static inline uint64_t started;

    explicit fixture(uint32_t slow) : fresh(first)
    {
        model = {};
        model.range = uint64_t{1} << Counter::bits;
        model.ahead = Counter::min_ahead;
        model.slow = slow;
        model.time = model.range - 5;
        model.on_alarm = [] { tick.interrupt(); };
        told = 0;
        tick.start();
        // start() has read the counter once, and again when it had set the alarm.
        model.masked = true;
        const uint64_t passed = tick.now().counts;
        started = model.last_read - passed;
        model.masked = false;
    }
    /// Ticks that lie before a time: the i-th ends i * hz / HZ counts after the start, rounded down.
    static uint64_t ticks_at(uint64_t time)
    {
        return ((time - started + 1) * TICKWHEEL_HZ - 1) / Counter::hz;
    }
};

using slow = fixture<counter<24, 32768, 2>>;

template <class Counter>
struct soak {
    using fixture_type = fixture<Counter>;
    static constexpr unsigned count = 12;
    static inline unit::noted *timers;
    static inline unsigned late;
    static inline unsigned early;
    static inline uint64_t wrong;

    static void arm_any()
    {
        const uint32_t bits = model.numbers.next() % 12;
        const uint32_t delay = 1 + (model.numbers.next() & ((1u << bits) - 1));
        (void)tickwheel_mod_timer(&timers[model.numbers.next() % count], unit::now() + delay);
    }
    static void fired(timer_list *timer)
    {
        // The tick has come; and by the clock it has begun, and not ended yet but for a slow core.
        early += tickwheel_time_before(jiffies, timer->expires);
        // An interrupt that arms a timer while idle() is about to sleep ends the sleep.
        late += jiffies - timer->expires > 1;
        const uint64_t real = fixture_type::ticks_at(model.time);
        const uint64_t said = tickwheel_get_jiffies_64() - fixture_type::first;
        early += said > real;
        late += real > said + 1;
        ++unit::fired;
        arm_any();
    }
    static void woken()
    {
        // Masked until jiffies was right: only what has passed since may be missing.
        const uint64_t said = tickwheel_get_jiffies_64() - fixture_type::first;
        wrong += said > fixture_type::ticks_at(model.time);
        wrong += model.woken && said < fixture_type::ticks_at(model.last_read);
        switch (model.numbers.next() % 4) {
        case 0:
            (void)tickwheel_timer_delete(&timers[model.numbers.next() % count]);
            break;
        case 1:
            model.slow = model.numbers.next() % 4;
            break;
        default:
            arm_any();
            break;
        }
        model.other_interrupt_at =
            model.time + 1 +
            (model.numbers.next() & ((uint64_t{1} << model.numbers.next() % (Counter::bits + 3)) - 1));
    }

    static void run(uint32_t counts)
    {
        constexpr unsigned idles = 30000;
        const fixture_type start(counts);
        unit::noted all[count];
        timers = all;
        late = early = 0;
        wrong = 0;
        for (unit::noted &timer : all) {
            tickwheel_timer_setup(&timer, fired, 0);
        }
        arm_any();
        model.on_other_interrupt = woken;
        model.other_interrupt_at = 1;
        for (unsigned i = 0; i < idles; ++i) {
            fixture_type::tick.idle();
            wrong += tickwheel_get_jiffies_64() - fixture_type::first > fixture_type::ticks_at(model.time);
            // The mask keeps interrupts out, which would read the counter too.
            model.woken = false;
            model.masked = true;
            const auto now = fixture_type::tick.now();
            model.masked = false;
            const uint64_t real = fixture_type::ticks_at(model.last_read);
            wrong += now.ticks - fixture_type::first != real;
            wrong += now.counts != model.last_read - fixture_type::started - real * Counter::hz / TICKWHEEL_HZ;
            // The ticks of a HAL are right too.
            wrong += told != jiffies - fixture_type::first;
        }
        CHECK_EQ(wrong, 0u);
        CHECK_EQ(early, 0u);
        CHECK_EQ(late, 0u);
        CHECK(unit::fired > idles / 20);
        CHECK(model.waits > idles / 2);
        model.other_interrupt_at = ~uint64_t{0};
    }
};

// requirement: TW-35, TW-36
TEST_CASE("counter tick: counters of 8, 16, 24 and 32 bits keep every tick, idle and woken at random")
{
    soak<counter<8, 32768, 2>>::run(1);
    soak<counter<8, 300007, 0>>::run(2);
    soak<counter<16, 32768, 2>>::run(1);
    soak<counter<16, 1000000, 3>>::run(3);
    soak<counter<16, 70000000, 8>>::run(30);
    soak<counter<24, 32768, 2>>::run(1);
    soak<counter<24, 16000000, 5>>::run(20);
    soak<counter<32, 1000000, 1>>::run(2);
    soak<counter<32, 64000003, 4>>::run(40);
}

/// The alarm is handled as late as is legal: no tick is lost, and none is invented.
template <class Counter>
void hold_up(uint64_t counts)
{
    using fixture_type = fixture<Counter>;
    const fixture_type start(0);
    for (unsigned tick = 0; tick < 41; ++tick) {
        model.pass(model.alarm - model.time);
        model.deliver();
        const uint64_t before = fixture_type::ticks_at(model.time);
        CHECK_EQ(unit::now(), fixture_type::first + before);
    }
    model.masked = true;
    model.pass(model.alarm - model.time + counts);
    const auto now = fixture_type::tick.now();
    const uint64_t ticks = fixture_type::ticks_at(model.last_read);
    CHECK_EQ(now.ticks - fixture_type::first, ticks);
    CHECK_EQ(fixture_type::tick.current_tick() - fixture_type::first,
             static_cast<jiffies_t>(fixture_type::ticks_at(model.last_read)));
    CHECK_EQ(now.counts, model.last_read - fixture_type::started - ticks * Counter::hz / TICKWHEEL_HZ);
    model.masked = false;
    model.deliver();
    CHECK_EQ(tickwheel_get_jiffies_64() - fixture_type::first, fixture_type::ticks_at(model.last_read));
    CHECK_EQ(told, jiffies - fixture_type::first);
    model.pass(model.alarm - model.time);
    model.deliver();
    CHECK_EQ(tickwheel_get_jiffies_64() - fixture_type::first, fixture_type::ticks_at(model.time));
}

TEST_CASE("counter tick: an alarm that is handled nearly half of the counter late loses no tick")
{
    for (const uint64_t minutes : {1, 60, 93, 94, 187, 600}) {
        hold_up<counter<32, 32768, 2>>(minutes * 60 * 32768);
    }
    constexpr uint64_t max = (uint64_t{1} << 31) - 100;
    hold_up<counter<32, 32768, 2>>(max);
    hold_up<counter<32, 2999, 0>>(max);
    // One tick more than the grid allows has fractions of 2^32 - 1. The next one overflows after 41 ticks.
    hold_up<counter<32, 4024, 0>>(max);
    hold_up<counter<32, 300007, 0>>(max);
    hold_up<counter<32, 1000000, 1>>(max);
    hold_up<counter<32, 1000500, 1>>(max);
    hold_up<counter<32, 64000003, 4>>(max);
    hold_up<counter<24, 32768, 2>>((uint64_t{1} << 23) - 100);
    hold_up<counter<8, 2999, 0>>(100);
}

// The alarm comes while now() masks, reads or unmasks, and just before and after.
template <class Counter>
static void ask_at_alarms()
{
    using fixture_type = fixture<Counter>;
    const fixture_type start(0);
    // Each access takes one count.
    model.min = 1;
    unsigned in_the_call = 0;
    for (unsigned alarm = 0; alarm != 100; ++alarm) {
        model.masked = true;
        model.pass(model.alarm - model.time - alarm / 2 % 6);
        model.masked = false;
        const uint64_t alarm_at = model.alarm;
        const uint64_t before = model.time;
        if (alarm % 2 == 0) {
            const tickwheel::tick_moment now = fixture_type::tick.now();
            const uint64_t counts = (now.ticks - fixture_type::first) * Counter::hz / TICKWHEEL_HZ + now.counts;
            CHECK((counts >= before - fixture_type::started && counts <= model.time - fixture_type::started));
        } else {
            // Otherwise start_after_at_least() is early.
            const jiffies_t now = fixture_type::tick.current_tick() - fixture_type::first;
            CHECK((now >= fixture_type::ticks_at(before) && now <= fixture_type::ticks_at(model.time)));
        }
        in_the_call += model.alarm != alarm_at;
        model.pass(6);
        model.deliver();
    }
    CHECK((in_the_call > 60 && in_the_call < 100));
}

TEST_CASE("counter tick: now() never steps back, also if the alarm comes at its read or at either end of its mask")
{
    ask_at_alarms<counter<8, 32768, 2>>();
    ask_at_alarms<counter<8, 300007, 0>>();
    ask_at_alarms<counter<24, 32768, 2>>();
    ask_at_alarms<counter<32, 64000003, 4>>();
}

template <class Counter>
static void check_longest_sleep(uint64_t min, uint64_t max)
{
    const fixture<Counter> start(0);
    const uint64_t from = model.time;
    fixture<Counter>::tick.idle();
    model.masked = true;
    CHECK((model.time - from > min && model.time - from < max));
}

TEST_CASE("counter tick: with nothing pending it sleeps for half of the counter, or for what the grid holds")
{
    check_longest_sleep<counter<24, 32768, 0>>((1u << 23) - 100, (1u << 23) + 100);
    check_longest_sleep<counter<32, 1000000, 0>>((1u << 30) - 2000, (1u << 30) + 100);
    // The fractions of 2^32 / 768 ticks.
    check_longest_sleep<counter<32, 32768, 0>>(183250000u, 183300000u);
}

TEST_CASE("the idle loop: a sleep lasts a tick more than was asked for, at most 2^31 - 1 ticks, and work forbids it")
{
    constexpr struct {
        jiffies_t asked;
        jiffies_t lasts;
    } rows[] = {{0, 1}, {1, 2}, {1000, 1001}, {0x7FFFFFFE, 0x7FFFFFFF}, {0x7FFFFFFF, 0x7FFFFFFF}, {~0u, 0x7FFFFFFF}};
    static bool wakes;
    for (const auto &row : rows) {
        const slow start(0);
        wakes = false;
        model.other_interrupt_at = model.time + 20;
        model.on_other_interrupt = [] { wakes = unit::next_from_now() != unit::none; };
        tickwheel::sleep_loop::for_ticks<counter<24, 32768, 2>>(slow::tick, row.asked);
        CHECK(wakes);
        CHECK_EQ(unit::now(), slow::first + row.lasts);
        CHECK_EQ(unit::misused, row.asked > 0x7FFFFFFE ? unit::reports(1) : 0);
        unit::forget();
    }
    const slow start(0);
    const volatile int work = 1;
    slow::tick.idle(&work);
    CHECK_EQ(model.waits, 0u);
}

TEST_CASE("counter tick: a start begins the first tick at its own read of the counter, and unmasks")
{
    const slow before(0);
    // Now a tick has a fraction, which the start drops.
    model.pass(40);
    model.deliver();
    CHECK_EQ(jiffies, slow::first + 1);
    // Each access takes one count: to mask, then to read.
    model.min = 1;
    const uint64_t first_read = model.time + 2;
    slow::tick.start();
    CHECK(!model.masked);
    CHECK_EQ(model.alarm, first_read + 32768 / TICKWHEEL_HZ);
    const uint64_t counts = slow::tick.now().counts;
    CHECK(!model.masked);
    CHECK_EQ(counts, model.last_read - first_read);
}

TEST_CASE("counter tick: before the start the current tick is jiffies, whatever the counter reads")
{
    const slow runs(0);
    const tickwheel::counter_tick<counter<24, 32768, 2>> not_started;
    CHECK_EQ(not_started.current_tick(), jiffies);
}

} // namespace
