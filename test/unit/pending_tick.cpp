// SPDX-License-Identifier: MIT
// A tick that has begun while its interrupt waits for the caller. "At least" counts it.
#include <tickwheel/long_timer.hpp>
#include <tickwheel/periodic_timer.hpp>
#include <tickwheel/port.hpp>
#include <tickwheel/tickwheel.h>
#include <tickwheel/wheel.hpp>

#include "support.hpp"

namespace
{

/// While it lives, a tick waits, as seen from code that masks or an interrupt above the tick's. Ports without a
/// register that shows it have none: 0.
class pending_tick {
public:
#if defined(TICKWHEEL_TEST_HOST)
    static constexpr jiffies_t ticks = 1;

    pending_tick()
    {
        tickwheel::interrupts.uncounted_ticks = ticks;
    }
    ~pending_tick()
    {
        tickwheel::interrupts.uncounted_ticks = 0;
    }
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    static constexpr jiffies_t ticks = 1;

    pending_tick()
    {
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
        interrupt_control() = 1u << 26;
    }
    ~pending_tick()
    {
        interrupt_control() = 1u << 25;
        __asm__ volatile("dsb\n\tmsr primask, %0" ::"r"(state) : "memory");
    }

private:
    static volatile uint32_t &interrupt_control()
    {
        return *reinterpret_cast<volatile uint32_t *>(0xE000ED04);
    }
    uint32_t state = 0;
#else
    static constexpr jiffies_t ticks = 0;

    pending_tick()
    {
    }
#endif
};

constexpr jiffies_t now = 1000;
tickwheel::wheel<tickwheel::port_lock, tickwheel::linux_small_geometry> own;

/// A lock that cannot tell whether a tick waits.
struct lock_of_four : private tickwheel::port_lock {
    using tickwheel::port_lock::interrupt_window;
    using tickwheel::port_lock::irq_mask_all;
    using tickwheel::port_lock::irq_restore;
    using tickwheel::port_lock::irq_save;
};
tickwheel::wheel<lock_of_four, tickwheel::linux_small_geometry> blind;

} // namespace

// requirement: TW-39
TEST_CASE("a tick that is pending behind the caller counts for every start after at least some ticks, but no delay "
          "is too long")
{
    const unit::fresh wheel(now);
    own.init(now);
    tickwheel::timer plain{unit::note};
    tickwheel::basic_timer<own> elsewhere{unit::note};
    tickwheel::periodic_timer often{[] {}};
    tickwheel::long_timer far{[] {}};
    timer_list in_c = tickwheel::timer_initializer(unit::note, 0);
    tickwheel::timer longest{unit::note};
    tickwheel::long_timer farthest{[] {}};
    constexpr jiffies_t expected = now + pending_tick::ticks + 5 + 1;
    {
        const pending_tick waits;
        CHECK_EQ(tickwheel_current_tick(), now + pending_tick::ticks);
        CHECK_EQ(jiffies, now);
        (void)plain.start_after_at_least(5);
        (void)elsewhere.start_after_at_least(5);
        often.start_after_at_least(5, 7);
        (void)far.start_after_at_least(5);
        (void)tickwheel_start_after_ms(&in_c, 5);
        (void)longest.start_after_at_least(~jiffies_t{0});
        (void)farthest.start_after_at_least(~uint64_t{0});
    }
    CHECK_EQ(tickwheel_current_tick(), now);
    CHECK_EQ(plain.expires(), expected);
    CHECK_EQ(elsewhere.expires(), expected);
    CHECK_EQ(often.expires(), expected);
    CHECK_EQ(far.expires(), expected);
    CHECK_EQ(in_c.expires, expected);
    CHECK_EQ(longest.expires(), now + unit::longest_delay);
    CHECK_EQ(farthest.expires(), farthest.last_tick);
    CHECK((plain.cancel() && elsewhere.cancel() && often.stop() && far.cancel()));
    CHECK((tickwheel_timer_delete(&in_c) == 1 && longest.cancel() && farthest.cancel()));
}

TEST_CASE("a lock that cannot tell whether a tick waits counts none")
{
    blind.init(now);
    const pending_tick waits;
    CHECK_EQ(blind.current_tick(), now);
}
