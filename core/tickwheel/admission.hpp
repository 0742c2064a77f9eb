// SPDX-License-Identifier: MIT
/// @file
/// How many timers may be pending in a wheel.
#ifndef TICKWHEEL_ADMISSION_HPP
#define TICKWHEEL_ADMISSION_HPP

#include <stdint.h>

#include <tickwheel/shared_word.hpp>

namespace tickwheel
{

/// A wheel that takes any number of timers, and does not count them.
struct unlimited {
protected:
    /// @{ Called with the lock held: before a timer is armed (false refuses it), after a timer left, and by init().
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

/// A wheel that counts its pending timers and takes at most Limit. It refuses an arm of one more with -1, and leaves
/// that timer idle. A timer that re-arms itself is not pending in its callback. Where others may take its place, it
/// stops.
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
