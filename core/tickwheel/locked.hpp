// SPDX-License-Identifier: MIT
// The lock, for a block of code.
#ifndef TICKWHEEL_LOCKED_HPP
#define TICKWHEEL_LOCKED_HPP

namespace tickwheel
{

template <class Lock>
class locked {
public:
    [[gnu::always_inline]] locked() : state(Lock::irq_save())
    {
    }
    [[gnu::always_inline]] ~locked()
    {
        Lock::irq_restore(state);
    }
    locked(const locked &) = delete;
    locked &operator=(const locked &) = delete;

private:
    decltype(Lock::irq_save()) state;
};

} // namespace tickwheel

#endif
