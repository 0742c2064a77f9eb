// SPDX-License-Identifier: MIT
// A word that two contexts share without a lock.
#ifndef TICKWHEEL_SHARED_WORD_HPP
#define TICKWHEEL_SHARED_WORD_HPP

#include <stdint.h>

namespace tickwheel
{

/// Every access is one load or one store. A volatile member would do the same, but an object with a volatile member
/// needs a constructor at run time.
class shared_word {
public:
    constexpr shared_word(uint32_t start = 0) : value(start)
    {
    }
    operator uint32_t() const
    {
        return *static_cast<const volatile uint32_t *>(&value);
    }
    void operator=(uint32_t changed)
    {
        *static_cast<volatile uint32_t *>(&value) = changed;
    }

private:
    uint32_t value;
};

} // namespace tickwheel

#endif
