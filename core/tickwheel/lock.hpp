// SPDX-License-Identifier: MIT
/// @file
/// The lock of a wheel for a block of code, and a word that contexts share without a lock.
#ifndef TICKWHEEL_LOCK_HPP
#define TICKWHEEL_LOCK_HPP

#include <stdint.h>

namespace tickwheel
{

/// Holds a Lock from here to the end of the block.
template <class Lock>
class lock_guard {
public:
    /// Takes the lock.
    [[gnu::always_inline]] lock_guard() : state(Lock::irq_save())
    {
    }
    /// Releases it.
    [[gnu::always_inline]] ~lock_guard()
    {
        Lock::irq_restore(state);
    }
    lock_guard(const lock_guard &) = delete;
    lock_guard &operator=(const lock_guard &) = delete;

private:
    decltype(Lock::irq_save()) state;
};

/// The lock of a caller that already holds one.
struct no_lock {
    /// @{ Does nothing.
    static int irq_save()
    {
        return 0;
    }
    static void irq_restore(int)
    {
    }
    static void interrupt_window(int)
    {
    }
    /// @}
};

/// Every access is one load or one store. A volatile member would do the same, but an object with a volatile member
/// needs a constructor at run time.
class shared_word {
public:
    /// A word that starts with this value.
    constexpr shared_word(uint32_t start = 0) : value(start)
    {
    }
    /// Loads it.
    operator uint32_t() const
    {
        return *static_cast<const volatile uint32_t *>(&value);
    }
    /// Stores it.
    void operator=(uint32_t changed)
    {
        *static_cast<volatile uint32_t *>(&value) = changed;
    }

private:
    uint32_t value;
};

} // namespace tickwheel

#endif
