// SPDX-License-Identifier: MIT
// The two cores and their wheels.
#pragma once

#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/ticket_lock.hpp>

#include "../../../boards/mps2-an521/cores.hpp"
#include "../../support/console.hpp"
#include "../../support/core_registers.hpp"
#include "../../support/random.hpp"

namespace cores_stress
{

struct cores : board::cores {
    using mask = tickwheel::port_lock;
    template <unsigned Number>
    using spin = tickwheel::ticket_lock<cores, Number>;
};

inline tickwheel::core_wheel<cores, 0> wheel_0;
inline tickwheel::core_wheel<cores, 1> wheel_1;

/// Calls `call` with a wheel. They are of two types.
template <class Call>
auto on_wheel(unsigned core, Call call)
{
    return core == 0 ? call(wheel_0) : call(wheel_1);
}

inline jiffies_t jiffies_of(unsigned core)
{
    return on_wheel(core, [](auto &wheel) { return wheel.jiffies(); });
}

/// Both contexts of a core, and their sums.
constexpr unsigned contexts = 2 * cores::count;
inline unsigned context_here()
{
    uint32_t exception = 0;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return 2 * cores::here() + (exception != 0);
}

inline uint32_t passed;
inline uint32_t failed;

/// The console is of the core that holds this, in one context.
using console = tickwheel::shared_lock<tickwheel::ticket_lock<board::cores, cores::count + 1>, cores>;

inline void check(bool good, const char *what, unsigned number = 0)
{
    if (good) {
        return;
    }
    const tickwheel::lock_guard<console> held;
    print("FAIL core ", cores::here(), ": ", what, " (", number, ")\n");
    constexpr uint32_t enough_failures = 8;
    if (++failed == enough_failures) {
        print(passed, " passed, ", failed, " failed\n");
        board::exit(1);
    }
}

} // namespace cores_stress
