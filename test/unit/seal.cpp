// SPDX-License-Identifier: MIT
// Debug builds: the seal of a pending timer depends on each bit that it guards.
#include <tickwheel/timer.hpp>
#include <wheel/debug.hpp>

#include "support.hpp"

#if TICKWHEEL_DEBUG

namespace
{

constexpr unsigned address_bits = 8 * sizeof(void *);

template <class Pointer>
Pointer flipped(Pointer pointer, unsigned bit)
{
    return reinterpret_cast<Pointer>(reinterpret_cast<uintptr_t>(pointer) ^ uintptr_t{1} << bit);
}

} // namespace

TEST_CASE("a seal differs for each bit of the wheel's address, of both links, the function and the slot")
{
    const timer_list timer = tickwheel::timer_initializer(unit::note, 0);
    const void *const wheel = &timer;
    const uint32_t seal = tickwheel::seal_of(&timer, wheel);
    for (unsigned bit = 0; bit < address_bits; ++bit) {
        timer_list changed = timer;
        const uint32_t same = tickwheel::seal_of(&changed, wheel);
        CHECK((tickwheel::seal_of(&timer, flipped(wheel, bit)) != seal));
        changed.next = flipped(changed.next, bit);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
        changed.next = timer.next;
        changed.prev = flipped(changed.prev, bit);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
        changed.prev = timer.prev;
        changed.function = flipped(changed.function, bit);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
        changed.function = timer.function;
        changed.slot = static_cast<uint16_t>(changed.slot ^ 1u << bit % 16);
        CHECK((tickwheel::seal_of(&changed, wheel) != same));
    }
}

#endif
