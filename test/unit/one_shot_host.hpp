// SPDX-License-Identifier: MIT
// A model of a counter with an alarm, for one_shot_host.cpp: time passes at each access, and interrupts of three
// priorities come wherever the lock is open, also between two reads of the wheel's clock. A trial runs timers of each
// kind on it.
#pragma once

#include <initializer_list>
#include <new>

#include <tickwheel/long_timer.hpp>
#include <tickwheel/one_shot.hpp>
#include <tickwheel/periodic_timer.hpp>

#include "../support/random.hpp"
#include "support.hpp"

namespace one_shot
{

constexpr uint64_t never = ~uint64_t{0};

/// A counter, its alarm and the core, for one wheel at a time. Thread code has level 0.
struct machine {
    enum : unsigned { softirq_level = 1, alarm_level = 2, device_level = 3 };

    uint64_t time = 0;
    uint64_t alarm = never;
    bool alarm_pending = false;
    bool softirq_pending = false;
    unsigned level = 0;
    unsigned depth = 0;
    /// An access takes fewer counts than this. With 1, time passes only in sleep.
    uint32_t slow = 3;
    bool stands_still = false;
    /// A device interrupts at one opening of so many; 0: never.
    uint32_t device_rate = 0;
    unsigned interrupts = 0;
    random_numbers numbers;

    uint64_t turn = 0;
    bool compares_level = false;
    void (*on_alarm)() = nullptr;
    void (*on_softirq)() = nullptr;
    void (*on_device)() = nullptr;
    void (*on_thread)() = nullptr;

    void pass(uint64_t counts)
    {
        time += counts;
        while (!compares_level && alarm <= time) {
            alarm_pending = true;
            alarm += turn;
        }
    }
    void access()
    {
        // A debug build looks whether the counter counts before it starts.
        pass(on_alarm == nullptr ? !stands_still : numbers.below(slow));
    }
    bool alarm_came() const
    {
        return alarm_pending || (compares_level && alarm <= time);
    }
    void call(unsigned at_level, void (*handler)())
    {
        const unsigned before = level;
        level = at_level;
        handler();
        level = before;
    }
    /// Wherever an interrupt can come.
    void open()
    {
        if (depth != 0 || level == device_level || on_alarm == nullptr) {
            return;
        }
        pass(numbers.below(slow < 2 ? 1 : 2));
        for (;;) {
            if (alarm_came() && level < alarm_level) {
                ++interrupts;
                alarm_pending = false;
                call(alarm_level, on_alarm);
            } else if (softirq_pending && level < softirq_level) {
                softirq_pending = false;
                call(softirq_level, on_softirq);
            } else if (device_rate != 0 && numbers.below(device_rate) == 0) {
                call(device_level, on_device);
            } else {
                break;
            }
        }
        if (level == 0) {
            on_thread();
        }
    }
} hardware;

struct model_lock {
    static unsigned irq_save()
    {
        hardware.open();
        return hardware.depth++;
    }
    static void irq_restore(unsigned state)
    {
        hardware.depth = state;
        hardware.open();
    }
    static void irq_mask_all()
    {
        ++hardware.depth;
    }
    static void interrupt_window(unsigned state)
    {
        irq_restore(state);
        irq_mask_all();
    }
};

/// An alarm that compares for equality is missed if it is set too late. One that compares `>=` has the 64 bits of
/// mtime.
template <unsigned Bits, bool ComparesLevel, uint32_t Ahead>
struct model_counter {
    static constexpr unsigned bits = Bits;
    static constexpr uint32_t hz = 1000000;
    static constexpr uint32_t min_ahead = Ahead;
    static constexpr uint64_t turn = uint64_t{1} << Bits;

    static uint32_t read()
    {
        hardware.access();
        const uint32_t count = static_cast<uint32_t>(hardware.time & (turn - 1));
        hardware.open();
        return count;
    }
    static void set_alarm(uint32_t at)
    {
        hardware.access();
        const uint64_t seen = hardware.time + (Ahead == 0 || ComparesLevel ? 0 : hardware.numbers.below(Ahead));
        const uint64_t ahead = ComparesLevel
                                   ? static_cast<uint64_t>(static_cast<int32_t>(at - static_cast<uint32_t>(seen)))
                                   : ((at - seen - 1) & (turn - 1)) + 1;
        hardware.alarm = seen + ahead;
        hardware.access();
    }
    static void pend_alarm()
    {
        if (ComparesLevel) {
            hardware.alarm = hardware.time;
        } else {
            hardware.alarm_pending = true;
        }
    }
};

/// Interrupts also come between two accesses to the wheel's clock.
template <class Geometry>
struct open_storage : tickwheel::wheel_storage<Geometry> {
    tickwheel::clock_of<Geometry> &clock()
    {
        if (hardware.numbers.below(4) == 0) {
            hardware.open();
        }
        return tickwheel::wheel_storage<Geometry>::clock();
    }
};

enum class handlers { one, two };

template <class Counter, class Geometry, handlers Handlers = handlers::one, bool Budget = false>
struct trial {
    struct hooks : tickwheel::no_hooks {
        static void armed(const timer_list *timer)
        {
            ++arms;
            note(timer);
        }
        static void moved(const timer_list *timer)
        {
            ++moves;
            note(timer);
        }
    };
    static inline tickwheel::one_shot_wheel<Counter, model_lock, Geometry, open_storage<Geometry>, hooks> wheel;

    struct probe : timer_list {
        /// The time for which it is armed; 0 if it was deleted.
        uint64_t due;
        /// An interrupt must come by this time.
        uint64_t by;
        uint32_t order;
        /// It was armed for a tick that had not begun.
        bool in_order;
    };
    static constexpr unsigned most = 200;
    static inline probe probes[most];
    static inline unsigned count;
    /// The one for which thread code has called an arm that has not returned.
    static inline const probe *arming;
    static inline unsigned arms;
    static inline unsigned moves;
    static inline uint32_t last_order;
    static inline jiffies_t last_tick;
    static inline unsigned fired;
    static inline unsigned early;
    static inline unsigned unordered;
    static inline unsigned too_late;

    static uint32_t some_delay()
    {
        random_numbers &numbers = hardware.numbers;
        if (numbers.below(4) == 0) {
            // Timers of one tick, at the start of a slot.
            return static_cast<uint32_t>((((hardware.time >> 9) + 1 + numbers.below(3)) << 9) - hardware.time);
        }
        const uint32_t delay = numbers.next() >> (numbers.below(30) + 1);
        return delay < wheel.longest_delay ? delay : wheel.longest_delay;
    }
    static void note(const timer_list *armed)
    {
        for (probe &timer : probes) {
            if (armed == &timer) {
                const int32_t delay = static_cast<int32_t>(timer.expires - static_cast<uint32_t>(hardware.time));
                timer.order = arms + moves;
                timer.in_order = delay > 1;
                timer.due = hardware.time + static_cast<uint32_t>(delay > 0 ? delay : 0);
                timer.by = hardware.time + static_cast<uint32_t>(delay > 0 ? delay : 1);
            }
        }
    }
    static void arm(probe &timer, uint64_t due, bool idle_too = true)
    {
        const bool is_thread = hardware.level == 0;
        arming = is_thread ? &timer : arming;
        (void)(idle_too ? wheel.mod_timer(&timer, static_cast<jiffies_t>(due))
                        : wheel.mod_timer_pending(&timer, static_cast<jiffies_t>(due)));
        arming = is_thread ? nullptr : arming;
    }
    static void act()
    {
        probe &timer = probes[hardware.numbers.below(count)];
        const uint32_t kind = hardware.numbers.below(16);
        if (kind < 9) {
            arm(timer, hardware.time + some_delay());
        } else if (kind == 9) {
            arm(timer, hardware.time - (hardware.numbers.next() >> (hardware.numbers.below(24) + 1)));
        } else if (kind < 14) {
            const unsigned mask = model_lock::irq_save();
            (void)wheel.timer_delete(&timer);
            timer.due = 0;
            model_lock::irq_restore(mask);
        } else {
            arm(timer, hardware.time + some_delay(), false);
        }
    }
    static void on_fire(timer_list *fired_timer)
    {
        probe &timer = *static_cast<probe *>(fired_timer);
        ++fired;
        // An interrupt may have armed or deleted it since the runner took it.
        if (!wheel.timer_pending(&timer) && timer.due != 0) {
            early += hardware.time < timer.due;
            if (timer.in_order) {
                unordered += timer.expires == last_tick && timer.order < last_order;
                last_tick = timer.expires;
                last_order = timer.order;
            }
        }
        if (hardware.numbers.below(2) == 0) {
            act();
        } else if (hardware.numbers.below(2) == 0) {
            arm(timer, hardware.time + some_delay());
        }
        hardware.access();
    }

    static void serve()
    {
        Budget ? (void)wheel.interrupt_budget(1 + hardware.numbers.below(40)) : (void)wheel.interrupt();
    }
    static void on_alarm()
    {
        if (Handlers == handlers::one) {
            serve();
        } else {
            hardware.softirq_pending = true;
            hardware.alarm = hardware.compares_level ? never : hardware.alarm;
        }
    }
    static void check_alarm()
    {
        if (hardware.alarm_came() || hardware.softirq_pending) {
            return;
        }
        for (unsigned i = 0; i < count; ++i) {
            too_late += arming != &probes[i] && wheel.timer_pending(&probes[i]) && hardware.alarm > probes[i].by;
        }
    }

    static void sleep(uint64_t longest)
    {
        const uint64_t end = hardware.time + longest;
        while (hardware.time < end && !hardware.alarm_came()) {
            hardware.pass((hardware.alarm < end ? hardware.alarm : end) - hardware.time);
        }
        hardware.open();
    }
    /// Sleeps through all interrupts.
    static void sleep_for(uint64_t counts)
    {
        for (const uint64_t end = hardware.time + counts; hardware.time < end;) {
            sleep(end - hardware.time);
        }
    }
    static void prepare(uint64_t start_time, unsigned timers, uint32_t slow, uint32_t device_rate)
    {
        hardware = {};
        // Not by an assignment: the ring of a list would lead into a copy.
        ::new (&wheel) decltype(wheel)();
        fired = early = unordered = too_late = arms = moves = last_order = 0;
        count = timers;
        for (probe &timer : probes) {
            timer = {};
            timer.function = on_fire;
            timer.enabled = 1;
        }
        hardware.time = start_time;
        hardware.slow = slow;
        hardware.device_rate = device_rate;
        hardware.turn = Counter::turn;
        hardware.compares_level = Counter::min_ahead == 0;
        hardware.on_device = [] { hardware.numbers.below(8) == 0 ? serve() : act(); };
        hardware.on_softirq = serve;
        hardware.on_thread = check_alarm;
    }
    static void start()
    {
        wheel.start();
        hardware.on_alarm = on_alarm;
        hardware.open();
    }
    static void begin(uint64_t start_time, unsigned timers = 1, uint32_t slow = 1, uint32_t device_rate = 0)
    {
        prepare(start_time, timers, slow, device_rate);
        start();
    }
    static void end()
    {
        hardware = {};
        CHECK_EQ(early, 0u);
        CHECK_EQ(unordered, 0u);
        CHECK_EQ(too_late, 0u);
    }

    static void run(unsigned timers, uint32_t slow, uint32_t device_rate)
    {
        begin(TICKWHEEL_INITIAL_JIFFIES + uint64_t{1000}, timers, slow, device_rate);
        unsigned wrong_times = 0;
        for (unsigned i = 0; i < 5000; ++i) {
            if (timers == most && hardware.numbers.below(512) == 0) {
                // A block with many timers, so that its cascade takes several runs.
                const uint64_t first = hardware.time + 40 + (hardware.numbers.next() >> 17);
                for (unsigned j = 0; j < most; ++j) {
                    arm(probes[j], first + hardware.numbers.below(128));
                }
            }
            if (hardware.numbers.below(2) == 0) {
                act();
            } else {
                sleep(hardware.numbers.next() >> (Counter::bits < 24 ? 12 : 4) >> hardware.numbers.below(20));
            }
            const uint64_t before = hardware.time;
            const uint64_t now = wheel.get_jiffies_64();
            wrong_times += now < before || now > hardware.time;
        }
        CHECK_EQ(wrong_times, 0u);
        CHECK(fired > 500);
        end();
    }
    static void run_all()
    {
        run(1, 3, 0);
        run(3, 3, 6);
        run(20, 3, 6);
        run(most, 3, 20);
        run(20, 60, 4);
    }
};

} // namespace one_shot
