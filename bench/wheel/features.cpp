// SPDX-License-Identifier: MIT
// One small firmware for each feature that `make size-features` weighs. -DFEATURE_..
// chooses the feature. main() starts a timer that counts its calls. The feature is
// either the kind of that timer or one more call.
#include <tickwheel/timer.hpp>

#if defined(FEATURE_CHRONO_CONSTANT) || defined(FEATURE_CHRONO)
#include <tickwheel/chrono.hpp>
#elif defined(FEATURE_LINUX)
#include <linux/timer.h>
#elif defined(FEATURE_LONG)
#include <tickwheel/long_timer.hpp>
#elif defined(FEATURE_PERIODIC_SKIP) || defined(FEATURE_PERIODIC_BURST) || defined(FEATURE_PERIODIC_DELAY)
#include <tickwheel/periodic_timer.hpp>
#elif defined(FEATURE_SCOPED)
#include <tickwheel/scoped_timer.hpp>
#elif defined(FEATURE_SECOND_WHEEL) || defined(FEATURE_SECOND_WHEEL_COUNTED)
#include <tickwheel/port.hpp>
#include <tickwheel/wheel.hpp>
#endif

namespace
{

volatile unsigned calls = 1;
volatile unsigned number = 1;

[[maybe_unused]] void count(timer_list *)
{
    calls = calls + 1;
}

#if defined(FEATURE_NOTHING)
void use()
{
}
#elif defined(FEATURE_LINUX)
DEFINE_TIMER(timer, count);
void use()
{
    mod_timer(&timer, jiffies + 10);
}
#elif defined(FEATURE_MEMBER)
struct counter {
    void count()
    {
        calls = calls + 1;
    }
    tickwheel::closure_timer<tickwheel::member<&counter::count>> timer{this};
};
counter object{};
void use()
{
    (void)object.timer.start_after_ticks(10);
}
#elif defined(FEATURE_LAMBDA)
tickwheel::closure_timer timer{[] { calls = calls + 1; }};
void use()
{
    (void)timer.start_after_ticks(10);
}
#elif defined(FEATURE_LAMBDA_OF_A_WORD)
tickwheel::closure_timer timer{[by = &number] { calls = calls + *by; }};
void use()
{
    (void)timer.start_after_ticks(10);
}
#elif defined(FEATURE_PERIODIC_SKIP) || defined(FEATURE_PERIODIC_BURST) || defined(FEATURE_PERIODIC_DELAY)
struct count_one {
    void operator()() const
    {
        calls = calls + 1;
    }
};
#if defined(FEATURE_PERIODIC_SKIP)
tickwheel::periodic_timer<count_one> timer{count_one{}};
#elif defined(FEATURE_PERIODIC_BURST)
tickwheel::periodic_timer<count_one, tickwheel::missed_periods::burst> timer{count_one{}};
#else
tickwheel::periodic_timer<count_one, tickwheel::missed_periods::delay> timer{count_one{}};
#endif
void use()
{
    timer.start_after_ticks(10, 10);
}
#elif defined(FEATURE_LONG)
tickwheel::long_timer timer{[] { calls = calls + 1; }};
void use()
{
    (void)timer.start_after_ticks(uint64_t{1} << 40);
}
#elif defined(FEATURE_SCOPED)
void use()
{
    tickwheel::scoped_timer timer{[] { calls = calls + 1; }};
    (void)timer.start_after_ticks(10);
    while (calls != 0) {
    }
}
#else
tickwheel::timer timer{count};
#if defined(FEATURE_SECOND_WHEEL) || defined(FEATURE_SECOND_WHEEL_COUNTED)
using geometry = tickwheel::linux_small_geometry;
#if defined(FEATURE_SECOND_WHEEL)
tickwheel::wheel<tickwheel::port_lock, geometry> second;
#else
tickwheel::wheel<tickwheel::port_lock, geometry, tickwheel::wheel_storage<geometry>, tickwheel::limited<8>> second;
#endif
tickwheel::basic_timer<second> other{count};
#endif
void use()
{
#if defined(FEATURE_CHRONO_CONSTANT)
    using namespace std::chrono_literals;
    (void)timer.start_after_ticks(tickwheel::ticks(10ms));
#elif defined(FEATURE_CHRONO)
    (void)timer.start_after_ticks(tickwheel::ticks(std::chrono::duration<uint32_t, std::milli>(number)));
#elif defined(FEATURE_MSECS)
    (void)timer.start_after_ticks(tickwheel_msecs_to_jiffies(number));
#else
    (void)timer.start_after_ticks(10);
#endif
#if defined(FEATURE_CANCEL)
    (void)timer.cancel();
#elif defined(FEATURE_PENDING_ONLY)
    (void)timer.move_to(number);
#elif defined(FEATURE_NO_LATER)
    (void)timer.start_no_later_than(number);
#elif defined(FEATURE_JIFFIES_64)
    calls = static_cast<unsigned>(tickwheel_get_jiffies_64() >> 32);
#elif defined(FEATURE_NEXT_EXPIRY)
    jiffies_t next = 0;
    (void)tickwheel_next_expiry(&next);
    calls = next;
#elif defined(FEATURE_ADVANCE)
    (void)tickwheel_advance(number);
    (void)tickwheel_run();
#elif defined(FEATURE_BUDGET)
    (void)tickwheel_run_budget(number);
#elif defined(FEATURE_SECOND_WHEEL) || defined(FEATURE_SECOND_WHEEL_COUNTED)
    (void)other.start_after_ticks(10);
    (void)second.interrupt();
#elif !defined(FEATURE_PLAIN) && !defined(FEATURE_CHRONO_CONSTANT) && !defined(FEATURE_CHRONO) &&                    \
    !defined(FEATURE_MSECS)
#error "no such feature"
#endif
}
#endif

} // namespace

extern "C" void SysTick_Handler()
{
#if !defined(FEATURE_NOTHING)
    (void)tickwheel_interrupt();
#endif
}

int main()
{
    calls = number;
    use();
    for (;;) {
    }
}
