// SPDX-License-Identifier: MIT
// The workloads that both wheels can do, for one of them: PEER is its class. N = 0 means the time-outs.
#include <stddef.h>
#include <stdint.h>

#include <tickwheel/default_wheel.hpp>

#include "../wheel/workloads.hpp"
#include "linux_wheel.hpp"
#include "tickwheel_wheel.hpp"

namespace
{

using namespace bench;

struct measured_system {
    using system_type = peers::PEER;
    using timer_type = system_type::timer_type;
    static inline system_type system;
    static constexpr unsigned rounds = 4;
    static constexpr unsigned operations_a_round = 512;
    static constexpr unsigned ticks = 1u << 14;
    static constexpr unsigned timeout_ticks = 4096;
    static constexpr bool defers = true;
    static constexpr jiffies_t start_of(unsigned /*round*/)
    {
        return TICKWHEEL_INITIAL_JIFFIES;
    }
};

/// The measured calls.
template <class System>
struct measured : measured_system {
    [[gnu::noinline]] static void arm(timer_type *timer, jiffies_t expires)
    {
        system.arm(timer, expires);
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
struct measured<peers::tickwheel_wheel> : measured_system, wheel_calls {};

constexpr unsigned max_timers = 10000;
using calls = measured<peers::PEER>;
using work = workloads<calls, max_timers>;

/// The bytes that a system takes with no timer pending.
template <class System>
constexpr size_t fixed_bytes = sizeof(System);
template <>
constexpr size_t fixed_bytes<peers::tickwheel_wheel> = sizeof(tickwheel_clock) + sizeof(tickwheel_slots);

} // namespace

// nm reads the bytes from the object.
extern "C" {
[[gnu::used]] extern const char bench_fixed[fixed_bytes<peers::PEER>] = {};
[[gnu::used]] extern const char bench_timer[sizeof(work::timer_type)] = {};
}

int main()
{
    board::init();
    const unsigned count = timers_wanted();
    check(count <= max_timers);
    // The time-outs do not depend on N.
    if (count == 0) {
        work::all_timeouts();
        return 0;
    }
    work::arms_and_cancels(count);
    work::moves(count, [](unsigned) {});
    work::busy_ticks(count);
    work::idle_ticks(count);
    work::burst(count, 200);
    work::burst(count, (1u << 14) + 300);
    work::crowd(count, 0x1000);
    return 0;
}
