// SPDX-License-Identifier: MIT
/// @file
/// How many timers may be pending in a wheel.
#ifndef TICKWHEEL_ADMISSION_HPP
#define TICKWHEEL_ADMISSION_HPP

#include <stdint.h>

#include <tickwheel/shared_word.hpp>

namespace tickwheel
{

/// Any number of timers, not counted.
struct unlimited {
protected:
    /// @{ Called with the lock held: before a timer is armed (false refuses it), after a timer has left, and by
    /// init().
    static constexpr bool try_acquire()
    {
        return true;
    }
    static constexpr void release()
    {
    }
    static constexpr void reset()
    {
    }
    /// @}
};

/// At most Limit pending timers. An arm of one more returns -1 and leaves that timer idle. A timer that re-arms
/// itself is idle during its callback: if another timer takes its place then, it stops.
template <uint32_t Limit = ~uint32_t{0}>
class limited {
public:
    /// How many timers are pending. A snapshot, from any context.
    uint32_t pending_timers() const
    {
        return count;
    }

protected:
    /// @{ As those of unlimited.
    bool try_acquire()
    {
        const uint32_t before = count;
        count = before == Limit ? before : before + 1;
        return before != Limit;
    }
    void release()
    {
        count = count - 1;
    }
    void reset()
    {
        count = 0;
    }
    /// @}

private:
    shared_word count = 0;
};

} // namespace tickwheel

#endif
