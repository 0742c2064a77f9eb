// SPDX-License-Identifier: MIT
// A model of a free-running counter: it counts on with every access, wraps, and misses an alarm that is set too late.
// It also knows the passed time in 64 bits.
#ifndef TICKWHEEL_TEST_COUNTER_MODEL_HOST_HPP
#define TICKWHEEL_TEST_COUNTER_MODEL_HOST_HPP

#include <tickwheel/counter_tick.hpp>

#include "../support/random.hpp"
#include "support.hpp"

namespace counter_model
{

/// The sum of what ticks_passed() was given.
inline jiffies_t told;

/// One counter at a time; the accesses of all that are tested go through here.
struct hardware {
    uint64_t range = 0;
    uint32_t ahead = 0;
    /// Counts that an access takes, at most and at least.
    uint32_t slow = 0;
    uint32_t least = 0;
    random_numbers numbers;

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
        pass(least + (slow == 0 ? 0 : numbers.next() % (slow + 1)) + (fast && ++accesses % 16 == 0));
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

inline hardware model;

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

inline uint64_t fired_at;

inline void note_time(timer_list *timer)
{
    unit::note(timer);
    fired_at = model.time;
}

using slow = fixture<counter<24, 32768, 2>>;

} // namespace counter_model

#endif
