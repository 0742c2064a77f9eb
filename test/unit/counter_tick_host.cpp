// SPDX-License-Identifier: MIT
// The tick from a free-running counter, on a model of one: it counts on with every
// access, wraps, and misses an alarm that was set too late. What has passed is known
// in 64 bits beside it.
#include <random>

#include <tickwheel/counter_tick.hpp>
#include <tickwheel/timer.hpp>

#include "support.hpp"

namespace
{

/// What ticks_passed() has been told.
jiffies_t told;

/// One counter at a time; the accesses of all that are tested go through here.
struct hardware {
    uint64_t range = 0;
    uint32_t ahead = 0;
    /// Counts that an access takes, at most and at least.
    uint32_t slow = 0;
    uint32_t least = 0;
    std::mt19937 random{1};

    uint64_t time = 0;
    uint64_t alarm = ~uint64_t{0};
    bool alarm_pending = false;
    uint64_t foreign = ~uint64_t{0};
    bool softirq_pending = false;
    bool masked = false;
    bool in_interrupt = false;
    uint64_t last_read = 0;
    unsigned accesses = 0;
    /// From the end of a sleep until an alarm is set.
    bool woken = false;
    unsigned waits = 0;
    /// The foreign interrupt comes with this access, counted down.
    unsigned foreign_access = 0;

    void (*on_alarm)() = nullptr;
    void (*on_foreign)() = nullptr;

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
        const bool fast = slow == 0 && least == 0;
        pass(least + (slow == 0 ? 0 : random() % (slow + 1)) + (fast && ++accesses % 16 == 0));
        if (foreign_access != 0 && --foreign_access == 0) {
            foreign = time;
        }
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
        while (!masked && !in_interrupt && (alarm_pending || foreign <= time || softirq_pending)) {
            in_interrupt = true;
            if (foreign <= time) {
                foreign = ~uint64_t{0};
                on_foreign();
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
        const uint64_t next = alarm < foreign ? alarm : foreign;
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
    static constexpr uint32_t ahead = Ahead;

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
        model.ahead = Counter::ahead;
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
        const uint32_t bits = model.random() % 12;
        const uint32_t delay = 1 + (model.random() & ((1u << bits) - 1));
        (void)tickwheel_mod_timer(&timers[model.random() % count], unit::now() + delay);
    }
    static void fired(timer_list *timer)
    {
        // The tick has come; and by the clock it has begun, and not ended yet but for a slow core.
        early += tickwheel_time_before(jiffies, timer->expires);
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
        switch (model.random() % 4) {
        case 0:
            (void)tickwheel_timer_delete(&timers[model.random() % count]);
            break;
        case 1:
            model.slow = model.random() % 4;
            break;
        default:
            arm_any();
            break;
        }
        model.foreign =
            model.time + 1 + (model.random() & ((uint64_t{1} << model.random() % (Counter::bits + 3)) - 1));
    }

    static void run(unsigned idles, uint32_t slow)
    {
        const fixture_type start(slow);
        unit::noted all[count];
        timers = all;
        late = early = 0;
        wrong = 0;
        for (unit::noted &timer : all) {
            tickwheel_timer_setup(&timer, fired, 0);
        }
        arm_any();
        model.on_foreign = woken;
        model.foreign = 1;
        for (unsigned i = 0; i < idles; ++i) {
            fixture_type::tick.idle();
            wrong += tickwheel_get_jiffies_64() - fixture_type::first > fixture_type::ticks_at(model.time);
            // Nothing comes in between, and reads the counter as well.
            model.woken = false;
            model.masked = true;
            const auto now = fixture_type::tick.now();
            model.masked = false;
            const uint64_t real = fixture_type::ticks_at(model.last_read);
            wrong += now.ticks - fixture_type::first != real;
            wrong += now.counts != model.last_read - fixture_type::started - real * Counter::hz / TICKWHEEL_HZ;
            // B21: a HAL's counter is as right.
            wrong += told != jiffies - fixture_type::first;
        }
        CHECK_EQ(wrong, 0u);
        CHECK_EQ(early, 0u);
        CHECK_EQ(late, 0u);
        CHECK(unit::fired > idles / 20);
        CHECK(model.waits > idles / 2);
        model.foreign = ~uint64_t{0};
    }
};

uint64_t fired_at;

void note_time(timer_list *timer)
{
    unit::note(timer);
    fired_at = model.time;
}

} // namespace

TEST_CASE("counter tick: counters of 8, 16, 24 and 32 bits keep every tick, idle and woken at random")
{
    soak<counter<8, 32768, 2>>::run(30000, 1);
    soak<counter<8, 300007, 0>>::run(30000, 2);
    soak<counter<16, 32768, 2>>::run(30000, 1);
    soak<counter<16, 1000000, 3>>::run(30000, 3);
    soak<counter<16, 70000000, 8>>::run(30000, 30);
    soak<counter<24, 32768, 2>>::run(30000, 1);
    soak<counter<24, 16000000, 5>>::run(30000, 20);
    soak<counter<32, 1000000, 1>>::run(30000, 2);
    soak<counter<32, 64000003, 4>>::run(30000, 40);
}

TEST_CASE("B6: counter tick: an alarm that has passed, or is too near, when it is set comes within a tick")
{
    using slow_counter = counter<16, 32768, 2>;
    for (uint32_t slow = 0; slow <= 3; ++slow) {
        for (uint32_t phase = 0; phase < 34; ++phase) {
            for (jiffies_t delay = 0; delay <= 5; ++delay) {
                const fixture<slow_counter> start(slow);
                fired_at = 0;
                unit::armed timer(unit::now() + delay, note_time);
                model.pass(phase);
                const uint64_t due = delay == 0 ? 1 : delay;
                while (unit::fired == 0 && fixture<slow_counter>::ticks_at(model.time) < due + 10) {
                    fixture<slow_counter>::tick.idle();
                }
                REQUIRE(unit::fired == 1);
                CHECK(fixture<slow_counter>::ticks_at(fired_at) >= due);
                CHECK(fixture<slow_counter>::ticks_at(fired_at) <= due + 1);
                // No later than the alarm can be set, where the code takes no time.
                const uint64_t edge = fixture<slow_counter>::started + due * 32768 / TICKWHEEL_HZ;
                CHECK((slow != 0 || fired_at <= edge + slow_counter::ahead + 1 ||
                       edge < phase + fixture<slow_counter>::started));
            }
        }
    }
}

TEST_CASE("B6: counter tick: a counter that runs further between two accesses than an alarm must be ahead")
{
    using fast_counter = counter<24, 64000000, 2>;
    const fixture<fast_counter> start(0);
    model.least = 500;
    unit::armed timer(unit::now() + 3);
    while (unit::fired == 0 && fixture<fast_counter>::ticks_at(model.time) < 20) {
        fixture<fast_counter>::tick.idle();
    }
    CHECK_EQ(unit::fired, 1u);
    CHECK_EQ(unit::log[0].at, fixture<fast_counter>::first + 3);
    // Right before an edge: too late for that one's alarm.
    for (uint32_t before = 0; before < 2000; before += 50) {
        model.pass(model.alarm - model.time - before);
        const uint64_t time = model.time;
        fixture<fast_counter>::tick.interrupt();
        CHECK(model.time - time < 20000);
        CHECK(model.alarm - model.time < 64000 + 4000);
    }
}

TEST_CASE("B15: counter tick: an interrupt between any two accesses of idle arms a timer, and it fires in its tick")
{
    using slow_counter = counter<24, 32768, 2>;
    static timer_list *soon;
    bool reached = true;
    for (unsigned access = 1; reached; ++access) {
        const fixture<slow_counter> start(0);
        unit::noted near;
        tickwheel_timer_setup(&near, note_time, 0);
        soon = &near;
        unit::armed far(unit::now() + 5000);
        model.on_foreign = [] { (void)tickwheel_mod_timer(soon, unit::now() + 3); };
        model.foreign_access = access;
        while (unit::fired == 0) {
            fixture<slow_counter>::tick.idle();
        }
        reached = unit::log[0].timer == &near;
        if (reached) {
            CHECK_EQ(unit::log[0].at, near.expires);
            CHECK(fixture<slow_counter>::ticks_at(fired_at) <= near.expires - fixture<slow_counter>::first + 1);
        } else {
            // More accesses than a sleep has.
            CHECK(access >= 6);
        }
        (void)tickwheel_timer_delete(&far);
    }
}

TEST_CASE("counter tick: awake, every tick has its alarm, also after a sleep that another interrupt has ended")
{
    using slow_counter = counter<24, 32768, 2>;
    const fixture<slow_counter> start(0);
    model.pass(32768);
    model.deliver();
    CHECK_EQ(unit::now(), fixture<slow_counter>::first + 1000);
    for (unsigned tick = 0; tick < 100; ++tick) {
        model.pass(model.alarm - model.time);
        model.deliver();
    }
    CHECK_EQ(unit::now(), fixture<slow_counter>::first + 1100);
    unit::armed far(unit::now() + 5000);
    model.on_foreign = [] {};
    model.foreign = model.time + 500;
    fixture<slow_counter>::tick.idle();
    CHECK(model.alarm - model.time <= 33);
    (void)tickwheel_timer_delete(&far);
}

namespace
{

/// Armed by a handler that only knows `jiffies`, and when that was.
struct handed : tickwheel::timer {
    handed() : timer(fire)
    {
    }
    void arm(jiffies_t ticks, bool whole)
    {
        armed_at = model.time;
        least = (ticks - !whole) * hz / TICKWHEEL_HZ;
        if (whole) {
            start_after_at_least(ticks);
        } else {
            start_at(::jiffies + ticks);
        }
    }
    static void fire(timer_list *timer)
    {
        const auto &self = *static_cast<handed *>(timer);
        early += model.time - self.armed_at < self.least;
        ++fired;
    }
    uint64_t armed_at = 0;
    uint64_t least = 0;
    static inline uint64_t hz;
    static inline unsigned early;
    static inline unsigned fired;
};

handed plain[4];
handed whole[4];
unsigned handed_count;
uint64_t handed_apart;

/// A first interrupt ends the sleep in any phase of its ticks; three more come while the program works.
template <class Counter>
void arm_after_a_sleep(uint32_t slow)
{
    using fixture_type = fixture<Counter>;
    const uint64_t tick = Counter::hz / TICKWHEEL_HZ;
    const uint64_t step = tick < 200 ? 1 : tick / 200;
    handed::hz = Counter::hz;
    for (uint64_t phase = 0; phase < 3 * tick; phase += step) {
        const fixture_type start(slow);
        handed::early = handed::fired = 0;
        handed_count = 0;
        handed_apart = 1 + phase * 7 % (2 * tick);
        unit::armed far(unit::now() + 100);
        model.on_foreign = [] {
            plain[handed_count].arm(3 + handed_count, false);
            whole[handed_count].arm(3 + handed_count, true);
            if (++handed_count < 4) {
                model.foreign = model.time + handed_apart;
            }
        };
        model.foreign = model.time + 10 * tick + phase;
        while (handed_count == 0) {
            fixture_type::tick.idle();
        }
        for (uint64_t i = 0; i < 10 * tick; ++i) {
            model.access();
        }
        while (handed::fired < 8) {
            fixture_type::tick.idle();
        }
        CHECK_EQ(handed::early, 0u);
        (void)tickwheel_timer_delete(&far);
    }
}

} // namespace

TEST_CASE("counter tick: handlers after a sleep arm by jiffies + n and by start_after_at_least(n), none early")
{
    arm_after_a_sleep<counter<24, 32768, 2>>(0);
    arm_after_a_sleep<counter<16, 32768, 2>>(1);
    arm_after_a_sleep<counter<16, 1000000, 3>>(3);
    arm_after_a_sleep<counter<32, 300007, 8>>(2);
    // The shortest tick, `ahead` + 2 counts.
    arm_after_a_sleep<counter<16, 4000, 2>>(0);
    arm_after_a_sleep<counter<24, 10000, 8>>(0);
}

namespace
{

/// Handled so late as it may be at most, after some ticks: nothing is lost, nor made up.
template <class Counter>
void hold_up(uint64_t counts)
{
    using fixture_type = fixture<Counter>;
    const fixture_type start(0);
    for (unsigned tick = 0; tick < 3; ++tick) {
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
    CHECK_EQ(now.counts, model.last_read - fixture_type::started - ticks * Counter::hz / TICKWHEEL_HZ);
    model.masked = false;
    model.deliver();
    CHECK_EQ(tickwheel_get_jiffies_64() - fixture_type::first, fixture_type::ticks_at(model.last_read));
    CHECK_EQ(told, jiffies - fixture_type::first);
    model.pass(model.alarm - model.time);
    model.deliver();
    CHECK_EQ(tickwheel_get_jiffies_64() - fixture_type::first, fixture_type::ticks_at(model.time));
}

} // namespace

TEST_CASE("counter tick: an alarm that is handled nearly half of the counter late loses no tick")
{
    for (const uint64_t minutes : {1, 60, 93, 94, 187, 600}) {
        hold_up<counter<32, 32768, 2>>(minutes * 60 * 32768);
    }
    constexpr uint64_t most = (uint64_t{1} << 31) - 100;
    hold_up<counter<32, 32768, 2>>(most);
    hold_up<counter<32, 2999, 0>>(most);
    hold_up<counter<32, 300007, 0>>(most);
    hold_up<counter<32, 1000000, 1>>(most);
    hold_up<counter<32, 1000500, 1>>(most);
    hold_up<counter<32, 64000003, 4>>(most);
    hold_up<counter<24, 32768, 2>>((uint64_t{1} << 23) - 100);
    hold_up<counter<8, 2999, 0>>(100);
}

TEST_CASE("counter tick: with nothing pending it sleeps for half of the counter, or what the grid holds")
{
    const auto alarm_of = [](auto &tick) {
        tick.idle();
        model.masked = true;
        return model.time;
    };
    fixture<counter<24, 32768, 0>> half(0);
    uint64_t from = model.time;
    CHECK(alarm_of(half.tick) - from > (1u << 23) - 100);
    CHECK(model.time - from < (1u << 23) + 100);
    fixture<counter<32, 1000000, 0>> thirty_bits(0);
    from = model.time;
    CHECK(alarm_of(thirty_bits.tick) - from > (1u << 30) - 2000);
    CHECK(model.time - from < (1u << 30) + 100);
    // The fractions of 2^32 / 768 ticks.
    fixture<counter<32, 32768, 0>> fractions(0);
    from = model.time;
    CHECK(alarm_of(fractions.tick) - from > 183250000u);
    CHECK(model.time - from < 183300000u);
}

TEST_CASE("B15: counter tick: work that an interrupt sets at any access of idle is not slept over")
{
    using slow_counter = counter<24, 32768, 2>;
    static volatile int work;
    static uint64_t set_at;
    unsigned slept = 0;
    for (unsigned access = 1; access < 20; ++access) {
        const fixture<slow_counter> start(0);
        unit::armed far(unit::now() + 5000);
        work = 0;
        model.on_foreign = [] {
            work = 1;
            set_at = model.time;
        };
        model.foreign_access = access;
        fixture<slow_counter>::tick.idle(&work);
        slept += model.waits;
        CHECK((work == 0 || model.time - set_at < 33));
        (void)tickwheel_timer_delete(&far);
        if (work != 0) {
            const unsigned waits = model.waits;
            fixture<slow_counter>::tick.idle(&work);
            CHECK_EQ(model.waits, waits);
        }
    }
    CHECK(slept != 0);
}

TEST_CASE("B6: counter tick: what is due is not slept over")
{
    using slow_counter = counter<24, 32768, 2>;
    const fixture<slow_counter> start(0);
    unit::armed timer(unit::now() + 2);
    // Its tick has come before idle() looks.
    model.masked = true;
    model.pass(100);
    fixture<slow_counter>::tick.idle();
    CHECK_EQ(model.waits, 0u);
    model.masked = false;
    model.deliver();
    CHECK_EQ(unit::fired, 1u);
}
