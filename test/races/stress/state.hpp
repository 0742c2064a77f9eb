// SPDX-License-Identifier: MIT
// The timers and the contexts of the stress test, what each context counts, and how a failed check is reported.
#ifndef TICKWHEEL_TEST_STRESS_STATE_HPP
#define TICKWHEEL_TEST_STRESS_STATE_HPP

#include <tickwheel/wheel.hpp>

#include "../../support/console.hpp"
#include "../../support/random.hpp"
#include "lines.hpp"

namespace stress
{

// The numbers of timers: common ones, watched ones, and one of its own for each context.
constexpr unsigned common_count = 40;
constexpr unsigned watched_count = 19;
constexpr unsigned first_own = common_count + watched_count;
constexpr unsigned timer_count = first_own + context_count;
inline timer_list timers[timer_count];

/// Only its own context writes it, so interrupts need not be masked.
struct state {
    random_numbers numbers;
    uint32_t checksum;
    uint32_t operations;
    uint32_t armed;
    uint32_t cancelled;
    uint32_t fired;
    uint32_t refused;
    /// How often this context has interrupted an operation of another one.
    uint32_t interrupted;
    /// The most operations of others that were under way below this context, and the most active contexts, itself
    /// included.
    unsigned most_operations;
    unsigned most_contexts;
    /// The counter of ticks when this context last read it.
    uint64_t seen;
    /// An unmasked operation is under way.
    volatile bool inside;
    volatile bool active;
    /// For each timer: arms minus cancels minus firings in this context. The sum over all contexts is 1 while the
    /// timer is pending, else 0, modulo 2^16.
    uint16_t balance[timer_count];

    uint32_t below(uint32_t limit)
    {
        return numbers.below(limit);
    }
    void remember(uint32_t what)
    {
        checksum = (checksum << 5 | checksum >> 27) ^ what;
    }
};
inline state states[context_count];

/// Callbacks only count.
inline bool calm;
/// Each callback must run in the tick of its timer.
inline bool draining;
/// This test has set the mask, not the wheel's lock.
inline volatile bool masked_here;
/// A tick has reported work, and nobody has run all of it since.
inline volatile bool owed;
/// The sum of all ticks. Only the tick writes it.
inline uint64_t counted;

inline uint32_t passed;
inline uint32_t failed;
inline volatile bool stretch_failed;

inline bool before(jiffies_t a, jiffies_t b)
{
    return tickwheel_time_before(a, b);
}

inline bool runner_holds(const timer_list &timer)
{
    return tickwheel_slots.running == &timer;
}

inline uint32_t all_operations()
{
    uint32_t sum = 0;
    for (const state &each : states) {
        sum += each.operations;
    }
    return sum;
}

[[noreturn]] inline void finish()
{
    print(passed, " passed, ", failed, " failed\n");
    board::exit(failed != 0);
}

/// Reports a fault with the number of its timer or of its kind.
constexpr unsigned no_number = ~0u;
inline void check(bool good, const char *what, unsigned number = no_number)
{
    if (good) {
        return;
    }
    const everything_masked now;
    stretch_failed = true;
    print("FAIL after ", all_operations(), " operations, ", context_names[here()], ": ", what);
    if (number != no_number) {
        print(" (", number, ")");
    }
    print("\n");
    // A broken wheel stays broken.
    constexpr unsigned enough_failures = 8;
    static unsigned failures;
    if (++failures == enough_failures) {
        ++failed;
        finish();
    }
}

/// Keeps every other context out. The mask is not the wheel's own, so a broken lock does not break the checks.
class alone {
public:
    alone() : was_masked(masked_now()), was_here(masked_here)
    {
        // Around the mask, so that the alarm never takes it for the wheel's.
        masked_here = true;
        set_mask(true);
    }
    ~alone()
    {
        check(masked_now(), "the lock has opened a mask that was not its own");
        set_mask(was_masked);
        masked_here = was_here;
    }
    alone(const alone &) = delete;
    alone &operator=(const alone &) = delete;

private:
    bool was_masked;
    bool was_here;
};

/// Lets an interrupt come at once, or at some instruction that this context executes next.
inline void provoke(state &self)
{
    const uint32_t which = self.below(8);
    const uint32_t within = which % 2 == 0 ? 60 : 500;
    if (which < 3) {
        raise(which == 0 ? in_runner : which == 1 ? in_low : in_high);
    } else {
        raise_after(which < 5 ? in_low : in_high, 1 + self.below(within));
    }
}

/// Calls the wheel without a mask, so that interrupts may come anywhere. Every other time one does.
template <class Call>
auto unmasked(state &self, Call call)
{
    const bool was_masked = masked_now();
    if (self.below(2) != 0) {
        provoke(self);
    }
    self.inside = true;
    barrier();
    const auto returned = call();
    barrier();
    self.inside = false;
    check(masked_now() == was_masked, "the mask is not what it was before");
    return returned;
}

} // namespace stress

#endif
