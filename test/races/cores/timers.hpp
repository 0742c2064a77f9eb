// SPDX-License-Identifier: MIT
// The timers of the stress test for two cores, and what their callbacks check.
//
//   owned    One core deletes the timer, waits for its callback, poisons it, sets it up again and arms it. Each
//            arming is called once or cancelled once, in its tick and in the order of arming. Nothing is called after
//            a delete has returned.
//   common   Both cores and their interrupts arm, move and cancel the timer. The sums must fit.
#pragma once

#include "machine.hpp"

namespace cores_stress
{

constexpr unsigned owned_count = 24;
constexpr unsigned common_count = 16;

/// The work of a context. Its own core writes it, in this context only.
struct state {
    random_numbers numbers;
    uint32_t operations;
    uint32_t fired;
    /// Armed and not yet fired or cancelled, as far as this context has seen.
    uint32_t balance[cores::count][common_count];
};
inline state states[contexts];
inline uint32_t ticks[cores::count];

// --- Owned

struct owned_timer {
    timer_list timer;
    uint8_t owner;
    uint8_t wheel;
    bool armed;
    /// When the arm returned, its tick had not come. Then it must fire in that tick.
    bool in_time;
    jiffies_t expires;
    uint32_t order;
    volatile uint32_t calls;
    volatile jiffies_t fired_at;
};
/// The owned timers by owner and wheel.
inline owned_timer owned[cores::count][cores::count][owned_count];
inline uint32_t armings[cores::count][cores::count];
/// The last firing. The core of the wheel writes it.
inline struct {
    jiffies_t tick;
    uint32_t order;
} last[cores::count][cores::count];

/// Makes some callbacks so long that the other core comes while they run.
inline void linger(state &self)
{
    for (uint32_t left = self.numbers.below(8) == 0 ? self.numbers.below(200) : 0; left != 0; --left) {
        barrier();
    }
}

inline void owned_fired(timer_list *fired)
{
    owned_timer &own = *reinterpret_cast<owned_timer *>(fired);
    state &self = states[context_here()];
    const jiffies_t now = jiffies_of(own.wheel);
    check(cores::here() == own.wheel, "called on the wrong core");
    check(!tickwheel_time_before(now, own.expires), "called early");
    // Each run follows its tick at once. A timer of an earlier slot was armed while that tick was counted, and
    // missed.
    check(fired->slot == now % 256, "called in another tick than that of its slot", now % 256 - fired->slot);
    if (now == own.expires) {
        auto &before = last[own.owner][own.wheel];
        check(before.tick != now || before.order < own.order, "called out of order", own.order);
        before = {now, own.order};
    }
    ++self.fired;
    linger(self);
    own.fired_at = now;
    own.calls = own.calls + 1;
}

inline void called_after_delete(timer_list * /*poisoned*/)
{
    check(false, "called after a sync delete had returned");
}

inline void poison(timer_list &timer)
{
    auto *const bytes = reinterpret_cast<volatile unsigned char *>(&timer);
    for (unsigned i = 0; i < sizeof timer; ++i) {
        bytes[i] = 0xA5;
    }
    timer.function = called_after_delete;
}

inline void delete_and_poison(state &self, owned_timer &own)
{
    const bool shuts_down = self.numbers.below(2) != 0;
    const int deleted = on_wheel(own.wheel, [&](auto &wheel) {
        return shuts_down ? wheel.timer_shutdown_sync(&own.timer) : wheel.timer_delete_sync(&own.timer);
    });
    const uint32_t calls = own.calls;
    check(deleted == 0 || deleted == 1, "a sync delete by a thread was refused");
    check(calls + static_cast<uint32_t>(deleted) == 1, "not called once or cancelled once", calls);
    check(calls == 0 || !own.in_time || own.fired_at == own.expires, "called late", own.fired_at - own.expires);
    own.armed = false;
    poison(own.timer);
}

inline jiffies_t random_delay(state &self)
{
    const uint32_t bits = self.numbers.next() >> 4;
    constexpr uint32_t masks[] = {1, 1, 3, 15, 63, 255, 1023, 0x7FFF};
    return bits >> 8 & masks[bits % 8];
}

inline void set_up_and_arm(state &self, owned_timer &own)
{
    own.timer = tickwheel::timer_initializer(owned_fired, 0);
    own.calls = 0;
    own.order = ++armings[own.owner][own.wheel];
    own.expires = jiffies_of(own.wheel) + random_delay(self);
    own.armed = true;
    const int was_pending =
        on_wheel(own.wheel, [&](auto &wheel) { return wheel.mod_timer(&own.timer, own.expires); });
    own.in_time = tickwheel_time_before(jiffies_of(own.wheel), own.expires);
    check(was_pending == 0, "pending before it was armed");
}

// --- Common

struct common_timer {
    timer_list timer;
    uint8_t wheel;
    uint8_t number;
};
inline common_timer common[cores::count][common_count];

inline void work_on_common(state &self, common_timer &shared)
{
    const jiffies_t expires = jiffies_of(shared.wheel) + random_delay(self);
    const uint32_t which = self.numbers.below(8);
    uint32_t &balance = self.balance[shared.wheel][shared.number];
    if (which < 4) {
        const int was_pending = on_wheel(shared.wheel, [&](auto &wheel) {
            return which == 0   ? wheel.mod_timer_idle(&shared.timer, expires)
                   : which == 1 ? wheel.timer_reduce(&shared.timer, expires)
                                : wheel.mod_timer(&shared.timer, expires);
        });
        balance += was_pending == 0;
    } else if (which == 4) {
        (void)on_wheel(shared.wheel, [&](auto &wheel) { return wheel.mod_timer_pending(&shared.timer, expires); });
    } else {
        const int deleted = on_wheel(shared.wheel, [&](auto &wheel) {
            return which == 5 ? wheel.try_to_del_timer_sync(&shared.timer) : wheel.timer_delete(&shared.timer);
        });
        balance -= deleted == 1;
    }
}

inline void common_fired(timer_list *fired)
{
    common_timer &shared = *reinterpret_cast<common_timer *>(fired);
    state &self = states[context_here()];
    ++self.fired;
    --self.balance[shared.wheel][shared.number];
    linger(self);
    if (self.numbers.below(4) == 0) {
        work_on_common(self, shared);
    }
}

} // namespace cores_stress
