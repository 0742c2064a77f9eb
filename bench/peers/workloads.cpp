// SPDX-License-Identifier: MIT
// The workloads W1 to W7 and W9 for one peer. The compiler includes the peer's header
// first, and PEER is its class. The work is the same for all. Delays end at the
// longest that the peer takes. N = 0 means W6.
#include <stddef.h>
#include <stdint.h>

#include <tickwheel/wheel.hpp>

#include "../wheel/measure.hpp"
#include "../wheel/workload.hpp"

namespace peers
{
class tickwheel_wheel;
}

namespace
{

using namespace bench;
using system_type = peers::PEER;
using timer_type = system_type::timer_type;

constexpr unsigned most_timers = 10000;

system_type system;

/// The measured calls.
template <class System>
struct measured {
    [[gnu::noinline]] static bool arm(timer_type *timer, jiffies_t expires)
    {
        return system.arm(timer, expires);
    }
    [[gnu::noinline]] static bool cancel(timer_type *timer)
    {
        return system.cancel(timer);
    }
    [[gnu::noinline]] static void call_tick()
    {
        system.tick();
    }
    template <operation Operation>
    static void tick()
    {
        call<Operation, call_tick>();
    }
};

template <>
struct measured<peers::tickwheel_wheel> {
    static constexpr auto *arm = tickwheel_mod_timer;
    static constexpr auto *cancel = tickwheel_timer_delete;
    template <operation Operation>
    static void tick()
    {
        bench::tick<Operation>();
    }
};

using calls = measured<system_type>;

/// The bytes that a system takes with no timer pending.
template <class System>
constexpr size_t fixed_bytes = sizeof(System) - System::bytes_beside *System::most_pending;
template <>
constexpr size_t fixed_bytes<peers::tickwheel_wheel> = sizeof(tickwheel_clock) + sizeof(tickwheel_slots);

constexpr bool fits(jiffies_t delay)
{
    return delay <= system_type::longest_delay;
}

/// The delay, or the longest that the system takes.
constexpr jiffies_t at_most(jiffies_t delay)
{
    return fits(delay) ? delay : system_type::longest_delay;
}

/// A timer that its callback may re-arm.
struct periodic : timer_type {
    jiffies_t period;
};

periodic timers[most_timers + 1];

void do_nothing(timer_type * /*timer*/)
{
}

void arm_again(timer_type *timer)
{
    note<op_rearmed>();
    calls::arm(timer, timer->expires + static_cast<periodic *>(timer)->period);
}

void start_afresh(void (*function)(timer_type *))
{
    system.init(TICKWHEEL_INITIAL_JIFFIES);
    for (periodic &each : timers) {
        system.setup(&each, function);
    }
}

/// Comes between the arms and the measured ticks. A system may defer its work until the next tick, and the work of so
/// many arms is no part of W4 and W5.
void settle()
{
    system.tick();
}

/// N timers at random delays.
void arm_all(unsigned count, jiffies_t from, jiffies_t to)
{
    for (unsigned i = 0; i < count; ++i) {
        calls::arm(&timers[i], system.now() + random(from, to));
    }
}

constexpr unsigned rounds = 4;
constexpr unsigned operations_a_round = 512;

/// W1, W2, W3: among N others.
void single_timers(unsigned count)
{
    constexpr jiffies_t longest = at_most(0xFFFF);
    for (unsigned n = 0; n < rounds; ++n) {
        start_afresh(do_nothing);
        arm_all(count, 1, longest);
        periodic *idle = &timers[count];
        for (unsigned i = 0; i < operations_a_round; ++i) {
            call<op_arm, calls::arm>(idle, system.now() + random(1, longest));
            check(system.pending(idle));
            idle = &timers[random(0, count)];
            check(call<op_cancel, calls::cancel>(idle) == 1);
        }
        for (unsigned i = 0; i < operations_a_round; ++i) {
            periodic *const timer = &timers[random(0, count)];
            if (timer != idle) {
                call<op_restart, calls::arm>(timer, system.now() + random(1, longest));
                check(system.pending(timer));
            }
        }
    }
}

/// W4: N periodic timers, for as long as the longest period.
void busy_ticks(unsigned count)
{
    random_state = 861565;
    start_afresh(arm_again);
    for (unsigned i = 0; i < count; ++i) {
        timers[i].period = random(1, at_most((1u << 14) - 1));
        calls::arm(&timers[i], system.now() + timers[i].period);
    }
    settle();
    for (unsigned i = 0; i < 1u << 14; ++i) {
        calls::tick<op_busy_tick>();
    }
}

/// W5: ticks in which nothing is due.
void idle_ticks(unsigned count)
{
    start_afresh(do_nothing);
    for (unsigned i = 0; i < 1u << 14; ++i) {
        calls::tick<op_idle_tick>();
    }
    constexpr jiffies_t far = at_most(1u << 23) / 2;
    if (far > 1u << 14) {
        start_afresh(do_nothing);
        arm_all(count, far, far + 0x7FFF);
        settle();
        for (unsigned i = 0; i < 1u << 14; ++i) {
            calls::tick<op_far_tick>();
        }
    }
}

/// W6: ten time-outs a tick. Nine of them are cancelled a hundred ticks later.
void timeouts()
{
    constexpr unsigned cancelled_a_tick = 9;
    constexpr unsigned cancelled_after = 100;
    constexpr unsigned longest = 5000;
    static timer_type cancelled[cancelled_after][cancelled_a_tick];
    static timer_type kept[longest + 1];
    if (!fits(longest)) {
        return;
    }
    start_afresh(do_nothing);
    for (auto &row : cancelled) {
        for (timer_type &timer : row) {
            system.setup(&timer, do_nothing);
        }
    }
    for (timer_type &timer : kept) {
        system.setup(&timer, do_nothing);
    }
    const auto arm = [](timer_type *timer, bool counts) {
        const jiffies_t expires = system.now() + random(1000, longest);
        if (counts) {
            call<op_timeout_arm, calls::arm>(timer, expires);
        } else {
            calls::arm(timer, expires);
        }
    };
    // The number of pending timers is steady from here on.
    constexpr unsigned ticks = 4096;
    for (unsigned i = 0; i < longest + ticks; ++i) {
        const bool counts = i >= longest;
        for (timer_type &timer : cancelled[i % cancelled_after]) {
            if (i >= cancelled_after) {
                check(counts ? call<op_timeout_cancel, calls::cancel>(&timer) == 1 : system.cancel(&timer));
            }
            arm(&timer, counts);
        }
        arm(&kept[i % (longest + 1)], counts);
        if (counts) {
            calls::tick<op_timeout_tick>();
        } else {
            system.tick();
        }
    }
}

/// W9: N timers of one tick.
void bursts(unsigned count)
{
    constexpr jiffies_t delays[] = {at_most(200), at_most((1u << 14) + 300)};
    for (const jiffies_t delay : delays) {
        start_afresh(do_nothing);
        const jiffies_t expires = system.now() + delay;
        for (unsigned i = 0; i < count; ++i) {
            calls::arm(&timers[i], expires);
        }
        while (system.now() != expires) {
            calls::tick<op_burst_tick>();
        }
        check(!system.pending(&timers[count - 1]));
    }
}

} // namespace

// nm reads the bytes from the object.
extern "C" {
[[gnu::used]] extern const char bench_fixed[fixed_bytes<system_type>] = {};
[[gnu::used]] extern const char bench_timer[sizeof(timer_type) + system_type::bytes_beside] = {};
}

int main()
{
    board::init();
    const unsigned count = timers_wanted();
    check(count <= most_timers);
    // W6 does not depend on N.
    if (count == 0) {
        timeouts();
        return 0;
    }
    single_timers(count);
    busy_ticks(count);
    idle_ticks(count);
    bursts(count);
    return 0;
}
