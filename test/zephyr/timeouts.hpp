// SPDX-License-Identifier: MIT
// What the tests of port/zephyr share: timeouts that note their calls, and a kernel that is left empty.
#ifndef TICKWHEEL_TEST_ZEPHYR_TIMEOUTS_HPP
#define TICKWHEEL_TEST_ZEPHYR_TIMEOUTS_HPP

#include <initializer_list>

#include "../support/zephyr/stand_in.hpp"
#include "../unit/unit_test.hpp"

using stand_in::kernel;

constexpr kernel const *kernels[] = {&stand_in::with_list, &stand_in::with_wheel};

inline k_timeout_t in_ticks(k_ticks_t ticks)
{
    return {ticks};
}

inline k_timeout_t at_tick(k_ticks_t tick)
{
    return {Z_TICK_ABS(tick)};
}

/// Names in the order of the calls.
inline char order[64];
inline unsigned calls;

/// A timeout that notes its calls. The end of its block aborts it.
struct noted : _timeout {
    const kernel &of;
    char name;
    unsigned count = 0;
    /// The kernel's tick in the last call.
    k_ticks_t tick = 0;
    /// Done in each call.
    void (*then)(noted &) = nullptr;

    noted(const kernel &its_kernel, char its_name = '.') : _timeout(), of(its_kernel), name(its_name)
    {
    }
    ~noted()
    {
        (void)of.abort(this);
        CHECK_EQ(stand_in::lock_faults, 0u);
        CHECK_EQ(stand_in::locks_held, 0u);
    }
    noted(const noted &) = delete;
    noted &operator=(const noted &) = delete;

    k_ticks_t add(k_timeout_t delay)
    {
        return of.add(this, call, delay);
    }
    k_ticks_t remaining() const
    {
        return of.remaining(this);
    }

private:
    static void call(_timeout *timeout)
    {
        auto *const self = static_cast<noted *>(timeout);
        CHECK_EQ(stand_in::locks_held, 0u);
        CHECK(z_is_inactive_timeout(self));
        ++self->count;
        self->tick = self->of.tick();
        order[calls++ % sizeof order] = self->name;
        if (self->then != nullptr) {
            self->then(*self);
        }
    }
};

/// Whether the calls since `calls` was 0 were those, in this order.
inline bool called_in_order(const char *names)
{
    unsigned i = 0;
    while (i < calls && order[i % sizeof order] == names[i]) {
        ++i;
    }
    return i == calls && names[i] == 0;
}

/// Announces ticks of more than 32 bits.
inline void announce(const kernel &of, uint64_t ticks)
{
    for (; ticks > UINT32_MAX; ticks -= UINT32_MAX) {
        of.announce(UINT32_MAX);
    }
    of.announce(static_cast<uint32_t>(ticks));
}

#endif
